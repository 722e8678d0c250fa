import type { WorkPart } from "../../shell/terminal/progress.ts";
import { nextCommand } from "../../shell/arguments/shell_words.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import type { ReportProgress, RunOptions } from "../../../../client/reports/requests/run_options.ts";
import type { ReportRow } from "../../../../client/reports/file/report_row.ts";
import {
  isPreset,
  REPORT_PRESET_NAMES,
  type ReportPresetName,
  spellReport,
} from "../../../../client/reports/requests/presets.ts";
import { refusingBadInput, UsageError } from "../../shell/errors/cli_error.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { checkExport } from "../../shell/output/export_format.ts";
import { exportRows } from "../../shell/output/export_rows.ts";
import { printRows, rowPrinter } from "../../shell/output/print_rows.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { asyncChunks } from "../../../../base/lists/chunks.ts";
import { drawChart } from "./chart.ts";
import { ChartData } from "./chart_data.ts";
import { reportColumns } from "../../shell/output/report_columns.ts";
import { type AskedFor, askedFor, type AskOptions } from "./report_options.ts";
import { jobReportIn, printJobReport } from "./print_job_report.ts";
import { say } from "../../shell/output/write_text.ts";

interface RunReportOptions extends AskOptions {
  readonly out?: string;
  readonly chart?: string;
  /** Minutes to wait. */
  readonly timeout?: number;
  /** DSP advertiser, for a report on a single advertiser. */
  readonly advertiser?: string;
}

export async function runReport(
  word: string,
  options: RunReportOptions,
  context: CliContext,
): Promise<number> {
  const job = jobReportIn(word);
  if (job !== undefined) return await printJobReport(job, options, context);
  if (options.advertiser !== undefined) {
    throw new UsageError(`Cannot use --advertiser with "${word}": it is for DSP reports`);
  }
  const { out, chart } = options;
  if (out !== undefined && chart !== undefined) {
    throw new UsageError("Cannot use --out together with --chart");
  }
  if (options.reporting === "compare" && (out ?? chart) !== undefined) {
    throw new UsageError("Cannot use --out or --chart with --reporting compare: it lists differences");
  }
  if (out !== undefined) await checkExport(out, context.globals.givenFormat);
  const open = new Set<string>();
  const client = await connectProfile(options, context);
  try {
    const asked = await askedFor(word, options, { client, context });
    if (options.reporting === "compare") return await compareReport(client, asked, { options, context });
    const { columns, filled } = await columnsOfReport(client, asked, options);
    const rows = streamed(client, asked, { options, context, open });
    if (chart !== undefined) await chartRows(rows, { chart, columns, context });
    else if (out !== undefined) {
      const count = await exportRows(rows, { path: out, columns }, context);
      await say(`Wrote ${count} rows to ${out}`, context);
    } else await printReportRows(rows, { columns, filled, chosen: options.columns !== undefined }, context);
    return EXIT.done;
  } catch (error) {
    if (context.interruption.signal.aborted) await nameOpenReports(open, options, context);
    throw error;
  }
}

async function nameOpenReports(
  ids: ReadonlySet<string>,
  { market }: RunReportOptions,
  { io, globals }: CliContext,
): Promise<void> {
  const where = market === undefined ? [] : ["-m", market];
  for (const id of ids) {
    const next = nextCommand(["report", "download", id, ...where, "--wait"], globals);
    await io.stderr.write(`The report is still being built. Get it later: ${next}\n`);
  }
}

interface RowColumns {
  readonly columns: readonly string[];
  readonly filled: readonly string[];
}

async function columnsOfReport(
  client: ProfileClient,
  asked: AskedFor,
  { reporting }: RunReportOptions,
): Promise<RowColumns> {
  if (reporting === "1") return await fieldsAsked(client, asked);
  const { columns } = client.reports.requests(asked.report, asked).requests[0]!.configuration;
  return { columns, filled: columns };
}

function fieldsAsked(
  client: ProfileClient,
  asked: AskedFor,
): Promise<RowColumns & { readonly report: ReportPresetName }> {
  return refusingBadInput(async () => {
    const { report } = asked;
    if (!isPreset(report)) {
      throw new UsageError(
        `Cannot use --reporting with this report: the new reports have ${
          REPORT_PRESET_NAMES.map(spellReport).join(", ")
        }. ` +
          "For others use adsctl report run --fields",
      );
    }
    const { start, end } = asked;
    const { accountInfo } = client.profile;
    const { today } = client.reports;
    const { fieldsOfPreset } = await import("../../../../client/reports/fields/preset_rows.ts");
    const { sources } = await fieldsOfPreset(
      { report, start, end, accountType: accountInfo.type, today },
      asked,
    );
    const days = asked.timeUnit === "SUMMARY" ? ["startDate", "endDate"] : ["date"];
    const names = (list: typeof sources): string[] => [...days, ...list.map(({ column }) => column)];
    return {
      report,
      columns: names(sources),
      filled: names(sources.filter(({ missing }) => missing === undefined)),
    };
  });
}

async function compareReport(
  client: ProfileClient,
  asked: AskedFor,
  { options, context }: { options: RunReportOptions; context: CliContext },
): Promise<number> {
  const { report } = await fieldsAsked(client, asked);
  const running = runOptions(asked, { options, context, open: new Set() });
  const found = await refusingBadInput(() => client.reports.compare(report, asked.start, asked.end, running));
  await context.progress.clear();
  const rows = found.differences.map(({ key, ...rest }) => ({
    key: Object.entries(key).map(([name, value]) => `${name}=${value ?? ""}`).join(" "),
    ...rest,
  }));
  await printRows(rows, { columns: ["key", "column", "reporting3", "reporting1"] }, context);
  const { reporting3, reporting1 } = found.rows;
  const count = rows.length === 0
    ? "no differences"
    : `${rows.length} difference${rows.length === 1 ? "" : "s"}`;
  await say(
    `${reporting3} rows in old reports, ${reporting1} in new reports, ${found.columns.length} columns: ${count}`,
    context,
  );
  return rows.length === 0 ? EXIT.done : EXIT.differences;
}

function streamed(
  client: ProfileClient,
  asked: AskedFor,
  parts: { options: RunReportOptions; context: CliContext; open: Set<string> },
): AsyncGenerator<ReportRow> {
  return client.reports.stream(asked.report, asked.start, asked.end, runOptions(asked, parts));
}

function runOptions(
  asked: AskedFor,
  { options, context, open }: { options: RunReportOptions; context: CliContext; open: Set<string> },
): RunOptions {
  const { io, globals, interruption } = context;
  const work = context.progress.work({ noun: "report", yields: "row" });
  return {
    ...asked,
    reporting: options.reporting === "1" ? 1 : 3,
    signal: interruption.signal,
    timeout: options.timeout === undefined ? undefined : options.timeout * 60,
    ...(globals.demo ? { poll: 1, maxPoll: 1 } : {}),
    onWarning: (message) => void (globals.quiet || io.stderr.write(`warning: ${message}\n`)),
    onProgress: (told) => {
      // Those of the new reports are not downloaded by their ids.
      if (told.kind === "done" || options.reporting === "1") open.delete(told.reportId);
      else open.add(told.reportId);
      work.part(
        told.reportId,
        reportPart({ ...told, name: `${told.request.startDate} to ${told.request.endDate}` }),
      );
    },
  };
}

export function reportPart(
  { name, kind, status, seconds, rows }: Omit<ReportProgress, "request" | "reportId"> & {
    readonly name: string;
  },
): WorkPart {
  return {
    name,
    state: kind === "done" ? "done" : "running",
    step: kind === "waiting" ? status.toLowerCase() : kind,
    seconds,
    amount: rows,
  };
}

export async function printReportRows(
  rows: AsyncIterable<ReportRow>,
  { columns, filled = columns, chosen }: {
    columns: readonly string[];
    filled?: readonly string[];
    chosen: boolean;
  },
  context: CliContext,
): Promise<void> {
  const printer = rowPrinter(
    { columns: chosen ? columns : reportColumns(filled), fields: columns },
    context,
  );
  let count = 0;
  for await (const batch of asyncChunks(rows, 500)) {
    await printer.write(batch);
    count += batch.length;
  }
  await printer.end();
  if (count === 0) await say("The report has no rows", context);
}

async function chartRows(
  rows: AsyncIterable<ReportRow>,
  { chart, columns, context }: { chart: string; columns: readonly string[]; context: CliContext },
): Promise<void> {
  const data = new ChartData(chart, columns);
  for await (const row of rows) data.add(row);
  await context.io.stdout.write(
    drawChart(data.series(), { metric: chart, width: context.io.stdout.columns ?? 80 }),
  );
}
