import {
  readBody,
  unexpectedResponse,
  VERDICTS_UNREAD,
} from "../../../platform/transport/unexpected_response.ts";
import type { BatchResult } from "../../../platform/batch/batch_result.ts";
import { parseMultiStatus } from "../../../platform/batch/parse_multi_status.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { QueryValue } from "../../../platform/transport/query_text.ts";
import { idsKey, PageTokens } from "../../../platform/transport/page_tokens.ts";
import { archivedBy, archiveEach } from "./archive_each.ts";
import { isFieldsList, verdictsOf, withBareIds, withFilters, withTextIds } from "./bodies.ts";
import type { Fields, ListQuery, ResourceWire, SendOptions } from "../model/resource_wire.ts";
import { combinations } from "../../../base/json/chunks.ts";

export interface FlatWireOptions {
  readonly path: string;
  readonly listPath?: string;
  readonly extendedPath?: string;
  readonly listType: string;
  readonly writeType: string;
  readonly idField: string;
  readonly idFields: readonly string[];
  readonly stateLimit?: number;
  /**
   * Number of entities per page; 0 uses the platform's page size.
   *
   * @default 500
   */
  readonly pageSize?: number;
  readonly extendedFields?: readonly string[];
  readonly toCreate?: (item: Fields) => Fields;
}

/** Maximum number of filter ids per request; they are part of the URL, whose length is limited. */
const IDS_A_REQUEST = 100;
const PAGE_SIZE = 500;
const LARGEST_PAGE = 5000;

/**
 * Creates a wire with GET lists with comma-separated filters and a start index, integer ids, verdicts in request
 * order, and one DELETE per archive.
 */
export function flatWire(options: FlatWireOptions): ResourceWire {
  const { path, listType, writeType, idField, idFields, toCreate = (item: Fields) => item } = options;
  const ownPage = options.pageSize ?? PAGE_SIZE;

  async function* pages(scope: ProfileScope, query: ListQuery): AsyncGenerator<Fields[]> {
    const listPath = (query.extended ? options.extendedPath : undefined) ?? options.listPath ?? path;
    const count = query.pageSize ?? ownPage;
    const sized = count === 0 ? {} : { count };
    for (const filters of filterSets(options, query)) {
      const name = query.name === undefined ? {} : { name: query.name };
      const asked = withFilters(path, { ...filters, ...name, startIndex: 0, ...sized }, query.filters);
      const most = filters[`${idField}Filter`]?.length ?? Infinity;
      let startIndex = 0;
      let page: Fields[] = [];
      const tokens = new PageTokens(`list ${path}`, { key: idsKey });
      do {
        const params = { ...asked as Record<string, QueryValue>, startIndex };
        const response = await scope.request("GET", listPath, {
          params,
          accept: listType,
          signal: query.signal,
        });
        if (!Array.isArray(response)) {
          throw unexpectedResponse(response, `Cannot list ${path}: the platform's response is not a list`);
        }
        page = (response as Fields[]).map((entity) => fromWire(options, entity, query));
        startIndex += page.length;
        tokens.next(`startIndex ${startIndex}`, page);
        yield page;
        // A short page is not taken for the end: the platform may cut pages shorter than it was asked to.
      } while (page.length > 0 && startIndex < most);
    }
  }

  async function write(
    scope: ProfileScope,
    request: { method: string; items: readonly Fields[]; json: readonly Fields[] },
    send: SendOptions,
  ): Promise<BatchResult<Fields>> {
    const json = request.json.map((item) => withBareIds(item, idFields));
    const media = { contentType: "application/json", accept: writeType };
    const body = await scope.request(request.method, path, { json, ...media, ...send });
    return readBody(
      body,
      VERDICTS_UNREAD,
      () => parseMultiStatus(verdictsOf(body, idField), request.items, { idField }),
    );
  }

  return {
    writeLimits: { create: 100, update: 100, archive: 1 },
    listSizes: { page: ownPage === 0 ? LARGEST_PAGE : ownPage, ids: IDS_A_REQUEST },
    pages,
    create: (scope, items, send) => write(scope, { method: "POST", items, json: items.map(toCreate) }, send),
    update: (scope, items, send) => write(scope, { method: "PUT", items, json: items }, send),
    readWrite: ({ method, path: asked, json }) => {
      const archived = archivedBy({ method, path: asked }, { path, idField });
      if (archived !== undefined) return archived;
      const op = method === "POST" ? "create" : method === "PUT" ? "update" : undefined;
      if (asked !== path || op === undefined || !isFieldsList(json)) return undefined;
      return { op, items: json.map((item) => withTextIds(item, idFields)) };
    },
    archive: (scope, ids, send) => archiveEach(scope, ids, { path, accept: writeType, idField, send }),
  };
}

function filterSets(
  { idField, stateLimit = 10 }: FlatWireOptions,
  query: ListQuery,
): Partial<Record<string, string[]>>[] {
  const lists = {
    campaignIdFilter: query.campaignIds,
    adGroupIdFilter: query.adGroupIds,
    [`${idField}Filter`]: query.ids,
    stateFilter: query.states,
  };
  const limits = Object.fromEntries(Object.keys(lists).map((name) => [name, IDS_A_REQUEST]));
  return combinations<string>(lists, { ...limits, stateFilter: stateLimit });
}

function fromWire(options: FlatWireOptions, entity: Fields, { extended }: ListQuery): Fields {
  const read = withTextIds(entity, options.idFields);
  if (!extended) { for (const field of options.extendedFields ?? []) delete read[field]; }
  return read;
}
