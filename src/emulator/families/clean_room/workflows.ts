import { type JsonObject, objectsIn } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { RouteRefusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Collection } from "../../state/collection.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { bodyOf, pageResponse, roomOf } from "./accounts.ts";
import { PUBLISHED_TABLES } from "./published_tables.ts";

const TYPES = [
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
const MAX_COLUMNS = 100;
const PERIODS = ["Daily", "Weekly"];
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

export function listDataSources(context: Context): HttpResponse {
  roomOf(context);
  return pageResponse(context, { name: "dataSources", all: PUBLISHED_TABLES.map(sourceOf), count: 100 });
}

export function getDataSource(context: Context): HttpResponse {
  roomOf(context);
  const { dataSourceId } = context.params;
  const found = PUBLISHED_TABLES.find((table) => table.dataSourceId === dataSourceId);
  if (found === undefined) throw new RouteRefusal(404, `Data source ${dataSourceId} was not found`);
  return jsonResponse(200, { dataSource: sourceOf(found) }, { type: context.responseType });
}

function sourceOf({ dataSourceId, description, columns }: typeof PUBLISHED_TABLES[number]): JsonObject {
  return {
    dataSourceId,
    description,
    owner: "PLATFORM",
    provider: "PLATFORM",
    columns: columns.map(({ name, columnType, description }) => ({ name, columnType, description })),
    outputChannels: [{ channel: { type: "DOWNLOAD" }, outputAvailable: true }],
  };
}

const WORKFLOWS = stored("clean_room.workflows", "workflows", "workflowId");
const SCHEDULES = stored("clean_room.schedules", "schedules", "scheduleId");

export const listWorkflows = WORKFLOWS.list;
export const getWorkflow = WORKFLOWS.get;
export const listSchedules = SCHEDULES.list;
export const getSchedule = SCHEDULES.get;
export const deleteSchedule = SCHEDULES.remove;

export function createWorkflow(context: Context): HttpResponse {
  checkWorkflow(bodyOf(context));
  return WORKFLOWS.create(context);
}

export function updateWorkflow(context: Context): HttpResponse {
  checkWorkflow(bodyOf(context), context.params.workflowId);
  return WORKFLOWS.update(context);
}

export function deleteWorkflow(context: Context): HttpResponse {
  const { workflowId } = context.params;
  const using = SCHEDULES.all(roomOf(context)).find((schedule) => schedule.workflowId === workflowId);
  if (using !== undefined) {
    throw new RouteRefusal(400, `Workflow ${workflowId} is used by the schedule ${using.scheduleId}`);
  }
  return WORKFLOWS.remove(context);
}

export function createSchedule(context: Context): HttpResponse {
  checkSchedule(bodyOf(context), roomOf(context));
  return SCHEDULES.create(context);
}

export function updateSchedule(context: Context): HttpResponse {
  checkSchedule({ scheduleId: context.params.scheduleId ?? null, ...bodyOf(context) }, roomOf(context));
  return SCHEDULES.update(context);
}

export function workflowOf(profile: ProfileState, id: string): JsonObject | undefined {
  return WORKFLOWS.all(profile).find(({ workflowId }) => workflowId === id);
}

/** The query is only compiled when the workflow runs. */
export function checkWorkflow(body: JsonObject, ofPath?: string): void {
  const { workflowId, sqlQuery, query, inputParameters, outputColumns } = body;
  const id = workflowId ?? ofPath;
  if (typeof id !== "string" || !/^[\w.-]+$/.test(id)) {
    throw new RouteRefusal(400, "workflowId may have letters, digits, dots, hyphens and underscores");
  }
  if (ofPath !== undefined && id !== ofPath) {
    throw new RouteRefusal(400, "workflowId differs from the one of the path");
  }
  if (typeof sqlQuery !== "string" && !Array.isArray(query)) {
    throw new RouteRefusal(400, "sqlQuery is missing");
  }
  const parameters = objectsIn(inputParameters ?? []) ?? [];
  if (parameters.length > MAX_COLUMNS || (objectsIn(outputColumns ?? []) ?? []).length > MAX_COLUMNS) {
    throw new RouteRefusal(400, `inputParameters and outputColumns have at most ${MAX_COLUMNS} entries`);
  }
  const wrong = parameters.find(({ name, dataType }) =>
    typeof name !== "string" || (dataType !== undefined && !TYPES.includes(String(dataType)))
  );
  if (wrong !== undefined) {
    throw new RouteRefusal(400, "An inputParameter has no name, or an unknown dataType");
  }
}

function checkSchedule(body: JsonObject, profile: ProfileState): void {
  const { scheduleId, workflowId, aggregationPeriod, aggregationStartDay, aggregationHourUtc = 0 } = body;
  if (typeof scheduleId !== "string" || !/^[\w.-]+$/.test(scheduleId)) {
    throw new RouteRefusal(400, "scheduleId may have letters, digits, dots, hyphens and underscores");
  }
  if (typeof workflowId !== "string" || workflowOf(profile, workflowId) === undefined) {
    throw new RouteRefusal(400, `Workflow ${String(workflowId)} does not exist`);
  }
  if (!PERIODS.includes(String(aggregationPeriod))) {
    throw new RouteRefusal(400, "aggregationPeriod must be Daily or Weekly");
  }
  if (aggregationPeriod === "Weekly" && !DAYS.includes(String(aggregationStartDay))) {
    throw new RouteRefusal(400, "aggregationStartDay must be a day of the week");
  }
  const hour = Number(aggregationHourUtc);
  if (!Number.isInteger(hour) || hour < 0 || hour > 23) {
    throw new RouteRefusal(400, "aggregationHourUtc must be a whole number from 0 to 23");
  }
}

/** Deleted definitions keep their position, because collections never shrink. */
function stored(collection: string, plural: string, idField: string) {
  const singular = plural.slice(0, -1);
  const of = (profile: ProfileState): Collection => profile.collection(collection);
  const all = (profile: ProfileState): JsonObject[] =>
    of(profile).all().filter(({ deleted }) => deleted !== true);
  const found = (context: Context): JsonObject => {
    const id = context.params[idField] ?? "";
    const entity = all(roomOf(context)).find((one) => one[idField] === id);
    if (entity === undefined) throw new RouteRefusal(404, `${singular} ${id} was not found`);
    return entity;
  };
  const empty = ({ responseType }: Context): HttpResponse => jsonResponse(200, {}, { type: responseType });
  return {
    all,
    list: (context: Context): HttpResponse =>
      pageResponse(context, { name: plural, all: all(roomOf(context)) }),
    get: (context: Context): HttpResponse =>
      jsonResponse(200, { [singular]: found(context) }, { type: context.responseType }),
    create: (context: Context): HttpResponse => {
      const { marketplaceId: _, ...body } = bodyOf(context);
      const entities = of(roomOf(context));
      const known = entities.get(String(body[idField]));
      if (known !== undefined && known.deleted !== true) {
        throw new RouteRefusal(400, `${singular} ${body[idField]} already exists`);
      }
      if (known === undefined) entities.insert(body);
      else entities.replace(body);
      return empty(context);
    },
    update: (context: Context): HttpResponse => {
      const old = found(context);
      const body = bodyOf(context);
      of(roomOf(context)).replace({ ...body, [idField]: old[idField] ?? null });
      return empty(context);
    },
    remove: (context: Context): HttpResponse => {
      of(roomOf(context)).replace({ ...found(context), deleted: true });
      return empty(context);
    },
  };
}
