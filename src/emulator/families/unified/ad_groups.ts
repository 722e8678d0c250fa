import { BRANDS_AD_GROUPS } from "../sponsored_brands/ad_groups.ts";
import { idsIn, termsLike } from "../../entities/filter.ts";
import { AD_GROUPS } from "../sponsored_products/ad_groups.ts";
import { type Fields, number, object, optional, required, text } from "../../entities/shape.ts";
import { AD_PRODUCT, commonFields, commonFilters, defined, ID, part, STATE, TAGS } from "./common.ts";
import { DISPLAY_AD_GROUPS_SOURCE } from "./display.ts";
import { productEngine } from "./engine.ts";
import type { UnifiedKind } from "./unified_kind.ts";

const NEW: Fields = {
  adProduct: AD_PRODUCT,
  campaignId: required(ID),
  name: required(text()),
  state: required(STATE),
  tags: TAGS,
};
const CHANGED: Fields = {
  adGroupId: required(ID),
  name: optional(text()),
  state: optional(STATE),
  tags: TAGS,
};

export const UNIFIED_AD_GROUPS: UnifiedKind = {
  entity: "adGroups",
  singular: "adGroup",
  idField: "adGroupId",
  filters: {
    ...commonFilters("adGroupId"),
    campaignIdFilter: idsIn("campaignId", 100),
    nameFilter: termsLike((adGroup) => [String(adGroup.name)], { max: 100, typeRequired: true }),
  },
  sources: [
    {
      adProduct: "SPONSORED_PRODUCTS",
      collection: "sp.ad_groups",
      createFields: { ...NEW, bid: required(object({ defaultBid: required(number()) })) },
      updateFields: { ...CHANGED, bid: optional(object({ defaultBid: optional(number()) })) },
      engine: productEngine(AD_GROUPS, { defaultBid: "bid.defaultBid" }),
      toDraft: ({ campaignId, name, state, bid }) =>
        defined({ campaignId, name, state, defaultBid: part({ bid }, "bid").defaultBid }),
      toPatch: ({ adGroupId, name, state, bid }) =>
        defined({ adGroupId, name, state, defaultBid: part({ bid }, "bid").defaultBid }),
      toUnified: (entity, profile) =>
        defined({
          adGroupId: entity.adGroupId,
          campaignId: entity.campaignId,
          name: entity.name,
          bid: { defaultBid: entity.defaultBid, currencyCode: profile.record.currencyCode },
          globalAdGroupId: entity.globalAdGroupId,
          ...commonFields(entity, { adProduct: "SPONSORED_PRODUCTS", noun: "AD_GROUP" }, profile),
        }),
    },
    {
      adProduct: "SPONSORED_BRANDS",
      collection: "sb.ad_groups",
      createFields: NEW,
      updateFields: CHANGED,
      engine: productEngine(BRANDS_AD_GROUPS),
      toDraft: ({ campaignId, name, state }) => defined({ campaignId, name, state }),
      toPatch: ({ adGroupId, name, state }) => defined({ adGroupId, name, state }),
      toUnified: (entity, profile) =>
        defined({
          adGroupId: entity.adGroupId,
          campaignId: entity.campaignId,
          name: entity.name,
          ...commonFields(entity, { adProduct: "SPONSORED_BRANDS", noun: "AD_GROUP" }, profile),
        }),
    },
    DISPLAY_AD_GROUPS_SOURCE,
  ],
};
