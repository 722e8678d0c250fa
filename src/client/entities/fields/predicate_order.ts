import { fieldsOf } from "../../../base/json/fields_of.ts";

const FIELDS = ["expression", "resolvedExpression", "expressions"];
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

/** Sorts predicates, because their order has no meaning and differs between wire formats. */
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
