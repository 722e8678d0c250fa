import { budgetLimits } from "../../../base/markets/market_limits.ts";

/**
 * An amount in units of the market's smallest daily budget. It makes amounts of several currencies comparable in size
 * without rates: of use for an order, never to be shown.
 */
export function spendWeight(amount: number, countryCode: string): number {
  return amount / (budgetLimits(countryCode, "sp_daily")?.min ?? 1);
}
