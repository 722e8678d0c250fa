import { isObject, type JsonObject } from "../../core/json.ts";
import { withoutNulls } from "../../entities/write_entities.ts";
import { idsIn, termsLike } from "../../entities/filter.ts";
import type { ItemError } from "../../entities/item_error.ts";
import type { Draft, EntityResource, RuleContext, TrackedValue } from "../../entities/entity_resource.ts";
import { checkBudget, checkDates, checkPortfolio } from "../../entities/rules.ts";
import {
  choice,
  DATE,
  type Fields,
  list,
  number,
  object,
  optional,
  required,
  text,
  TEXTS,
} from "../../entities/shape.ts";
import { checkBudgetAgainstBids } from "./bids_within_budget.ts";
import { ID, MAX_NAME, STATE, STATE_FILTER, STATUS, textOf } from "./common.ts";

const PLACEMENTS = [
  "PLACEMENT_PRODUCT_PAGE",
  "PLACEMENT_REST_OF_SEARCH",
  "PLACEMENT_TOP",
  "SITE_PLATFORM_BUSINESS",
];
const POSITIONS: Readonly<Record<string, string>> = {
  PLACEMENT_TOP: "TOP_OF_SEARCH",
  PLACEMENT_PRODUCT_PAGE: "DETAIL_PAGE",
};
const PERCENTAGE = number({ low: 0, high: 900, whole: true });
const DEFAULT_STRATEGY = "LEGACY_FOR_SALES";

const FIELDS: Fields = {
  dynamicBidding: optional(object({
    strategy: optional(choice("AUTO_FOR_SALES", DEFAULT_STRATEGY, "MANUAL", "RULE_BASED")),
    placementBidding: optional(
      list(object({ percentage: optional(PERCENTAGE), placement: optional(choice(...PLACEMENTS)) }), 4),
    ),
    shopperCohortBidding: optional(
      list(
        object({
          percentage: optional(PERCENTAGE),
          shopperCohortType: required(choice("AUDIENCE_SEGMENT")),
          audienceSegments: optional(
            list(
              object({
                audienceId: required(text({ min: 1, max: 20 })),
                audienceSegmentType: optional(choice("BEHAVIOR_DYNAMIC", "SPONSORED_ADS_AMC")),
              }),
              1,
            ),
          ),
        }),
        1,
      ),
    ),
  })),
  startDate: optional(DATE),
  endDate: optional(DATE),
  portfolioId: optional(ID),
  offPlatformSettings: optional(object({
    offPlatformBudgetControlStrategy: optional(choice("MAXIMIZE_REACH", "MINIMIZE_SPEND")),
  })),
  siteRestrictions: optional(list(choice("PLATFORM_BUSINESS", "PLATFORM_HAUL"), 1)),
  tags: optional(TEXTS),
};
const NAME = text({ max: MAX_NAME });
const BUDGET = object({ budget: required(number()), budgetType: required(choice("DAILY")) });
const TARGETING = choice("AUTO", "MANUAL");

export const CAMPAIGNS: EntityResource = {
  kind: "sp.campaigns",
  path: "/sp/campaigns",
  mediaType: "application/vnd.spCampaign.v3+json",
  collection: "campaigns",
  resultIdField: "campaignId",
  echoField: "campaign",
  operations: {
    list: "sponsored-products:ListSponsoredProductsCampaigns",
    create: "sponsored-products:CreateSponsoredProductsCampaigns",
    update: "sponsored-products:UpdateSponsoredProductsCampaigns",
    archive: "sponsored-products:DeleteSponsoredProductsCampaigns",
  },
  entityType: "CAMPAIGN",
  idFilter: { name: "campaignIdFilter", max: 1000 },
  filters: {
    stateFilter: STATE_FILTER,
    portfolioIdFilter: idsIn("portfolioId", 100),
    nameFilter: termsLike((campaign) => [String(campaign.name)], { max: 100 }),
  },
  maxItems: 1000,
  parents: [],
  createFields: {
    ...FIELDS,
    name: required(NAME),
    state: required(STATE),
    budget: required(BUDGET),
    targetingType: required(TARGETING),
  },
  clearable: ["endDate", "portfolioId"],
  updateFields: {
    ...FIELDS,
    campaignId: required(ID),
    name: optional(NAME),
    state: optional(STATE),
    budget: optional(BUDGET),
    targetingType: optional(TARGETING),
  },
  derive: (item, before) =>
    before !== undefined && item.dynamicBidding === undefined
      ? {}
      : { dynamicBidding: wholeBidding(item, before) },
  complete: (item, { today }) => ({ startDate: item.startDate ?? today }),
  rules: checkCampaign,
  notUnique: ["duplicateValueError", "NAME_NOT_UNIQUE"],
  history: {
    entityType: "CAMPAIGN",
    tracked: [
      STATUS,
      { changeType: "BUDGET_AMOUNT", read: (campaign) => textOf((campaign.budget as JsonObject)?.budget) },
      { changeType: "NAME", read: (campaign) => textOf(campaign.name) },
      { changeType: "START_DATE", read: (campaign) => textOf(campaign.startDate) },
      { changeType: "END_DATE", read: (campaign) => textOf(campaign.endDate) },
      { changeType: "PORTFOLIO_ID", read: (campaign) => textOf(campaign.portfolioId) },
      { changeType: "SMART_BIDDING_STRATEGY", read: (campaign) => textOf(biddingOf(campaign).strategy) },
      ...PLACEMENTS.map(placementTracked),
    ],
    metadata: (campaign) => ({ campaignBudgetType: String((campaign.budget as JsonObject).budgetType) }),
  },
};

/** Replaced as a whole, except that a campaign always keeps a strategy. */
function wholeBidding(item: JsonObject, before: JsonObject | undefined): JsonObject {
  const kept = before === undefined
    ? { strategy: DEFAULT_STRATEGY, placementBidding: [] }
    : { strategy: biddingOf(before).strategy ?? DEFAULT_STRATEGY };
  return { ...kept, ...withoutNulls(biddingOf(item)) };
}

function checkCampaign(draft: Draft, context: RuleContext): ItemError[] {
  const { item, after, before } = draft;
  const amount = isObject(item.budget) ? item.budget.budget : undefined;
  const misfit = checkBudget(amount, { field: "budget.budget", kind: "sp" }, context);
  return [
    ...misfit,
    ...(misfit.length > 0 ? [] : checkBudgetAgainstBids(after, before, context)),
    ...checkDates(draft, context),
    ...checkPortfolio(draft, context),
  ];
}

function placementTracked(placement: string): TrackedValue {
  return {
    changeType: "PLACEMENT_GROUP",
    read: (campaign) => {
      const adjustments = (biddingOf(campaign).placementBidding ?? []) as JsonObject[];
      return textOf(adjustments.find((part) => part.placement === placement)?.percentage);
    },
    ...(POSITIONS[placement] === undefined
      ? {}
      : { metadata: { placementGroupPosition: POSITIONS[placement] } }),
  };
}

function biddingOf(campaign: JsonObject): JsonObject {
  return isObject(campaign.dynamicBidding) ? campaign.dynamicBidding : {};
}
