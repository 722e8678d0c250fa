import { createHash } from "node:crypto";
import { addDays, dayAt, daySpan, offsetsOf } from "../../core/day_span.ts";
import type { JsonObject } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { RouteRefusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { bodyOf, pageResponse, roomOf } from "./accounts.ts";
import { asExecution, type ExecutionRecord, executionsOf, objectOr, resultOf } from "./execution_file.ts";
import type { TimeWindow } from "./table_rows.ts";
import { checkWorkflow, workflowOf } from "./workflows.ts";

const MAX_RUNNING = 10;

/** Lifetime of a result URL, in seconds. */
const ADDRESS_SECONDS = 600;
const TIMEOUT = { low: 900, high: 86_400 };

export function createExecution(context: Context): HttpResponse {
  const profile = roomOf(context);
  const body = bodyOf(context);
  const { clock, state, quirks, faults } = context;
  const workflow = definitionOf(body, profile);
  checkOptions(body);
  const now = clock.now();
  const window = timeWindowOf(body, now);
  const workflowExecutionId = uuid(`${state.seed} ${state.newId()}`);
  const seconds = faults.reportSeconds ?? quirks.reportSeconds;
  const pending = now + seconds * 1000 / 3;
  const startsAt = Math.max(pending, freeFrom(profile, now));
  const execution: ExecutionRecord = {
    workflowExecutionId,
    workflowId: typeof body.workflowId === "string"
      ? body.workflowId
      : `transient_${uuid(workflowExecutionId)}`,
    workflow,
    parameterValues: objectOr(body.parameterValues),
    request: body,
    ...window,
    dryRun: body.dryRun === true,
    createdAt: now,
    startsAt,
    endsAt: startsAt + seconds * 2000 / 3,
    ...(faults.reportOutcome === undefined
      ? {}
      : { fault: "An internal error occurred. Run the workflow again" }),
  };
  insert(profile, execution);
  return executionResponse(execution, context);
}

export async function getExecution(context: Context): Promise<HttpResponse> {
  return executionResponse(await found(context), context);
}

export async function listExecutions(context: Context): Promise<HttpResponse> {
  const { query } = context;
  const profile = roomOf(context);
  const workflowId = query.get("workflowId");
  const [from, to] = [momentOf(query, "minCreationTime"), momentOf(query, "maxCreationTime")];
  if (workflowId === null && from === undefined) {
    throw new RouteRefusal(400, "workflowId or minCreationTime is required");
  }
  const chosen = executionsOf(profile).filter((one) =>
    (workflowId === null || one.workflowId === workflowId) && one.createdAt >= (from ?? 0) &&
    one.createdAt <= (to ?? Infinity) &&
    (one.cancelledAt === undefined || query.get("includeCancelled") === "true")
  );
  if (query.get("sortAscending") !== "true") chosen.reverse();
  const all: JsonObject[] = [];
  for (const one of chosen) all.push(toWire(await ended(one, profile, context), context));
  return pageResponse(context, { name: "executions", all, count: 100 });
}

export async function updateExecution(context: Context): Promise<HttpResponse> {
  const execution = await found(context);
  if (bodyOf(context).status !== "CANCELLED") {
    throw new RouteRefusal(400, "The status can only be set to CANCELLED");
  }
  const now = context.clock.now();
  const status = statusOf(execution, now);
  if (status !== "PENDING" && status !== "RUNNING") {
    throw new RouteRefusal(400, `An execution with the status ${status} cannot be cancelled`);
  }
  replace(roomOf(context), { ...execution, cancelledAt: now });
  return jsonResponse(200, {}, { type: context.responseType });
}

export async function getDownloadUrls(context: Context): Promise<HttpResponse> {
  const profile = roomOf(context);
  const { clock, files, random, responseType } = context;
  const { workflowExecutionId: id, dryRun, ...execution } = await found(context);
  const status = statusOf(execution, clock.now());
  if (status !== "SUCCEEDED" || dryRun) {
    throw new RouteRefusal(400, `The result is unavailable for download: the execution is ${status}`);
  }
  const nonce = String(random.integer(0, 2 ** 31));
  const { url } = files.link(profile.id, id, {
    now: clock.now(),
    nonce,
    seconds: ADDRESS_SECONDS,
    ending: "csv",
  });
  return jsonResponse(200, { downloadUrls: [url], metadataDownloadUrls: [] }, { type: responseType });
}

function definitionOf(body: JsonObject, profile: ProfileState): JsonObject {
  const { workflowId, workflow } = body;
  if ((workflowId === undefined) === (workflow === undefined)) {
    throw new RouteRefusal(400, "Exactly one of workflowId and workflow is required");
  }
  if (workflow !== undefined) {
    const adHoc = objectOr(workflow);
    checkWorkflow({ workflowId: "transient", ...adHoc });
    return adHoc;
  }
  const known = workflowOf(profile, String(workflowId));
  if (known === undefined) throw new RouteRefusal(400, `Workflow ${String(workflowId)} does not exist`);
  return known;
}

function checkOptions({ workflowExecutionTimeoutSeconds: timeout, ...body }: JsonObject): void {
  if (timeout !== undefined && !(Number(timeout) >= TIMEOUT.low && Number(timeout) <= TIMEOUT.high)) {
    throw new RouteRefusal(
      400,
      `workflowExecutionTimeoutSeconds must be from ${TIMEOUT.low} to ${TIMEOUT.high}`,
    );
  }
  const sandbox = ["disableAggregationControls", "requireSyntheticData"].find((name) => body[name] === true);
  if (sandbox !== undefined) throw new RouteRefusal(400, `${sandbox} is for sandbox instances only`);
  if (!Object.values(objectOr(body.parameterValues)).every((value) => typeof value === "string")) {
    throw new RouteRefusal(400, "parameterValues must be texts");
  }
}

function freeFrom(profile: ProfileState, now: number): number {
  const ends = executionsOf(profile).filter(({ cancelledAt }) => cancelledAt === undefined)
    .map(({ endsAt }) => endsAt).filter((end) => end > now).sort((a, b) => a - b);
  return ends[ends.length - MAX_RUNNING] ?? now;
}

async function found(context: Context): Promise<ExecutionRecord> {
  const profile = roomOf(context);
  const id = context.params.workflowExecutionId ?? "";
  const entity = profile.collection("clean_room.executions").get(id);
  if (entity === undefined) throw new RouteRefusal(404, `Execution ${id} was not found`);
  return await ended(asExecution(entity), profile, context);
}

async function ended(
  execution: ExecutionRecord,
  profile: ProfileState,
  { clock, state, files }: Context,
): Promise<ExecutionRecord> {
  const { outcome, cancelledAt, endsAt, fault } = execution;
  if (outcome !== undefined || cancelledAt !== undefined || clock.now() < endsAt) return execution;
  const run = async (): Promise<NonNullable<ExecutionRecord["outcome"]>> => {
    if (fault !== undefined) return { status: "FAILED", reason: fault };
    const { QueryProblem } = await import("./sql_scopes.ts");
    try {
      await files.file(execution.workflowExecutionId, resultOf(profile, execution, state.seed));
      return { status: "SUCCEEDED" };
    } catch (problem) {
      if (!(problem instanceof QueryProblem)) throw problem;
      return { status: "FAILED", reason: problem.message };
    }
  };
  const done: ExecutionRecord = { ...execution, outcome: await run() };
  replace(profile, done);
  return done;
}

function statusOf(
  execution: Pick<ExecutionRecord, "cancelledAt" | "startsAt" | "endsAt" | "outcome">,
  now: number,
): string {
  if (execution.cancelledAt !== undefined) return "CANCELLED";
  if (now < execution.startsAt) return "PENDING";
  return now < execution.endsAt ? "RUNNING" : execution.outcome?.status ?? "RUNNING";
}

function executionResponse(execution: ExecutionRecord, context: Context): HttpResponse {
  return jsonResponse(200, { workflowExecution: toWire(execution, context) }, { type: context.responseType });
}

function toWire(execution: ExecutionRecord, { clock, query }: Context): JsonObject {
  const { workflowExecutionId, workflowId, workflow, request, outcome, start, end, createdAt, dryRun } =
    execution;
  const status = statusOf(execution, clock.now());
  const channel = status === "SUCCEEDED"
    ? (dryRun ? "UNAVAILABLE" : "AVAILABLE")
    : status === "FAILED"
    ? "FAILED"
    : "PENDING";
  const { timeWindowStart, timeWindowEnd, timeWindowTimeZone, workflowExecutionTimeoutSeconds } = request;
  return {
    workflowExecutionId,
    workflowId,
    status,
    createTime: secondText(createdAt),
    lastUpdatedTime: secondText(Math.min(clock.now(), execution.cancelledAt ?? execution.endsAt)),
    timeWindowStart: secondText(start),
    timeWindowEnd: secondText(end),
    ...(timeWindowStart === undefined ? {} : { timeWindowStartOriginal: timeWindowStart }),
    ...(timeWindowEnd === undefined ? {} : { timeWindowEndOriginal: timeWindowEnd }),
    timeWindowTimeZoneOriginal: timeWindowTimeZone ?? "UTC",
    workflowExecutionTimeoutSeconds: workflowExecutionTimeoutSeconds ?? 21_600,
    outputChannels: [{ channel: { type: "DOWNLOAD" }, status: channel }],
    ...(query.get("includeWorkflow") === "true" ? { sqlQuery: workflow.sqlQuery ?? null } : {}),
    ...(outcome?.reason === undefined ? {} : { statusReason: outcome.reason }),
  };
}

function insert(profile: ProfileState, execution: ExecutionRecord): void {
  profile.collection("clean_room.executions").insert({ ...execution } as unknown as JsonObject);
}

function replace(profile: ProfileState, execution: ExecutionRecord): void {
  profile.collection("clean_room.executions").replace({ ...execution } as unknown as JsonObject);
}

function momentOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const moment = Date.parse(/Z|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
  if (Number.isNaN(moment)) throw new RouteRefusal(400, `${name} is not a time`);
  return moment;
}

function secondText(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19) + "Z";
}

function uuid(seed: string): string {
  const hex = createHash("sha256").update(seed).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}

const KEPT_DAYS = 396;
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** Returns the time window in UTC. The window's type and time zone determine where days and months begin. */
function timeWindowOf(body: JsonObject, now: number): TimeWindow {
  const zone = String(body.timeWindowTimeZone ?? "UTC");
  checkZone(zone);
  const today = dayAt(now, zone);
  const startOf = (day: string): number => daySpan(day, zone).start;
  const month = `${today.slice(0, 8)}01`;
  switch (body.timeWindowType ?? "MOST_RECENT_DAY") {
    case "EXPLICIT": {
      const start = localMoment(body, "timeWindowStart", zone);
      const end = localMoment(body, "timeWindowEnd", zone);
      if (end <= start) throw new RouteRefusal(400, "timeWindowEnd must be after timeWindowStart");
      return { start, end };
    }
    case "MOST_RECENT_DAY":
      return { start: startOf(addDays(today, -1)), end: startOf(today) };
    case "MOST_RECENT_WEEK":
      return { start: startOf(addDays(today, -7)), end: startOf(today) };
    case "CURRENT_MONTH":
      return { start: startOf(month), end: now };
    case "PREVIOUS_MONTH":
      return { start: startOf(`${addDays(month, -1).slice(0, 8)}01`), end: startOf(month) };
    case "ALL":
      return { start: startOf(addDays(today, -KEPT_DAYS)), end: now };
    default:
      throw new RouteRefusal(400, `timeWindowType ${String(body.timeWindowType)} is not known`);
  }
}

function checkZone(zone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch {
    throw new RouteRefusal(400, `timeWindowTimeZone ${zone} is not known`);
  }
}

function localMoment(body: JsonObject, field: string, zone: string): number {
  const text = String(body[field] ?? "");
  const local = LOCAL.test(text) ? Date.parse(`${text}Z`) : NaN;
  if (Number.isNaN(local)) throw new RouteRefusal(400, `${field} must have the form yyyy-MM-ddTHH:mm:ss`);
  const offsetAt = offsetsOf(zone);
  return local - offsetAt(local - offsetAt(local));
}
