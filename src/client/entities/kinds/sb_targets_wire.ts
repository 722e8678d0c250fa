import { idKey } from "../../../base/json/id_of.ts";
import { readBody, VERDICTS_UNREAD } from "../../../platform/transport/unexpected_response.ts";
import type { BatchResult } from "../../../platform/batch/batch_result.ts";
import { parseMultiStatus } from "../../../platform/batch/parse_multi_status.ts";
import { NotFoundError, PlatformAdsError } from "../../../errors.ts";
import { combinations } from "../../../base/json/chunks.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { bareInteger } from "../../../base/json/json.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { archivedBy, archiveEach } from "../wire/archive_each.ts";
import { isFieldsList, onlyField, withBareIds, withFilters, withTextIds } from "../wire/bodies.ts";
import type { Fields, ListQuery, ResourceWire, SendOptions } from "../model/resource_wire.ts";
import { tokenPages } from "../wire/token_pages.ts";

export interface SbTargetsWireOptions {
  readonly path: string;
  readonly collection: string;
  readonly types: {
    readonly list: string;
    readonly one: string;
    readonly create: string;
    readonly update: string;
    readonly archive: string;
  };
  readonly bareAdGroupIds?: boolean;
}

const ID_FIELD = "targetId";
const ID_FIELDS = [ID_FIELD, "campaignId", "adGroupId"];
const AT_ONCE = 100;
const PAGE_SIZE = 5000;
/** Maximum number of targets to read one by one; with more, listing everything takes fewer requests. */
const MAX_ONE_BY_ONE = 20;

/**
 * Creates the wire of Brands targets. Lists have no id filter, so targets are read one by one. Writes return separate
 * lists of successes and errors, and each archive is a separate DELETE.
 */
export function sbTargetsWire(options: SbTargetsWireOptions): ResourceWire {
  const { path, collection } = options;
  const typeOf = (name: keyof SbTargetsWireOptions["types"]): string =>
    `application/vnd.${options.types[name]}+json`;

  async function* lists(scope: ProfileScope, query: ListQuery): AsyncGenerator<Fields[]> {
    for (const filters of filterSets(options, query)) {
      const body = {
        maxResults: query.pageSize ?? PAGE_SIZE,
        filters: Object.entries(withFilters(path, filters, query.filters)).map(([filterType, values]) => ({
          filterType,
          values,
        })),
      };
      const request = (token: string | undefined, onText: ((text: string) => void) | undefined) =>
        scope.request("POST", `${path}/list`, {
          json: { ...body, ...(token ? { nextToken: token } : {}) },
          contentType: "application/json",
          accept: typeOf("list"),
          idempotent: true,
          signal: query.signal,
          ...(onText ? { onText } : {}),
        });
      yield* tokenPages({ path, collection, ahead: query.ahead, request });
    }
  }

  async function* pages(scope: ProfileScope, query: ListQuery): AsyncGenerator<Fields[]> {
    const { ids } = query;
    if (ids === undefined || ids.length > MAX_ONE_BY_ONE || query.filters !== undefined) {
      const wanted = ids === undefined ? undefined : new Set<unknown>(ids);
      for await (const page of lists(scope, query)) {
        const read = page.map(fromWire);
        yield wanted === undefined ? read : read.filter((target) => wanted.has(target[ID_FIELD]));
      }
      return;
    }
    const one = { accept: typeOf("one"), signal: query.signal };
    const found = await Promise.all(ids.map((id) => readOne(scope, { path: `${path}/${id}`, ...one })));
    yield found.flat().filter((target) => matches(target, query));
  }

  async function write(
    scope: ProfileScope,
    { op, items }: { op: "create" | "update"; items: readonly Fields[] },
    send: SendOptions,
  ): Promise<BatchResult<Fields>> {
    const body = await scope.request(op === "create" ? "POST" : "PUT", path, {
      json: { [collection]: items.map((item) => withBareIds(item, ID_FIELDS)) },
      contentType: "application/json",
      accept: typeOf(op),
      ...send,
    });
    return readBody(
      body,
      VERDICTS_UNREAD,
      () => parseMultiStatus(verdicts(body, op), items, { idField: ID_FIELD }),
    );
  }

  return {
    writeLimits: { create: AT_ONCE, update: AT_ONCE, archive: 1 },
    listSizes: { page: PAGE_SIZE, ids: 1 },
    pages,
    create: (scope, items, send) => write(scope, { op: "create", items }, send),
    update: (scope, items, send) => write(scope, { op: "update", items }, send),
    readWrite: ({ method, path: asked, json }) => {
      const archived = archivedBy({ method, path: asked }, { path, idField: ID_FIELD });
      if (archived !== undefined) return archived;
      const op = method === "POST" ? "create" : method === "PUT" ? "update" : undefined;
      const items = onlyField(json, collection);
      if (asked !== path || op === undefined || !isFieldsList(items)) return undefined;
      return { op, items: items.map((item) => withTextIds(item, ID_FIELDS)) };
    },
    archive: (scope, ids, send) =>
      archiveEach(scope, ids, { path, accept: typeOf("archive"), idField: ID_FIELD, send }),
  };
}

async function readOne(
  scope: ProfileScope,
  { path, ...options }: { path: string; accept: string; signal: AbortSignal | undefined },
): Promise<Fields[]> {
  try {
    const target = fieldsOf(await scope.request("GET", path, options));
    if (ID_FIELD in target) return [fromWire(target)];
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
  throw new PlatformAdsError(`Cannot read ${path}: the platform's response holds no "${ID_FIELD}"`);
}

function fromWire(target: Fields): Fields {
  const read = withTextIds(target, ID_FIELDS);
  for (const field of ["expressions", "resolvedExpressions"]) {
    const value = read[field];
    if (value !== undefined && !Array.isArray(value)) read[field] = [value];
  }
  return read;
}

function matches(target: Fields, { states, campaignIds, adGroupIds }: ListQuery): boolean {
  const isIn = (field: string, values: readonly string[] | null | undefined): boolean =>
    values === null || values === undefined || values.includes(idKey(target, field));
  return isIn("state", states) && isIn("campaignId", campaignIds) && isIn("adGroupId", adGroupIds);
}

function filterSets({ bareAdGroupIds = false }: SbTargetsWireOptions, query: ListQuery): Fields[] {
  const lists = {
    CAMPAIGN_ID: query.campaignIds,
    AD_GROUP_ID: query.adGroupIds,
    TARGETING_STATE: query.states,
  };
  const limits = { CAMPAIGN_ID: AT_ONCE, AD_GROUP_ID: AT_ONCE, TARGETING_STATE: AT_ONCE };
  return combinations<string>(lists, limits).map((filters) =>
    bareAdGroupIds && filters["AD_GROUP_ID"] !== undefined
      ? { ...filters, AD_GROUP_ID: filters["AD_GROUP_ID"].map(bareInteger) }
      : filters
  );
}

function verdicts(body: unknown, op: "create" | "update"): Fields {
  const fields = fieldsOf(body);
  const read: Fields = {};
  for (const [name, list] of [["success", "Success"], ["error", "Error"]] as const) {
    const entries = fields[`${op}Target${list}Results`];
    if (!Array.isArray(entries)) continue;
    read[name] = entries.map((entry) => ({
      ...fieldsOf(entry),
      index: fieldsOf(entry)["targetRequestIndex"],
    }));
  }
  return read;
}
