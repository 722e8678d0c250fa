import { chunks } from "../../base/json/chunks.ts";
import { addDays, type DayRange } from "../../base/time/calendar.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { ConfigurationError, NotFoundError } from "../../errors.ts";
import type { JobResult, RunJobOptions } from "../jobs/job_options.ts";
import {
  type CleanRoomInstance,
  type CleanRoomTable,
  type RoomAccount,
  scheduleOf,
  tableOf,
  type Workflow,
  workflowOf,
  type WorkflowSchedule,
} from "./clean_room_types.ts";
import { accountHeaders, itemsOf } from "./find_instance.ts";
import { type CleanRoomRow, ResultReader, type WithheldCount } from "./result_rows.ts";
import {
  type CheckedWindow,
  checkParameters,
  checkWindow,
  type ParameterValues,
  type RunWindow,
} from "./run_windows.ts";

const API = "workflow-management-service";
const MAX_RUNNING = 10;

/** Options for running a workflow. */
export interface RunWorkflowOptions extends RunWindow, Omit<RunJobOptions, "pathParams" | "headers"> {
  /** Values of the workflow's parameters, by name. */
  readonly parameters?: ParameterValues | undefined;
}

/** A run of a workflow over a window. */
export interface CleanRoomExecution extends DayRange {
  /** The platform's id of the run. */
  readonly executionId: string;
  /** True if an identical earlier run was reused. */
  readonly adopted: boolean;
}

/** Result of a workflow. */
export interface CleanRoomResult {
  /** Runs, one for each part of the window. */
  readonly executions: readonly CleanRoomExecution[];
  /**
   * Rows, streamed as they arrive. If the workflow marks rows with values withheld for privacy, `withheld_columns`
   * lists the empty columns. With `each`, rows also have `window_start` and `window_end`.
   */
  readonly rows: AsyncIterable<CleanRoomRow>;
  /**
   * Counts of values withheld in the rows read so far; `undefined` if the workflow does not mark them, in which case
   * rows may be missing.
   */
  readonly withheld: WithheldCount | undefined;
}

/**
 * A clean room, opened by `PlatformAds.cleanRoom`: its tables, workflows, schedules and runs.
 *
 * @example
 * ```ts
 * import type { PlatformAds } from "@platform/ads";
 *
 * async function reach(ads: PlatformAds): Promise<void> {
 *   const room = await ads.cleanRoom("amcexample");
 *   const result = await room.run("repeat-buyers", { start: "2026-09-01", end: "2026-09-30" });
 *   for await (const row of result.rows) console.log(row["campaign"], row["users"]);
 * }
 * ```
 */
export class CleanRoom {
  /** Id, name, account and region of the instance. */
  readonly instance: CleanRoomInstance;
  readonly #account: RoomAccount;
  readonly #now: () => number;

  /** Called by `PlatformAds.cleanRoom`; not meant to be called directly. */
  constructor(instance: CleanRoomInstance, { account, now }: { account: RoomAccount; now: () => number }) {
    this.instance = instance;
    this.#account = account;
    this.#now = now;
  }

  /** Path parameters and headers for calls about the instance, for example with `ProfileClient.planCall`. */
  get place(): { readonly pathParams: Record<string, string>; readonly headers: Record<string, string> } {
    return { pathParams: { instanceId: this.instance.instanceId }, headers: accountHeaders(this.instance) };
  }

  /** Time of the client's clock, milliseconds since the epoch. */
  now(): number {
    return this.#now();
  }

  /** Returns the tables that queries can read. */
  async dataSources(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<CleanRoomTable[]> {
    return (await this.#all("listDataSources", "dataSources", options)).map(tableOf);
  }

  /** Stored workflows. */
  async workflows(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<Workflow[]> {
    return (await this.#all("listWorkflows", "workflows", options)).map(workflowOf);
  }

  /** Returns the schedules of stored workflows. */
  async schedules(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<WorkflowSchedule[]> {
    return (await this.#all("listSchedules", "schedules", options)).map(scheduleOf);
  }

  /**
   * A stored workflow.
   *
   * @throws {ConfigurationError} when there is none with this id.
   */
  async workflow(
    workflowId: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Workflow> {
    const { signal } = options;
    const call = { pathParams: { ...this.place.pathParams, workflowId }, ...(signal && { signal }) };
    try {
      const response = fieldsOf(await this.#account.call(`${API}:getWorkflow`, call));
      return workflowOf(fieldsOf(response["workflow"] ?? response));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw new ConfigurationError(
        `Cannot find workflow "${workflowId}" in ${this.instance.instanceId}: it is not stored there`,
        { cause: error },
      );
    }
  }

  /**
   * Runs a workflow over a window and returns its rows. Takes the id of a stored workflow, or a workflow to run
   * without storing it. If an identical run is already in progress, its result is used and no new run is requested.
   *
   * @throws {TypeError | RangeError} for parameters or days that cannot be used. Nothing was sent.
   * @throws {JobFailedError} with the platform's words, when a run fails.
   */
  async run(workflow: string | Workflow, options: RunWorkflowOptions): Promise<CleanRoomResult> {
    const { window, definition, body, more } = await this.#prepare(workflow, options);
    for (const warning of window.warnings) more.onWarning?.(warning);
    const done: { readonly part: DayRange; readonly result: JobResult }[] = [];
    for (const group of chunks(window.parts, MAX_RUNNING)) {
      const results = group.map(async (part) => ({ part, result: await this.#run(body(part), more) }));
      done.push(...await Promise.all(results));
    }
    const reader = new ResultReader(definition);
    const isCut = options.each !== undefined;
    return {
      executions: done.map(({ part, result: { jobId, adopted } }) => ({
        ...part,
        executionId: jobId,
        adopted,
      })),
      rows: (async function* () {
        for (const { part, result } of done) {
          const place = isCut ? { window_start: part.start, window_end: part.end } : {};
          for await (const row of result.rows) yield { ...place, ...reader.read(row) };
        }
      })(),
      get withheld() {
        return reader.withheld;
      },
    };
  }

  /**
   * Asks the platform to compile a workflow without running it.
   *
   * @throws {JobFailedError} with the platform's words, when it does not compile.
   */
  async dryRun(workflow: string | Workflow, options: RunWorkflowOptions): Promise<void> {
    const { window, body, more } = await this.#prepare(workflow, options);
    const [part] = window.parts;
    if (part === undefined) return;
    const started = await this.#account.jobs.start(
      `${API}:createWorkflowExecution`,
      { ...body(part), dryRun: true },
      { ...more, ...this.place },
    );
    await this.#account.jobs.wait(started.record.jobId, more);
  }

  async #run(body: Readonly<Record<string, unknown>>, options: RunJobOptions): Promise<JobResult> {
    return await this.#account.jobs.run(`${API}:createWorkflowExecution`, body, {
      ...options,
      ...this.place,
    });
  }

  async #prepare(workflow: string | Workflow, options: RunWorkflowOptions): Promise<{
    window: CheckedWindow;
    definition: Workflow;
    body: (part: DayRange) => Readonly<Record<string, unknown>>;
    more: RunJobOptions;
  }> {
    const { start, end, zone, each, parameters, ...more } = options;
    const window = checkWindow({ start, end, zone, each }, this.#now());
    const definition = typeof workflow === "string" ? await this.workflow(workflow, more) : workflow;
    const parameterValues = checkParameters(definition, parameters);
    const query = typeof workflow === "string" ? { workflowId: workflow } : { workflow };
    return {
      window,
      definition,
      more,
      body: (part) => ({
        ...query,
        timeWindowType: "EXPLICIT",
        timeWindowStart: `${part.start}T00:00:00`,
        timeWindowEnd: `${addDays(part.end, 1)}T00:00:00`,
        timeWindowTimeZone: window.zone,
        parameterValues,
        skipPublish: true,
      }),
    };
  }

  async #all(
    operation: string,
    field: string,
    { signal }: { readonly signal?: AbortSignal | undefined },
  ): Promise<Readonly<Record<string, unknown>>[]> {
    const { pathParams } = this.place;
    const items: Readonly<Record<string, unknown>>[] = [];
    const call = { pathParams, query: { limit: "100" }, ...(signal && { signal }) };
    for await (const page of this.#account.pages(`${API}:${operation}`, call)) {
      items.push(...itemsOf(page, field));
    }
    return items;
  }
}
