import type { Command } from "@commander-js/extra-typings";
import { fieldTypes } from "../../../../client/reports/field_table.ts";
import { ConfigurationError } from "../../../../errors.ts";
import { fieldsAsked } from "../../../../operations/reads/fields_asked.ts";
import { runReport } from "../../../../operations/reads/run_report.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { addFields, commandSpelling } from "../../shell/options/field_options.ts";
import { chosenProfiles, isForMany, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import { chosenProfile, wantedMarket } from "../../shell/options/market_options.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { checkExport } from "../../shell/output/export_format.ts";
import { printReportRows } from "./print_report_rows.ts";
import { printReport, reportPart, type RunReportOptions } from "./run_report.ts";

type ReportRunOptions =
  & Pick<ManyProfilesOptions & RunReportOptions, keyof (ManyProfilesOptions & RunReportOptions)>
  & {
    readonly currency?: string;
    readonly wholeAccount?: boolean;
  };

const { start, end, reporting, advertiser, timeout, filters } = runReport.input;
const FIELDS = {
  start,
  end,
  filters: { ...filters, help: "only rows with these values, or without them (!=)" },
  reporting,
  advertiser,
  timeout,
};

export const reportRunCommand = command(
  (kit) =>
    // The types of commander cannot know options that are declared elsewhere.
    addFields(
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
        .option("--currency <code>", "add amounts in this currency, for example USD")
        .option("--whole-account", "include all marketplaces of the advertiser account, each in its currency")
        .option("--out <file>", "write to a file: .csv, .json, .jsonl, .parquet or .xlsx"),
      FIELDS,
    ) as unknown as Command<[string | undefined], ReportRunOptions>,
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
  return await printReport(report, options, context);
}

async function runReportOfFields(options: ReportRunOptions, context: CliContext): Promise<number> {
  const { globals, io, interruption } = context;
  const { fields } = globals;
  const input = await operationInput({ input: FIELDS }, options);
  if (input.advertiser !== undefined) throw new UsageError("Cannot use --advertiser with --fields");
  if (fields === undefined) {
    throw new UsageError(
      "Cannot run a report without fields. Add them (--fields date.value,metric.clicks), or use a report name",
    );
  }
  if (input.reporting !== undefined && input.reporting !== 1) {
    throw new UsageError(
      `Cannot use --reporting ${
        input.reporting === 3 ? "old" : input.reporting
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
  const [first] = profiles;
  if (first === undefined || unreachable.length > 0) {
    const why = unreachable.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
    throw new ConfigurationError(`Cannot report the profiles: ${why === "" ? "none fits" : why}`);
  }
  const wanted = {
    fields,
    currency: options.currency,
    wholeAccount: options.wholeAccount,
    profiles: profiles.map(({ profileId }) => profileId),
  };
  const { report, check } = await refusingBadInput(() =>
    fieldsAsked(wanted, input, { today: first.reports.today, spelling: commandSpelling(FIELDS) })
  );
  const work = context.progress.work({ noun: "report", yields: "row" });
  const rows = ads.reports.stream(report, {
    signal: interruption.signal,
    timeout: input.timeout === undefined ? undefined : input.timeout * 60,
    onWarning: (message) => void (globals.quiet || io.stderr.write(`${message}\n`)),
    onProgress: (told) => work.part(told.reportId, reportPart(told)),
  });
  // --fields names what is asked for; companions and translated names are printed as well.
  const printing = { ...context, globals: { ...globals, fields: undefined } };
  const columns = check.fields;
  const types = await fieldTypes(columns);
  return await printReportRows(rows, { columns, shown: columns, out, types }, printing);
}
