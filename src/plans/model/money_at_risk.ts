import { fieldsOf } from "../../base/json/fields_of.ts";

/** Possible change in daily spend caused by a plan. Amounts are in the account's currency. */
export interface MoneyAtRisk {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Range of the change in daily spend; negative amounts are savings. Covers the `known` changes only. */
  readonly perDay: { readonly low: number; readonly high: number };
  /** Number of changes whose effect could be estimated, or that do not affect spend. */
  readonly known: number;
  /** Number of changes whose effect is unknown; they are not counted as 0. */
  readonly unknown: number;
  /** Basis of the estimate in one line, then each reason for unknown changes; empty if no change affects spend. */
  readonly basis: readonly string[];
}

export function isMoneyAtRisk(value: unknown): value is MoneyAtRisk {
  const { currency, perDay, known, unknown, basis } = fieldsOf(value);
  const { low, high } = fieldsOf(perDay);
  return typeof currency === "string" && [low, high, known, unknown].every(Number.isFinite) &&
    Array.isArray(basis) && basis.every((ground) => typeof ground === "string");
}
