import type { Fields } from "./resource_wire.ts";

/**
 * Body of a list request: the options of the list, and the caller's own filters for the rest.
 *
 * @throws {TypeError} when a filter is one that the options have set; one of the two would be dropped in silence.
 */
export function withFilters(path: string, options: Fields, filters: Fields = {}): Fields {
  const twice = Object.keys(filters).find((name) => options[name] !== undefined);
  if (twice === undefined) return { ...filters, ...options };
  throw new TypeError(
    `Cannot list ${path} by the filter "${twice}": the options of the list set it already. ` +
      "Use ids, campaignIds, adGroupIds, states, name, extended or pageSize for it",
  );
}
