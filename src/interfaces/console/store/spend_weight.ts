import { budgetLimits } from "../../../base/markets/market_limits.ts";

/**
 * Converts an amount to multiples of the market's smallest daily budget, which makes currencies comparable without
 * rates. Use the result only for sorting and never display it.
 */
export function spendWeight(amount: number, countryCode: string): number {
  return amount / (budgetLimits(countryCode, "sp_daily")?.min ?? 1);
}
