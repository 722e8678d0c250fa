import { isObject, type JsonObject } from "../../core/json.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { RouteRefusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import type { Route } from "../../routing/route.ts";

const MEMBER_TYPES = ["application/vnd.admAudiences.v1+json"];
const EVENT_TYPES = ["application/vnd.dspconversioneventimport.v1+json"];
const HASH = /^[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const WEEK_MS = 7 * 86_400_000;
/** Match keys that are sent as they are. */
const PLAIN_KEYS = ["MAID", "RAMP_ID"];

/** Audience members and conversions. */
export const UPLOAD_ROUTES: readonly Route[] = [
  {
    operation: "ads-data-manager:IngestAudiences",
    method: "POST",
    path: "/adm/audiences/{dataSetId}/members",
    requestTypes: MEMBER_TYPES,
    responseTypes: MEMBER_TYPES,
    handle: ingestMembers,
  },
  {
    operation: "conversions-api:dspPlatformIngestConversionData",
    method: "POST",
    path: "/accounts/{accountId}/dsp/conversionDefinitions/eventData",
    requestTypes: EVENT_TYPES,
    responseTypes: EVENT_TYPES,
    handle: ingestEvents,
  },
];

function listIn(body: unknown, name: string, most: number): JsonObject[] {
  const list = isObject(body) ? body[name] : undefined;
  if (!Array.isArray(list) || list.length === 0) throw new RouteRefusal(400, `${name} is required`);
  if (list.length > most) throw new RouteRefusal(400, `${name} has more than ${most} items`);
  return list.map((item) => isObject(item) ? item : {});
}

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A call succeeds as a whole; members that cannot be used are listed by index. */
function ingestMembers({ body, random, responseType }: Context): HttpResponse {
  const errors = listIn(body, "members", 10_000).flatMap((member, index) => {
    const problem = memberProblem(member);
    if (problem === undefined) return [];
    return [{
      index,
      code: problem.code,
      details: problem.details,
      errors: [{ errorType: problem.code, errorMessage: problem.details }],
    }];
  });
  const ingressId = Array.from({ length: 16 }, () => random.integer(0, 15).toString(16)).join("");
  return jsonResponse(200, { ingressId, ...(errors.length === 0 ? {} : { errors }) }, { type: responseType });
}

function memberProblem(member: JsonObject): { readonly code: string; readonly details: string } | undefined {
  const { action, externalUserId, userIdentity } = member;
  if (action !== "CREATE" && action !== "DELETE") {
    return { code: "INVALID_ACTION", details: `action ${String(action)} is not known` };
  }
  if (typeof externalUserId !== "string" || externalUserId === "") {
    return { code: "MISSING_USER_ID", details: "externalUserId is required" };
  }
  const identity = isObject(userIdentity) ? userIdentity : {};
  const hashed = objectsIn(identity.hashedPiis).flatMap((pii) => Object.values(pii));
  const external = objectsIn(identity.externalIdentities);
  if (hashed.length + external.length === 0) {
    return { code: "MISSING_IDENTITY", details: "userIdentity has no identity" };
  }
  const clear = hashed.find((value) => !HASH.test(String(value)));
  if (clear !== undefined) return { code: "NOT_HASHED", details: `${String(clear)} is not a SHA-256 hash` };
  const device = external.map(({ maId }) => maId).find((id) => id !== undefined && !UUID.test(String(id)));
  return device === undefined
    ? undefined
    : { code: "INVALID_IDENTITY", details: `${String(device)} of ${externalUserId} is not a device id` };
}

/** Each conversion has its own verdict. */
function ingestEvents({ body, clock, params, responseType }: Context): HttpResponse {
  const source = isObject(body) ? body.source : undefined;
  if (source !== "SERVER_TO_SERVER" && source !== "PLATFORM_AD_TAG") {
    throw new RouteRefusal(400, "source is required");
  }
  if (!/^(?:ENTITY[0-9A-Z]+|\d+)$/.test(params.accountId ?? "")) {
    throw new RouteRefusal(403, `Not authorized to access account ${params.accountId}`);
  }
  const success: JsonObject[] = [];
  const error: JsonObject[] = [];
  for (const [index, event] of listIn(body, "eventData", 100).entries()) {
    const problem = eventProblem(event, clock.now());
    if (problem === undefined) success.push({ index, message: "Accepted" });
    else error.push({ index, code: "400", message: problem.message, errors: [problem] });
  }
  return jsonResponse(207, {
    ...(success.length === 0 ? {} : { success }),
    ...(error.length === 0 ? {} : { error }),
  }, { type: responseType });
}

function eventProblem(
  event: JsonObject,
  now: number,
): { errorType: string; fieldName: string; message: string } | undefined {
  const { conversionDefinitionId, timestamp } = event;
  if (!/^\d+$/.test(String(conversionDefinitionId))) {
    return {
      errorType: "RESOURCE_NOT_FOUND",
      fieldName: "conversionDefinitionId",
      message: `Conversion definition ${String(conversionDefinitionId)} was not found`,
    };
  }
  const time = Date.parse(String(timestamp));
  if (Number.isNaN(time) || time < now - WEEK_MS || time > now + 3_600_000) {
    return {
      errorType: "INVALID_ARGUMENT",
      fieldName: "timestamp",
      message: `${String(timestamp)} is out of range`,
    };
  }
  const keys = objectsIn(event.matchKeys);
  const clear = keys.find(({ type, values }) =>
    !PLAIN_KEYS.includes(String(type)) && !HASH.test(String(Array.isArray(values) ? values[0] : ""))
  );
  if (keys.length === 0 || clear !== undefined) {
    const value = clear === undefined ? "matchKeys" : JSON.stringify(clear.values);
    return { errorType: "INVALID_ARGUMENT", fieldName: "matchKeys", message: `${value} is not hashed` };
  }
  return undefined;
}
