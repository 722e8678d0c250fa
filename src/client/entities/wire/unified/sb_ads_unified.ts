import { byIdOf, idKey } from "../../../../base/json/id_of.ts";
import type { BatchError, BatchSuccess } from "../../../../platform/batch/batch_error.ts";
import { BatchResult } from "../../../../platform/batch/batch_result.ts";
import { failure } from "../../../../platform/batch/item_error.ts";
import { sameValue } from "../../../../base/json/canonical_json.ts";
import { fieldsOf } from "../../../../base/json/fields_of.ts";
import { mergeFields } from "../../../../plans/state/merge_fields.ts";
import type { ProfileScope } from "../../../../platform/transport/profile_scope.ts";
import type { Fields, ResourceWire, SendOptions } from "../../model/resource_wire.ts";
import { COMPONENT } from "./component_creative.ts";
import { state, TAGS } from "./forms.ts";
import { SB_UNIFIED_LIMITS, sbExtended } from "./sb_unified.ts";
import { unifiedWire } from "./unified_wire.ts";

const ADS: ResourceWire = unifiedWire({
  adProduct: "SPONSORED_BRANDS",
  entity: "ads",
  operations: ["v1-sb-ads:SB", "Ad"],
  fields: [
    { own: "adId", wire: "adId" },
    { own: "campaignId", wire: "campaignId", sent: "implied" },
    { own: "adGroupId", wire: "adGroupId", sent: "create" },
    { own: "name", wire: "name" },
    { own: "state", wire: "state", form: state("upper") },
    {
      own: "creative",
      parts: ["creative", "landingPage", "adFormat"],
      wire: "creative.componentCreative",
      form: COMPONENT,
    },
    TAGS,
  ],
  constants: { adType: "COMPONENT" },
  extendedFields: sbExtended("AD_STATUS_LIVE"),
  limits: { ...SB_UNIFIED_LIMITS, ids: 10, campaignIds: 10, adGroupIds: 10 },
});

/** Unified wire of Brands ads. An update must send the whole creative, so the ads are read first. */
export const sbAdsUnified: ResourceWire = {
  ...ADS,
  update: async (scope, items, send) => {
    if (items.every(({ creative }) => creative === undefined)) return await ADS.update(scope, items, send);
    const ads = await adsById(scope, items, send);
    const successes: BatchSuccess<Fields>[] = [];
    const errors: BatchError<Fields>[] = [];
    const sent: { readonly index: number; readonly item: Fields }[] = [];
    for (const [index, item] of items.entries()) {
      const { adId, creative, ...others } = item;
      const ad = ads.get(idKey(item, "adId"));
      if (creative === undefined) sent.push({ index, item });
      else if (ad === undefined) {
        const message = `Never sent: the account has no Brands ad ${adId}`;
        const what = { errorType: "entityNotFoundError", code: "NOT_FOUND", message };
        errors.push(failure({ index, item, outcome: "not_sent" }, what));
      } else {
        const whole = mergeFields(ad["creative"], creative);
        const isShown = sameValue(whole, ad["creative"]);
        if (isShown && Object.keys(others).length === 0) {
          successes.push({ index, id: idKey(item, "adId"), item, entity: undefined });
        } else sent.push({ index, item: isShown ? { adId, ...others } : completed(item, ad, whole) });
      }
    }
    if (sent.length > 0) {
      const result = await ADS.update(scope, sent.map(({ item }) => item), send);
      const at = <Verdict extends { readonly index: number }>(verdict: Verdict) => {
        const { index } = sent[verdict.index]!;
        return { ...verdict, index, item: items[index]! };
      };
      successes.push(...result.successes.map(at));
      errors.push(...result.errors.map(at));
    }
    return new BatchResult(
      successes.sort((a, b) => a.index - b.index),
      errors.sort((a, b) => a.index - b.index),
    );
  },
};

function completed(item: Fields, ad: Fields, creative: unknown): Fields {
  const { landingPage } = ad;
  return {
    ...item,
    creative: { ...fieldsOf(creative), type: fieldsOf(ad["creative"])["type"] },
    ...(landingPage === undefined ? {} : { landingPage }),
  };
}

async function adsById(
  scope: ProfileScope,
  items: readonly Fields[],
  { signal }: SendOptions,
): Promise<Map<string, Fields>> {
  const ids = [...byIdOf(items.filter(({ creative }) => creative !== undefined), "adId").keys()];
  const ads = new Map<string, Fields>();
  for await (const page of ADS.pages(scope, { ids, states: null, signal })) {
    for (const [id, ad] of byIdOf(page, "adId")) ads.set(id, ad);
  }
  return ads;
}
