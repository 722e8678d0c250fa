import { itemError } from "../../batch/item_error.ts";
import { BatchResult } from "../../batch/batch_result.ts";
import { parseMultiStatus } from "../../batch/parse_multi_status.ts";
import { BadRequestError, NotFoundError, PlatformAdsError, UnprocessableError } from "../../errors.ts";
import { fieldsOf } from "../../internal/fields_of.ts";
import { bareInteger } from "../../internal/json.ts";
import type { ProfileScope } from "../../transport/profile_scope.ts";
import type { QueryValue } from "../../transport/query_text.ts";
import { isFieldsList } from "../wire/read_body.ts";
import type { Fields, ListQuery, ResourceWire, SendOptions } from "../wire/resource_wire.ts";
import { combinations } from "../../internal/chunks.ts";
import { withFilters } from "../wire/with_filters.ts";

/** Where and how a kind of the third Sponsored Brands generation is served. */
export interface BrandsV3WireOptions {
  /** Path of the collection, for example `/sb/keywords`. */
  readonly path: string;
  /** Media type of a list. */
  readonly listType: string;
  /** Most states that one list request takes. @default 10 */
  readonly stateLimit?: number;
}

const WRITE_MEDIA = {
  contentType: "application/json",
  accept: "application/vnd.sbkeywordresponse.v3+json",
};
const ID_FIELDS = ["keywordId", "campaignId", "adGroupId"];
/** Ids of one filter; they travel in the address, which must not grow too long. */
const IDS_A_REQUEST = 100;
const PAGE_SIZE = 500;

/**
 * The wire of Sponsored Brands keywords: list by GET with comma filters and a start index, ids as bare integers,
 * verdicts as an array in request order, one DELETE for each archive.
 */
export function brandsV3Wire(options: BrandsV3WireOptions): ResourceWire {
  const { path, listType } = options;

  async function* pages(scope: ProfileScope, query: ListQuery): AsyncGenerator<Fields[]> {
    const count = query.pageSize ?? PAGE_SIZE;
    for (const filters of filterSets(options, query)) {
      const asked = withFilters(path, { ...filters, startIndex: 0, count }, query.filters);
      const most = filters["keywordIdFilter"]?.length ?? Infinity;
      let startIndex = 0;
      let page: Fields[] = [];
      do {
        const before = page[0]?.["keywordId"];
        const params = { ...asked as Record<string, QueryValue>, startIndex };
        const response = await scope.request("GET", path, { params, accept: listType, signal: query.signal });
        if (!Array.isArray(response)) {
          throw new PlatformAdsError(`Cannot list ${path}: the platform's response is not a list`);
        }
        page = (response as Fields[]).map(fromWire);
        if (before !== undefined && page[0]?.["keywordId"] === before) {
          throw new PlatformAdsError(`Cannot list ${path}: the platform repeats the same page`);
        }
        startIndex += page.length;
        yield page;
        // A short page is not taken for the end: the platform may cut pages shorter than it was asked to.
      } while (page.length > 0 && startIndex < most);
    }
  }

  async function write(
    scope: ProfileScope,
    request: { method: string; items: readonly Fields[] },
    options: SendOptions,
  ): Promise<BatchResult<Fields>> {
    const json = request.items.map(toWire);
    const body = await scope.request(request.method, path, { json, ...WRITE_MEDIA, ...options });
    return parseMultiStatus(verdictsOf(body), request.items, { idField: "keywordId" });
  }

  return {
    writeLimits: { create: 100, update: 100, archive: 1 },
    pages,
    create: (scope, items, send) => write(scope, { method: "POST", items }, send),
    update: (scope, items, send) => write(scope, { method: "PUT", items }, send),
    readWrite: ({ method, path: asked, json }) => {
      const id = asked.startsWith(`${path}/`) ? /^\d+$/.exec(asked.slice(path.length + 1))?.[0] : undefined;
      if (method === "DELETE" && id !== undefined) return { op: "archive", items: [{ keywordId: id }] };
      const op = method === "POST" ? "create" : method === "PUT" ? "update" : undefined;
      if (asked !== path || op === undefined || !isFieldsList(json)) return undefined;
      return { op, items: json.map(fromWire) };
    },
    archive: async (scope, ids, options) => {
      const items = ids.map((keywordId) => ({ keywordId }));
      const parts = await Promise.all(
        items.map((item, index) => archiveOne(scope, { path, item, index, options })),
      );
      return BatchResult.join(parts);
    },
  };
}

async function archiveOne(
  scope: ProfileScope,
  { path, item, index, options }: {
    path: string;
    item: { keywordId: string };
    index: number;
    options: SendOptions;
  },
): Promise<BatchResult<Fields>> {
  try {
    const body = await scope.request("DELETE", `${path}/${item.keywordId}`, {
      accept: WRITE_MEDIA.accept,
      ...options,
    });
    return parseMultiStatus(verdictsOf(body ?? { code: "SUCCESS", ...item }), [item], {
      idField: "keywordId",
      offset: index,
    });
  } catch (error) {
    const isVerdict = error instanceof NotFoundError || error instanceof BadRequestError ||
      error instanceof UnprocessableError;
    if (!isVerdict) throw error;
    const code = error instanceof NotFoundError ? "NOT_FOUND" : error.code ?? `HTTP_${error.statusCode}`;
    return new BatchResult([], [itemError({ code, description: error.message }, { index, item })]);
  }
}

function filterSets(
  options: BrandsV3WireOptions,
  query: ListQuery,
): Partial<Record<string, string[]>>[] {
  const lists = {
    keywordIdFilter: query.ids,
    campaignIdFilter: query.campaignIds,
    adGroupIdFilter: query.adGroupIds,
    stateFilter: query.states,
  };
  return combinations(lists, {
    keywordIdFilter: IDS_A_REQUEST,
    campaignIdFilter: IDS_A_REQUEST,
    adGroupIdFilter: IDS_A_REQUEST,
    stateFilter: options.stateLimit ?? 10,
  });
}

/**
 * The verdicts of a response as a list: they come as one, or for a single keyword as the verdict alone. An error object
 * that does not name the keyword does not say whether the write was done.
 *
 * @throws {TypeError} for any other response.
 */
function verdictsOf(body: unknown): unknown[] {
  if (Array.isArray(body)) return body;
  const fields = fieldsOf(body);
  if ("keywordId" in fields) return [body];
  throw new TypeError(
    "Cannot read the verdicts of a batch: the body is neither a list nor a verdict on a keyword",
  );
}

function toWire(item: Fields): Fields {
  const wire = { ...item };
  for (const field of ID_FIELDS) {
    if (wire[field] !== undefined) wire[field] = bareInteger(String(wire[field]));
  }
  return wire;
}

function fromWire(entity: Fields): Fields {
  const read = { ...entity };
  for (const field of ID_FIELDS) if (read[field] !== undefined) read[field] = String(read[field]);
  return read;
}
