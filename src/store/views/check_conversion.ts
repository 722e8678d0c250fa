import { checkDay } from "../../internal/calendar.ts";
import type { Conversion } from "./store_view.ts";

/**
 * Refuses rates that nothing can be converted by.
 *
 * @throws {TypeError} or `RangeError` that names the rate.
 */
export function checkConversion({ currency, rates }: Conversion): void {
  for (const code of [currency, ...rates.map((rate) => rate.currency)]) {
    if (!/^[A-Z]{3}$/.test(code)) {
      throw new TypeError(
        `Cannot convert amounts: "${code}" is not a currency, expected a code such as EUR`,
      );
    }
  }
  const seen = new Set<string>();
  for (const { currency: from, rate, from: day } of rates) {
    if (!(Number.isFinite(rate) && rate > 0)) {
      throw new RangeError(`Cannot convert ${from} to ${currency}: the rate ${rate} is not a number above 0`);
    }
    if (day !== undefined) checkDay(day, `the first day of a rate of ${from}`);
    const key = JSON.stringify([from, day]);
    if (seen.has(key)) {
      throw new RangeError(
        `Cannot convert ${from} to ${currency}: it has two rates${day === undefined ? "" : ` from ${day}`}`,
      );
    }
    seen.add(key);
  }
}
