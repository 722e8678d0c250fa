import { ConfigurationError } from "../../errors.ts";
import { marketOf } from "../../markets.ts";
import type { StoreDriver } from "../store_driver.ts";
import { DATASET_LAYOUTS } from "../stream/dataset_layout.ts";
import type { Conversion } from "./store_view.ts";

/** The first day with amounts in the store, of reports or of the stream. */
const FIRST_DAY = `SELECT min(first) AS first FROM (${
  ["days", ...DATASET_LAYOUTS.filter(({ isHourly }) => isHourly).map(({ table }) => table)]
    .map((table) => `SELECT min(date) AS first FROM ${table}`).join(" UNION ALL ")
}) AS firsts`;

/**
 * Makes sure that there is a rate for every amount of a store.
 *
 * @throws {ConfigurationError} that names the currency or the days that lack one.
 */
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
