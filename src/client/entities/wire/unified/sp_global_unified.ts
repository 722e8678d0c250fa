import { fieldsOf } from "../../../../base/json/fields_of.ts";
import type { ResourceWire } from "../../model/resource_wire.ts";
import { day, state, TAGS, words } from "./forms.ts";
import { productAims, targetAims } from "./global_aims.ts";
import { bids, BUDGETS, MarketplaceTable } from "./global_forms.ts";
import { SP_GLOBAL_BIDDING } from "./sp_forms.ts";
import { spExtended } from "./sp_unified.ts";
import type { UnifiedField, UnifiedForm } from "./unified_field.ts";
import type { UnifiedKind } from "./unified_kind.ts";
import { unifiedWire } from "./unified_wire.ts";

const NAME: UnifiedField = { own: "name", wire: "name" };
const STATE: UnifiedField = { own: "state", wire: "state", form: state("upper") };

function marketplaces(table: MarketplaceTable): UnifiedForm {
  return {
    toWire: (value, place, op) => table.toWire(value, place, op),
    toOwn: (entity, place) => table.toOwn(fieldsOf(entity), place),
  };
}

/** Fields of a global campaign by marketplace; dates are in each marketplace's time zone. */
const CAMPAIGN_PARTS = marketplaces(
  new MarketplaceTable({
    idField: "campaignId",
    amount: BUDGETS,
    overrides: [
      NAME,
      STATE,
      { own: "startDate", wire: "startDateTime", form: day("start") },
      { own: "endDate", wire: "endDateTime", form: day("end") },
      { own: "dynamicBidding", wire: "optimizations.bidSettings", form: SP_GLOBAL_BIDDING },
      TAGS,
    ],
  }),
);
const AD_GROUP_PARTS = marketplaces(
  new MarketplaceTable({
    idField: "adGroupId",
    amount: bids("defaultBid"),
    overrides: [NAME, STATE, TAGS],
  }),
);

const GLOBAL: Pick<UnifiedKind, "adProduct" | "isGlobal" | "constants" | "filters"> = {
  adProduct: "SPONSORED_PRODUCTS",
  isGlobal: true,
  constants: { marketplaceScope: "GLOBAL" },
  filters: { marketplaceScopeFilter: { include: ["GLOBAL"] } },
};
const LIMITS = { write: 1000, archive: 1000, page: 1000, states: 3 };

export const spGlobalCampaignsUnified: ResourceWire = unifiedWire({
  ...GLOBAL,
  entity: "campaigns",
  operations: ["v1-spglobal-campaigns:SPGlobal", "Campaign"],
  fields: [
    { own: "campaignId", wire: "campaignId" },
    NAME,
    STATE,
    {
      own: "targetingType",
      wire: "autoCreationSettings.autoCreateTargets",
      form: words("targetingType", { AUTO: true, MANUAL: false }),
      sent: "create",
    },
    { own: "startDate", wire: "startDateTime", form: day("start") },
    { own: "endDate", wire: "endDateTime", form: day("end"), clearable: true },
    { own: "dynamicBidding", wire: "optimizations.bidSettings", form: SP_GLOBAL_BIDDING },
    { own: "portfolioId", wire: "portfolioId", clearable: true },
    TAGS,
    { own: "siteRestrictions", wire: "siteRestrictions" },
    {
      own: "marketplaces",
      wire: "",
      makes: ["marketplaces", "budgets", "marketplaceConfigurations"],
      form: CAMPAIGN_PARTS,
    },
  ],
  extendedFields: spExtended("CAMPAIGN_STATUS_ENABLED"),
  // The present moment is today in every time zone; the first one of a day is yesterday west of it.
  defaults: ({ now }) => ({ startDateTime: new Date(now).toISOString() }),
  renamedFilters: { portfolioIdFilter: "portfolioIdFilter" },
  limits: { ...LIMITS, page: 5000, ids: 1000, campaignIds: 100, adGroupIds: 100 },
});

export const spGlobalAdGroupsUnified: ResourceWire = unifiedWire({
  ...GLOBAL,
  entity: "adGroups",
  operations: ["v1-spglobal-ad-groups:SPGlobal", "AdGroup"],
  fields: [
    { own: "adGroupId", wire: "adGroupId" },
    { own: "campaignId", wire: "campaignId", sent: "create" },
    NAME,
    STATE,
    TAGS,
    {
      own: "marketplaces",
      wire: "",
      makes: ["marketplaces", "bid", "marketplaceConfigurations"],
      form: AD_GROUP_PARTS,
    },
  ],
  extendedFields: spExtended("AD_GROUP_STATUS_ENABLED"),
  limits: { ...LIMITS, ids: 0, campaignIds: 100, adGroupIds: 0 },
});

export const spGlobalProductAdsUnified: ResourceWire = unifiedWire({
  ...GLOBAL,
  entity: "ads",
  operations: ["v1-spglobal-ads:SPGlobal", "Ad"],
  fields: [
    { own: "adId", wire: "adId" },
    { own: "campaignId", wire: "campaignId", sent: "implied" },
    { own: "adGroupId", wire: "adGroupId", sent: "create" },
    STATE,
    TAGS,
    productAims([STATE, TAGS]),
  ],
  constants: { ...GLOBAL.constants, adType: "PRODUCT_AD" },
  extendedFields: spExtended("AD_STATUS_LIVE"),
  limits: { ...LIMITS, ids: 100, campaignIds: 0, adGroupIds: 100 },
});

export const spGlobalTargetsUnified: ResourceWire = unifiedWire({
  ...GLOBAL,
  entity: "targets",
  operations: ["v1-spglobal-targets:SPGlobal", "Target"],
  fields: [
    { own: "targetId", wire: "targetId" },
    { own: "campaignId", wire: "campaignId", sent: "create" },
    { own: "adGroupId", wire: "adGroupId", sent: "create" },
    { own: "negative", wire: "negative", sent: "create" },
    STATE,
    TAGS,
    targetAims([STATE, TAGS]),
  ],
  // That of an ad group has its campaign by it.
  finish: ({ campaignId, ...body }) =>
    campaignId === undefined || body["adGroupId"] !== undefined ? body : { ...body, campaignId },
  extendedFields: spExtended("TARGETING_CLAUSE_STATUS_LIVE"),
  limits: { ...LIMITS, page: 5000, ids: 100, campaignIds: 100, adGroupIds: 100 },
});
