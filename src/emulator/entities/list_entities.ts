import { isObject, type Json, type JsonObject, writeJson } from "../core/json.ts";
import { hash } from "../core/random.ts";
import { type HttpResponse, jsonResponse } from "../http/http_response.ts";
import { refusal } from "../http/refusal.ts";
import type { Context } from "../routing/context.ts";
import type { Collection } from "../state/collection.ts";
import type { EntityResource } from "./entity_resource.ts";
import { includedIds, type Predicate } from "./filter.ts";
import { Buffer } from "node:buffer";

export interface PageToken {
  /** Counted from 0. */
  readonly page: number;
  readonly position: number;
  readonly total: number;
}

/** @param list Identifies the list by profile, kind and filters. */
export function writePageToken(token: PageToken, list: string): string {
  const content = `${token.page}.${token.position}.${token.total}`;
  return Buffer.from(`${content}.${seal(content, list)}`).toString("base64url");
}

/** Parses a page token; `undefined` if it is invalid or belongs to another list. */
export function readPageToken(text: string, list: string): PageToken | undefined {
  const match = /^((\d+)\.(\d+)\.(\d+))\.(-?\d+)$/.exec(Buffer.from(text, "base64url").toString("latin1"));
  if (match === null || match[5] !== seal(match[1]!, list)) return undefined;
  return { page: Number(match[2]), position: Number(match[3]), total: Number(match[4]) };
}

function seal(content: string, list: string): string {
  return String(hash(`${content} of ${list}`));
}

const MAX_PAGE = 1000;
const TOTAL_FIELD = "totalResults";

interface ListQuery {
  readonly ids: readonly string[] | undefined;
  readonly matches: Predicate;
  readonly pageSize: number;
  readonly extended: boolean;
  readonly token: PageToken | undefined;
  readonly identity: string;
}

export function listEntities(resource: EntityResource, context: Context): HttpResponse {
  const collection = context.profile.collection(resource.kind);
  const query = readQuery(resource, context);
  const page = query.token?.page ?? 0;
  const start = query.token?.position ?? 0;
  const { found, next } = isEmptyPage(page, context)
    ? { found: [], next: start }
    : takePage(collection, query, start);
  const total = query.token?.total ?? count(collection, query);
  const nextToken = next === undefined
    ? {}
    : { nextToken: writePageToken({ page: page + 1, position: next, total }, query.identity) };
  const shown = query.extended ? found : found.map(({ extendedData: _, ...entity }) => entity);
  const value = { [resource.collection]: shown, [resource.totalField ?? TOTAL_FIELD]: total, ...nextToken };
  return jsonResponse(200, value, { type: context.responseType });
}

function readQuery(resource: EntityResource, context: Context): ListQuery {
  const { body } = context;
  if (!isObject(body)) throw refusal(400, "Request body must be an object");
  const { nextToken, maxResults, includeExtendedDataFields, ...rest } = body;
  const predicates: Predicate[] = [];
  let ids: string[] | undefined;
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined || value === null || name === "locale") continue;
    if (name === resource.idFilter.name) {
      ids = includedIds(value, name, resource.idFilter.max);
    } else {
      predicates.push(predicateOf(resource, context, { name, value }));
    }
  }
  const identity = `${context.profile.id} ${resource.kind} ${writeJson(rest)}`;
  return {
    ids,
    matches: (entity) => predicates.every((matches) => matches(entity)),
    pageSize: readPageSize(maxResults, resource.largestPage),
    extended: readFlag(includeExtendedDataFields),
    token: readToken(nextToken, identity),
    identity,
  };
}

function predicateOf(
  resource: EntityResource,
  context: Context,
  { name, value }: { name: string; value: Json },
): Predicate {
  const filter = Object.hasOwn(resource.filters, name) ? resource.filters[name] : undefined;
  if (filter === undefined) {
    throw refusal(400, `The noted field is not allowed with this API endpoint : ${name}`);
  }
  return filter(value, name, context.profile);
}

/** Reads the page size. Without a published maximum, any size is accepted, but a page has an upper limit. */
function readPageSize(value: Json | undefined, published: number | undefined): number {
  const largest = published ?? MAX_PAGE;
  if (value === undefined || value === null) return largest;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1) {
    throw refusal(400, "maxResults must be a whole number of at least 1");
  }
  if (published !== undefined && value > published) {
    throw refusal(400, `maxResults must be a whole number from 1 to ${published}`);
  }
  return Math.min(value, largest);
}

function readFlag(value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw refusal(400, "includeExtendedDataFields must be true or false");
  return value;
}

function readToken(value: Json | undefined, identity: string): PageToken | undefined {
  if (value === undefined || value === null) return undefined;
  const token = typeof value === "string" ? readPageToken(value, identity) : undefined;
  if (token === undefined) throw refusal(400, "nextToken is not valid for this request");
  return token;
}

export function isEmptyPage(page: number, { quirks, faults }: Context): boolean {
  if (faults.emptyPage) return true;
  return quirks.emptyPageEvery > 0 && page > 0 && page % quirks.emptyPageEvery === 0;
}

function takePage(
  collection: Collection,
  query: ListQuery,
  start: number,
): { found: JsonObject[]; next: number | undefined } {
  const found: JsonObject[] = [];
  for (const position of positionsFrom(collection, start, query.ids)) {
    const entity = collection.at(position)!;
    if (!query.matches(entity)) continue;
    if (found.length === query.pageSize) return { found, next: position };
    found.push(entity);
  }
  return { found, next: undefined };
}

function count(collection: Collection, query: ListQuery): number {
  let total = 0;
  for (const position of positionsFrom(collection, 0, query.ids)) {
    if (query.matches(collection.at(position)!)) total++;
  }
  return total;
}

export function positionsFrom(
  collection: Collection,
  start: number,
  ids: readonly string[] | undefined,
): Iterable<number> {
  if (ids !== undefined) return positionsOf(ids, collection).filter((position) => position >= start);
  return everyPosition(collection, Math.max(0, start));
}

function positionsOf(ids: readonly string[], collection: Collection): number[] {
  const positions = new Set(
    ids.map((id) => collection.positionOf(id)).filter((position) => position !== undefined),
  );
  return [...positions].sort((a, b) => a - b);
}

function* everyPosition(collection: Collection, start: number): Generator<number> {
  for (let position = start; position < collection.size; position++) yield position;
}
