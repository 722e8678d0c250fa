import { idText } from "../../base/json/id_of.ts";
import { sameValue } from "../../base/json/canonical_json.ts";
import { fieldsOf, withoutFields } from "../../base/json/fields_of.ts";
import { marketOf } from "../../base/markets/markets.ts";
import type { EntityFields } from "../model/change.ts";
import { bidsOf, isEnabled, type Place, type Step, wakesUp } from "./plan_state.ts";
import {
  GLOBAL_CAMPAIGNS,
  isAdGroupKind,
  isCampaignKind,
  isGlobalKind,
  known,
  type Looked,
  Unread,
} from "../model/prior_state.ts";

const CAMPAIGNS = "sp.campaigns";
const AD_GROUPS = "sp.ad_groups";

/**
 * Replaces each change of a global campaign by its changes in each marketplace, in that profile's currency, because
 * amounts are meaningless without a marketplace.
 *
 * @param countryCode Country of the profile.
 */
export function withCopies(steps: readonly Step[], countryCode: string): Step[] {
  return steps.flatMap((step) => copySteps(step, countryCode));
}

export function copySteps(step: Step, countryCode: string): readonly Step[] {
  if (!isGlobalKind(step.change.kind)) return [step];
  const countries = new Set(
    [known(step.before), step.after].flatMap((fields) => Object.keys(fieldsOf(fields?.["marketplaces"]))),
  );
  if (countries.size === 0) return [step];
  return [...countries].flatMap((country) => copyStep(step, { country, own: countryCode }) ?? []);
}

function copyStep(step: Step, { country, own }: { country: string; own: string }): Step | undefined {
  const { op, change } = step;
  const kind = copyKind(change.kind, known(step.before) ?? step.after);
  const adGroup = placeOfCopy(step.adGroup, AD_GROUPS, country);
  const campaign = placeOfCopy(step.campaign, CAMPAIGNS, country);
  const fieldsIn = (fields: EntityFields): EntityFields => ({
    ...copyFields(change.kind, fields, country),
    ...idOf(adGroup, "adGroupId"),
    ...(isCampaignKind(kind) ? {} : idOf(campaign, "campaignId")),
  });
  const before: Looked = step.before instanceof Unread ? step.before : step.before && fieldsIn(step.before);
  const was = known(before);
  const after = fieldsIn(step.after);
  const named = op === "archive"
    ? ["state"]
    : Object.keys(after).filter((field) => !sameValue(was?.[field], after[field]));
  const emptied = Object.keys(was ?? {}).filter((field) => !(field in after));
  if (op === "update" && named.length + emptied.length === 0) return undefined;
  const id = idText(known(step.before) && copyId(change.kind, known(step.before)!, country)) ?? null;
  const pick = (fields: EntityFields | undefined): EntityFields =>
    Object.fromEntries(
      [...named, ...emptied].flatMap((name) => fields?.[name] === undefined ? [] : [[name, fields[name]]]),
    );
  const changed = {
    ...change,
    kind,
    id,
    label: `${change.label} in ${country}`,
    before: pick(was),
    after: { ...pick(after), ...Object.fromEntries(emptied.map((field) => [field, null])) },
    ...(isCampaignKind(kind) && change.id !== null ? { campaignId: change.id } : {}),
  };
  const place: Step["campaign"] = isCampaignKind(kind)
    ? { kind, id: id ?? undefined, before: was, after, isSure: true }
    : campaign;
  const wakes = op !== "archive" && isEnabled(after) &&
    wakesUp(changed, { op, before, after, campaign: place, adGroup });
  const isParent = isCampaignKind(kind) || isAdGroupKind(kind);
  const market = marketOf(country);
  const currency = market?.currency ?? "";
  return {
    ...step,
    change: changed,
    before,
    after,
    campaign: place,
    adGroup,
    replaces: step.replaces && fieldsIn(step.replaces),
    replacedId: idText(step.replaces && copyId(change.kind, step.replaces, country)),
    wakes,
    bid: bidsOf(kind, {
      before: step.replaces === undefined ? before : fieldsIn(step.replaces),
      after,
      adGroup,
    }),
    below: isParent && op === "update" && (wakes || named.includes("dynamicBidding"))
      ? new Unread(`the bids of its copy in ${country} were not read`)
      : undefined,
    market: {
      country,
      currency,
      isForeign: currency !== marketOf(own)?.currency,
      isElsewhere: country !== own,
    },
  };
}

function copyKind(kind: string, fields: EntityFields): string {
  if (kind !== "sp.global_targets") return kind.replace("global_", "");
  const noun = fields["keywordText"] === undefined ? "targets" : "keywords";
  if (fields["negative"] !== true) return `sp.${noun}`;
  return fields["adGroupId"] === undefined ? `sp.campaign_negative_${noun}` : `sp.negative_${noun}`;
}

const ID_FIELDS: Readonly<Record<string, string>> = {
  [GLOBAL_CAMPAIGNS]: "campaignId",
  "sp.global_ad_groups": "adGroupId",
  "sp.global_targets": "targetId",
  "sp.global_product_ads": "adId",
};

function copyId(kind: string, fields: EntityFields, country: string): unknown {
  return fieldsOf(fieldsOf(fields["marketplaces"])[country])[ID_FIELDS[kind] ?? ""];
}

function placeOfCopy(place: Step["campaign"], kind: string, country: string): Step["campaign"] {
  if (place === undefined || place instanceof Unread) return place;
  const fieldsIn = (fields: EntityFields): EntityFields => copyFields(place.kind, fields, country);
  return {
    ...place,
    kind,
    id: idText(place.before && copyId(place.kind, place.before, country)),
    before: place.before && fieldsIn(place.before),
    after: fieldsIn(place.after),
  } satisfies Place;
}

function idOf(place: Step["campaign"], field: string): EntityFields {
  return place === undefined || place instanceof Unread || place.id === undefined
    ? {}
    : { [field]: place.id };
}

export function copyFields(kind: string, fields: EntityFields, country: string): EntityFields {
  const { budget, ...overrides } = fieldsOf(fieldsOf(fields["marketplaces"])[country]);
  const isNegative = fields["negative"] === true;
  const own = ID_FIELDS[kind];
  const copy: EntityFields = {
    ...withoutFields(fields, [
      "marketplaces",
      "extendedData",
      "negative",
      ...(own === undefined ? [] : [own]),
    ]),
    ...overrides,
    ...(budget === undefined ? {} : { budget: { budget, budgetType: "DAILY" } }),
  };
  return isNegative && copy["matchType"] !== undefined
    ? { ...copy, matchType: `NEGATIVE_${copy["matchType"]}` }
    : copy;
}
