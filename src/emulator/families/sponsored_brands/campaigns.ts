import type { Json, JsonObject } from "../../core/json.ts";
import type { Draft, EntityResource, RuleContext, TrackedValue } from "../../entities/entity_resource.ts";
import { ID, MAX_NAME, STATUS, textOf } from "../sponsored_products/common.ts";
import {
  choice,
  DATE,
  type Fields,
  FLAG,
  list,
  number,
  object,
  optional,
  required,
  type Shape,
  text,
  TEXTS,
} from "../../entities/shape.ts";
import { type Filter, termsLike } from "../../entities/filter.ts";
import { type ItemError, itemError } from "../../entities/item_error.ts";
import { checkBudget, checkDates, checkPortfolio } from "../../entities/rules.ts";
import {
  BRANDS_LIMITS,
  MAX_IDS,
  NAME_FILTER,
  NAME_TRACKED,
  parentFilter,
  STATE,
  STATE_FILTER,
} from "./common.ts";

const POSITIONS = ["DETAIL_PAGE", "TOP_OF_SEARCH"];
const PLACEMENTS = ["HOME", "DETAIL_PAGE", "OTHER", "TOP_OF_SEARCH"];

function biddingShape(mostPlacements: number): Shape {
  const adjustment = object({
    placement: required(choice(...PLACEMENTS)),
    percentage: required(number({ low: -99, high: 900 })),
  });
  const segment = object({
    audienceId: optional(text()),
    audienceSegmentType: optional(choice("SPONSORED_ADS_AMC", "BEHAVIOR_DYNAMIC")),
  });
  const cohort = object({
    audienceSegments: optional(list(segment, 1)),
    percentage: optional(number({ low: 0, high: 900 })),
    shopperCohortType: optional(choice("AUDIENCE_SEGMENT")),
  });
  return object({
    bidOptimization: optional(FLAG),
    bidOptimizationStrategy: optional(text()),
    bidAdjustmentsByPlacement: optional(list(adjustment, mostPlacements)),
    shopperCohortBidAdjustments: optional(list(cohort, 1)),
  });
}

/**
 * Returns all placements and keeps values that were not sent; new campaigns default to platform optimization without
 * adjustments.
 */
function wholeBidding(sent: JsonObject, before: JsonObject = {}): JsonObject {
  return {
    bidOptimization: true,
    ...before,
    ...sent,
    bidAdjustmentsByPlacement: PLACEMENTS.map((placement) => ({
      placement,
      percentage: percentageOf(placement, sent) ?? percentageOf(placement, before) ?? 0,
    })),
  };
}

function percentageOf(placement: string, { bidAdjustmentsByPlacement = [] }: JsonObject): Json | undefined {
  const adjustments = bidAdjustmentsByPlacement as JsonObject[];
  return adjustments.find((each) => each.placement === placement)?.percentage;
}

const PLACEMENTS_TRACKED: readonly TrackedValue[] = PLACEMENTS.map((placement) => ({
  changeType: "PLACEMENT_GROUP",
  read: (campaign) => textOf(percentageOf(placement, campaign.bidding as JsonObject)),
  ...(POSITIONS.includes(placement) ? { metadata: { placementGroupPosition: placement } } : {}),
}));

const NAME = text({ min: 1, max: MAX_NAME });

const FIELDS: Fields = {
  startDate: optional(DATE),
  endDate: optional(DATE),
  portfolioId: optional(ID),
  tags: optional(TEXTS),
};

/**
 * A missing goal gets the default; author accounts must not set goal or cost type. The published cap of three
 * placements applies to creates, while updates accept all four, so that a read campaign can be sent back.
 */
export const BRANDS_CAMPAIGNS: EntityResource = {
  ...BRANDS_LIMITS,
  kind: "sb.campaigns",
  path: "/sb/v4/campaigns",
  mediaType: "application/vnd.sbcampaignresource.v4+json",
  collection: "campaigns",
  totalField: "totalCount",
  resultIdField: "campaignId",
  echoField: "campaign",
  operations: {
    list: "sponsored-brands-v4:ListSponsoredBrandsCampaigns",
    create: "sponsored-brands-v4:CreateSponsoredBrandsCampaigns",
    update: "sponsored-brands-v4:UpdateSponsoredBrandsCampaigns",
    archive: "sponsored-brands-v4:DeleteSponsoredBrandsCampaigns",
  },
  entityType: "CAMPAIGN",
  idFilter: { name: "campaignIdFilter", max: MAX_IDS },
  filters: {
    stateFilter: STATE_FILTER,
    nameFilter: NAME_FILTER,
    portfolioIdFilter: parentFilter("portfolioId"),
    goalTypeFilter: goalFilter(),
  },
  parents: [],
  createFields: {
    ...FIELDS,
    name: required(NAME),
    state: required(STATE),
    budget: required(number()),
    budgetType: required(choice("DAILY", "LIFETIME")),
    bidding: optional(biddingShape(3)),
    brandEntityId: optional(text()),
    costType: optional(text()),
    goal: optional(text()),
    kpi: optional(text()),
    productLocation: optional(choice("SOLD_ON_PLATFORM", "NOT_SOLD_ON_PLATFORM", "SOLD_ON_DTC")),
    siteRestrictions: optional(list(choice("PLATFORM_BUSINESS"), 1)),
    smartDefault: optional(list(text(), 100)),
  },
  clearable: ["endDate", "portfolioId"],
  updateFields: {
    ...FIELDS,
    campaignId: required(ID),
    name: optional(NAME),
    state: optional(STATE),
    budget: optional(number()),
    bidding: optional(biddingShape(4)),
  },
  derive: (item, before) =>
    item.bidding === undefined
      ? {}
      : { bidding: wholeBidding(item.bidding as JsonObject, before?.bidding as JsonObject | undefined) },
  complete: (item, { today }) => ({
    startDate: item.startDate ?? today,
    goal: item.goal ?? "PAGE_VISIT",
    costType: item.costType ?? "CPC",
    kpi: item.kpi ?? "CLICKS",
    bidding: wholeBidding((item.bidding ?? {}) as JsonObject),
    productLocation: item.productLocation ?? "SOLD_ON_PLATFORM",
    isMultiAdGroupsEnabled: true,
  }),
  rules: checkCampaign,
  notUnique: ["duplicateValueError", "NAME_NOT_UNIQUE"],
  history: {
    entityType: "CAMPAIGN",
    tracked: [
      STATUS,
      { changeType: "BUDGET_AMOUNT", read: (campaign) => textOf(campaign.budget) },
      NAME_TRACKED,
      { changeType: "START_DATE", read: (campaign) => textOf(campaign.startDate) },
      { changeType: "END_DATE", read: (campaign) => textOf(campaign.endDate) },
      { changeType: "PORTFOLIO_ID", read: (campaign) => textOf(campaign.portfolioId) },
      ...PLACEMENTS_TRACKED,
    ],
    metadata: (campaign) => ({
      campaignBudgetType: campaign.budgetType === "LIFETIME" ? "LIFETIME_BUDGET" : "DAILY",
    }),
  },
};

function checkCampaign(draft: Draft, context: RuleContext): ItemError[] {
  const kind = draft.after.budgetType === "LIFETIME" ? "sbLifetime" : "sb";
  return [
    ...checkGoal(draft, context),
    ...checkBudget(draft.item.budget, { field: "budget", kind }, context),
    ...checkDates(draft, context),
    ...checkPortfolio(draft, context),
  ];
}

function checkGoal({ item, before }: Draft, { profile }: RuleContext): ItemError[] {
  const isAuthor = profile.record.accountInfo.subType === "KDP_AUTHOR";
  const field = ["goal", "costType"].find((name) => item[name] !== undefined);
  if (!isAuthor || before !== undefined || field === undefined) return [];
  const message = "Goal campaigns are not enabled for accounts created by authors";
  const reason = "AUTHOR_CREATED_GOAL_CAMPAIGNS_DISABLED";
  return [itemError(["INVALID_ARGUMENT", reason], field, message, { trigger: item[field] })];
}

function goalFilter(): Filter {
  const texts = termsLike((campaign) => [String(campaign.goal)], { max: 100 });
  return (value, name, profile) =>
    texts({ ...value as JsonObject, queryTermMatchType: "EXACT_MATCH" }, name, profile);
}
