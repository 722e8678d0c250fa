import { isObject, type Json, type JsonObject } from "../../core/json.ts";

const MAX_NAME = 355;
const METRICS = ["ACOS", "CTR", "CVR", "ROAS"];
const COMPARISONS = [
  "EQUAL_TO",
  "GREATER_THAN",
  "GREATER_THAN_OR_EQUAL_TO",
  "LESS_THAN",
  "LESS_THAN_OR_EQUAL_TO",
];

/** The first thing that is wrong with the details of a budget rule. */
export function checkRuleDetails(details: JsonObject): string | undefined {
  const { name, ruleType, duration, budgetIncreaseBy, recurrence, performanceMeasureCondition } = details;
  if (typeof name !== "string" || name === "" || name.length > MAX_NAME) {
    return `name must have 1 to ${MAX_NAME} characters`;
  }
  if (ruleType !== "SCHEDULE" && ruleType !== "PERFORMANCE") {
    return "ruleType must be SCHEDULE or PERFORMANCE";
  }
  if (
    !isObject(budgetIncreaseBy) || budgetIncreaseBy.type !== "PERCENT" || !isPositive(budgetIncreaseBy.value)
  ) {
    return "budgetIncreaseBy must be a PERCENT above 0: rules only raise budgets";
  }
  if (!isObject(duration) || !hasDuration(duration)) {
    return "duration must have a range of dates or an event";
  }
  if (recurrence !== undefined && (!isObject(recurrence) || !isRecurrence(recurrence.type))) {
    return "recurrence.type must be DAILY or WEEKLY";
  }
  return ruleType === "PERFORMANCE" ? checkCondition(performanceMeasureCondition) : undefined;
}

function checkCondition(condition: Json | undefined): string | undefined {
  if (!isObject(condition)) return "performanceMeasureCondition is required for a PERFORMANCE rule";
  const { metricName, comparisonOperator, threshold } = condition;
  if (!METRICS.includes(String(metricName))) return `metricName must be one of ${METRICS.join(", ")}`;
  if (!COMPARISONS.includes(String(comparisonOperator))) {
    return `comparisonOperator must be one of ${COMPARISONS.join(", ")}`;
  }
  return typeof threshold === "number" ? undefined : "threshold must be a number";
}

function hasDuration(
  { dateRangeTypeRuleDuration: range, eventTypeRuleDuration: event }: JsonObject,
): boolean {
  const isRange = isObject(range) && /^\d{4}-?\d{2}-?\d{2}$/.test(String(range.startDate));
  return isRange || (isObject(event) && typeof event.eventId === "string");
}

function isPositive(value: Json | undefined): boolean {
  return typeof value === "number" && value > 0;
}

function isRecurrence(type: Json | undefined): boolean {
  return type === "DAILY" || type === "WEEKLY";
}
