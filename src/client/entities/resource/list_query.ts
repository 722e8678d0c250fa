import { isId } from "../model/check_items.ts";
import { checkList, checkOptions } from "../model/check_options.ts";
import type { ListOptions } from "../model/list_options.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { ListQuery } from "../model/resource_wire.ts";

const OPTIONS: readonly string[] = [
  "ids",
  "campaignIds",
  "adGroupIds",
  "states",
  "name",
  "nameMatch",
  "extended",
  "pageSize",
  "filters",
  "signal",
];

/**
 * Returns the query for list options; `undefined` if nothing can match, for example with an empty list of ids, so that
 * nothing is sent.
 *
 * @throws {TypeError} when an option, filter or id is invalid.
 */
export function listQuery(spec: ResourceSpec, options: ListOptions): ListQuery | undefined {
  checkOptions(options, OPTIONS, `list ${spec.kind}`);
  for (const filter of ["campaignIds", "adGroupIds", "name", "nameMatch", "extended"] as const) {
    const own = `${filter.replace(/Ids$/, "Id")}` === spec.idField;
    if (options[filter] && !own && !spec.filters.includes(filter)) {
      throw new TypeError(`Cannot list ${spec.kind} by "${filter}": this kind does not have that filter`);
    }
  }
  if (options.pageSize !== undefined && !(Number.isInteger(options.pageSize) && options.pageSize > 0)) {
    throw new RangeError(`Cannot list in pages of ${options.pageSize}: it is not a whole number above 0`);
  }
  const states = options.states === undefined ? spec.defaultStates : options.states;
  if (states !== null) checkList(states, "states");
  // `campaignIds` on campaigns themselves means their own ids.
  const ownParents = spec.idField === "campaignId"
    ? options.campaignIds
    : spec.idField === "adGroupId"
    ? options.adGroupIds
    : undefined;
  const query: ListQuery = {
    ...options,
    ids: unique(spec, intersect(options.ids, ownParents), "ids"),
    campaignIds: spec.idField === "campaignId" ? undefined : unique(spec, options.campaignIds, "campaignIds"),
    adGroupIds: spec.idField === "adGroupId" ? undefined : unique(spec, options.adGroupIds, "adGroupIds"),
    states: states === null ? null : [...new Set(states.map((state) => inCase(spec, state)))],
  };
  const lists = [query.ids, query.campaignIds, query.adGroupIds, query.states];
  return lists.some((list) => list?.length === 0) ? undefined : query;
}

function intersect(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const other = new Set(b);
  return a.filter((id) => other.has(id));
}

function unique(
  spec: ResourceSpec,
  ids: readonly string[] | undefined,
  name: string,
): string[] | undefined {
  if (ids === undefined) return undefined;
  checkList(ids, name);
  for (const id of ids) {
    if (!isId(spec, id)) {
      throw new TypeError(`Cannot filter by ${name}: ${JSON.stringify(id)} is not an id`);
    }
  }
  return [...new Set(ids)];
}

function inCase(spec: ResourceSpec, state: string): string {
  return spec.stateCase === "upper" ? state.toUpperCase() : state.toLowerCase();
}
