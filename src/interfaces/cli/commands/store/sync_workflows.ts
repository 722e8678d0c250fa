import { loadWorkflows } from "../../../../account/runs/load_workflows.ts";
import { syncWorkflows, type WorkflowOutcome } from "../../../../account/runs/sync_workflows.ts";
import { dayOf } from "../../../../base/time/calendar.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput } from "../../shell/io/cli_error.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { say } from "../../shell/output/write_text.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { openRoom } from "../../shell/connect/open_room.ts";
import { refuseOptionsOfReports, windowLines, windowSync } from "./window_sync.ts";

const COLUMNS = ["workflow", "version", "start", "end", "state", "rows", "withheld_rows"];

export interface WorkflowSyncOptions {
  readonly room?: string | undefined;
  readonly store?: string;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly timeout?: number | undefined;
  readonly again?: boolean | undefined;
}

/** Runs the queries of a folder for the time windows that the store lacks. */
export async function runWorkflowSync(
  folder: string,
  options: WorkflowSyncOptions,
  context: CliContext,
): Promise<number> {
  refuseOptionsOfReports(options, { what: "clean-room queries" });
  const { io, interruption: { signal } } = context;
  const files = await loadWorkflows([folder]);
  const keyOf = (one: WorkflowOutcome): string => `${one.workflowId} ${one.start} to ${one.end}`;
  const { work, options: windows } = await windowSync(options, context, { today: dayOf(io.now()), keyOf });
  const room = await openRoom(options.room, context);
  const store = await openStore({ ...options, create: true }, context);
  const outcomes = await refusingBadInput(() =>
    syncWorkflows(store, room, files, { ...windows, again: options.again })
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
  for (const line of windowLines(outcomes, keyOf)) await io.stderr.write(`${line}\n`);
  if (signal?.aborted) return EXIT.interrupted;
  return of("failed").length > 0 ? EXIT.someFailed : EXIT.done;
}
