import { fieldsOf } from "../../base/json/fields_of.ts";
import { idKey } from "../../base/json/id_of.ts";
import {
  type CleanRoomTable,
  SCHEDULE_DAYS,
  type Workflow,
  WORKFLOW_TYPES,
  type WorkflowColumn,
  type WorkflowParameter,
  type WorkflowSchedule,
} from "./clean_room_types.ts";

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
