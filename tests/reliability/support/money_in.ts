import { decimalsOf } from "../../../src/base/markets/markets.ts";

/** What a dollar is about, where it is far from one. */
const LOCAL: Readonly<Record<string, number>> = { MX: 20, JP: 150 };

/** An amount of dollars as a usual amount of a market, with its decimals. */
export function moneyIn(countryCode: string, dollars: number): number {
  return Number((dollars * (LOCAL[countryCode] ?? 1)).toFixed(decimalsOf(countryCode)));
}
