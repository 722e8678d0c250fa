import { Option } from "@commander-js/extra-typings";
import {
  JOB_REPORTS,
  type JobReport,
  jobReport,
  spellJobReport,
} from "../../../../account/job_reports/job_reports.ts";
import type { JobReportRow } from "../../../../account/job_reports/job_report_row.ts";
import { checkJobReport, runJobReport, zoneOf } from "../../../../account/job_reports/run_job_report.ts";
import { asyncChunks } from "../../../../base/lists/chunks.ts";
import { nearest } from "../../../../base/text/nearest.ts";
import { dayIn } from "../../../../base/time/calendar.ts";
import { REPORT_PRESET_NAMES, spellReport } from "../../../../client/reports/requests/presets.ts";
import { nextCommand } from "../../shell/arguments/shell_words.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { refusingBadInput, UsageError } from "../../shell/errors/cli_error.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { parseDay } from "../../shell/options/times.ts";
import { checkExport } from "../../shell/output/export_format.ts";
import { exportRows } from "../../shell/output/export_rows.ts";
import { rowPrinter } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";

interface JobReportOptions extends MarketOptions {
  readonly start?: string;
  readonly end?: string;
  readonly advertiser?: string;
  readonly out?: string;
  readonly timeout?: number;
}

/** Options that only other reports accept. */
const OTHERS = [
  ...["summary", "columns", "filter", "name", "fileFormat", "sendAnyway", "reporting", "chart", "currency"],
  "wholeAccount",
];

/** Option for the advertiser of a DSP report. */
export function advertiserOption(): Option<"--advertiser <id>"> {
  return new Option("--advertiser <id>", "DSP advertiser id, or for dsp-campaigns also an entity id");
}

/**
 * Finds a report with its own API by the name that was typed.
 *
 * @throws {UsageError} for a word that is nearer to one of these than to any other report.
 */
export function jobReportIn(word: string): JobReport | undefined {
  const found = jobReport(word);
  if (found !== undefined || word.startsWith("@")) return found;
  const words = JOB_REPORTS.map(({ name }) => spellJobReport(name));
  const near = nearest(word, [...REPORT_PRESET_NAMES, ...REPORT_PRESET_NAMES.map(spellReport), ...words]);
  if (near === undefined || !words.includes(near)) return undefined;
  throw new UsageError(`Cannot find a report "${word}". Did you mean "${near}"?`);
}

/** Runs a report that has its own API, and prints or writes its rows. */
export async function printJobReport(
  report: JobReport,
  options: JobReportOptions,
  context: CliContext,
): Promise<number> {
  const { out, advertiser } = options;
  const word = spellJobReport(report.name);
  const others = Object.entries(options).flatMap(([name, value]) =>
    OTHERS.includes(name) && value !== undefined
      ? [`--${name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)}`]
      : []
  );
  if (others.length > 0) throw new UsageError(`Cannot use ${others.join(" and ")} with "${word}"`);
  if (out !== undefined) await checkExport(out, context.globals.givenFormat);
  const profile = await connectProfile(options, context);
  const today = dayIn(zoneOf(report, profile), profile.transport.now());
  const days = {
    start: await parseDay(options.start ?? "-7", { option: "--start", today }),
    end: await parseDay(options.end ?? "-1", { option: "--end", today }),
    advertiser,
  };
  await refusingBadInput(() => checkJobReport(profile, report, days));
  const { globals, interruption: { signal } } = context;
  const work = context.progress.work({ noun: "report", yields: "row" });
  let started: string | undefined;
  const rows = runJobReport(profile, report, {
    ...days,
    signal,
    ...(options.timeout === undefined ? {} : { timeout: options.timeout * 60 }),
    ...(globals.demo ? { first: 1, poll: 1, maxPoll: 1 } : {}),
    onStart: ({ record: { jobId } }) => started = jobId,
    onStatus: ({ jobId, status, phase }, seconds) =>
      work.part(jobId, {
        name: jobId,
        state: phase === "done" ? "done" : "running",
        step: status.toLowerCase(),
        seconds,
      }),
  });
  try {
    if (out === undefined) await printRows(rows, report, context);
    else {
      const count = await exportRows(
        rows,
        { path: out, columns: Object.keys(report.columns), extra: true },
        context,
      );
      await say(`Wrote ${count} rows to ${out}`, context);
    }
    return EXIT.done;
  } catch (error) {
    if (started !== undefined && signal.aborted) {
      const next = nextCommand(["report", word, "--start", days.start, "--end", days.end], globals);
      await context.io.stderr.write(`The report is still being built. Get it later: ${next}\n`);
    }
    throw error;
  }
}

async function printRows(
  rows: AsyncIterable<JobReportRow>,
  { columns }: JobReport,
  context: CliContext,
): Promise<void> {
  const batches = asyncChunks(rows, 500);
  const next = await batches.next();
  const first: readonly JobReportRow[] = next.done ? [] : next.value;
  const names = [...new Set([...first.flatMap((row) => Object.keys(row)), ...Object.keys(columns)])];
  const printer = rowPrinter({ columns: names, fields: names }, context);
  if (first.length > 0) await printer.write(first);
  for await (const batch of batches) await printer.write(batch);
  await printer.end();
  if (first.length === 0) await say("The report has no rows", context);
}
