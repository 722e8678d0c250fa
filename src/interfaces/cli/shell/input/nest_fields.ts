import { UsageError } from "../errors/cli_error.ts";

/**
 * Builds an entity from values by path: `budget.budget` becomes the field `budget` of the object `budget`.
 *
 * @throws {UsageError} when one path gives a field a value and another gives it parts.
 */
export function nestFields(values: Iterable<readonly [path: string, value: unknown]>, where: string): Fields {
  const entity: Fields = {};
  for (const [path, value] of values) setField(entity, path.split("."), { value, where });
  return entity;
}

export type Fields = Record<string, unknown>;

/**
 * Sets one value in an entity.
 *
 * @throws {UsageError} when another path gave the field a value, or parts of one.
 */
export function setField(
  entity: Fields,
  path: readonly string[],
  { value, where }: { value: unknown; where: string },
): void {
  let at = entity;
  for (const part of path.slice(0, -1)) {
    const inner = at[part] ??= {};
    if (!isFields(inner)) throw conflict(path, where);
    at = inner;
  }
  const last = path.at(-1)!;
  if (Object.hasOwn(at, last)) throw conflict(path, where);
  at[last] = value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function conflict(path: readonly string[], where: string): UsageError {
  return new UsageError(`Cannot use ${where}: it gives "${path.join(".")}" both whole and in parts`);
}
