/** Fields of a JSON object by name. */
export type Fields = Record<string, unknown>;

/** The fields of a JSON value; none for a value that is not an object, so that callers need no checks. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? value as Fields : {};
}
