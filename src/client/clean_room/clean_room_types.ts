import type { Region } from "../../base/markets/markets.ts";

/** Data type of a parameter or a column, as named by the platform. */
export type WorkflowType =
  | "BINARY"
  | "BOOLEAN"
  | "BYTE"
  | "CALENDAR_INTERVAL"
  | "DATE"
  | "DECIMAL"
  | "DOUBLE"
  | "FLOAT"
  | "INTEGER"
  | "LONG"
  | "SHORT"
  | "STRING"
  | "TIMESTAMP";

export const WORKFLOW_TYPES: readonly WorkflowType[] = [
  "BINARY",
  "BOOLEAN",
  "BYTE",
  "CALENDAR_INTERVAL",
  "DATE",
  "DECIMAL",
  "DOUBLE",
  "FLOAT",
  "INTEGER",
  "LONG",
  "SHORT",
  "STRING",
  "TIMESTAMP",
];

/** A parameter of a workflow, whose value each run may set. */
export interface WorkflowParameter {
  /** Name used in the SQL. */
  readonly name: string;
  /** Data type of its values. @default "STRING" */
  readonly dataType?: WorkflowType | undefined;
  /** Value used if a run does not set one. @default none: each run must give one */
  readonly defaultValue?: string | undefined;
  /** Note for colleagues. */
  readonly description?: string | undefined;
}

/** A column of a workflow's result. */
export interface WorkflowColumn {
  /** Name in the result. */
  readonly name: string;
  /** Data type of its values. */
  readonly dataType?: WorkflowType | undefined;
  /** `DIMENSION` for a column that groups rows, `METRIC` for one that measures. */
  readonly columnType?: "DIMENSION" | "METRIC" | undefined;
}

/** A clean-room query as the platform stores it. */
export interface Workflow {
  /** Letters, digits, dots, `_` and `-`; unique in the instance. */
  readonly workflowId: string;
  /** SQL of the query, with its parameters by name. */
  readonly sqlQuery: string;
  /** Parameters whose values each run may set, at most 100. */
  readonly inputParameters?: readonly WorkflowParameter[] | undefined;
  /** Columns of the result; the platform refuses a query with any other columns. @default not checked */
  readonly outputColumns?: readonly WorkflowColumn[] | undefined;
  /** Name of an added column that is true if values of the row were withheld. @default none: such rows vanish */
  readonly filteredMetricsDiscriminatorColumn?: string | undefined;
  /** How to protect privacy: remove rows with too few shoppers, or only the values in them. */
  readonly privacyFilteringBehavior?: "REMOVE_ROWS" | "REMOVE_VALUES" | undefined;
}

/** Day of the week in the platform's spelling. */
export type ScheduleDay = "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday";

export const SCHEDULE_DAYS: readonly ScheduleDay[] = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
];

/** Scheduled runs of a workflow on the platform. Results are delivered only to the bucket of the instance. */
export interface WorkflowSchedule {
  /** Id of the schedule, unique in the instance. */
  readonly scheduleId: string;
  /** Id of the workflow to run. */
  readonly workflowId: string;
  /** Length of each run's window. */
  readonly aggregationPeriod: "Daily" | "Weekly";
  /** Day of the week of a weekly run. */
  readonly aggregationStartDay?: ScheduleDay | undefined;
  /** Hour of the run in UTC, 0 to 23. */
  readonly aggregationHourUtc?: number | undefined;
  /** False while the schedule is paused. */
  readonly scheduleEnabled?: boolean | undefined;
}

/** A clean-room instance, and the account that it belongs to. */
export interface CleanRoomInstance {
  /** Id of the instance: digits or letters, as listed by the platform. */
  readonly instanceId: string;
  /** Name shown by the platform. */
  readonly name: string;
  /** Id of the clean-room account, in the platform's `AdvertiserId` header. */
  readonly accountId: string;
  /** Name of the clean-room account. */
  readonly accountName: string;
  /** Marketplace of the clean-room account. */
  readonly marketplaceId: string;
  /** Region whose hosts serve the instance. */
  readonly region: Region;
  /** Ids of the advertisers in the instance. */
  readonly advertisers: readonly string[];
  /** Status on the platform, such as `COMPLETED`. */
  readonly status: string;
}

/** A table that queries can read. */
export interface CleanRoomTable {
  /** Name used in the SQL. */
  readonly dataSourceId: string;
  /** The platform's description. */
  readonly description: string;
  /** Columns, with the platform's descriptions. */
  readonly columns: readonly {
    readonly name: string;
    readonly columnType: string;
    readonly description: string;
  }[];
}
