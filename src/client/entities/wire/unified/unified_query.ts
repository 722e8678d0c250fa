import { idKey } from "../../../../base/json/id_of.ts";
import { combinations } from "../../../../base/json/chunks.ts";
import type { Fields, ListQuery } from "../../model/resource_wire.ts";
import type { UnifiedField } from "./unified_field.ts";
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
