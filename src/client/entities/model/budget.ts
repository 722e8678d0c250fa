import { isObject } from "../../../base/json/fields_of.ts";
import type { OpenEnum } from "./entity_fields.ts";

/** Budget of a Sponsored Products campaign. */
export interface Budget {
  /** Amount in the marketplace's currency; per day for `DAILY`. */
  readonly budget: number;
  /** Period of the amount. */
  readonly budgetType: OpenEnum<"DAILY" | "LIFETIME">;
  /** Effective amount, including the effect of budget rules; read only. */
  readonly effectiveBudget?: number;
}

/** Budget input: an amount, or an amount with its type in either spelling. */
export type BudgetInput =
  | number
  | Pick<Budget, "budget"> & Partial<Budget> & {
    /** Period of the amount. */
    readonly budget_type?: Budget["budgetType"];
  };

/**
 * Converts a budget to the platform's form. A bare number becomes a budget of the type `budgetType`; both spellings of
 * the type are accepted.
 *
 * @param budgetType Type for a bare number, or for an object that names none.
 * @throws {TypeError} for anything but a number or an object with a number in `budget`.
 *
 * @example
 * ```ts
 * import { budget } from "@platform/ads";
 *
 * console.log(budget(12.5)); // { budget: 12.5, budgetType: "DAILY" }
 * console.log(budget({ budget: 300, budget_type: "LIFETIME" })); // { budget: 300, budgetType: "LIFETIME" }
 * ```
 */
export function budget(value: unknown, budgetType: string = "DAILY"): Budget {
  if (typeof value === "number" && Number.isFinite(value)) return { budget: value, budgetType };
  if (isObject(value)) {
    const { budget: amount, budgetType: camel, budget_type: snake, ...rest } = value as Record<
      string,
      unknown
    >;
    if (typeof amount === "number" && Number.isFinite(amount)) {
      return { ...rest, budget: amount, budgetType: String(camel ?? snake ?? budgetType) };
    }
  }
  throw new TypeError(
    `Cannot use ${
      JSON.stringify(value) ?? String(value)
    } as a budget: give a number, or { budget, budgetType }`,
  );
}
