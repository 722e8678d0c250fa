import { checkBid } from "../../entities/rules.ts";
import { choice, type Fields, number, NUMERIC_ID, optional, required, text } from "../../entities/shape.ts";
import type { FlatResource } from "../../flat_entities/flat_resource.ts";
import { bidKindOf, campaignOf, MAX_ITEMS, STATE } from "./common.ts";

const MAX_NAME = 255;
const FIELDS: Fields = {
  name: optional(text({ min: 1, max: MAX_NAME })),
  state: optional(STATE),
  defaultBid: optional(number()),
  bidOptimization: optional(choice("clicks", "conversions", "reach")),
};

/** Ad groups of Sponsored Display. */
export const DISPLAY_AD_GROUPS: FlatResource = {
  kind: "sd.ad_groups",
  path: "/sd/adGroups",
  idParam: "adGroupId",
  idField: "adGroupId",
  idFields: ["adGroupId", "campaignId"],
  noun: "Ad group",
  operations: {
    list: "sponsored-display:listAdGroups",
    listExtended: "sponsored-display:listAdGroupsEx",
    get: "sponsored-display:getAdGroup",
    getExtended: "sponsored-display:getAdGroupResponseEx",
    create: "sponsored-display:createAdGroups",
    update: "sponsored-display:updateAdGroups",
    archive: "sponsored-display:archiveAdGroup",
  },
  createFields: {
    ...FIELDS,
    campaignId: required(NUMERIC_ID),
    name: required(text({ min: 1, max: MAX_NAME })),
    state: required(STATE),
    creativeType: optional(choice("IMAGE", "VIDEO")),
  },
  updateFields: { ...FIELDS, campaignId: optional(NUMERIC_ID) },
  immutable: ["campaignId"],
  parents: [{ field: "campaignId", kind: "sd.campaigns" }],
  idFilters: { adGroupIdFilter: "adGroupId", campaignIdFilter: "campaignId" },
  nameField: "name",
  maxItems: MAX_ITEMS,
  complete: (item, context) => {
    const campaign = campaignOf(item, context);
    const usual = campaign?.costType === "vcpm" ? "reach" : "clicks";
    return { bidOptimization: item.bidOptimization ?? usual, tactic: campaign?.tactic };
  },
  rules: ({ item, after }, context) => {
    const campaign = campaignOf(after, context);
    // A bid for a thousand impressions says little about a day.
    const budget = campaign?.costType === "cpc" ? Number(campaign.budget) : undefined;
    return checkBid(item.defaultBid, { field: "defaultBid", kind: bidKindOf(campaign), budget }, context);
  },
  live: "AD_GROUP_STATUS_ENABLED",
  statusWord: "AD_GROUP",
};
