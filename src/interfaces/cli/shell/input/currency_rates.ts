import { ConfigurationError } from "../../../../errors.ts";
import type { Conversion, CurrencyRate } from "../../../../store/model/store_view.ts";
import { checkConversion } from "../../../../store/views/check_rates.ts";
import { refusingBadInput, UsageError } from "../io/cli_error.ts";
import type { CliIo } from "../io/cli_io.ts";
import { parseRecords } from "./parse_records.ts";
import { readInput } from "./read_input.ts";

export interface CurrencyOptions {
  readonly currency?: string;
  readonly rates?: string;
}

/**
 * Rates come only from the given file.
 *
 * @throws {UsageError} when one of the options is missing, or the file is invalid.
 */
export async function currencyConversion(
  { currency, rates: path }: CurrencyOptions,
  io: Pick<CliIo, "stdin">,
): Promise<Conversion | undefined> {
  if (currency === undefined && path === undefined) return undefined;
  if (currency === undefined) {
    throw new UsageError("Cannot use --rates without --currency: name the currency");
  }
  if (path === undefined) {
    throw new UsageError(
      `Cannot convert to ${currency} without rates: name a file with --rates, with the columns currency, rate and, ` +
        "where rates change, from",
    );
  }
  const input = await readInput(path, io);
  const { records } = await parseRecords(input);
  const rates = Array.from(records, ({ values, where }): CurrencyRate => {
    const rate = Number(values["rate"]);
    const code = String(values["currency"] ?? "").trim().toUpperCase();
    if (code === "" || !(rate > 0)) {
      throw new UsageError(
        `Cannot read ${input.name}: ${where} has no currency or no rate above 0, as in EUR,1.08`,
      );
    }
    const from = String(values["from"] ?? "").trim();
    return { currency: code, rate, ...(from === "" ? {} : { from }) };
  });
  if (rates.length === 0) throw new ConfigurationError(`Cannot read ${input.name}: it holds no rates`);
  const conversion = { currency: currency.trim().toUpperCase(), rates };
  await refusingBadInput(() => checkConversion(conversion));
  return conversion;
}
