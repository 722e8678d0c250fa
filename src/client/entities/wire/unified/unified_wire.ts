import { sameValue } from "../../../../base/json/canonical_json.ts";
import { combinations } from "../../../../base/json/chunks.ts";
import { valueAt } from "../../../../base/json/field_path.ts";
import { fieldsOf } from "../../../../base/json/fields_of.ts";
import { idKey } from "../../../../base/json/id_of.ts";
import { timeZoneOf } from "../../../../base/markets/markets.ts";
import { dayIn } from "../../../../base/time/calendar.ts";
import type { BatchError, BatchSuccess } from "../../../../platform/batch/batch_error.ts";
import { BatchResult } from "../../../../platform/batch/batch_result.ts";
import { failure } from "../../../../platform/batch/item_error.ts";
import { parseMultiStatus } from "../../../../platform/batch/parse_multi_status.ts";
import { ACCOUNT_HEADER, globalAccountId } from "../../../../platform/transport/advertiser_accounts.ts";
import type { ProfileScope, RequestOptions } from "../../../../platform/transport/profile_scope.ts";
import { readBody, VERDICTS_UNREAD } from "../../../../platform/transport/unexpected_response.ts";
import type { Fields, ListQuery, ResourceWire, SendOptions, WireProblem } from "../../model/resource_wire.ts";
import { isFieldsList, onlyField } from "../bodies.ts";
import { sendFit } from "../not_on_wire.ts";
import { tokenPages } from "../token_pages.ts";
import { FieldTable, type UnifiedField, type WirePlace } from "./unified_field.ts";
import type { UnifiedKind } from "./unified_kind.ts";

export function bodiesOf(
  kind: UnifiedKind,
  { query, wireId }: { query: ListQuery; wireId: string },
): Fields[] {
  const { limits, adProduct, filters, entity } = kind;
  const states = (query.states ?? ["ENABLED", "PAUSED", "ARCHIVED"]).map((state) => state.toUpperCase())
    .filter((state) => ["ENABLED", "PAUSED", "ARCHIVED"].includes(state));
  if (states.length === 0) return [];
  const lists = {
    [`${wireId}Filter`]: limits.ids === 0 ? undefined : query.ids,
    ...(wireId === "campaignId" || limits.campaignIds === 0 ? {} : { campaignIdFilter: query.campaignIds }),
    ...(wireId === "adGroupId" || limits.adGroupIds === 0 ? {} : { adGroupIdFilter: query.adGroupIds }),
  };
  const most = {
    campaignIdFilter: limits.campaignIds,
    adGroupIdFilter: limits.adGroupIds,
    [`${wireId}Filter`]: limits.ids,
  };
  const named = query.name === undefined ? {} : {
    nameFilter: { queryTermMatchType: `${query.nameMatch ?? "EXACT"}_MATCH`, include: [query.name] },
  };
  const own = ownFilters(kind, query.filters);
  const size = query.pageSize === undefined ? {} : { maxResults: Math.min(query.pageSize, limits.page) };
  return combinations(lists, most).map((combined) => ({
    adProductFilter: { include: [adProduct] },
    ...filters,
    ...(limits.states === 0 ? {} : { stateFilter: { include: states } }),
    ...Object.fromEntries(Object.entries(combined).map(([name, include]) => [name, { include }])),
    ...named,
    ...own,
    ...size,
  })).map((body) => refuseTwice(body, own, entity));
}

function ownFilters({ renamedFilters = {}, entity }: UnifiedKind, filters: Fields = {}): Fields {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => {
      const there = renamedFilters[name];
      if (there !== undefined) return [there, value];
      throw new TypeError(
        `Cannot list ${entity} of the unified family by "${name}": it has no such filter. ` +
          (Object.keys(renamedFilters).length === 0
            ? "Leave it out, or use the older wire, where the kind has one"
            : `Use ${Object.keys(renamedFilters).join(", ")}, or the older wire, where the kind has one`),
      );
    }),
  );
}

function refuseTwice(body: Fields, own: Fields, entity: string): Fields {
  for (const name of ["nameFilter", "stateFilter", "campaignIdFilter", "adGroupIdFilter"]) {
    if (own[name] === undefined || body[name] === own[name]) continue;
    throw new TypeError(
      `Cannot list ${entity} by the filter "${name}": the options of the list set it already`,
    );
  }
  return body;
}

export function picked(entities: Fields[], { limits, fields }: UnifiedKind, query: ListQuery): Fields[] {
  const [{ own: idField }] = fields as [UnifiedField];
  const tests: ((one: Fields) => boolean)[] = [];
  const inList = (field: string, ids: readonly string[] | undefined): void => {
    if (ids === undefined) return;
    const wanted = new Set(ids);
    tests.push((one) => wanted.has(idKey(one, field)));
  };
  if (limits.ids === 0) inList(idField, query.ids);
  if (limits.campaignIds === 0) inList("campaignId", query.campaignIds);
  if (limits.adGroupIds === 0) inList("adGroupId", query.adGroupIds);
  if (limits.states === 0 && query.states !== null) {
    const states = new Set(query.states.map((state) => state.toUpperCase()));
    tests.push((one) => states.has(String(one["state"]).toUpperCase()));
  }
  return tests.length === 0 ? entities : entities.filter((one) => tests.every((test) => test(one)));
}

const MEDIA = { contentType: "application/json", accept: "application/json" };
const AD_GROUPS_A_QUERY = 100;

export function unifiedWire(kind: UnifiedKind): ResourceWire {
  const { entity, adProduct, limits, isGlobal = false } = kind;
  const table = new FieldTable(kind.fields, kind.lacks);
  const extended = new FieldTable([...kind.fields, ...kind.extendedFields ?? []]);
  const [{ own: ownId, wire: wireId }] = kind.fields as [UnifiedField];
  const idList = `${wireId}s`;
  const group = `unified ${adProduct.toLowerCase().replaceAll("_", " ")}`;
  const [prefix, name] = kind.operations;
  const isArchivable = kind.archivable !== false;

  const addressed = async (
    scope: ProfileScope,
    signal: AbortSignal | undefined,
  ): Promise<Pick<RequestOptions, "scoped" | "headers">> =>
    isGlobal ? { scoped: false, headers: { [ACCOUNT_HEADER]: await globalAccountId(scope, signal) } } : {};

  const toWire = (
    item: Fields,
    place: WirePlace,
    op: "create" | "update",
  ): { readonly body: Fields; readonly problems: readonly WireProblem[] } => {
    const { body, problems } = table.toWire(item, place, op);
    return { body: kind.finish?.(body) ?? body, problems: [...problems, ...kind.check?.(item, op) ?? []] };
  };

  async function* pages(scope: ProfileScope, query: ListQuery): AsyncGenerator<Fields[]> {
    const place = placeOf(scope);
    const reader = query.extended ? extended : table;
    const address = await addressed(scope, query.signal);
    for (const body of bodiesOf(kind, { query, wireId })) {
      const request = (token: string | undefined, onText: ((text: string) => void) | undefined) =>
        scope.request("POST", `/adsApi/v1/query/${entity}`, {
          json: token === undefined ? body : { ...body, nextToken: token },
          ...MEDIA,
          ...address,
          idempotent: true,
          group: `${group} reads`,
          signal: query.signal,
          ...(onText ? { onText } : {}),
        });
      const path = `/adsApi/v1/query/${entity}`;
      for await (const page of tokenPages({ path, collection: entity, ahead: query.ahead, request })) {
        const own = page.filter((one) => kind.accepts?.(one) ?? true).map((one) => reader.toOwn(one, place));
        yield picked(await withCampaigns(own, scope, query.signal), kind, query);
      }
    }
  }

  async function withCampaigns(
    entities: Fields[],
    scope: ProfileScope,
    signal: AbortSignal | undefined,
  ): Promise<Fields[]> {
    if (!kind.fields.some(({ own, form }) => own === "campaignId" && form === undefined)) return entities;
    const lacking = entities.filter((one) => one["campaignId"] === undefined);
    const ids = [
      ...new Set(lacking.flatMap(({ adGroupId }) => typeof adGroupId === "string" ? adGroupId : [])),
    ];
    if (ids.length === 0) return entities;
    const campaigns = new Map<unknown, unknown>();
    const address = await addressed(scope, signal);
    // Global ad groups cannot be asked for by their ids.
    const size = isGlobal ? ids.length : AD_GROUPS_A_QUERY;
    for (let at = 0; at < ids.length; at += size) {
      const include = ids.slice(at, at + size);
      const body = {
        adProductFilter: { include: [adProduct] },
        ...(isGlobal ? kind.filters : { adGroupIdFilter: { include } }),
      };
      const path = "/adsApi/v1/query/adGroups";
      const request = (nextToken: string | undefined) =>
        scope.request("POST", path, {
          json: nextToken === undefined ? body : { ...body, nextToken },
          ...MEDIA,
          ...address,
          idempotent: true,
          group: `${group} reads`,
          signal,
        });
      for await (const page of tokenPages({ path, collection: "adGroups", request })) {
        for (const one of page) campaigns.set(one["adGroupId"], one["campaignId"]);
      }
    }
    for (const one of lacking) {
      const campaignId = campaigns.get(one["adGroupId"]);
      if (campaignId !== undefined) one["campaignId"] = campaignId;
    }
    return entities;
  }

  async function write(
    scope: ProfileScope,
    { op, items }: { op: "create" | "update"; items: readonly Fields[] },
    send: SendOptions,
  ): Promise<BatchResult<Fields>> {
    const place = placeOf(scope);
    const written = items.map((item) => toWire(item, place, op));
    return await sendFit(items, written.map(({ problems }) => problems), async (positions) => {
      const sent = positions.map((at) => items[at]!);
      const bodies = positions.map((at) => written[at]!.body);
      const started = { adProduct, ...kind.constants, ...kind.defaults?.(place) };
      const json = { [entity]: op === "create" ? bodies.map((body) => ({ ...started, ...body })) : bodies };
      const body = await scope.request("POST", `/adsApi/v1/${op}/${entity}`, {
        json,
        ...MEDIA,
        ...await addressed(scope, send.signal),
        group: `${group} writes`,
        ...send,
      });
      const result = verdicts(body, sent, place);
      return op === "create" ? result : withKeptEntries(result, sent);
    });
  }

  function verdicts(body: unknown, items: readonly Fields[], place: WirePlace): BatchResult<Fields> {
    const placed = items.length === 1 ? withPosition(body) : body;
    const result = readBody(
      body,
      VERDICTS_UNREAD,
      () => parseMultiStatus(placed, items, { idField: wireId }),
    );
    return new BatchResult(
      result.successes.map((success) => ({
        ...success,
        entity: success.entity === undefined ? undefined : table.toOwn(fieldsOf(success.entity), place),
      })),
      result.errors.map((found) => {
        const error = found.entity === undefined
          ? found
          : { ...found, entity: table.toOwn(fieldsOf(found.entity), place) };
        const field = fieldOf(error.raw, entity);
        const own = field === undefined ? undefined : table.ownField(field);
        return own === undefined || error.message.includes(own)
          ? error
          : { ...error, message: `${error.message} (${own})` };
      }),
    );
  }

  const wire: ResourceWire = {
    operations: {
      list: `${prefix}Query${name}`,
      create: `${prefix}Create${name}`,
      update: `${prefix}Update${name}`,
      ...(isArchivable ? { delete: `${prefix}Delete${name}` } : {}),
    },
    repeats: kind.repeats ?? (() => ({})),
    paths: table.paths(),
    writeLimits: { create: limits.write, update: limits.write, archive: limits.archive },
    listSizes: { page: limits.page, ids: limits.ids === 0 ? limits.page : limits.ids },
    pages,
    create: (scope, items, send) => write(scope, { op: "create", items }, send),
    update: (scope, items, send) => write(scope, { op: "update", items }, send),
    problems: (scope, item, op) => toWire(item, placeOf(scope), op).problems,
    readWrite: ({ method, path, json, headers = {} }, scope) => {
      const place = scope === undefined ? NO_PLACE : placeOf(scope);
      const namesAccount = Object.keys(headers).some((name) => /-ads-accountid$/i.test(name.trim()));
      if (method !== "POST" || namesAccount !== isGlobal) return undefined;
      if (isArchivable && path === `/adsApi/v1/delete/${entity}`) {
        const ids = onlyField(json, idList);
        if (!Array.isArray(ids)) return undefined;
        return { op: "archive", items: ids.map((id) => ({ [ownId]: String(id) })), byId: true };
      }
      const op = path === `/adsApi/v1/create/${entity}`
        ? "create"
        : path === `/adsApi/v1/update/${entity}`
        ? "update"
        : undefined;
      const items = onlyField(json, entity);
      const implied = { adProduct, ...kind.constants, ...scope && kind.defaults?.(place) };
      if (op === undefined || !isFieldsList(items)) return undefined;
      if (op === "update") {
        return {
          op,
          items: items.map((item) => unknownKept(table, item, { place, op, implied, finish: kind.finish })),
          byId: true,
        };
      }
      const ours = items.filter((item) => item["adProduct"] === adProduct && isOfKind(kind, item));
      if (ours.length === 0) return undefined;
      const isPart = ours.length < items.length;
      return {
        op,
        items: ours.map((item) => unknownKept(table, item, { place, op, implied, finish: kind.finish })),
        isPart,
      };
    },
  };
  if (!isArchivable) return wire;
  return {
    ...wire,
    archive: async (scope, ids, send) => {
      const body = await scope.request("POST", `/adsApi/v1/delete/${entity}`, {
        json: { [idList]: ids },
        ...MEDIA,
        ...await addressed(scope, send.signal),
        group: `${group} writes`,
        ...send,
      });
      return verdicts(body, ids.map((id) => ({ [ownId]: id })), placeOf(scope));
    },
  };
}

const LIST_HINT = "Read the entity, and send the entries to drop with 0 percent or an empty text";

export function placeOf(scope: ProfileScope): WirePlace {
  const { countryCode, transport } = scope;
  const timeZone = scope.timeZone ?? timeZoneOf({ countryCode });
  return {
    countryCode,
    timeZone,
    get now() {
      return transport.now();
    },
    get today() {
      return dayIn(timeZone, transport.now());
    },
  };
}

const VERDICTS: ReadonlySet<string> = new Set(["success", "error", "partialSuccess"]);

function withPosition(body: unknown): unknown {
  const lists = Object.entries(fieldsOf(body)).map(([name, list]) => [
    name,
    // Other lists are no verdicts: what they say leaves open whether the item was processed.
    VERDICTS.has(name) && Array.isArray(list)
      ? list.map((entry) => ({ index: 0, ...fieldsOf(entry) }))
      : list,
  ]);
  return Object.fromEntries(lists);
}

function fieldOf(raw: unknown, entity: string): string | undefined {
  const { errors } = fieldsOf(raw);
  const [first] = Array.isArray(errors) ? errors : [];
  const { fieldLocation } = fieldsOf(first);
  if (typeof fieldLocation !== "string") return undefined;
  const path = fieldLocation.replace(/^\$?\.?/, "").replace(new RegExp(`^${entity}\\[\\d+\\]\\.?`), "");
  return path === "" ? undefined : path;
}

function isOfKind({ constants = {}, accepts }: UnifiedKind, item: Fields): boolean {
  return ["negative", "targetType"].every((name) =>
    constants[name] === undefined || item[name] === constants[name]
  ) &&
    (accepts?.({ ...item, targetLevel: item["adGroupId"] === undefined ? "CAMPAIGN" : "AD_GROUP" }) ?? true);
}

/** Keeps unknown parts of an item under their path, so that policy checks reject them. */
function unknownKept(table: FieldTable, item: Fields, { place, op, implied, finish }: KeptParts): Fields {
  const others = table.unread(item, { place, op, finish }).filter((path) => {
    const [name = ""] = path.split(".");
    return !(name in implied && sameValue(implied[name], item[name]));
  });
  const unread = Object.fromEntries(others.map((path) => [path, valueAt(item, path) ?? null]));
  return { ...table.toOwn(item, place), ...table.emptied(item), ...unread };
}

interface KeptParts {
  readonly op: "create" | "update";
  readonly place: WirePlace;
  readonly implied: Fields;
  readonly finish: UnifiedKind["finish"];
}

const NO_PLACE: WirePlace = { countryCode: "", timeZone: "UTC", today: "", now: 0 };

/**
 * Marks updates as partial if list entries that should be gone remain. It is undocumented whether lists are replaced
 * or merged, so each returned entity is checked.
 */
function withKeptEntries(result: BatchResult<Fields>, items: readonly Fields[]): BatchResult<Fields> {
  const successes: BatchSuccess<Fields>[] = [];
  const errors: BatchError<Fields>[] = [...result.errors];
  for (const success of result.successes) {
    const { index, item, entity } = success;
    const kept = keptEntries(items[index]!, fieldsOf(entity));
    if (kept === undefined) successes.push(success);
    else {
      const what = { code: "LIST_MERGED", message: kept, hint: LIST_HINT, raw: success };
      errors.push(failure({ index, item, outcome: "partial" }, what));
    }
  }
  return new BatchResult(successes, errors);
}

function keptEntries(sent: Fields, now: Fields): string | undefined {
  const tags = fieldsOf(now["tags"]);
  const kept = sent["tags"] === undefined
    ? []
    : Object.keys(tags).filter((key) => !(key in fieldsOf(sent["tags"])));
  if (kept.length > 0) return `The platform kept tags that the update left out: ${kept.join(", ")}`;
  for (const [field, list] of LISTS) {
    const wanted = fieldsOf(sent[field])[list];
    const found = fieldsOf(now[field])[list];
    if (!Array.isArray(wanted) || !Array.isArray(found)) continue;
    const names = new Set(wanted.map((one) => fieldsOf(one)["placement"]));
    const kept = found.map(fieldsOf).filter(({ placement, percentage }) =>
      !names.has(placement) && percentage !== 0
    );
    if (kept.length === 0) continue;
    const texts = kept.map(({ placement, percentage }) => `${placement} ${percentage}%`);
    return `The platform kept placements that the update left out: ${texts.join(", ")}`;
  }
  return undefined;
}

/** Fields with lists to check. Brands is excluded because it keeps omitted placements on the older wire, too. */
const LISTS: readonly [field: string, list: string][] = [
  ["dynamicBidding", "placementBidding"],
];
