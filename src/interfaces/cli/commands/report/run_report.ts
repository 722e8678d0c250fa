import type { ReportComparison } from "../../../../client/reports/compare_presets.ts";
import {
  compareReports,
  type ReportContext,
  type ReportRun,
  type ReportStep,
  runReport,
} from "../../../../operations/reads/run_report.ts";
import { reportSubject } from "../../../../operations/reads/report_subject.ts";
import type { ReportRow } from "../../../../client/reports/file/report_row.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { reportGiven } from "../../shell/input/report_given.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { fieldWords } from "../../shell/options/field_options.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { checkExport } from "../../shell/output/export_format.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { reportColumns } from "../../shell/output/report_columns.ts";
import { say } from "../../shell/output/write_text.ts";
import type { WorkPart } from "../../shell/context/progress.ts";
import { ChartData, drawChart } from "./chart.ts";
import { printReportRows } from "./print_report_rows.ts";

export interface RunReportOptions extends MarketOptions {
  readonly out?: string;
  readonly chart?: string;
}

/** Runs a report by name or configuration. */
export async function printReport(
  word: string,
  options: RunReportOptions,
  context: CliContext,
): Promise<number> {
  const { globals, io, interruption: { signal } } = context;
  const input = await operationInput(runReport, options, { report: await reportGiven(word, io) });
  const { out, chart } = options;
  if (out !== undefined && chart !== undefined) {
    throw new UsageError("Cannot use --out together with --chart");
  }
  if (input.reporting === "compare" && (out ?? chart) !== undefined) {
    throw new UsageError("Cannot use --out or --chart with --reporting compare: it lists differences");
  }
  if (chart !== undefined && "job" in await reportSubject(input.report)) {
    throw new UsageError(
      `Cannot use --chart with "${word}": not all of its columns are known before it is run`,
    );
  }
  if (out !== undefined) await checkExport(out, globals.givenFormat);
  const profile = await connectProfile(options, context);
  const open = new Map<string, readonly string[]>();
  const work = context.progress.work({ noun: "report", yields: "row" });
  const asking: ReportContext = {
    profile,
    signal,
    onWarning: (message) => void (globals.quiet || io.stderr.write(`warning: ${message}\n`)),
    onStep: (step) => {
      if (step.kind === "done") open.delete(step.reportId);
      else open.set(step.reportId, [step.start, step.end]);
      work.part(step.reportId, reportPart(step));
    },
  };
  let resume: ReportRun["resume"];
  try {
    if (input.reporting === "compare") {
      const compared = await refusingBadInput(() => compareReports(asking, input));
      await context.progress.clear();
      return await printDifferences(compared, context);
    }
    const run = await refusingBadInput(() => runReport.run(asking, input));
    const { columns, filled, types, hasMore } = run;
    resume = run.resume;
    if (chart !== undefined) return await chartRows(run.rows(), { chart, columns, context });
    const shown = input.columns === undefined ? reportColumns(filled) : columns;
    return await printReportRows(run.rows(), { columns, shown, out, types, hasMore }, context);
  } catch (error) {
    if (signal.aborted && resume !== undefined) {
      const where = options.market === undefined ? [] : ["-m", options.market];
      for (const [id, [start = "", end = ""]] of open) {
        const words = resume === "again"
          ? ["report", word, ...where, ...fieldWords(runReport.input, { ...input, start, end })]
          : ["report", "download", id, ...where, "--wait"];
        await io.stderr.write(
          `The report is still being built. Get it later: ${nextCommand(words, globals)}\n`,
        );
      }
    }
    throw error;
  }
}

async function printDifferences(
  { differences, rows: { reporting3, reporting1 }, columns }: ReportComparison,
  context: CliContext,
): Promise<number> {
  const rows = differences.map(({ key, ...rest }) => ({
    key: Object.entries(key).map(([name, value]) => `${name}=${value ?? ""}`).join(" "),
    ...rest,
  }));
  await printRows(rows, { columns: ["key", "column", "reporting3", "reporting1"] }, context);
  const count = rows.length === 0
    ? "no differences"
    : `${rows.length} difference${rows.length === 1 ? "" : "s"}`;
  await say(
    `${reporting3} rows in old reports, ${reporting1} in new reports, ${columns.length} columns: ${count}`,
    context,
  );
  return rows.length === 0 ? EXIT.done : EXIT.differences;
}

export function reportPart({ start, end, kind, status, seconds, rows }: ReportStep): WorkPart {
  return {
    name: `${start} to ${end}`,
    state: kind === "done" ? "done" : "running",
    step: kind === "waiting" ? status.toLowerCase() : kind,
    seconds,
    amount: rows,
  };
}

async function chartRows(
  rows: AsyncIterable<ReportRow>,
  { chart, columns, context: { io: { stdout } } }: {
    readonly chart: string;
    readonly columns: readonly string[];
    readonly context: CliContext;
  },
): Promise<number> {
  const data = new ChartData(chart, columns);
  for await (const row of rows) data.add(row);
  await stdout.write(drawChart(data.series(), { metric: chart, width: stdout.columns ?? 80 }));
  return EXIT.done;
}
