import { catalog } from "../../platform/catalog/catalog.ts";
import type { Operation } from "../../platform/catalog/operation.ts";
import { PlatformAdsError } from "../../errors.ts";
import { PageTokens } from "../../platform/transport/page_tokens.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { type CallRequest, type CallTarget, sendCall } from "./send_call.ts";

const TOKEN_FIELDS = ["nextToken", "nextCursor", "nextPageToken", "cursor", "cursorId"];
const REQUEST_TOKENS = ["nextToken", "cursor", "nextCursor", "pageToken", "nextPageToken", "cursorId"];
const COUNTS = ["count", "maxResults", "pageSize", "limit"];
const DEFAULT_COUNT = 100;

interface Paging {
  readonly place: "body" | "query";
  readonly name: string;
  readonly count?: string;
  readonly endsEmpty?: boolean;
  readonly byIndex: boolean;
}

interface PagesRequest extends CallRequest {
  readonly maxPages?: number;
}

/**
 * @throws {TypeError} when the operation has no pages; nothing is sent.
 * @throws {PlatformAdsError} when a page brings nothing new, or `maxPages` is exceeded.
 */
export async function* callPages(
  id: string,
  { maxPages = 10_000, ...call }: PagesRequest,
  target: CallTarget,
): AsyncGenerator<unknown, void, undefined> {
  const operation = await catalog.get(id);
  const paging = await pagingOf(operation);
  const tokens = new PageTokens(`read the pages of "${operation.id}"`);
  let at: unknown = paging.byIndex ? Number(call.query?.["startIndex"] ?? 0) : undefined;
  for (let page = 0; page < maxPages; page++) {
    const { json } = await sendCall(id, withPlace(call, paging, at), target);
    yield json;
    const next = paging.byIndex ? nextIndex(json, call, { paging, at: Number(at) }) : tokenOf(json);
    if (next === undefined || (paging.endsEmpty && itemsOf(json).length === 0)) return;
    tokens.next(String(next), itemsOf(json));
    at = next;
  }
  throw new PlatformAdsError(
    `Cannot read the pages of "${operation.id}": there are more than ${maxPages}. Raise maxPages, or narrow the call`,
  );
}

async function pagingOf(operation: Operation): Promise<Paging> {
  const query = operation.query.map(({ name }) => name);
  const byQuery = REQUEST_TOKENS.find((name) => query.includes(name));
  if (byQuery !== undefined) return { place: "query", name: byQuery, byIndex: false };
  const { bodyShape, flatShape, loadApiShapes } = await import("../../platform/schema/mod.ts");
  const shapes = await loadApiShapes(operation.api);
  const body = bodyShape(shapes?.operation(operation.operationId), operation.contentType);
  const fields = shapes === undefined || body === undefined ? [] : [...flatShape(shapes, body).fields.keys()];
  const byBody = REQUEST_TOKENS.find((name) => fields.includes(name));
  if (byBody !== undefined) {
    return { place: "body", name: byBody, byIndex: false, endsEmpty: byBody === "cursorId" };
  }
  for (const [place, names] of [["query", query], ["body", fields]] as const) {
    if (!names.includes("startIndex")) continue;
    const count = COUNTS.find((name) => names.includes(name));
    return { place, name: "startIndex", byIndex: true, ...(count !== undefined && { count }) };
  }
  throw new TypeError(
    `Cannot read the pages of "${operation.id}": it takes neither a page token nor a startIndex`,
  );
}

function withPlace(call: CallRequest, { place, name, count, byIndex }: Paging, at: unknown): CallRequest {
  if (at === undefined) return call;
  const given = place === "query" ? call.query ?? {} : fieldsOf(call.body ?? {});
  const size = byIndex && count !== undefined && given[count] === undefined ? { [count]: DEFAULT_COUNT } : {};
  const value = byIndex ? Number(at) : String(at);
  if (place === "query") return { ...call, query: { ...call.query, ...size, [name]: value } };
  return { ...call, body: { ...given, ...size, [name]: value } };
}

function tokenOf(json: unknown): string | undefined {
  const fields = fieldsOf(json);
  const places = [fields, ...Object.values(fields).map(fieldsOf)];
  for (const place of places) {
    for (const name of TOKEN_FIELDS) {
      const token = place[name];
      if (typeof token === "string" && token !== "") return token;
    }
  }
  return undefined;
}

function itemsOf(json: unknown): unknown[] {
  return Array.isArray(json) ? json : Object.values(fieldsOf(json)).find(Array.isArray) ?? [];
}

function nextIndex(
  json: unknown,
  call: CallRequest,
  { paging, at }: { paging: Paging; at: number },
): number | undefined {
  const items = itemsOf(json);
  const given = paging.place === "query" ? call.query ?? {} : fieldsOf(call.body ?? {});
  const size = paging.count === undefined ? undefined : Number(given[paging.count] ?? DEFAULT_COUNT);
  if (items.length === 0 || (size !== undefined && items.length < size)) return undefined;
  return at + items.length;
}
