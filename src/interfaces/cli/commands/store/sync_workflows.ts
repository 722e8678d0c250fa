import { loadWorkflows } from "../../../../account/workflows/load_workflows.ts";
import { syncWorkflows, type WorkflowOutcome } from "../../../../account/workflows/sync_workflows.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { dayOf } from "../../../../base/time/calendar.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { refusingBadInput, UsageError } from "../../shell/errors/cli_error.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { parseDay } from "../../shell/options/times.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { openStore } from "../../shell/store/open_store.ts";
import { openRoom } from "../../shell/connect/open_room.ts";

const COLUMNS = ["workflow", "version", "start", "end", "state", "rows", "withheld_rows"];

interface WorkflowSyncOptions {
  readonly room?: string | undefined;
  readonly store?: string;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly timeout?: number | undefined;
  readonly again?: boolean | undefined;
}

/** Sync options that choose reports and cannot be combined with clean-room queries or `--jobs`. */
const OF_REPORTS = [
  ...["market", "allProfiles", "report", "entities", "hours", "months", "enqueue", "cron", "source"],
  "reporting",
];

/**
 * Refuses options of a sync that choose reports.
 *
 * @throws {UsageError} for the first of them.
 */
export function refuseOptionsOfReports(
  options: object,
  { except = [], what }: { except?: readonly string[]; what: string },
): void {
  const other = Object.entries(options).some(([name, value]) =>
    OF_REPORTS.includes(name) && !except.includes(name) && value !== undefined &&
    !(name === "entities" && value === true)
  );
  if (other) throw new UsageError(`Cannot sync reports and ${what} together: run adsctl sync twice`);
}

/** Runs the queries of a folder for the time windows that the store lacks. */
export async function runWorkflowSync(
  folder: string,
  options: WorkflowSyncOptions,
  context: CliContext,
): Promise<number> {
  refuseOptionsOfReports(options, { what: "clean-room queries" });
  const { io, globals, interruption: { signal } } = context;
  const files = await loadWorkflows([folder]);
  const today = dayOf(io.now());
  const day = (name: "start" | "end") =>
    options[name] === undefined ? undefined : parseDay(options[name], { option: `--${name}`, today });
  const [start, end] = [await day("start"), await day("end")];
  const room = await openRoom(options.room, context);
  const store = await openStore({ ...options, create: true }, context);
  const work = context.progress.work({ noun: "window", yields: "row" });
  const keyOf = (one: WorkflowOutcome): string => `${one.workflowId} ${one.start} to ${one.end}`;
  const outcomes = await refusingBadInput(() =>
    syncWorkflows(store, room, files, {
      start,
      end,
      signal,
      again: options.again,
      ...(options.timeout === undefined ? {} : { timeout: options.timeout * 60 }),
      ...(globals.demo ? { first: 1, poll: 1, maxPoll: 1 } : {}),
      onOutcome: (one) =>
        work.part(keyOf(one), {
          name: keyOf(one),
          state: one.state === "failed" ? "failed" : "done",
          step: one.state,
          seconds: 0,
        }),
    })
  );
  await work.end();
  const rows = outcomes.map(({ workflowId, withheld, error, warning: _, ...rest }) => ({
    workflow: workflowId,
    ...rest,
    withheld_rows: withheld?.rows ?? null,
    error: error?.message ?? null,
  }));
  await printRows(rows, { columns: COLUMNS, fields: [...COLUMNS, "error"], main: "workflow" }, context);
  const of = (state: WorkflowOutcome["state"]): WorkflowOutcome[] =>
    outcomes.filter((one) => one.state === state);
  const total = of("stored").reduce((sum, one) => sum + one.rows, 0);
  if (outcomes.length === 0) {
    await say(
      "Nothing to run: these days contain no complete window of the files",
      context,
    );
    return EXIT.done;
  }
  await say(
    `${of("stored").length} of ${outcomes.length} windows done, ${total} rows stored ` +
      `(${of("found").length} windows were already stored) in ${store.location}`,
    context,
  );
  for (const one of outcomes) {
    if (one.warning !== undefined) {
      await io.stderr.write(`warning: ${visibleText(`${keyOf(one)}: ${one.warning}`)}\n`);
    }
  }
  for (const one of of("failed")) {
    await io.stderr.write(`error: ${visibleText(`${keyOf(one)}: ${one.error?.message}`)}\n`);
  }
  if (signal?.aborted) return EXIT.interrupted;
  return of("failed").length > 0 ? EXIT.someFailed : EXIT.done;
}
