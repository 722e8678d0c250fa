import { fieldsOf } from "../../base/json/fields_of.ts";
import { idKey } from "../../base/json/id_of.ts";
import type { Region } from "../../base/markets/markets.ts";
import type { StartedJob } from "../jobs/job_ledger.ts";
import type { JobResult, RunJobOptions, StartOptions } from "../jobs/job_options.ts";
import type { WaitForJobOptions } from "../jobs/wait_for_job.ts";

type Fields = Readonly<Record<string, unknown>>;

export function workflowOf(fields: Fields): Workflow {
  const parameters = listOf(fields["inputParameters"]);
  const columns = listOf(fields["outputColumns"]);
  const marked = textOf(fields["filteredMetricsDiscriminatorColumn"]);
  const behavior = fields["privacyFilteringBehavior"];
  return {
    ...otherFields(fields, WORKFLOW_FIELDS),
    workflowId: idKey(fields, "workflowId"),
    sqlQuery: sqlOf(fields),
    ...(parameters.length === 0 ? {} : { inputParameters: parameters.map(parameterOf) }),
    ...(columns.length === 0 ? {} : { outputColumns: columns.map(columnOf) }),
    ...(marked === undefined ? {} : { filteredMetricsDiscriminatorColumn: marked }),
    ...(behavior === "REMOVE_ROWS" || behavior === "REMOVE_VALUES"
      ? { privacyFilteringBehavior: behavior }
      : {}),
  };
}

const WORKFLOW_FIELDS = new Set([
  "workflowId",
  "sqlQuery",
  "query",
  "inputParameters",
  "outputColumns",
  "filteredMetricsDiscriminatorColumn",
  "privacyFilteringBehavior",
]);
const SCHEDULE_FIELDS = new Set([
  "scheduleId",
  "workflowId",
  "aggregationPeriod",
  "aggregationStartDay",
  "aggregationHourUtc",
  "scheduleEnabled",
]);

/** Returns the fields that the types do not cover, so that they are kept: definitions are replaced as a whole. */
function otherFields(fields: Fields, typed: ReadonlySet<string>): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) =>
      !typed.has(name) && value !== null && value !== undefined
    ),
  );
}

/** Returns the SQL of a workflow; the older form is base64-encoded lines. */
function sqlOf({ sqlQuery, query }: Fields): string {
  if (typeof sqlQuery === "string") return sqlQuery;
  const decoder = new TextDecoder();
  const lines = Array.isArray(query) ? query.map(String) : [];
  return lines.map((line) => decoder.decode(Uint8Array.from(atob(line), (sign) => sign.charCodeAt(0)))).join(
    "\n",
  );
}

const PARAMETER_FIELDS = new Set(["name", "defaultValue", "description"]);
const COLUMN_FIELDS = new Set(["name", "columnType"]);

function parameterOf(fields: Fields): WorkflowParameter {
  const [defaultValue, description] = [textOf(fields["defaultValue"]), textOf(fields["description"])];
  return {
    ...otherFields(fields, PARAMETER_FIELDS),
    name: String(fields["name"]),
    ...typeOf(fields),
    ...(defaultValue === undefined ? {} : { defaultValue }),
    ...(description === undefined ? {} : { description }),
  };
}

function columnOf(fields: Fields): WorkflowColumn {
  const kind = fields["columnType"];
  return {
    ...otherFields(fields, COLUMN_FIELDS),
    name: String(fields["name"]),
    ...typeOf(fields),
    ...(kind === "DIMENSION" || kind === "METRIC" ? { columnType: kind } : {}),
  };
}

function typeOf({ dataType }: Fields): Pick<WorkflowColumn, "dataType"> {
  const known = WORKFLOW_TYPES.find((type) => type === dataType);
  return known === undefined ? {} : { dataType: known };
}

export function scheduleOf(fields: Fields): WorkflowSchedule {
  const day = SCHEDULE_DAYS.find((one) => one === fields["aggregationStartDay"]);
  const { aggregationHourUtc: hour, scheduleEnabled: isOn } = fields;
  return {
    ...otherFields(fields, SCHEDULE_FIELDS),
    scheduleId: idKey(fields, "scheduleId"),
    workflowId: idKey(fields, "workflowId"),
    aggregationPeriod: fields["aggregationPeriod"] === "Weekly" ? "Weekly" : "Daily",
    ...(day === undefined ? {} : { aggregationStartDay: day }),
    ...(typeof hour === "number" ? { aggregationHourUtc: hour } : {}),
    ...(typeof isOn === "boolean" ? { scheduleEnabled: isOn } : {}),
  };
}

export function tableOf(fields: Fields): CleanRoomTable {
  return {
    dataSourceId: idKey(fields, "dataSourceId"),
    description: textOf(fields["description"]) ?? "",
    columns: listOf(fields["columns"]).map((column) => ({
      name: String(column["name"]),
      columnType: textOf(column["columnType"]) ?? "",
      description: textOf(column["description"]) ?? "",
    })),
  };
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

interface RoomCallOptions {
  readonly pathParams?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface RoomAccount {
  call(operation: string, options: RoomCallOptions): Promise<unknown>;
  pages(operation: string, options: RoomCallOptions): AsyncIterable<unknown>;
  readonly jobs: {
    run(operation: string, body: unknown, options: RunJobOptions): Promise<JobResult>;
    start(operation: string, body: unknown, options: StartOptions): Promise<StartedJob>;
    wait(jobId: string, options: WaitForJobOptions): Promise<unknown>;
  };
}

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
