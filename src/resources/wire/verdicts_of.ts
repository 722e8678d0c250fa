import { fieldsOf } from "../../internal/fields_of.ts";

/**
 * The verdicts of a response as a list: they come as one, or for a single entity as the verdict alone. An error object
 * that does not name the entity does not say whether the write was done.
 *
 * @throws {TypeError} for any other response.
 */
export function verdictsOf(body: unknown, idField: string): unknown[] {
  if (Array.isArray(body)) return body;
  if (idField in fieldsOf(body)) return [body];
  throw new TypeError(
    `Cannot read the verdicts of a batch: the body is neither a list nor a verdict with a ${idField}`,
  );
}
