import { byName } from "../model/identity.ts";
import { SB_EXTENDED_FIELDS } from "../model/extended_fields.ts";
import type { Kind } from "../model/resource_spec.ts";
import type { NewSbCampaign, SbCampaign, SbCampaignUpdate } from "./entities/campaigns.ts";
import { Resource } from "../resource/resource.ts";
import { nameLabel } from "../model/label.ts";
import { SB_LIMITS, SB_STATES } from "./sb_words.ts";
import { lateJson, lateUnified } from "../wire/late_wire.ts";

export const sbCampaigns: Kind<Resource<SbCampaign, NewSbCampaign, SbCampaignUpdate>> = {
  kind: "sb.campaigns",
  noun: "Brands campaign",
  plural: "Brands campaigns",
  idField: "campaignId",
  idFields: ["campaignId", "portfolioId"],
  updatable: ["name", "state", "budget", "bidding", "startDate", "endDate", "portfolioId", "tags"],
  clearable: ["endDate", "portfolioId"],
  numeric: ["budget"],
  ...SB_STATES,
  filters: ["name", "nameMatch", "extended"],
  label: nameLabel,
  required: ["name", "state", "budget", "budgetType"],
  choices: { budgetType: ["DAILY", "LIFETIME"] },
  identity: byName(),
  parents: {},
  historyType: "CAMPAIGN",
  columns: ["campaignId", "name", "state", "budget", "budgetType", "startDate"],
  moreFields: [
    "endDate",
    "goal",
    "costType",
    "kpi",
    "brandEntityId",
    "portfolioId",
    "productLocation",
    "bidding.bidOptimization",
    "bidding.bidOptimizationStrategy",
    "bidding.bidAdjustmentsByPlacement",
    "bidding.shopperCohortBidAdjustments",
    "isMultiAdGroupsEnabled",
    "ruleBasedBudget",
    "siteRestrictions",
    "smartDefault",
    "tags",
  ],
  extendedFields: SB_EXTENDED_FIELDS,
  operations: {
    list: "sponsored-brands-v4:ListSponsoredBrandsCampaigns",
    create: "sponsored-brands-v4:CreateSponsoredBrandsCampaigns",
    update: "sponsored-brands-v4:UpdateSponsoredBrandsCampaigns",
    delete: "sponsored-brands-v4:DeleteSponsoredBrandsCampaigns",
  },
  create: (scope) => new Resource(scope, sbCampaigns),
  unified: lateUnified(() => import("../wire/unified/sb_unified.ts"), "sbCampaignsUnified", {
    lost: () => ["bidding.bidOptimizationStrategy"],
  }),
  wire: lateJson({
    path: "/sb/v4/campaigns",
    mediaType: "application/vnd.sbcampaignresource.v4+json",
    collection: "campaigns",
    idFilter: "campaignIdFilter",
    resultIdField: "campaignId",
    ...SB_LIMITS,
  }),
};
