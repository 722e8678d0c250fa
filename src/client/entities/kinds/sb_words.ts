import type { JsonWireOptions } from "../wire/json_wire.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { FlatWireOptions } from "../wire/flat_wire.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import type { Fields } from "../model/resource_wire.ts";

/** Limits of Brands: writes and filters accept ten items, and pages contain 100. */
export const SB_LIMITS: Pick<
  JsonWireOptions,
  "idLimit" | "campaignLimit" | "adGroupLimit" | "writeLimit" | "pageSize"
> = { pageSize: 100, idLimit: 10, campaignLimit: 10, adGroupLimit: 10, writeLimit: 10 };

export const SB_STATES: Pick<ResourceSpec, "defaultStates" | "stateCase" | "settableStates"> = {
  defaultStates: ["ENABLED", "PAUSED"],
  stateCase: "upper",
  settableStates: ["ENABLED", "PAUSED"],
};

export const SB_KEYWORD_WIRE: Pick<FlatWireOptions, "writeType" | "idField" | "idFields"> = {
  writeType: "application/vnd.sbkeywordresponse.v3+json",
  idField: "keywordId",
  idFields: ["keywordId", "campaignId", "adGroupId"],
};

/** Converts predicates to the camelCase spelling of Brands: `asinSameAs` for `ASIN_SAME_AS`. */
export function withSbPredicates(item: Fields): Fields {
  const { expressions } = item;
  if (!Array.isArray(expressions)) return item;
  return {
    ...item,
    expressions: expressions.map((predicate) => {
      const { type } = fieldsOf(predicate);
      if (typeof type !== "string" || !/^[A-Z]+(?:_[A-Z]+)+$/.test(type)) return predicate;
      const written = type.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return { ...predicate, type: written };
    }),
  };
}
