import { visibleText } from "../../../../base/text/visible_text.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { UsageError } from "../../shell/io/cli_error.ts";
import { parseDay } from "../../shell/options/times.ts";

/** Sync options that choose reports and cannot be combined with `--workflows` or `--jobs`. */
const OF_REPORTS = [
  "market",
  "allProfiles",
  "report",
  "entities",
  "hours",
  "months",
  "enqueue",
  "cron",
  "source",
  "reporting",
];

interface WindowSyncOptions {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** In minutes. */
  readonly timeout?: number | undefined;
}

interface WindowOutcome {
  readonly state: string;
  readonly warning?: string | undefined;
  readonly error?: Error | undefined;
}

/**
 * Refuses options of a sync that choose reports.
 *
 * @throws {UsageError} for the first of them.
 */
export function refuseOptionsOfReports(
  options: object,
  { except = [], what }: { except?: readonly string[]; what: string },
): void {
  const queued = ["enqueue", "cron"].filter((name) =>
    Object.entries(options).some(([one, value]) => one === name && value !== undefined)
  );
  if (queued.length > 0) {
    throw new UsageError(
      `Cannot use --${
        queued.join(" and --")
      } with ${what}: workers store only reports. Name them in a service file ` +
        "(workflows, job_reports), and adsctl auto run stores them at the time of sync",
    );
  }
  const other = Object.entries(options).some(([name, value]) =>
    OF_REPORTS.includes(name) && !except.includes(name) && value !== undefined &&
    !(name === "entities" && value === "only")
  );
  if (other) throw new UsageError(`Cannot sync reports and ${what} together: run adsctl sync twice`);
}

/** Days, time limit and progress of a sync that stores results by time windows. */
export async function windowSync<Outcome extends WindowOutcome>(
  { start, end, timeout }: WindowSyncOptions,
  context: CliContext,
  { today, keyOf }: { readonly today: string; readonly keyOf: (outcome: Outcome) => string },
) {
  const day = (text: string | undefined, option: string) =>
    text === undefined ? undefined : parseDay(text, { option, today });
  const days = { start: await day(start, "--start"), end: await day(end, "--end") };
  const work = context.progress.work({ noun: "window", yields: "row" });
  return {
    work,
    options: {
      ...days,
      signal: context.interruption.signal,
      ...(timeout === undefined ? {} : { timeout: timeout * 60 }),
      onOutcome: (one: Outcome) =>
        work.part(keyOf(one), {
          name: keyOf(one),
          state: one.state === "failed" ? "failed" as const : "done" as const,
          step: one.state,
          seconds: 0,
        }),
    },
  };
}

/** Warnings of the stored windows, then errors of the failed ones, for standard error. */
export function windowLines<Outcome extends WindowOutcome>(
  outcomes: readonly Outcome[],
  keyOf: (outcome: Outcome) => string,
): string[] {
  return [
    ...outcomes.flatMap((one) => one.warning === undefined ? [] : [`warning: ${keyOf(one)}: ${one.warning}`]),
    ...outcomes.filter(({ state }) => state === "failed").map((one) =>
      `error: ${keyOf(one)}: ${one.error?.message}`
    ),
  ].map((line) => visibleText(line));
}
