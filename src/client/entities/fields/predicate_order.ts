import { fieldsOf } from "../../../base/json/fields_of.ts";

const FIELDS = ["expression", "resolvedExpression", "expressions"];
/** The order in which the unified family gives the parts of a target, which has no list of them. */
const ORDER = [
  "ASINCATEGORYSAMEAS",
  "ASINBRANDSAMEAS",
  "ASINAGERANGESAMEAS",
  "ASINGENRESAMEAS",
  "ASINISPRIMESHIPPINGELIGIBLE",
  "ASINPRICEGREATERTHAN",
  "ASINPRICELESSTHAN",
  "ASINPRICEBETWEEN",
  "ASINREVIEWRATINGGREATERTHAN",
  "ASINREVIEWRATINGLESSTHAN",
  "ASINREVIEWRATINGBETWEEN",
];

/**
 * An entity whose predicates come in one order, whatever wire it was read by and however it was created: the order means
 * nothing to the platform.
 */
export function inPredicateOrder<Entity extends object>(entity: Entity): Entity {
  const lists = Object.entries(entity).filter(([name, value]) =>
    FIELDS.includes(name) && Array.isArray(value) && value.length > 1
  );
  if (lists.length === 0) return entity;
  const ordered = lists.map(([name, value]) =>
    [name, (value as unknown[]).toSorted((a, b) => rankOf(a) - rankOf(b))] as const
  );
  return { ...entity, ...Object.fromEntries(ordered) };
}

function rankOf(predicate: unknown): number {
  const rank = ORDER.indexOf(String(fieldsOf(predicate)["type"]).replaceAll("_", "").toUpperCase());
  return rank === -1 ? ORDER.length : rank;
}
