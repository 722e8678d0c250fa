import { fieldsOf } from "../../internal/fields_of.ts";
import type { Fields } from "./resource_wire.ts";

/** The value of a body's one field; `undefined` when it has others beside it, which would go unchecked. */
export function onlyField(body: unknown, name: string): unknown {
  const fields = fieldsOf(body);
  return Object.keys(fields).length === 1 ? fields[name] : undefined;
}

/** True for a list of records. */
export function isFieldsList(value: unknown): value is Fields[] {
  return Array.isArray(value) &&
    value.every((item) => typeof item === "object" && item !== null && !Array.isArray(item));
}
