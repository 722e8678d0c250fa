import { ConfigurationError } from "../../errors.ts";
import { marketOf } from "../../base/markets/markets.ts";
import type { StoreDriver } from "../model/store_driver.ts";
import { DATASET_LAYOUTS } from "../model/dataset_layout.ts";
import type { Conversion } from "../model/store_view.ts";
import { checkDay } from "../../base/time/calendar.ts";

const FIRST_DAY = `SELECT min(first) AS first FROM (${
  ["days", ...DATASET_LAYOUTS.filter(({ isHourly }) => isHourly).map(({ table }) => table)]
    .map((table) => `SELECT min(date) AS first FROM ${table}`).join(" UNION ALL ")
}) AS firsts`;

/** @throws {ConfigurationError} naming the currency or days without a rate. */
export async function checkRates(driver: StoreDriver, { currency, rates }: Conversion): Promise<void> {
  const needed = new Set(
    (await driver.profiles()).flatMap(({ countryCode }) => marketOf(countryCode)?.currency ?? []),
  );
  needed.delete(currency);
  const refused = (why: string): ConfigurationError =>
    new ConfigurationError(`Cannot convert amounts to ${currency}: ${why}`);
  const { rows } = await driver.query(FIRST_DAY, { params: [], maxRows: 1 });
  const first = rows[0]?.["first"];
  for (const code of needed) {
    const own = rates.filter((rate) => rate.currency === code);
    if (own.length === 0) throw refused(`there is no rate for ${code}, which profiles of the store have`);
    const [begin = ""] = own.map(({ from = "" }) => from).sort();
    if (typeof first !== "string" || begin <= first) continue;
    throw refused(`the rates of ${code} begin on ${begin}, and the store on ${first}`);
  }
}

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
