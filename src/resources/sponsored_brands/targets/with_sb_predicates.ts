import { fieldsOf } from "../../../internal/fields_of.ts";
import type { Fields } from "../../wire/resource_wire.ts";

/** An item whose predicates are written as Brands writes them: `asinSameAs` for the `ASIN_SAME_AS` of Sponsored Products. */
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
