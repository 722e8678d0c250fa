import { type Json, type JsonObject, objectsIn } from "../../core/json.ts";
import { choice, type Field, list, number, object, optional, required, text } from "../../entities/shape.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { part } from "./common.ts";

export const AMOUNT = "budgets[0].budgetValue.monetaryBudgetValue.monetaryBudget.value";
const MONEY = object({ value: required(number()), currencyCode: optional(text()) });

export function budgets(...periods: string[]): Field["shape"] {
  return list(
    object({
      budgetType: required(choice("MONETARY")),
      ...(periods.length === 0 ? {} : { recurrenceTimePeriod: required(choice(...periods)) }),
      budgetValue: required(
        object({ monetaryBudgetValue: required(object({ monetaryBudget: required(MONEY) })) }),
      ),
    }),
    1,
  );
}

export function budgetOf(item: JsonObject): { value: Json; period: Json } | undefined {
  const [budget] = objectsIn(item.budgets) ?? [];
  if (budget === undefined) return undefined;
  const { value = 0 } = part(budget, "budgetValue", "monetaryBudgetValue", "monetaryBudget");
  return { value, period: budget.recurrenceTimePeriod ?? "DAILY" };
}

export function budgetList(
  value: Json | undefined,
  period: Json | undefined,
  { record }: ProfileState,
): JsonObject[] {
  return [{
    budgetType: "MONETARY",
    recurrenceTimePeriod: period ?? "DAILY",
    budgetValue: {
      monetaryBudgetValue: { monetaryBudget: { value: value ?? 0, currencyCode: record.currencyCode } },
    },
  }];
}
