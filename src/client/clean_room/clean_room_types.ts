import type { Region } from "../../base/markets/markets.ts";

/** Data types of parameters and columns, in the platform's words. */
export const WORKFLOW_TYPES = [
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
] as const;

/** Data type of a parameter or a column. */
export type WorkflowType = typeof WORKFLOW_TYPES[number];

/** A value that each run of a workflow may set. */
export interface WorkflowParameter {
  readonly name: string;
  /** @default "STRING" */
  readonly dataType?: WorkflowType | undefined;
  /** Value of runs that give none. @default none: each run must give one */
  readonly defaultValue?: string | undefined;
  readonly description?: string | undefined;
}

/** A column of a workflow's result. */
export interface WorkflowColumn {
  readonly name: string;
  readonly dataType?: WorkflowType | undefined;
  readonly columnType?: "DIMENSION" | "METRIC" | undefined;
}

/** A clean-room query as the platform stores it. */
export interface Workflow {
  readonly workflowId: string;
  readonly sqlQuery: string;
  readonly inputParameters?: readonly WorkflowParameter[] | undefined;
  /** Columns of the result; the platform refuses a query with others. @default not checked */
  readonly outputColumns?: readonly WorkflowColumn[] | undefined;
  /** Column to add that is true where values were withheld. @default none: such rows vanish */
  readonly filteredMetricsDiscriminatorColumn?: string | undefined;
  readonly privacyFilteringBehavior?: "REMOVE_ROWS" | "REMOVE_VALUES" | undefined;
}

/** Days of the week in the platform's spelling. */
export const SCHEDULE_DAYS = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;

/** Runs of a workflow on the platform's clock. Their results only go to the bucket of the instance. */
export interface WorkflowSchedule {
  readonly scheduleId: string;
  readonly workflowId: string;
  readonly aggregationPeriod: "Daily" | "Weekly";
  readonly aggregationStartDay?: typeof SCHEDULE_DAYS[number] | undefined;
  readonly aggregationHourUtc?: number | undefined;
  readonly scheduleEnabled?: boolean | undefined;
}

/** A clean-room instance, and the account that it belongs to. */
export interface CleanRoomInstance {
  readonly instanceId: string;
  readonly name: string;
  /** Id of the clean-room account, in the platform's `AdvertiserId` header. */
  readonly accountId: string;
  readonly accountName: string;
  /** Marketplace of the clean-room account. */
  readonly marketplaceId: string;
  readonly region: Region;
  /** Ids of the advertisers inside it. */
  readonly advertisers: readonly string[];
  readonly status: string;
}

/** A table that queries can read. */
export interface CleanRoomTable {
  readonly dataSourceId: string;
  readonly description: string;
  readonly columns: readonly {
    readonly name: string;
    readonly columnType: string;
    readonly description: string;
  }[];
}
