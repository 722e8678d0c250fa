import type { Command } from "@commander-js/extra-typings";
import { dayOf } from "../../../../base/time/calendar.ts";
import type { RowFilter } from "../../../../store/model/store_driver.ts";
import { UsageError } from "../../shell/io/cli_error.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { parseDay } from "../../shell/options/times.ts";
import { storeOption, type StoreOptions } from "../../shell/options/store_option.ts";

export interface RowOptions extends StoreOptions {
  readonly market?: string;
  readonly start?: string;
  readonly end?: string;
}

export function addRowOptions(command: Command) {
  return command
    .addOption(storeOption())
    .option("-m, --market <market>", "only this country code or profile id")
    .option("--start <day>", "first day: YYYY-MM-DD, or -N days before today in UTC")
    .option("--end <day>", "last day");
}

export async function rowFilter(options: RowOptions, { io }: Pick<CliContext, "io">): Promise<RowFilter> {
  const today = dayOf(io.now());
  const { market, start, end } = options;
  if (market?.includes(",")) {
    throw new UsageError(`Cannot read rows of "${market}": use one market, or none for all rows`);
  }
  return {
    ...(market === undefined ? {} : /^\d+$/.test(market) ? { profileId: market } : { countryCode: market }),
    start: start === undefined ? undefined : await parseDay(start, { option: "--start", today }),
    end: end === undefined ? undefined : await parseDay(end, { option: "--end", today }),
  };
}
