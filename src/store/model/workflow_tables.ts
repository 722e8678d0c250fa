import type { DayRange } from "../../base/time/calendar.ts";

/**
 * Type of a result's column; `null` while all its values are empty. Values of `day` are `YYYY-MM-DD`, which the view shows
 * as text.
 */
export type WorkflowColumnType = "text" | "number" | "boolean" | "day" | null;

/**
 * Beginnings of workflow ids for reports that are stored like results of queries, with the view column of their instance, a
 * profile or a DSP advertiser. The rest of the id is the name of the view. Ids of queries have no colon.
 */
export const REPORT_INSTANCES = { "report:": "profile_id", "advertiser-report:": "advertiser_id" } as const;

/** A clean-room query as it ran: another text or other settings make another version. */
export interface WorkflowVersion {
  /** Id of the clean-room instance. */
  readonly instanceId: string;
  /** Id of the workflow, unique in the instance. */
  readonly workflowId: string;
  /** SQL of the query. */
  readonly sql: string;
  /** Settings that change its result, as JSON. */
  readonly settings: string;
}

/** A run of a version over a window of days. */
export interface WorkflowRun extends DayRange {
  /** Id of the clean-room instance. */
  readonly instanceId: string;
  /** Id of the workflow, unique in the instance. */
  readonly workflowId: string;
  /** Number of the version, 1 for the first. */
  readonly version: number;
  /** IANA time zone of the days. */
  readonly zone: string;
  /** Values of its parameters, as JSON with sorted names. */
  readonly parameters: string;
}

/** Result of a run. */
export interface WorkflowResult extends WorkflowRun {
  /** The platform's id of the run. */
  readonly executionId: string;
  /** Time at which the result was stored, ISO 8601. */
  readonly storedAt: string;
  /** Declared types of the result's columns, by name. */
  readonly columns: Readonly<Record<string, WorkflowColumnType>>;
  /** Profile that the rows belong to, or that requested them for a DSP advertiser. */
  readonly profile?: { readonly profileId: string; readonly countryCode: string } | undefined;
  /** Withheld values after the last row was read; `undefined` if the workflow does not mark them. */
  readonly withheld: () =>
    | { readonly rows: number; readonly columns: Readonly<Record<string, number>> }
    | undefined;
}

/** A row of a result. */
export type WorkflowRow = Readonly<Record<string, string | number | boolean | null>>;

/** Name and columns of the view that shows a workflow's results. */
export interface WorkflowView {
  /** Name of the view: lower-case letters, digits and _, different for each workflow. */
  readonly name: string;
  /** Id of the query, or `report:` or `advertiser-report:` with the name of a report. */
  readonly workflowId: string;
  /** Types of the columns of all its stored rows, by name. */
  readonly columns: Readonly<Record<string, WorkflowColumnType>>;
}

/** A stored run of a workflow, in any version. */
export interface StoredRun extends WorkflowRun {
  /** Id of the stored run; the same for the same version and window. */
  readonly id: string;
  /** Time at which its rows were stored, ISO 8601. */
  readonly storedAt: string;
  /** Number of its rows. */
  readonly rows: number;
  /** False if the view leaves it out, because another version covers its days. */
  readonly isShown: boolean;
}

/** Tables of clean-room results in a store. */
export interface WorkflowTables {
  /**
   * Records that a version is the current one of its workflow.
   *
   * @param usedAt ISO 8601.
   * @returns its number; the same text and settings have the same number.
   */
  useVersion(version: WorkflowVersion, usedAt: string): Promise<number>;
  /** Stored runs of a version, without their rows. */
  runs(version: Pick<WorkflowRun, "instanceId" | "workflowId" | "version">): Promise<WorkflowRun[]>;
  /** Windows of a version that the view leaves out, because another version covers more days around them. */
  hidden(version: Pick<WorkflowRun, "instanceId" | "workflowId" | "version">): Promise<DayRange[]>;
  /** The views of all workflows with results, by name. */
  views(): Promise<WorkflowView[]>;
  /** All stored runs of a workflow in all clean rooms, by window. */
  allRuns(workflowId: string): Promise<StoredRun[]>;
  /**
   * Yields the rows of a run in bounded memory.
   *
   * @throws {StoreError} when the run is replaced meanwhile.
   */
  rows(run: StoredRun): AsyncIterable<WorkflowRow>;
  /**
   * Stores a result in place of an earlier one of the same run, in one transaction, and then updates the view of the
   * workflow.
   *
   * @param onWarning Told which view could not be updated; the rows are stored.
   * @returns how many rows were stored.
   */
  store(
    result: WorkflowResult,
    rows: () => AsyncIterable<WorkflowRow>,
    onWarning?: (warning: string) => void,
  ): Promise<number>;
}
