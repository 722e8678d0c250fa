import type { ReportingChoice } from "../../shell/options/reporting_option.ts";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import type { ReportKind, ReportShape } from "../../../../client/reports/requests/report_requests.ts";
import type { CommandKit } from "../../shell/command.ts";
import { refusingBadInput } from "../../shell/errors/cli_error.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { parseDay } from "../../shell/options/times.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { repeated, separated } from "../../shell/arguments/parse_values.ts";
import { parseFilters, reportKind } from "../../shell/input/report_kind.ts";

export interface AskOptions extends MarketOptions {
  readonly start?: string;
  readonly end?: string;
  readonly summary?: true;
  readonly columns?: readonly string[];
  readonly filter?: readonly string[];
  readonly name?: string;
  readonly fileFormat?: string;
  readonly sendAnyway?: true;
  readonly reporting?: ReportingChoice;
}

export interface AskedFor extends ReportShape {
  readonly report: ReportKind;
  readonly start: string;
  readonly end: string;
}

export function addAskOptions(command: ReturnType<CommandKit["profileLeaf"]>) {
  return command
    .option("--start <day>", "first day: YYYY-MM-DD, or -N days before today (default: -7)")
    .option("--end <day>", "last day (default: -1, yesterday in the profile's time zone)")
    .option("--summary", "totals for the period instead of a row per day")
    .option("--columns <names>", "these columns instead of the preset's", separated)
    .option("--filter <field=values>", "only rows with these values; repeatable", repeated)
    .option("--name <name>", "name of the report on the platform")
    .option("--file-format <name>", "format of the platform's file: json (default), csv or xlsx", fileFormat)
    .option("--send-anyway", "send it even if it does not match the published report type");
}

const FILE_FORMATS: Readonly<Record<string, string>> = { json: "GZIP_JSON", csv: "CSV", xlsx: "XLSX" };

function fileFormat(text: string): string {
  const name = text.toLowerCase();
  const found = Object.entries(FILE_FORMATS).find(([word, format]) => word === name || format === text);
  if (found === undefined) throw new InvalidArgumentError("Expected one of json, csv, xlsx.");
  return found[1];
}

export async function askedFor(
  word: string,
  options: AskOptions,
  { client, context }: { client: ProfileClient; context: CliContext },
): Promise<AskedFor> {
  const { today } = client.reports;
  const asked: AskedFor = {
    report: await reportKind(word, context.io),
    start: await parseDay(options.start ?? "-7", { option: "--start", today }),
    end: await parseDay(options.end ?? "-1", { option: "--end", today }),
    columns: options.columns,
    filters: parseFilters(options.filter),
    timeUnit: options.summary ? "SUMMARY" : undefined,
    name: options.name,
    format: options.fileFormat,
    check: options.sendAnyway !== true,
  };
  if (options.reporting === undefined || options.reporting === "3") {
    await refusingBadInput(() => client.reports.check(asked.report, asked));
  }
  return asked;
}
