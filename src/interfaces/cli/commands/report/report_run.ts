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
import { checkExport } from "../../shell/output/export_format.ts";
import { exportRows } from "../../shell/output/export_rows.ts";
import { parseFilters } from "../../shell/input/report_kind.ts";
import { type ReportingChoice, reportingOption } from "../../shell/options/reporting_option.ts";
import { printReportRows, runReport } from "./run_report.ts";
import { advertiserOption } from "./print_job_report.ts";
import { say } from "../../shell/output/write_text.ts";

interface ReportRunOptions extends ManyProfilesOptions {
  readonly start?: string;
  readonly end?: string;
  readonly filter?: readonly string[];
  readonly currency?: string;
  readonly wholeAccount?: boolean;
  /** Reporting API to use for a report requested by name. */
  readonly reporting?: ReportingChoice;
  /** DSP advertiser, for a report on a single advertiser. */
  readonly advertiser?: string;
  readonly out?: string;
  readonly timeout?: number;
}

export const reportRunCommand = command(
  (kit) =>
    kit.profilesLeaf("run", {
      each: "with --fields, rows of several profiles, one report per region, with advertiserAccount.id",
      summary: "Run a report with any fields, or a report by name, and print its rows",
      details:
        "--fields takes new field names or old column names. Find them with adsctl report fields, and check " +
        "combinations with adsctl report check. The dimensions among them are the grouping. Long ranges are split " +
        "into several reports. Days go back 15 months, hours 14 days, months six years. With a report name " +
        "instead of --fields, works like adsctl report; --reporting chooses old or new reports.",
      examples: [
        [
          "adsctl report run --fields date.value,campaign.name,metric.clicks,metric.totalCost -m US --start -90",
          "print 90 days by campaign",
        ],
        [
          "adsctl report run --fields hour.value,metric.sales -m US --start -7 --currency EUR --out hours.xlsx",
          "save sales by hour, also in euros",
        ],
        [
          "adsctl report run --fields advertiserAccount.name,metric.totalCost --all-profiles --currency USD",
          "print the cost of each account, also in one currency",
        ],
        [
          "adsctl report run campaigns -m US --start -400 --reporting new",
          "run a report by name over 13 months",
        ],
      ],
      library: 'await profile.reports.run({ fields: ["date.value", "metric.clicks"], start, end })',
    })
      .argument("[report]", "report name, instead of --fields")
      .addOption(reportingOption())
      .addOption(advertiserOption())
      .option("--start <day>", "first day: YYYY-MM-DD, or -N days before today (default: -7)")
      .option("--end <day>", "last day (default: -1, yesterday in the profile's time zone)")
      .option(
        "--filter <field=values>",
        "only rows with these values, or without them (!=); repeatable",
        repeated,
      )
      .option("--currency <code>", "add amounts in this currency, for example USD")
      .option("--whole-account", "include all marketplaces of the advertiser account, each in its currency")
      .option("--out <file>", "write to a file: .csv, .json, .jsonl, .parquet or .xlsx")
      .option(
        "--timeout <minutes>",
        "stop waiting after this many minutes; run the command again to resume (default: 180)",
        positiveInteger,
      ),
  (report, options, context) =>
    report === undefined ? runReportOfFields(options, context) : runNamed(report, options, context),
);

async function runNamed(report: string, options: ReportRunOptions, context: CliContext): Promise<number> {
  if (context.globals.fields !== undefined) {
    throw new UsageError(`Cannot run "${report}" and --fields at once: use a report name or --fields`);
  }
  if (options.currency !== undefined) {
    throw new UsageError(
      `Cannot use --currency with "${report}": use --fields`,
    );
  }
  if (options.wholeAccount) {
    throw new UsageError(
      `Cannot use --whole-account with "${report}": a report by name covers one profile. Use --fields`,
    );
  }
  if (isForMany(options)) {
    throw new UsageError(
      `Cannot run "${report}" for several profiles at once: choose one with -m, or use --fields`,
    );
  }
  return await runReport(report, options, context);
}

async function runReportOfFields(options: ReportRunOptions, context: CliContext): Promise<number> {
  const { globals, io, interruption } = context;
  const { fields } = globals;
  if (options.advertiser !== undefined) throw new UsageError("Cannot use --advertiser with --fields");
  if (fields === undefined) {
    throw new UsageError(
      "Cannot run a report without fields. Add them (--fields date.value,metric.clicks), or use a report name",
    );
  }
  if (options.reporting !== undefined && options.reporting !== "1") {
    throw new UsageError(
      `Cannot use --reporting ${
        options.reporting === "3" ? "old" : options.reporting
      } with --fields: only new reports have fields`,
    );
  }
  const { out } = options;
  if (out !== undefined) await checkExport(out, context.globals.givenFormat);
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

/** `campaign.id=1,2` matches one of the values, `campaign.id!=1` none of them. */
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
