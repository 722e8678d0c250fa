import { sameValue } from "../../../../base/json/canonical_json.ts";
import { fieldsOf } from "../../../../base/json/fields_of.ts";
import { byIdOf, idKey } from "../../../../base/json/id_of.ts";
import { mergeFields } from "../../../../plans/state/merge_fields.ts";
import type { BatchError, BatchSuccess } from "../../../../platform/batch/batch_error.ts";
import { BatchResult } from "../../../../platform/batch/batch_result.ts";
import { failure } from "../../../../platform/batch/item_error.ts";
import type { ProfileScope } from "../../../../platform/transport/profile_scope.ts";
import type { Fields, ResourceWire, SendOptions } from "../../model/resource_wire.ts";
import { asExtendedCollection, DEFAULT_SB_AD_FORMAT } from "../../model/sb_ads.ts";
import { state, TAGS, words } from "./forms.ts";
import { SB_UNIFIED_LIMITS, sbExtended } from "./sb_unified.ts";
import { FieldTable, NotOnWire, type UnifiedField, type UnifiedForm } from "./unified_field.ts";
import { unifiedWire } from "./unified_wire.ts";

const GIVEN: readonly UnifiedField[] = [
  { own: "creativeStatus", wire: "moderationStatus.moderationStatus", sent: "implied" },
  { own: "originalHeadline", wire: "untranslatedHeadlines[0]", sent: "implied" },
];

const UNREAD = ["type", "creativeVersion", "brandLogoUrl", "customImageUrl", "originalVideoAssetIds"];

/** An asset: one text with id and version in the toolkit, two required fields on the wire. */
const ASSET: UnifiedForm = {
  toWire: (value) => {
    const [, assetId, assetVersion] = /^(.+):([^:]+)$/.exec(String(value)) ?? [];
    if (assetId !== undefined) return { assetId, assetVersion };
    throw new NotOnWire(
      `The unified family needs the version of the asset ${JSON.stringify(value)}: write <id>:<version>`,
    );
  },
  toOwn: (value) => {
    const { assetId, assetVersion } = fieldsOf(value);
    if (assetId === undefined) return undefined;
    return assetVersion === undefined ? assetId : `${assetId}:${assetVersion}`;
  },
};

const PRODUCT: UnifiedForm = {
  toWire: (value) => ({ productId: value, productIdType: "ASIN" }),
  toOwn: (value) => fieldsOf(value)["productId"],
};

const IMAGE: UnifiedForm = {
  toWire: (value, place, op) => {
    const { assetId, crop, url: _, ...others } = fieldsOf(value);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) {
      throw new NotOnWire(`The unified family has no field for customImages.${unknown}`);
    }
    return {
      ...fieldsOf(ASSET.toWire(assetId, place, op)),
      ...(crop === undefined ? {} : { formatProperties: [crop] }),
    };
  },
  toOwn: (value, place) => {
    const [crop] = list(fieldsOf(value)["formatProperties"]);
    return { assetId: ASSET.toOwn(value, place), ...(crop === undefined ? {} : { crop }) };
  },
};

const CARD: UnifiedForm = {
  toWire: (value) => {
    const { asin, pageTitle, url } = fieldsOf(value);
    return {
      headline: pageTitle,
      landingPage: { landingPageType: "STORE", landingPageUrl: url },
      products: { productId: asin, productIdType: "ASIN" },
    };
  },
  toOwn: (value) => {
    const { headline, landingPage, products } = fieldsOf(value);
    const page = {
      asin: fieldsOf(products)["productId"],
      pageTitle: headline,
      url: fieldsOf(landingPage)["landingPageUrl"],
    };
    return Object.fromEntries(Object.entries(page).filter(([, part]) => part !== undefined));
  },
};

const PAGES: Readonly<Record<string, string>> = {
  PRODUCT_LIST: "ASIN_LIST",
  STORE: "STORE",
  CUSTOM_URL: "CUSTOM_URL",
  DETAIL_PAGE: "DETAIL_PAGE",
};

const WORDS: readonly UnifiedField[] = [
  { own: "brandName", wire: "brand" },
  { own: "headline", wire: "headlines[0]" },
  { own: "brandLogoAssetID", wire: "brandLogos[0]", form: ASSET },
  { own: "brandLogoCrop", wire: "brandLogos[0].formatProperties[0]" },
];

const TRANSLATED: UnifiedField = { own: "consentToTranslate", wire: "enableCreativeAutoTranslation" };
const OPTIMIZED: UnifiedField = { own: "creativePropertiesToOptimize", wire: "creativePropertiesToOptimize" };

const SHARED: readonly UnifiedField[] = [
  { own: "brandName", wire: "sharedSettings.brand" },
  { own: "brandLogoAssetID", wire: "sharedSettings.brandLogos", form: ASSET },
  { own: "brandLogoCrop", wire: "sharedSettings.brandLogos.formatProperties[0]" },
  { own: "creativeStatus", wire: "sharedSettings.moderationStatus.moderationStatus", sent: "implied" },
];

const PRODUCTS: UnifiedField = { own: "asins", wire: "products", form: listOf(PRODUCT) };
const VIDEOS: UnifiedField = { own: "videoAssetIds", wire: "videos", form: listOf(ASSET) };

interface Format {
  readonly name: string;
  readonly type: string;
  readonly settings: string;
  readonly table: FieldTable;
  readonly needs: readonly string[];
}

const COLLECTION = [
  ...GIVEN,
  ...WORDS,
  TRANSLATED,
  OPTIMIZED,
  PRODUCTS,
  { own: "customImages", wire: "customImages", form: listOf(IMAGE) },
  ...landingPage(["PRODUCT_LIST", "STORE", "CUSTOM_URL"], [
    { own: "landingPage.asins", wire: "landingPage.landingPageAsins.asins" },
  ]),
];

const SUBPAGES: UnifiedField = { own: "subpages", wire: "cards", form: listOf(CARD) };
const EXCLUSIONS: UnifiedField = { own: "asinExclusions", wire: "productExclusions", form: listOf(PRODUCT) };
const TITLE: UnifiedField = { own: "title", wire: "title", clearable: true };
const EVERY_FIELD = new FieldTable([...COLLECTION, VIDEOS, SUBPAGES, EXCLUSIONS, TITLE]);

const FORMATS: readonly Format[] = [
  format(
    ["productCollectionExtended", "PRODUCT_COLLECTION", "productCollectionSettings"],
    ["brandName", "brandLogoAssetID", "customImages", "headline", "landingPage"],
    COLLECTION,
  ),
  format(
    ["storeSpotlight", "STORE_SPOTLIGHT", "storeSpotlightSettings"],
    ["brandName", "brandLogoAssetID", "headline", "subpages", "landingPage"],
    [
      ...GIVEN,
      ...WORDS,
      TRANSLATED,
      OPTIMIZED,
      SUBPAGES,
      ...landingPage(["STORE"]),
    ],
  ),
  format(["video", "VIDEO", "productVideoSettings"], ["videoAssetIds"], [
    ...GIVEN,
    TRANSLATED,
    PRODUCTS,
    VIDEOS,
    ...landingPage(["DETAIL_PAGE", "STORE"]),
  ]),
  format(["brandVideo", "BRAND_VIDEO", "productVideoSettings"], ["brandName", "videoAssetIds"], [
    ...GIVEN,
    ...WORDS,
    TRANSLATED,
    PRODUCTS,
    VIDEOS,
    ...landingPage(["DETAIL_PAGE", "STORE"]),
  ]),
  format(["autoCollection", "AUTO_COLLECTION", "autoCollectionSettings"], ["brandName"], [
    ...SHARED,
    EXCLUSIONS,
  ]),
  format(
    ["manualCollection", "MANUAL_COLLECTION", "manualCollectionSettings"],
    ["brandName", "asins", "landingPage"],
    [
      ...SHARED,
      { own: "asins", wire: "productInclusions", form: listOf(PRODUCT) },
      TITLE,
      ...landingPage(["PRODUCT_LIST", "STORE"]),
    ],
  ),
];

/**
 * Creative and landing page: separate fields in the toolkit, one setting on the wire. Updates send the whole setting,
 * because it is undocumented whether omitted fields are kept.
 */
export const COMPONENT: UnifiedForm = {
  toWire: (value, place, op) => {
    const { adFormat, creative, landingPage } = fieldsOf(value);
    const { type } = fieldsOf(creative);
    const isNew = op === "create" && type === undefined;
    const found = formatOf(adFormat ?? (isNew ? DEFAULT_SB_AD_FORMAT : undefined), type);
    const shown = Object.fromEntries(
      Object.entries(asExtendedCollection(fieldsOf(creative))).filter(([name]) => !UNREAD.includes(name)),
    );
    const item = landingPage === undefined ? shown : { ...shown, landingPage };
    if (found === undefined && op === "create") {
      throw new NotOnWire(`The unified family has no ads of the format ${JSON.stringify(adFormat)}`);
    }
    // The changes of an update tell no format before they are completed by what the ad shows.
    const { body, problems } = (found?.table ?? EVERY_FIELD).toWire(item, place, op);
    const missing = op === "update" ? [] : found?.needs.filter((name) => item[name] === undefined) ?? [];
    const messages = [
      ...problems.map(({ message }) => message),
      ...missing.map((name) => `The unified family needs ${name} for the format ${found?.name}`),
    ];
    if (messages.length > 0) throw new NotOnWire(messages.join("; "));
    return found === undefined ? undefined : { [found.settings]: body };
  },
  toOwn: (value, place) => {
    const [[settings, parts] = []] = Object.entries(fieldsOf(value));
    const isBrand = fieldsOf(parts)["brand"] !== undefined;
    const found = FORMATS.find((one) =>
      one.settings === settings &&
      (settings !== "productVideoSettings" || (one.name === "brandVideo") === isBrand)
    );
    if (found === undefined) return { creative: { type: "OTHER" } };
    const { landingPage, ...creative } = found.table.toOwn(fieldsOf(parts), place);
    return {
      creative: { ...creative, type: found.type },
      ...(landingPage === undefined ? {} : { landingPage }),
    };
  },
};

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

function listOf(one: UnifiedForm): UnifiedForm {
  return {
    toWire: (value, place, op) => list(value).map((each) => one.toWire(each, place, op)),
    toOwn: (value, place) => list(value).map((each) => one.toOwn(each, place)),
  };
}

function landingPage(types: readonly string[], more: readonly UnifiedField[] = []): UnifiedField[] {
  const known = Object.fromEntries(types.map((type) => [type, PAGES[type]]));
  return [
    {
      own: "landingPage.pageType",
      wire: "landingPage.landingPageType",
      form: words("landingPage.pageType of this format", known),
    },
    { own: "landingPage.url", wire: "landingPage.landingPageUrl" },
    ...more,
  ];
}

function format(
  [name, type, settings]: readonly [name: string, type: string, settings: string],
  needs: readonly string[],
  fields: readonly UnifiedField[],
): Format {
  return { name, type, settings, needs, table: new FieldTable(fields) };
}

function formatOf(name: unknown, type: unknown): Format | undefined {
  const wanted = name === "productCollection" ? "productCollectionExtended" : name;
  return FORMATS.find((one) => wanted === undefined ? one.type === type : one.name === wanted);
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
