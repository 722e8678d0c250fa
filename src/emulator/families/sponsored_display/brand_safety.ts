import { isObject, type JsonObject, objectsIn } from "../../core/json.ts";
import { wholeNumber } from "../../entities/query_filters.ts";
import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import { refusal } from "../../http/refusal.ts";
import type { Context } from "../../routing/context.ts";
import { readObject } from "../../routing/read_request.ts";
import type { Route } from "../../routing/route.ts";

const JSON_TYPES = ["application/json"];
const DOMAINS = "sd.denied_domains";
const REQUESTS = "sd.brand_safety_requests";
const MAX_DOMAINS = 10_000;
const MAX_PAGE = 1000;
const MAX_NAME = 250;
/** In seconds of the emulator's clock. */
const BUILD_SECONDS = 2;

/** Changes are asynchronous. */
export const BRAND_SAFETY_ROUTES: readonly Route[] = [
  route("listDomains", "GET", "/sd/brandSafety/deny", listDomains),
  route("createBrandSafetyDenyListDomains", "POST", "/sd/brandSafety/deny", addDomains),
  route("deleteBrandSafetyDenyList", "DELETE", "/sd/brandSafety/deny", removeDomains),
  route("listRequestStatus", "GET", "/sd/brandSafety/status", listStatus),
  route("getRequestStatus", "GET", "/sd/brandSafety/{requestId}/status", getStatus),
  route("getRequestResults", "GET", "/sd/brandSafety/{requestId}/results", getResults),
];

function route(name: string, method: Route["method"], path: string, handle: Route["handle"]): Route {
  return {
    operation: `sponsored-display:${name}`,
    method,
    path,
    ...(method === "POST" ? { requestTypes: JSON_TYPES } : {}),
    responseTypes: JSON_TYPES,
    errors: "details",
    handle,
  };
}

function listDomains(context: Context): HttpResponse {
  const { profile, responseType } = context;
  const all = profile.collection(DOMAINS).all().filter(({ state }) => state === "ENABLED");
  const { offset, limit } = pageOf(context);
  const domains = all.slice(offset, offset + limit).map(({ domainId, ...domain }) => ({
    domainId: BigInt(String(domainId)),
    ...domain,
  }));
  const pagination = { offset, limit, total: all.length };
  return jsonResponse(200, { domains, pagination }, { type: responseType });
}

function addDomains(context: Context): HttpResponse {
  const { domains } = readObject(context.body, ["domains"]);
  if (!Array.isArray(domains) || domains.length === 0 || domains.length > MAX_DOMAINS) {
    throw refusal(400, `domains must be a list of 1 to ${MAX_DOMAINS} domains`, "details");
  }
  const { profile, state, clock } = context;
  const results = domains.map((each): JsonObject => {
    const { name, type } = isObject(each) ? each : {};
    if (typeof name !== "string" || name === "" || name.length > MAX_NAME) {
      return { name: String(name), status: "FAILURE", details: `name must have 1 to ${MAX_NAME} characters` };
    }
    if (type !== "WEBSITE" && type !== "APP") {
      return { name, status: "FAILURE", details: "type must be WEBSITE or APP" };
    }
    const domainId = state.newId();
    const moment = clock.iso();
    profile.collection(DOMAINS).insert({
      domainId,
      name,
      type,
      state: "ENABLED",
      createdAt: moment,
      lastModified: moment,
    });
    return { name, domainId, status: "SUCCESS", details: "" };
  });
  return accepted(context, results);
}

function removeDomains(context: Context): HttpResponse {
  const domains = context.profile.collection(DOMAINS);
  const results = domains.all().filter(({ state }) => state === "ENABLED").map((domain): JsonObject => {
    domains.replace({ ...domain, state: "ARCHIVED", lastModified: context.clock.iso() });
    return { name: domain.name, domainId: domain.domainId, status: "SUCCESS", details: "" };
  });
  return accepted(context, results);
}

function accepted({ profile, state, clock, responseType }: Context, results: JsonObject[]): HttpResponse {
  const requestId = `brand-safety-${state.newId()}`;
  profile.collection(REQUESTS).insert({ requestId, createdAt: clock.now(), results });
  return jsonResponse(202, { requestId }, { type: responseType });
}

function listStatus(context: Context): HttpResponse {
  const requestStatusList = context.profile.collection(REQUESTS).all().map((each) => statusOf(each, context));
  return jsonResponse(200, { requestStatusList }, { type: context.responseType });
}

function getStatus(context: Context): HttpResponse {
  const requestStatus = statusOf(find(context), context);
  return jsonResponse(200, { requestStatus }, { type: context.responseType });
}

function getResults(context: Context): HttpResponse {
  const request = find(context);
  if (statusOf(request, context).status !== "COMPLETED") {
    throw refusal(422, "The request is not completed yet", "details");
  }
  const { offset, limit } = pageOf(context);
  const results = (objectsIn(request.results) ?? [])
    .slice(offset, offset + limit).map(({ domainId, ...result }) => ({
      ...result,
      ...(domainId === undefined ? {} : { domainId: BigInt(String(domainId)) }),
    }));
  return jsonResponse(200, { results }, { type: context.responseType });
}

function statusOf({ requestId, createdAt }: JsonObject, { clock }: Context): JsonObject {
  const isDone = clock.now() >= Number(createdAt) + BUILD_SECONDS * 1000;
  return {
    requestId,
    timestamp: new Date(Number(createdAt)).toISOString(),
    status: isDone ? "COMPLETED" : "IN_PROGRESS",
    statusDetails: isDone ? "The request was processed" : "The request is being processed",
  };
}

function find({ profile, params }: Context): JsonObject {
  const request = profile.collection(REQUESTS).get(params.requestId ?? "");
  if (request === undefined) throw refusal(404, `Request ${params.requestId} was not found`, "details");
  return request;
}

function pageOf({ query }: Context): { offset: number; limit: number } {
  return {
    offset: wholeNumber(query, "startIndex", { low: 0, high: Number.MAX_SAFE_INTEGER, otherwise: 0 }),
    limit: wholeNumber(query, "count", { low: 0, high: MAX_PAGE, otherwise: MAX_PAGE }),
  };
}
