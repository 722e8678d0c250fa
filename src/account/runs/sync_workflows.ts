import type { DayRange } from "../../base/time/calendar.ts";
import type { CleanRoom } from "../../client/clean_room/clean_room.ts";
import type { Workflow } from "../../client/clean_room/clean_room_types.ts";
import type { WithheldCount } from "../../client/clean_room/result_rows.ts";
import { checkParameters, closedParts, type ParameterValues } from "../../client/clean_room/run_windows.ts";
import type { RunJobOptions } from "../../client/jobs/job_options.ts";
import { ConfigurationError } from "../../errors.ts";
import type { WorkflowColumnType } from "../../store/model/workflow_tables.ts";
import { Limiter } from "../../store/sync/limiter.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { repeatedIds } from "./load_workflows.ts";
import { storeRun } from "./store_run.ts";
import type { WorkflowFile, WorkflowSync } from "./workflow_file.ts";

/** Windows for files whose header does not define any. */
const DEFAULT_SYNC: WorkflowSync = { each: "week", days: 28, zone: "UTC" };
const MAX_RUNNING = 10;

/** Days and waiting times for {@linkcode syncWorkflows}. */
export interface SyncWorkflowsOptions
  extends Pick<RunJobOptions, "again" | "signal" | "timeout" | "first" | "poll" | "maxPoll" | "onStatus"> {
  /** First day of the windows. @default as the head of each file says, back from the last day */
  readonly start?: string | undefined;
  /** Last day of windows. @default the last day whose data is complete, three days ago */
  readonly end?: string | undefined;
  /** Called when a window is stored or has failed. */
  readonly onOutcome?: ((outcome: WorkflowOutcome) => void) | undefined;
}

/** A window over which a sync ran a workflow. */
export interface WorkflowOutcome extends DayRange {
  /** Id of the workflow, from the header of its file. */
  readonly workflowId: string;
  /** Version of the query in the store, 1 for the first. */
  readonly version: number;
  /** Outcome of the window; `found` if it was stored before and not run again. */
  readonly state: "stored" | "found" | "failed";
  /** Number of stored rows. */
  readonly rows: number;
  /** Values that were withheld for privacy; `undefined` if the query does not mark them. */
  readonly withheld?: WithheldCount | undefined;
  /** Why it failed. */
  readonly error?: Error | undefined;
  /** Problem with the view, named, or that it leaves the window out; the rows are stored. Only in the result. */
  readonly warning?: string | undefined;
}

/**
 * Runs clean-room queries over the windows that the store lacks, and stores the results. A window of a version is run
 * once; changed SQL, privacy settings, cut of days, zone or defaults are another version, which is run over all windows. Each window is stored when its
 * run ends, and one that fails does not affect the others.
 *
 * @throws {ConfigurationError} for files that cannot be run, all at once. Nothing was sent.
 *
 * @example
 * ```ts
 * import type { PlatformAds } from "@platform/ads";
 * import { loadWorkflows, syncWorkflows } from "@platform/ads/account";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function nightly(ads: PlatformAds): Promise<boolean> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const room = await ads.cleanRoom("amcexample");
 *   const outcomes = await syncWorkflows(store, room, await loadWorkflows(["queries"]));
 *   return outcomes.every(({ state }) => state !== "failed");
 * }
 * ```
 */
export async function syncWorkflows(
  store: Warehouse,
  room: CleanRoom,
  files: readonly WorkflowFile[],
  options: SyncWorkflowsOptions = {},
): Promise<WorkflowOutcome[]> {
  const { start, end, onOutcome, ...run } = options;
  const due = files.map((file) => dueOf(file, { start, end, now: room.now() }));
  const problems = [...due.flatMap(({ problem }) => problem ?? []), ...repeatedIds(files)];
  if (problems.length > 0) {
    throw new ConfigurationError(`Cannot sync these queries:${problems.map((one) => `\n${one}`).join("")}`);
  }
  const limiter = new Limiter(MAX_RUNNING);
  const outcomes: Promise<WorkflowOutcome>[] = [];
  for (const { workflow, parts, each, zone, parameters } of due) {
    const { instanceId } = room.instance;
    const { workflowId, sqlQuery } = workflow;
    const usedAt = new Date(room.now()).toISOString();
    const text = JSON.stringify(parameters);
    const settings = settingsOf(workflow, { each, zone, parameters });
    const identity = { instanceId, workflowId, sql: sqlQuery, settings };
    const version = await store.workflows.useVersion(identity, usedAt);
    const stored = await store.workflows.runs({ instanceId, workflowId, version });
    const isStored = (part: DayRange): boolean =>
      stored.some((one) =>
        one.start === part.start && one.end === part.end && one.zone === zone && one.parameters === text
      );
    for (const part of parts) {
      const outcome = async (): Promise<WorkflowOutcome> => {
        if (isStored(part)) return { workflowId, version, ...part, state: "found", rows: 0 };
        const key = { instanceId, workflowId, version, zone, parameters: text, ...part };
        try {
          return await runAndStore(store, room, { workflow, key, parameters, run });
        } catch (error) {
          return { workflowId, version, ...part, state: "failed", rows: 0, error: error as Error };
        }
      };
      outcomes.push(limiter.run(async () => {
        const done = await outcome();
        onOutcome?.(done);
        return done;
      }));
    }
  }
  return await withHidden(store, room, await Promise.all(outcomes));
}

/** Adds a warning to windows that the view leaves out. */
async function withHidden(
  store: Warehouse,
  room: CleanRoom,
  outcomes: readonly WorkflowOutcome[],
): Promise<WorkflowOutcome[]> {
  const { instanceId } = room.instance;
  const hidden = new Set<string>();
  for (const { workflowId, version } of new Map(outcomes.map((one) => [one.workflowId, one])).values()) {
    for (const { start, end } of await store.workflows.hidden({ instanceId, workflowId, version })) {
      hidden.add(`${workflowId} ${start} ${end}`);
    }
  }
  return outcomes.map((one) =>
    hidden.has(`${one.workflowId} ${one.start} ${one.end}`) && one.state !== "failed"
      ? {
        ...one,
        warning: [
          ...(one.warning === undefined ? [] : [one.warning]),
          `The view of the workflow leaves out ${one.start} to ${one.end} of version ${one.version}: another version ` +
          "covers more days around them, and they must not count twice. The view of its history has both; sync from " +
          "an earlier start to replace the other",
        ].join(". "),
      }
      : one
  );
}

interface Due {
  readonly workflow: Workflow;
  readonly each: WorkflowSync["each"];
  readonly zone: string;
  readonly parts: readonly DayRange[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly problem?: string;
}

function dueOf(
  { source, workflow, sync = DEFAULT_SYNC }: WorkflowFile,
  { start, end, now }: { start: string | undefined; end: string | undefined; now: number },
): Due {
  const none = { workflow, each: sync.each, zone: sync.zone, parts: [], parameters: {} };
  try {
    const given = checkParameters(workflow);
    const defaults = (workflow.inputParameters ?? []).flatMap(({ name, defaultValue }) =>
      defaultValue === undefined ? [] : [[name, defaultValue] as const]
    );
    const parameters = Object.fromEntries(
      [...defaults, ...Object.entries(given)].sort(([a], [b]) => a < b ? -1 : 1),
    );
    const parts = closedParts({ ...sync, start, end }, now);
    return { workflow, each: sync.each, zone: sync.zone, parts, parameters };
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    return { ...none, problem: `${source}: ${error.message}` };
  }
}

/** Settings of a workflow that change its rows. */
function settingsOf(
  { filteredMetricsDiscriminatorColumn, privacyFilteringBehavior }: Workflow,
  cut: Pick<Due, "each" | "zone" | "parameters">,
): string {
  return JSON.stringify({ filteredMetricsDiscriminatorColumn, privacyFilteringBehavior, ...cut });
}

async function runAndStore(
  store: Warehouse,
  room: CleanRoom,
  { workflow, key, parameters, run }: {
    workflow: Workflow;
    key: Parameters<Warehouse["workflows"]["runs"]>[0] & DayRange & { zone: string; parameters: string };
    parameters: ParameterValues;
    run: RunJobOptions;
  },
): Promise<WorkflowOutcome> {
  const { start, end, zone, workflowId, version } = key;
  const result = await room.run(workflow, { ...run, start, end, zone, parameters });
  const { rows, warning } = await storeRun(store, () => ({
    ...key,
    executionId: result.executions.map(({ executionId }) => executionId).join(),
    storedAt: new Date(room.now()).toISOString(),
    columns: columnsOf(workflow),
    withheld: () => result.withheld,
  }), result.rows);
  return { workflowId, version, start, end, state: "stored", rows, withheld: result.withheld, warning };
}

function columnsOf({ outputColumns = [] }: Workflow): Record<string, WorkflowColumnType> {
  return Object.fromEntries(
    outputColumns.map(({ name, dataType }) => [name, dataType === "DATE" ? "day" : null]),
  );
}
