import type { Clock } from "../../core/clock.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { refusal } from "../../http/refusal.ts";

/** The events of one entity type that a request asks for. */
export interface Selector {
  /** CAMPAIGN, KEYWORD and kin. */
  readonly entityType: string;
  /** Entities by their ids. */
  readonly ids: readonly string[];
  /** Campaigns whose entities are meant. */
  readonly campaignIds: readonly string[];
  /** Ad groups whose entities are meant. */
  readonly adGroupIds: readonly string[];
  /** True if every entity of the advertiser is meant. */
  readonly wholeAdvertiser: boolean;
}

/** A request for changes, read and checked. */
export interface HistoryQuery {
  /** Requested entities, by entity type. */
  readonly selectors: readonly Selector[];
  /** First moment, milliseconds since the epoch. */
  readonly from: number;
  /** Last moment. */
  readonly to: number;
  /** Events on a page. */
  readonly count: number;
  /** Pages to leave out at the beginning. */
  readonly pageOffset: number;
  /** True for newest first. */
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
/** A caller's "90 days ago" is a little more than that by the time it arrives, or by another clock. */
const GRACE = 10 * 60_000;

/** Reads the body; refuses one that the platform would not take. */
export function readHistoryQuery(body: Json | undefined, clock: Clock): HistoryQuery {
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
