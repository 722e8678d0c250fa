import type { EntityResource } from "../../entities/entity_resource.ts";
import { ID, STATUS } from "../sponsored_products/common.ts";
import { optional, required } from "../../entities/shape.ts";
import {
  BRANDS_LIMITS,
  MAX_IDS,
  NAME,
  NAME_FILTER,
  NAME_TRACKED,
  parentFilter,
  STATE,
  STATE_FILTER,
} from "./common.ts";

/** Ad groups of Sponsored Brands, version 4. They have no bid. */
export const BRANDS_AD_GROUPS: EntityResource = {
  ...BRANDS_LIMITS,
  kind: "sb.ad_groups",
  path: "/sb/v4/adGroups",
  mediaType: "application/vnd.sbadgroupresource.v4+json",
  collection: "adGroups",
  resultIdField: "adGroupId",
  echoField: "adGroup",
  operations: {
    list: "sponsored-brands-v4:ListSponsoredBrandsAdGroups",
    create: "sponsored-brands-v4:CreateSponsoredBrandsAdGroups",
    update: "sponsored-brands-v4:UpdateSponsoredBrandsAdGroups",
    archive: "sponsored-brands-v4:DeleteSponsoredBrandsAdGroups",
  },
  entityType: "AD_GROUP",
  idFilter: { name: "adGroupIdFilter", max: MAX_IDS },
  filters: {
    stateFilter: STATE_FILTER,
    nameFilter: NAME_FILTER,
    campaignIdFilter: parentFilter("campaignId"),
  },
  parents: ["campaign"],
  createFields: { campaignId: required(ID), name: required(NAME), state: required(STATE) },
  updateFields: { adGroupId: required(ID), name: optional(NAME), state: optional(STATE) },
  history: { entityType: "AD_GROUP", tracked: [STATUS, NAME_TRACKED] },
};
