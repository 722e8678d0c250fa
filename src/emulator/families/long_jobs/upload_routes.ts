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
/** Match keys that are not hashed. */
const PLAIN_KEYS = ["MAID", "RAMP_ID"];

const EVENT_PLAIN_KEYS = [...PLAIN_KEYS, "MATCH_ID", "FIP", "KANTAR_ID", "MERKLE_ID", "REAL_ID"];

/** Audience members, conversions, events and hashed records. */
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
  {
    operation: "hashed-records:UploadHashedRecords",
    method: "POST",
    path: "/dp/records/hashed",
    requestTypes: ["application/vnd.dpuploadhashedrecordsrequest.v3+json"],
    responseTypes: ["application/vnd.dpuploadhashedrecordsresponse.v3+json"],
    handle: uploadRecords,
  },
];

/** Routes for events of the newer interface, relative to its common path. */
export const EVENT_ROUTES: readonly Route[] = [{
  operation: "v1-all-events:CreateEvent",
  method: "POST",
  path: "/adsApi/v1/create/events",
  requestTypes: ["application/json"],
  responseTypes: ["application/json"],
  errors: "unified",
  handle: createEvents,
}];

function listIn(body: unknown, name: string, most: number): JsonObject[] {
  const list = isObject(body) ? body[name] : undefined;
  if (!Array.isArray(list) || list.length === 0) throw new RouteRefusal(400, `${name} is required`);
  if (list.length > most) throw new RouteRefusal(400, `${name} has more than ${most} items`);
  return list.map((item) => isObject(item) ? item : {});
}

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The call succeeds as a whole; invalid members are listed by index. */
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

/** Creates events of the newer interface and returns a separate result for each. */
function createEvents({ body, clock, headers, responseType }: Context): HttpResponse {
  if (!headers["platform-ads-accountid"]) {
    throw new RouteRefusal(400, "Platform-Ads-AccountId is required");
  }
  const success: JsonObject[] = [];
  const error: JsonObject[] = [];
  for (const [index, event] of listIn(body, "events", 500).entries()) {
    const problem = createdEventProblem(event, clock.now());
    if (problem === undefined) success.push({ index, event });
    else error.push({ index, errors: [problem] });
  }
  return jsonResponse(207, { success, error }, { type: responseType });
}

function createdEventProblem(
  event: JsonObject,
  now: number,
): { code: string; fieldLocation: string; message: string } | undefined {
  const refusal = (code: string, field: string, value: unknown) => ({
    code,
    fieldLocation: field,
    message: `${JSON.stringify(value ?? null)} is not valid`,
  });
  const { eventDescription, eventTime, countryCode, matchKeys } = event;
  const description = isObject(eventDescription) ? eventDescription : {};
  for (const name of ["conversionType", "eventSource", "name", "eventIngestionMethod"]) {
    if (typeof description[name] === "string") continue;
    return refusal("FIELD_VALUE_IS_NULL", `eventDescription.${name}`, description[name]);
  }
  const time = Date.parse(String(eventTime));
  if (Number.isNaN(time)) return refusal("FIELD_VALUE_IS_INVALID", "eventTime", eventTime);
  if (time > now + 3_600_000) return refusal("FIELD_VALUE_IS_OUT_OF_RANGE", "eventTime", eventTime);
  if (!/^[A-Z]{2}$/.test(String(countryCode))) {
    return refusal("FIELD_VALUE_IS_INVALID", "countryCode", countryCode);
  }
  const keys = objectsIn(matchKeys);
  if (keys.length === 0) return refusal("FIELD_VALUE_IS_EMPTY", "matchKeys", matchKeys);
  const clear = keys.find(({ type, values }) =>
    !EVENT_PLAIN_KEYS.includes(String(type)) && !HASH.test(String(Array.isArray(values) ? values[0] : ""))
  );
  return clear === undefined ? undefined : refusal("FIELD_VALUE_IS_INVALID", "matchKeys", clear.values);
}

/** Accepts or refuses all records together, without a separate result for each. */
function uploadRecords({ body, random, responseType }: Context): HttpResponse {
  const refuse = (errorMessage: string): HttpResponse => jsonResponse(400, { errorMessage });
  const records = isObject(body) && Array.isArray(body.records) ? body.records.filter(isObject) : [];
  if (records.length === 0) return refuse("records is required");
  for (const { externalId, hashedRecords } of records) {
    if (!/^[0-9A-Za-z_-]{1,128}$/.test(String(externalId))) {
      return refuse(`externalId ${externalId} is not valid`);
    }
    const values = objectsIn(hashedRecords).flatMap((record) => Object.values(record));
    const clear = values.find((value) => !HASH.test(String(value)));
    if (values.length === 0 || clear !== undefined) return refuse(`${String(clear)} is not a SHA-256 hash`);
  }
  const requestId = Array.from({ length: 16 }, () => random.integer(0, 15).toString(16)).join("");
  return jsonResponse(200, { requestId }, { type: responseType });
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
