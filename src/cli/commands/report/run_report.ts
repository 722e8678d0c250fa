import { nextCommand } from "../../text/shell_words.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import type { ReportProgress, RunOptions } from "../../../reports/reports.ts";
import type { ReportRow } from "../../../reports/report_row.ts";
import { UsageError } from "../../core/errors/cli_error.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { exportFormat } from "../../output/export/export_format.ts";
import { exportRows } from "../../output/export/export_rows.ts";
import { rowPrinter } from "../../output/print_rows.ts";
import { withProfile } from "../../core/with_profile.ts";
import { asyncChunks } from "../../../internal/chunks.ts";
import { drawChart } from "./chart.ts";
import { ChartData } from "./chart_data.ts";
import { reportColumns } from "./report_columns.ts";
import { type AskedFor, askedFor, type AskOptions } from "./report_options.ts";
import { say } from "../../output/say.ts";

interface RunReportOptions extends AskOptions {
  readonly out?: string;
  /** Metric to draw. */
  readonly chart?: string;
  /** Minutes to wait. */
  readonly timeout?: number;
}

/** Runs a report and prints, writes or draws its rows. */
export async function runReport(
  word: string,
  options: RunReportOptions,
  context: CliContext,
): Promise<number> {
  const { out, chart } = options;
  if (out !== undefined && chart !== undefined) {
    throw new UsageError("Cannot use --out together with --chart");
  }
  if (out !== undefined) exportFormat(out);
  const open = new Set<string>();
  return await withProfile(options, context, async (client) => {
    const asked = await askedFor(word, options, { client, context });
    const rows = streamed(client, asked, { options, context, open });
    const { requests } = client.reports.requests(asked.report, asked);
    const { columns } = requests[0]!.configuration;
    if (chart !== undefined) await chartRows(rows, { chart, columns, context });
    else if (out !== undefined) {
      const count = await exportRows(rows, { path: out, columns }, context);
      await say(`Wrote ${count} rows to ${out}`, context);
    } else await printReportRows(rows, { columns, chosen: options.columns !== undefined }, context);
    return EXIT.done;
  }).catch(async (error) => {
    if (context.interruption.signal.aborted) await nameOpenReports(open, options, context);
    throw error;
  });
}

/** Reports that were interrupted are built nevertheless: says how to get their rows later. */
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

function streamed(
  client: ProfileClient,
  asked: AskedFor,
  { options, context, open }: { options: RunReportOptions; context: CliContext; open: Set<string> },
): AsyncGenerator<ReportRow> {
  const { io, globals, interruption } = context;
  const running: RunOptions = {
    ...asked,
    signal: interruption.signal,
    timeout: options.timeout === undefined ? undefined : options.timeout * 60,
    ...(globals.demo ? { poll: 1, maxPoll: 1 } : {}),
    onWarning: (message) => void (globals.quiet || io.stderr.write(`warning: ${message}\n`)),
    onProgress: (told) => {
      if (told.kind === "done") open.delete(told.reportId);
      else open.add(told.reportId);
      void context.progress.show([progressText(told)]);
    },
  };
  return client.reports.stream(asked.report, asked.start, asked.end, running);
}

function progressText({ kind, request, status, seconds, rows }: ReportProgress): string {
  const days = `${request.startDate} to ${request.endDate}`;
  if (kind === "reading" || kind === "done") return `${days}: ${rows} rows`;
  return `${days}: ${status.toLowerCase()} for ${Math.round(seconds)} s`;
}

/** Prints rows as they come, and says when there are none. */
export async function printReportRows(
  rows: AsyncIterable<ReportRow>,
  { columns, chosen }: { columns: readonly string[]; chosen: boolean },
  context: CliContext,
): Promise<void> {
  const printer = rowPrinter(
    { columns: chosen ? columns : reportColumns(columns), fields: columns },
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
