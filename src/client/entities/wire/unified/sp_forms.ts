import { fieldsOf } from "../../../../base/json/fields_of.ts";
import type { Fields } from "../../model/resource_wire.ts";
import { placements, words } from "./forms.ts";
import { NotOnWire, type UnifiedForm } from "./unified_field.ts";

/** Budget of a campaign: a list entry on the wire. Every update must send the whole budget. */
export const SP_BUDGET: UnifiedForm = {
  toWire: (value) => {
    const { budget, budgetType = "DAILY" } = fieldsOf(value);
    if (budgetType !== "DAILY") {
      throw new NotOnWire(
        `The unified family has no budget of the type ${JSON.stringify(budgetType)}: it knows DAILY`,
      );
    }
    return [monetary(budget, "DAILY")];
  },
  toOwn: (value) => {
    const [first] = Array.isArray(value) ? value : [];
    const amount = monetaryOf(first);
    if (amount["value"] === undefined) return undefined;
    const ruleValue = amount["ruleValue"];
    return {
      budget: amount["value"],
      budgetType: fieldsOf(first)["recurrenceTimePeriod"],
      ...(ruleValue === undefined ? {} : { effectiveBudget: ruleValue }),
    };
  },
};

function monetary(value: unknown, period: unknown): Fields {
  return budgetEntry({ monetaryBudget: { value } }, period);
}

export function budgetEntry(monetaryBudgetValue: Fields, period: unknown): Fields {
  return { budgetType: "MONETARY", recurrenceTimePeriod: period, budgetValue: { monetaryBudgetValue } };
}

function monetaryOf(budget: unknown): Fields {
  const { monetaryBudgetValue } = fieldsOf(fieldsOf(budget)["budgetValue"]);
  return fieldsOf(fieldsOf(monetaryBudgetValue)["monetaryBudget"]);
}

const STRATEGY = words("the bidding strategy", {
  LEGACY_FOR_SALES: "SALES_DOWN_ONLY",
  AUTO_FOR_SALES: "SALES_UP_AND_DOWN",
  MANUAL: "MANUAL",
  RULE_BASED: "RULE_BASED",
});
const PAGES = {
  PLACEMENT_TOP: "TOP_OF_SEARCH",
  PLACEMENT_PRODUCT_PAGE: "PRODUCT_PAGE",
  PLACEMENT_REST_OF_SEARCH: "REST_OF_SEARCH",
};
const PLACEMENTS = placements({ ...PAGES, SITE_PLATFORM_BUSINESS: "SITE_PLATFORM_BUSINESS" });
const GLOBAL_PLACEMENTS = placements(PAGES);
const COHORT = "AUDIENCE_SEGMENT";

/**
 * Bidding of a campaign. Older families replace it as a whole, so updates clear omitted lists. The composition of
 * audiences is lost.
 */
export const SP_BIDDING: UnifiedForm = {
  toWire: (value, place, op) => {
    const { strategy, placementBidding, shopperCohortBidding, ...others } = fieldsOf(value);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) {
      throw new NotOnWire(`The unified family has no field for dynamicBidding.${unknown}`);
    }
    const empty = op === "update" ? [] : undefined;
    const adjustments = defined({
      placementBidAdjustments: placementBidding === undefined
        ? empty
        : PLACEMENTS.toWire(placementBidding, place, op),
      audienceBidAdjustments: shopperCohortBidding === undefined ? empty : audienceList(shopperCohortBidding),
    });
    return defined({
      bidStrategy: strategy === undefined ? undefined : STRATEGY.toWire(strategy, place, op),
      bidAdjustments: Object.keys(adjustments).length === 0 ? undefined : adjustments,
    });
  },
  toOwn: (value, place) => {
    const { bidStrategy, bidAdjustments } = fieldsOf(value);
    const { placementBidAdjustments, audienceBidAdjustments } = fieldsOf(bidAdjustments);
    const cohorts = cohortList(audienceBidAdjustments);
    const bidding = defined({
      strategy: bidStrategy === undefined ? undefined : STRATEGY.toOwn(bidStrategy, place),
      placementBidding: PLACEMENTS.toOwn(placementBidAdjustments, place),
      shopperCohortBidding: cohorts.length === 0 ? undefined : cohorts,
    });
    return Object.keys(bidding).length === 0 ? undefined : bidding;
  },
};

export function audienceList(value: unknown): Fields[] {
  return (Array.isArray(value) ? value : []).map((cohort: Fields) => {
    const { percentage, audienceSegments, shopperCohortType = COHORT } = cohort;
    const [segment, ...more] = Array.isArray(audienceSegments) ? audienceSegments.map(fieldsOf) : [];
    if (shopperCohortType !== COHORT || segment === undefined || more.length > 0) {
      throw new NotOnWire("The unified family takes one audience segment for each audience adjustment");
    }
    return { audienceId: segment["audienceId"], percentage };
  });
}

export function cohortList(value: unknown): Fields[] {
  return (Array.isArray(value) ? value.map(fieldsOf) : []).map(({ audienceId, percentage }) => ({
    shopperCohortType: COHORT,
    percentage,
    audienceSegments: [{ audienceId }],
  }));
}

export const SP_GLOBAL_BIDDING: UnifiedForm = {
  toWire: (value, place, op) => {
    const { strategy, placementBidding, ...others } = fieldsOf(value);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) {
      throw new NotOnWire(`Global campaigns have no field for dynamicBidding.${unknown}`);
    }
    const list = placementBidding ?? (op === "update" ? [] : undefined);
    return defined({
      bidStrategy: strategy === undefined ? undefined : STRATEGY.toWire(strategy, place, op),
      bidAdjustments: list === undefined
        ? undefined
        : { placementBidAdjustments: GLOBAL_PLACEMENTS.toWire(list, place, op) },
    });
  },
  toOwn: (value, place) => SP_BIDDING.toOwn(value, place),
};

function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
