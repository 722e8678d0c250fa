import type { Region } from "../../base/markets/markets.ts";

/** Data type of a parameter or a column, in the platform's words. */
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

/** All data types. */
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

/** A value that each run of a workflow may set. */
export interface WorkflowParameter {
  /** Name, as the SQL refers to it. */
  readonly name: string;
  /** Data type of its values. @default "STRING" */
  readonly dataType?: WorkflowType | undefined;
  /** Value of runs that give none. @default none: each run must give one */
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
  /** Values that each run may set, at most 100. */
  readonly inputParameters?: readonly WorkflowParameter[] | undefined;
  /** Columns of the result; the platform refuses a query with others. @default not checked */
  readonly outputColumns?: readonly WorkflowColumn[] | undefined;
  /** Column to add that is true where values were withheld. @default none: such rows vanish */
  readonly filteredMetricsDiscriminatorColumn?: string | undefined;
  /** Removes rows with too few shoppers, or only their values. */
  readonly privacyFilteringBehavior?: "REMOVE_ROWS" | "REMOVE_VALUES" | undefined;
}

/** Day of the week in the platform's spelling. */
export type ScheduleDay = "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday";

/** All days of the week, Monday first. */
export const SCHEDULE_DAYS: readonly ScheduleDay[] = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
];

/** Runs of a workflow on the platform's clock. Their results only go to the bucket of the instance. */
export interface WorkflowSchedule {
  /** Unique in the instance. */
  readonly scheduleId: string;
  /** Workflow that it runs. */
  readonly workflowId: string;
  /** Length of the window of a run. */
  readonly aggregationPeriod: "Daily" | "Weekly";
  /** Day of the week of a weekly run. */
  readonly aggregationStartDay?: ScheduleDay | undefined;
  /** Hour of the run in UTC, 0 to 23. */
  readonly aggregationHourUtc?: number | undefined;
  /** False while it is paused. */
  readonly scheduleEnabled?: boolean | undefined;
}

/** A clean-room instance, and the account that it belongs to. */
export interface CleanRoomInstance {
  /** Digits or letters, as the platform lists it. */
  readonly instanceId: string;
  /** Name that the platform shows. */
  readonly name: string;
  /** Id of the clean-room account, in the platform's `AdvertiserId` header. */
  readonly accountId: string;
  /** Name of the clean-room account. */
  readonly accountName: string;
  /** Marketplace of the clean-room account. */
  readonly marketplaceId: string;
  /** Region whose hosts serve it. */
  readonly region: Region;
  /** Ids of the advertisers inside it. */
  readonly advertisers: readonly string[];
  /** The platform's word, such as `COMPLETED`. */
  readonly status: string;
}

/** A table that queries can read. */
export interface CleanRoomTable {
  /** Name, as the SQL refers to it. */
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
