import type { JsonObject } from "../../core/json.ts";
import type { DemoParts } from "../sponsored_products/demo.ts";

const CREATED = Date.UTC(2026, 1, 2, 9);

export function buildCampaignRules(
  parts: Pick<DemoParts, "newId">,
  campaigns: readonly JsonObject[],
): Record<string, JsonObject[]> {
  const first = campaigns.filter((campaign) => campaign.state !== "ARCHIVED").slice(0, 2);
  const campaignIds = first.map((campaign) => String(campaign.campaignId));
  const budgetRule = (ruleDetails: JsonObject, tied: string[]): JsonObject => ({
    ruleId: `rule-${parts.newId()}`,
    ruleState: "ACTIVE",
    ruleStatus: "ACTIVE",
    createdDate: CREATED,
    lastUpdatedDate: CREATED,
    ruleDetails,
    campaignIds: tied,
  });
  return {
    "sp.budget_rules": [
      budgetRule({
        name: "Weekend push",
        ruleType: "SCHEDULE",
        budgetIncreaseBy: { type: "PERCENT", value: 25 },
        duration: { dateRangeTypeRuleDuration: { startDate: "20260202", endDate: "20260426" } },
        recurrence: { type: "DAILY", daysOfWeek: ["SATURDAY", "SUNDAY"] },
      }, campaignIds),
      budgetRule({
        name: "More when it pays",
        ruleType: "PERFORMANCE",
        budgetIncreaseBy: { type: "PERCENT", value: 15 },
        duration: { dateRangeTypeRuleDuration: { startDate: "20260202" } },
        recurrence: { type: "DAILY" },
        performanceMeasureCondition: {
          metricName: "ACOS",
          comparisonOperator: "LESS_THAN_OR_EQUAL_TO",
          threshold: 22,
        },
      }, []),
    ],
    "sp.optimization_rules": [{
      ruleId: `bid-rule-${parts.newId()}`,
      ruleName: "Evening bids",
      ruleCategory: "BID",
      ruleSubCategory: "SCHEDULE",
      status: "ENABLED",
      action: {
        actionType: "ADOPT",
        actionDetails: { actionOperator: "INCREMENT", actionUnit: "PERCENT", value: 20 },
      },
      recurrence: {
        type: "DAILY",
        timesOfDay: [{ startTime: "18:00", endTime: "22:00" }],
        duration: { startTime: new Date(CREATED).toISOString() },
      },
      campaignIds: [],
    }],
  };
}
