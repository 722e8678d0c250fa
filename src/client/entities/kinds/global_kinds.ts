import { sameValue } from "../../../base/json/canonical_json.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { MARKETPLACES, normalizeCountry } from "../../../base/markets/markets.ts";
import { type Kind, type ResourceSpec, SP_EXTENDED_FIELDS } from "../model/resource_spec.ts";
import {
  byName,
  byProduct,
  byTarget,
  isArchived,
  keywordLabel,
  nameLabel,
  productLabel,
  targetLabel,
} from "../model/identity.ts";
import type { Fields } from "../model/resource_wire.ts";
import { Resource } from "../resource/resource.ts";
import type {
  GlobalAdGroup,
  GlobalAdGroupUpdate,
  GlobalCampaign,
  GlobalCampaignUpdate,
  GlobalProductAd,
  GlobalProductAdUpdate,
  GlobalTarget,
  GlobalTargetUpdate,
  NewGlobalAdGroup,
  NewGlobalCampaign,
  NewGlobalProductAd,
  NewGlobalTarget,
} from "../model/global_entities.ts";
import { SP_STATES } from "./sp_kinds.ts";
import { lateUnified, SHARED_IDS } from "../wire/late_wire.ts";
import { GLOBAL_CAMPAIGNS } from "../../../plans/model/prior_state.ts";
import { plainAmount } from "../../../plans/state/amounts.ts";
import { mergeFields } from "../../../plans/state/merge_fields.ts";

const unified = () => import("../wire/unified/sp_global_unified.ts");

const GLOBAL_KIND = {
  isGlobal: true,
  numeric: [],
  ...SP_STATES,
  settableStates: ["ENABLED", "PAUSED"],
  extendedFields: SP_EXTENDED_FIELDS,
};

interface MarketplaceParts {
  readonly noun: string;
  readonly amount?: "budget" | "defaultBid" | "bid";
  readonly overrides: readonly string[];
  readonly created?: readonly string[];
  readonly takesList?: boolean;
}

function marketplacesField(
  parts: MarketplaceParts,
): Pick<ResourceSpec, "normalize" | "whole" | "refuses" | "marketplaceAmount"> {
  const { amount, takesList = false } = parts;
  return {
    ...(amount === undefined ? {} : { marketplaceAmount: { field: amount, isNeeded: !takesList } }),
    normalize: (item) =>
      item["marketplaces"] === undefined
        ? item
        : { ...item, marketplaces: marketplacesOf(item["marketplaces"], parts) },
    whole: ["marketplaces"],
    refuses: (update, entity) => {
      const known = fieldsOf(entity["marketplaces"]);
      const wanted = Object.entries(fieldsOf(update["marketplaces"]));
      const others = wanted.map(([country]) => country).filter((country) => !Object.hasOwn(known, country));
      if (others.length > 0) {
        return `The ${parts.noun} is not in ${
          others.join(", ")
        }, and an update adds no marketplace: it is in ${Object.keys(known).join(", ")}`;
      }
      for (const [country, fields] of wanted) {
        const now = fieldsOf(known[country]);
        const next = fieldsOf(mergeFields(now, fields));
        if (isArchived(now) && !sameValue(next, now)) {
          return `The copy of the ${parts.noun} in ${country} is archived`;
        }
        const fixed = (parts.created ?? []).find((field) => !sameValue(next[field], now[field]));
        if (fixed !== undefined) return `${fixed} of the ${parts.noun} in ${country} cannot be changed`;
      }
      return undefined;
    },
  };
}

function marketplacesOf(value: unknown, parts: MarketplaceParts): Fields {
  const { amount: field, overrides, takesList = false } = parts;
  const given = takesList && Array.isArray(value)
    ? value.map((name): [string, unknown] => [String(name), {}])
    : Object.entries(fieldsOf(value));
  if (given.length === 0 || (Array.isArray(value) && !takesList)) {
    throw new TypeError(`Cannot use these marketplaces: ${expected(parts)}`);
  }
  const problems: string[] = [];
  const found = given.map(([name, one]): [string, Fields] => {
    const country = normalizeCountry(name);
    if (!MARKETPLACES.includes(country)) problems.push(`"${name}" is not a marketplace`);
    const isBare = typeof one !== "object";
    if (isBare && field === undefined) problems.push(`${country} is ${JSON.stringify(one)} and no object`);
    const fields: Fields = isBare ? { [field ?? "state"]: one } : { ...fieldsOf(one) };
    if (field !== undefined) problems.push(...readAmountOf(fields, field, country));
    const { state } = fields;
    if (state !== undefined && (field !== undefined || !isBare)) {
      fields["state"] = String(state).toUpperCase();
      if (!["ENABLED", "PAUSED"].includes(String(fields["state"]))) {
        problems.push(`${country} cannot be set to ${JSON.stringify(state)}: expected ENABLED or PAUSED`);
      }
    }
    const all = field === undefined ? overrides : [field, ...overrides];
    const unknown = Object.keys(fields).filter((name) => !all.includes(name));
    if (unknown.length > 0) {
      problems.push(`${country} has no ${unknown.join(", ")}: expected ${all.join(", ")}`);
    }
    return [country, fields];
  });
  const twice = found.find(([country], at) => found.findIndex(([other]) => other === country) !== at);
  if (twice !== undefined) problems.push(`${twice[0]} is given twice`);
  if (problems.length > 0) throw new TypeError(`Cannot use these marketplaces: ${problems.join("; ")}`);
  return Object.fromEntries(found);
}

function readAmountOf(fields: Fields, field: string, country: string): string[] {
  const value = fields[field];
  const amount = typeof value === "string" ? plainAmount(value) : value;
  if (amount !== undefined) fields[field] = amount;
  if (value === undefined || (typeof amount === "number" && Number.isFinite(amount) && amount >= 0)) {
    return [];
  }
  return [`the ${field} of ${country} is not an amount: ${JSON.stringify(value)}`];
}

function expected({ amount, takesList }: MarketplaceParts): string {
  if (amount === undefined) return 'give countries, as ["US", "DE"], or fields by country';
  const form = `give an amount or fields by country, as { US: 20, DE: { ${amount}: 15 } }`;
  return takesList ? `${form}, or countries, as ["US", "DE"]` : form;
}

export const spGlobalCampaigns: Kind<Resource<GlobalCampaign, NewGlobalCampaign, GlobalCampaignUpdate>> = {
  kind: GLOBAL_CAMPAIGNS,
  noun: "global campaign",
  plural: "global campaigns",
  idField: "campaignId",
  idFields: ["campaignId", "portfolioId"],
  ...GLOBAL_KIND,
  updatable: [
    "name",
    "state",
    "startDate",
    "endDate",
    "dynamicBidding",
    "portfolioId",
    "tags",
    "siteRestrictions",
    "marketplaces",
  ],
  clearable: ["endDate", "portfolioId"],
  filters: ["name", "nameMatch", "extended"],
  label: nameLabel,
  computed: { "marketplaces.*": ["campaignId", "effectiveBudget"] },
  ...marketplacesField({
    noun: "global campaign",
    amount: "budget",
    overrides: ["state", "name", "startDate", "endDate", "dynamicBidding", "tags"],
  }),
  required: ["name", "state", "targetingType", "marketplaces"],
  choices: { targetingType: ["AUTO", "MANUAL"] },
  identity: byName(),
  parents: {},
  columns: ["campaignId", "name", "state", "targetingType", "marketplaces", "startDate"],
  moreFields: [
    "endDate",
    "dynamicBidding.strategy",
    "dynamicBidding.placementBidding",
    "portfolioId",
    "tags",
    "siteRestrictions",
  ],
  operations: {
    list: "v1-spglobal-campaigns:SPGlobalQueryCampaign",
    create: "v1-spglobal-campaigns:SPGlobalCreateCampaign",
    update: "v1-spglobal-campaigns:SPGlobalUpdateCampaign",
    delete: "v1-spglobal-campaigns:SPGlobalDeleteCampaign",
  },
  create: (scope) => new Resource(scope, spGlobalCampaigns),
  wire: lateUnified(unified, "spGlobalCampaignsUnified"),
};

export const spGlobalAdGroups: Kind<Resource<GlobalAdGroup, NewGlobalAdGroup, GlobalAdGroupUpdate>> = {
  kind: "sp.global_ad_groups",
  noun: "global ad group",
  plural: "global ad groups",
  idField: "adGroupId",
  idFields: ["adGroupId", "campaignId"],
  ...GLOBAL_KIND,
  updatable: ["name", "state", "tags", "marketplaces"],
  filters: ["campaignIds", "name", "nameMatch", "extended"],
  label: nameLabel,
  computed: { "marketplaces.*": ["adGroupId"] },
  ...marketplacesField({
    noun: "global ad group",
    amount: "defaultBid",
    overrides: ["state", "name", "tags"],
  }),
  required: ["campaignId", "name", "state", "marketplaces"],
  identity: byName("campaignId"),
  parents: { campaignId: "sp.global_campaigns" },
  columns: ["adGroupId", "campaignId", "name", "state", "marketplaces"],
  moreFields: ["tags"],
  operations: {
    list: "v1-spglobal-ad-groups:SPGlobalQueryAdGroup",
    create: "v1-spglobal-ad-groups:SPGlobalCreateAdGroup",
    update: "v1-spglobal-ad-groups:SPGlobalUpdateAdGroup",
    delete: "v1-spglobal-ad-groups:SPGlobalDeleteAdGroup",
  },
  create: (scope) => new Resource(scope, spGlobalAdGroups),
  wire: lateUnified(unified, "spGlobalAdGroupsUnified"),
};

const AIMS = ["keywordText", "matchType", "expression"];

export const spGlobalTargets: Kind<Resource<GlobalTarget, NewGlobalTarget, GlobalTargetUpdate>> = {
  kind: "sp.global_targets",
  noun: "global target",
  plural: "global targets",
  idField: "targetId",
  idFields: ["targetId", "campaignId", "adGroupId"],
  ...GLOBAL_KIND,
  updatable: ["state", "tags", "marketplaces"],
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: (target) => target["keywordText"] === undefined ? targetLabel(target) : keywordLabel(target),
  computed: { "marketplaces.*": ["targetId"] },
  ...marketplacesField({
    noun: "global target",
    amount: "bid",
    overrides: ["state", "tags", ...AIMS],
    created: AIMS,
    takesList: true,
  }),
  required: ["campaignId", "negative", "state", "marketplaces"],
  choices: { matchType: ["BROAD", "EXACT", "PHRASE"] },
  identity: byTarget,
  parents: { campaignId: "sp.global_campaigns", adGroupId: "sp.global_ad_groups" },
  columns: [
    "targetId",
    "keywordText",
    "matchType",
    "expression",
    "negative",
    "state",
    "marketplaces",
    "campaignId",
    "adGroupId",
  ],
  moreFields: ["nativeLanguageKeyword", "nativeLanguageLocale", "tags"],
  operations: {
    list: "v1-spglobal-targets:SPGlobalQueryTarget",
    create: "v1-spglobal-targets:SPGlobalCreateTarget",
    update: "v1-spglobal-targets:SPGlobalUpdateTarget",
    delete: "v1-spglobal-targets:SPGlobalDeleteTarget",
  },
  create: (scope) => new Resource(scope, spGlobalTargets),
  wire: lateUnified(
    unified,
    "spGlobalTargetsUnified",
    SHARED_IDS,
  ),
};

const PRODUCTS = ["asin", "sku"];

export const spGlobalProductAds: Kind<
  Resource<GlobalProductAd, NewGlobalProductAd, GlobalProductAdUpdate>
> = {
  kind: "sp.global_product_ads",
  noun: "global product ad",
  plural: "global product ads",
  idField: "adId",
  idFields: ["adId", "campaignId", "adGroupId"],
  ...GLOBAL_KIND,
  updatable: ["state", "tags", "marketplaces"],
  filters: ["campaignIds", "adGroupIds", "extended"],
  label: productLabel,
  computed: { "marketplaces.*": ["adId"] },
  ...marketplacesField({
    noun: "global product ad",
    overrides: ["state", "tags", ...PRODUCTS],
    created: PRODUCTS,
    takesList: true,
  }),
  required: ["adGroupId", "state", "marketplaces"],
  identity: byProduct,
  parents: { campaignId: "sp.global_campaigns", adGroupId: "sp.global_ad_groups" },
  columns: ["adId", "asin", "sku", "state", "marketplaces", "campaignId", "adGroupId"],
  moreFields: ["tags"],
  operations: {
    list: "v1-spglobal-ads:SPGlobalQueryAd",
    create: "v1-spglobal-ads:SPGlobalCreateAd",
    update: "v1-spglobal-ads:SPGlobalUpdateAd",
    delete: "v1-spglobal-ads:SPGlobalDeleteAd",
  },
  create: (scope) => new Resource(scope, spGlobalProductAds),
  wire: lateUnified(unified, "spGlobalProductAdsUnified"),
};
