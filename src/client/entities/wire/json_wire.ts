import { readBody, VERDICTS_UNREAD } from "../../../platform/transport/unexpected_response.ts";
import type { BatchResult } from "../../../platform/batch/batch_result.ts";
import { parseMultiStatus } from "../../../platform/batch/parse_multi_status.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { isFieldsList, onlyField, withFilters } from "./bodies.ts";
import type { Fields, ListQuery, ResourceWire, SendOptions } from "../model/resource_wire.ts";
import { combinations } from "../../../base/json/chunks.ts";
import { tokenPages } from "./token_pages.ts";

export interface JsonWireOptions {
  readonly path: string;
  readonly mediaType: string;
  readonly collection: string;
  readonly idFilter: string;
  readonly resultIdField: string;
  readonly idLimit?: number;
  readonly pageSize?: number;
  readonly campaignLimit?: number;
  readonly adGroupLimit?: number;
  readonly stateLimit?: number;
  readonly writeLimit?: number;
  readonly sizedPages?: boolean;
  readonly archivable?: boolean;
  readonly createPath?: (items: readonly Fields[]) => string;
  readonly toCreate?: (item: Fields) => Fields;
}

/** Creates a wire with POST lists, whose writes respond with 207 and lists of successes and errors. */
export function jsonWire(options: JsonWireOptions): ResourceWire {
  const {
    path,
    mediaType,
    collection,
    idFilter,
    resultIdField,
    writeLimit = 1000,
    toCreate = (item) => item,
  } = options;
  const media = { contentType: mediaType, accept: mediaType };

  async function* pages(scope: ProfileScope, query: ListQuery): AsyncGenerator<Fields[]> {
    for (const filters of filterSets(options, query)) {
      const body = withFilters(path, { ...filters, ...fixedFields(options, query) }, query.filters);
      const request = (token: string | undefined, onText: ((text: string) => void) | undefined) =>
        scope.request("POST", `${path}/list`, {
          json: { ...body, ...(token ? { nextToken: token } : {}) },
          ...media,
          idempotent: true,
          signal: query.signal,
          ...(onText ? { onText } : {}),
        });
      yield* tokenPages({ path, collection, ahead: query.ahead, request });
    }
  }

  async function write(
    scope: ProfileScope,
    request: { method: string; path: string; json: unknown; items: readonly Fields[] },
    options: SendOptions,
  ): Promise<BatchResult<Fields>> {
    const { method, path, json } = request;
    const body = await scope.request(method, path, { json, ...media, ...options });
    return readBody(
      body,
      VERDICTS_UNREAD,
      () => parseMultiStatus(body, request.items, { entityKey: collection, idField: resultIdField }),
    );
  }

  const wire: ResourceWire = {
    writeLimits: {
      create: writeLimit,
      update: writeLimit,
      archive: Math.min(writeLimit, options.idLimit ?? 1000),
    },
    listSizes: { page: options.pageSize ?? 1000, ids: options.idLimit ?? 1000 },
    pages,
    create: (scope, items, send) => {
      const json = { [collection]: items.map(toCreate) };
      return write(scope, { method: "POST", path: options.createPath?.(items) ?? path, json, items }, send);
    },
    update: (scope, items, send) =>
      write(scope, { method: "PUT", path, json: { [collection]: items }, items }, send),
    readWrite: ({ method, path: asked, json }) => {
      if (method === "POST" && asked === `${path}/delete`) {
        const filter = onlyField(json, idFilter);
        const ids = onlyField(filter, "include");
        if (!Array.isArray(ids)) return undefined;
        return { op: "archive", items: ids.map((id) => ({ [resultIdField]: String(id) })) };
      }
      const isCreate = asked === path || (options.createPath !== undefined && asked.startsWith(`${path}/`));
      const op = method === "PUT" && asked === path
        ? "update"
        : method === "POST" && isCreate
        ? "create"
        : undefined;
      const items = onlyField(json, collection);
      return op === undefined || !isFieldsList(items) ? undefined : { op, items };
    },
  };
  if (options.archivable === false) return wire;
  return {
    ...wire,
    archive: (scope, ids, send) => {
      const json = { [idFilter]: { include: ids } };
      const items = ids.map((id) => ({ [resultIdField]: id }));
      return write(scope, { method: "POST", path: `${path}/delete`, json, items }, send);
    },
  };
}

function filterSets(options: JsonWireOptions, query: ListQuery): Fields[] {
  const lists = {
    [options.idFilter]: query.ids,
    ...(options.idFilter === "campaignIdFilter" ? {} : { campaignIdFilter: query.campaignIds }),
    ...(options.idFilter === "adGroupIdFilter" ? {} : { adGroupIdFilter: query.adGroupIds }),
    stateFilter: query.states,
  };
  const limits = {
    campaignIdFilter: options.campaignLimit ?? 100,
    adGroupIdFilter: options.adGroupLimit ?? 100,
    [options.idFilter]: options.idLimit ?? 1000,
    stateFilter: options.stateLimit ?? 10,
  };
  return combinations(lists, limits).map((filters) =>
    Object.fromEntries(Object.entries(filters).map(([name, include]) => [name, { include }]))
  );
}

function fixedFields({ sizedPages = true }: JsonWireOptions, query: ListQuery): Fields {
  return {
    ...(query.name === undefined
      ? {}
      : { nameFilter: { queryTermMatchType: `${query.nameMatch ?? "EXACT"}_MATCH`, include: [query.name] } }),
    ...(query.extended ? { includeExtendedDataFields: true } : {}),
    ...(sizedPages && query.pageSize !== undefined ? { maxResults: query.pageSize } : {}),
  };
}
