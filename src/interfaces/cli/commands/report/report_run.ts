import { reportPart } from "./run_report.ts";
import { withAccount } from "../../../../client/reports/account_reports.ts";
import { checkedFields } from "../../../../client/reports/fields/run_fields.ts";
import type { FieldCondition, FieldsReport } from "../../../../client/reports/fields/fields_report.ts";
import { ConfigurationError } from "../../../../errors.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { refusingBadInput, UsageError } from "../../shell/errors/cli_error.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { parseDay } from "../../shell/options/times.ts";
import { chosenProfiles, isForMany, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import { chosenProfile, wantedMarket } from "../../shell/options/market_options.ts";
import { positiveInteger, repeated } from "../../shell/arguments/parse_values.ts";
import { fieldTypes } from "../../../../client/reports/fields/field_table.ts";
import { exportFormat } from "../../shell/output/export_format.ts";
import { exportRows } from "../../shell/output/export_rows.ts";
import { parseFilters } from "../../shell/input/report_kind.ts";
import { type ReportingChoice, reportingOption } from "../../shell/options/reporting_option.ts";
import { printReportRows, runReport } from "./run_report.ts";
import { say } from "../../shell/output/write_text.ts";

/** Options of {@linkcode runReportOfFields}. */
interface ReportRunOptions extends ManyProfilesOptions {
  readonly start?: string;
  readonly end?: string;
  /** Conditions, as `field=value,value` or `field!=value`. */
  readonly filter?: readonly string[];
  /** Currency that amounts are converted to. */
  readonly currency?: string;
  /** True for the rows of all marketplaces of the advertiser account. */
  readonly wholeAccount?: boolean;
  /** The reporting API that answers a report by name. */
  readonly reporting?: ReportingChoice;
  readonly out?: string;
  /** Minutes to wait. */
  readonly timeout?: number;
}

export const reportRunCommand = command(
  (kit) =>
    kit.profilesLeaf("run", {
      each: "with --fields: the rows of several, one report a region, each with advertiserAccount.id",
      summary: "Run a report of free fields, or a report by name, and print its rows",
      details:
        "--fields names the fields, also by their old columns; adsctl report fields finds them and adsctl report " +
        "check says what goes together. The dimensions among them are the grouping. Days past what one report gives are asked " +
        "for in parts. Days reach back 15 months, hours 14 days, months six years. With the name of a report in place of --fields " +
        "it does what adsctl report does; --reporting chooses old or new reports.",
      examples: [
        [
          "adsctl report run --fields date.value,campaign.name,metric.clicks,metric.totalCost -m US --start -90",
          "90 days by campaign",
        ],
        [
          "adsctl report run --fields hour.value,metric.sales -m US --start -7 --currency EUR --out hours.xlsx",
          "sales by hour, in euros as well",
        ],
        [
          "adsctl report run --fields advertiserAccount.name,metric.totalCost --all-profiles --currency USD",
          "what each account cost, in one currency as well",
        ],
        ["adsctl report run campaigns -m US --start -400 --reporting new", "a ready report over 13 months"],
      ],
      library: 'await profile.reports.run({ fields: ["date.value", "metric.clicks"], start, end })',
    })
      .argument("[report]", "name of a report, in place of --fields")
      .addOption(reportingOption())
      .option("--start <day>", "first day: YYYY-MM-DD, or -N days before today (default: -7)")
      .option("--end <day>", "last day (default: -1, yesterday where the profile is)")
      .option(
        "--filter <field=values>",
        "only rows with these values, != without them; may be given again",
        repeated,
      )
      .option("--currency <code>", "amounts in this currency as well, for example USD")
      .option("--whole-account", "rows of all marketplaces of the advertiser account, each in its currency")
      .option("--out <file>", "write to a file: .csv, .json, .jsonl, .parquet or .xlsx")
      .option(
        "--timeout <minutes>",
        "give up after so many minutes; the same command later takes the report up (default: 180)",
        positiveInteger,
      ),
  (report, options, context) =>
    report === undefined ? runReportOfFields(options, context) : runNamed(report, options, context),
);

/** Runs a report by name, as `adsctl report` does. */
async function runNamed(report: string, options: ReportRunOptions, context: CliContext): Promise<number> {
  if (context.globals.fields !== undefined) {
    throw new UsageError(`Cannot run "${report}" and --fields at once: name a report or its fields`);
  }
  if (options.currency !== undefined) {
    throw new UsageError(
      `Cannot use --currency with "${report}": name fields with --fields`,
    );
  }
  if (options.wholeAccount) {
    throw new UsageError(
      `Cannot use --whole-account with "${report}": a ready report is of one profile. Name fields with --fields`,
    );
  }
  if (isForMany(options)) {
    throw new UsageError(
      `Cannot run "${report}" for several profiles at once: name one with -m, or fields with --fields`,
    );
  }
  return await runReport(report, options, context);
}

/** Runs a report of fields and prints or writes its rows. */
async function runReportOfFields(options: ReportRunOptions, context: CliContext): Promise<number> {
  const { globals, io, interruption } = context;
  const { fields } = globals;
  if (fields === undefined) {
    throw new UsageError(
      "Cannot run a report without fields. Name them: --fields date.value,metric.clicks; or name a ready report",
    );
  }
  if (options.reporting !== undefined && options.reporting !== "1") {
    throw new UsageError(
      `Cannot use --reporting ${
        options.reporting === "3" ? "old" : options.reporting
      } with --fields: only reports (new) have fields`,
    );
  }
  const { out } = options;
  if (out !== undefined) exportFormat(out);
  if (!isForMany(options)) wantedMarket(options, context);
  const ads = await connectAds(context);
  const { profiles, unreachable } = isForMany(options)
    ? await chosenProfiles(ads, options, context)
    : { profiles: [await chosenProfile(ads, options, context)], unreachable: [] };
  const [first, ...others] = profiles;
  if (first === undefined || unreachable.length > 0) {
    const why = unreachable.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
    throw new ConfigurationError(`Cannot report the profiles: ${why === "" ? "none fits" : why}`);
  }
  const { today } = first.reports;
  const report: FieldsReport = {
    fields: others.length === 0 ? fields : withAccount(fields),
    start: await parseDay(options.start ?? "-7", { option: "--start", today }),
    end: await parseDay(options.end ?? "-1", { option: "--end", today }),
    filter: conditionsOf(options.filter),
    currency: options.currency,
    wholeAccount: options.wholeAccount,
    profiles: profiles.map(({ profileId }) => profileId),
  };
  const check = await refusingBadInput(() => checkedFields(report, today));
  const work = context.progress.work({ noun: "report", yields: "row" });
  const rows = ads.reports.stream(report, {
    signal: interruption.signal,
    timeout: options.timeout === undefined ? undefined : options.timeout * 60,
    ...(globals.demo ? { poll: 1, maxPoll: 1 } : {}),
    onWarning: (message) => void (globals.quiet || io.stderr.write(`${message}\n`)),
    onProgress: (told) =>
      work.part(told.reportId, reportPart({ ...told, name: `${told.start} to ${told.end}` })),
  });
  // --fields names what is asked for; companions and translated names are printed as well.
  const printing = { ...context, globals: { ...globals, fields: undefined } };
  if (out === undefined) {
    await printReportRows(rows, { columns: check.fields, chosen: true }, printing);
  } else {
    const count = await exportRows(rows, {
      path: out,
      columns: check.fields,
      types: await fieldTypes(check.fields),
    }, printing);
    await say(`Wrote ${count} rows to ${out}`, { io, globals });
  }
  return EXIT.done;
}

/** `campaign.id=1,2` has one of the values, `campaign.id!=1` none of them. */
function conditionsOf(texts: readonly string[] | undefined): Record<string, FieldCondition> {
  const conditions: Record<string, FieldCondition> = {};
  for (const [word, values] of Object.entries(parseFilters(texts) ?? {})) {
    const field = word.replace(/!$/, "");
    if (Object.hasOwn(conditions, field)) {
      throw new UsageError(`Cannot use --filter with "${field}=" and "${field}!=": take one of them`);
    }
    conditions[field] = word.endsWith("!") ? { not: values } : values;
  }
  return conditions;
}
