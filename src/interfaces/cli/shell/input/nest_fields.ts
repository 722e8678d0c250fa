import { UsageError } from "../io/cli_error.ts";

/**
 * `budget.budget` becomes the field `budget` of the object `budget`.
 *
 * @throws {UsageError} when a path is both a value and an object.
 */
export function nestFields(values: Iterable<readonly [path: string, value: unknown]>, where: string): Fields {
  const entity: Fields = {};
  for (const [path, value] of values) setField(entity, path.split("."), { value, where });
  return entity;
}

export type Fields = Record<string, unknown>;

export function setField(
  entity: Fields,
  path: readonly string[],
  { value, where }: { value: unknown; where: string },
): void {
  let at = entity;
  for (const part of path.slice(0, -1)) {
    const inner = at[part] ??= {};
    if (!holdsFields(inner)) throw conflict(path, where);
    at = inner;
  }
  const last = path.at(-1)!;
  if (Object.hasOwn(at, last)) throw conflict(path, where);
  at[last] = value;
}

function holdsFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function conflict(path: readonly string[], where: string): UsageError {
  return new UsageError(`Cannot use ${where}: it gives "${path.join(".")}" both whole and in parts`);
}
