import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import { isObject, type Json, type JsonObject, writeJson } from "../../core/json.ts";
import { isEmptyPage, readPageToken, writePageToken } from "../../entities/list_entities.ts";
import { refusal } from "../../http/refusal.ts";
import type { HistoryEvent } from "../../state/history_event.ts";
import type { Clock } from "../../core/clock.ts";
import type { Route } from "../../routing/route.ts";

/**
 * Mimics the platform: a selector without ids or parents finds nothing, one with parents includes the campaigns
 * themselves, and change type filters have no effect.
 */
function getHistory(context: Context): HttpResponse {
  const { body, clock, profile } = context;
  const query = readHistoryQuery(body, clock);
  const { nextToken, pageOffset: _, ...rest } = body as JsonObject;
  const identity = `${profile.id} history ${writeJson(rest)}`;
  const token = typeof nextToken === "string" ? readPageToken(nextToken, identity) : undefined;
  if (nextToken !== undefined && nextToken !== null && token === undefined) {
    throw refusal(400, "nextToken is not valid for this request", "details");
  }
  // What happens while a caller pages is not shown to it, or the newest first would repeat themselves.
  const known = token?.total ?? profile.history().length;
  const found = findEvents(profile.history().slice(0, known), query);
  const start = token?.position ?? query.pageOffset * query.count;
  const page = token?.page ?? 0;
  const end = isEmptyPage(page, context) ? start : start + query.count;
  const next = end < found.length
    ? { nextToken: writePageToken({ page: page + 1, position: end, total: known }, identity) }
    : {};
  return jsonResponse(200, {
    events: found.slice(start, end).map(toWire),
    totalResults: found.length,
    ...next,
  }, {
    type: context.responseType,
  });
}

function toWire({ previousValue, newValue, ...event }: HistoryEvent): unknown {
  return {
    ...event,
    ...(previousValue === null ? {} : { previousValue }),
    ...(newValue === null ? {} : { newValue }),
  };
}

function findEvents(events: readonly HistoryEvent[], query: HistoryQuery): HistoryEvent[] {
  const found = events.filter((event) =>
    !event.unpublished && event.timestamp >= query.from && event.timestamp <= query.to &&
    query.selectors.some((selector) => isSelected(event, selector))
  );
  found.sort((a, b) => a.timestamp - b.timestamp);
  return query.newestFirst ? found.reverse() : found;
}

function isSelected({ entityType, entityId, metadata }: HistoryEvent, selector: Selector): boolean {
  if (entityType !== selector.entityType && entityType !== "CAMPAIGN") return false;
  if (entityType === selector.entityType && selector.ids.includes(entityId)) return true;
  return selector.wholeAdvertiser ||
    selector.campaignIds.includes(metadata.campaignId ?? "") ||
    selector.adGroupIds.includes(metadata.adGroupId ?? "");
}

interface Selector {
  readonly entityType: string;
  readonly ids: readonly string[];
  readonly campaignIds: readonly string[];
  readonly adGroupIds: readonly string[];
  readonly wholeAdvertiser: boolean;
}

interface HistoryQuery {
  readonly selectors: readonly Selector[];
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly pageOffset: number;
  readonly newestFirst: boolean;
}

const ENTITY_TYPES = [
  "CAMPAIGN",
  "AD_GROUP",
  "AD",
  "KEYWORD",
  "NEGATIVE_KEYWORD",
  "PRODUCT_TARGETING",
  "THEME",
];
const FIELDS = ["eventTypes", "fromDate", "toDate", "count", "sort", "nextToken", "pageOffset"];
const SELECTOR_FIELDS = ["eventTypeIds", "parents", "filters"];
const MAX_IDS = 10;
const COUNT = { low: 50, high: 200 };
const DAY = 86_400_000;
const WINDOW_DAYS = 90;
/** Milliseconds of tolerance for "90 days ago", because of latency and clock differences. */
const GRACE = 10 * 60_000;

function readHistoryQuery(body: Json | undefined, clock: Clock): HistoryQuery {
  if (!isObject(body)) throw bad("Request body must be an object");
  demandFields(body, FIELDS);
  const from = readMoment(body.fromDate, "fromDate");
  const to = readMoment(body.toDate, "toDate");
  if (from > to) throw bad("fromDate must not be after toDate");
  if (from < clock.now() - WINDOW_DAYS * DAY - GRACE) {
    throw bad(`fromDate must not be more than ${WINDOW_DAYS} days ago`);
  }
  return {
    selectors: readSelectors(body.eventTypes),
    from,
    to,
    count: readNumber(body.count ?? COUNT.low, "count", COUNT),
    pageOffset: readNumber(body.pageOffset ?? 0, "pageOffset", { low: 0, high: 1_000_000 }),
    newestFirst: readSort(body.sort),
  };
}

function readSelectors(value: Json | undefined): Selector[] {
  if (!isObject(value) || Object.keys(value).length === 0) {
    throw bad("eventTypes must name at least one entity type");
  }
  return Object.entries(value).map(([entityType, selector]) => {
    if (!ENTITY_TYPES.includes(entityType)) {
      throw bad(`eventTypes includes an unknown entity type: (${entityType})`);
    }
    if (!isObject(selector)) throw bad(`eventTypes.${entityType} must be an object`);
    demandFields(selector, SELECTOR_FIELDS);
    return readSelector(entityType, selector);
  });
}

function readSelector(entityType: string, selector: JsonObject): Selector {
  const ids = readList(selector.eventTypeIds, `eventTypes.${entityType}.eventTypeIds`);
  const parents = readList(selector.parents, `eventTypes.${entityType}.parents`);
  if (!ids.every((id) => typeof id === "string") || !parents.every(isObject)) {
    throw bad(`eventTypes.${entityType} does not match the expected structure`);
  }
  const idsOf = (field: string) =>
    (parents as JsonObject[]).flatMap((parent) => parent[field] === undefined ? [] : [String(parent[field])]);
  return {
    entityType,
    ids: ids as string[],
    campaignIds: idsOf("campaignId"),
    adGroupIds: idsOf("adGroupId"),
    wholeAdvertiser: (parents as JsonObject[]).some((parent) => parent.useProfileIdAdvertiser === true),
  };
}

function readList(value: Json | undefined, name: string): Json[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > MAX_IDS) {
    throw bad(`${name} must have at most ${MAX_IDS} items`);
  }
  return value;
}

function readMoment(value: Json | undefined, name: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  throw bad(`${name} must be a moment in milliseconds since 1970`);
}

function readNumber(value: Json, name: string, { low, high }: { low: number; high: number }): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= low && value <= high) return value;
  throw bad(`${name} must be a whole number from ${low} to ${high}`);
}

function readSort(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  const { key = "DATE", direction = "DESC" } = isObject(value) ? value : { key: "" };
  if (key !== "DATE" || (direction !== "ASC" && direction !== "DESC")) {
    throw bad("sort must be {key: DATE, direction: ASC or DESC}");
  }
  return direction === "DESC";
}

function demandFields(object: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  if (unknown !== undefined) throw bad(`The noted field is not allowed with this API endpoint : ${unknown}`);
}

function bad(text: string): Error {
  return refusal(400, text, "details");
}

const TYPES = ["application/json"];

export const HISTORY_ROUTES: readonly Route[] = [{
  operation: "history:getHistory",
  method: "POST",
  path: "/history",
  requestTypes: TYPES,
  responseTypes: TYPES,
  errors: "details",
  handle: getHistory,
}];
