import { fieldsOf } from "../../internal/fields_of.ts";
import type { Fields } from "../wire/resource_wire.ts";

/** Field of the predicates of targeting clauses: Brands writes it as a plural. */
export const EXPRESSION_FIELDS = ["expression", "expressions"] as const;

/** The predicates of a targeting clause; `undefined` for what is no clause. */
export function expressionOf(entity: Fields): Fields[] | undefined {
  const parts = EXPRESSION_FIELDS.map((field) => entity[field]).find(Array.isArray);
  return parts?.map(fieldsOf);
}
