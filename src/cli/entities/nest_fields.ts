import { UsageError } from "../core/cli_error.ts";

/**
 * Builds an entity from values by path: `budget.budget` becomes the field `budget` of the object `budget`.
 *
 * @throws {UsageError} when one path gives a field a value and another gives it parts.
 */
export function nestFields(values: ReadonlyMap<string, unknown>, where: string): Record<string, unknown> {
  const entity: Record<string, unknown> = {};
  for (const [path, value] of values) {
    const parts = path.split(".");
    const last = parts.pop()!;
    let at = entity;
    for (const part of parts) {
      at[part] ??= {};
      if (typeof at[part] !== "object") throw conflict(path, where);
      at = at[part] as Record<string, unknown>;
    }
    if (Object.hasOwn(at, last)) throw conflict(path, where);
    at[last] = value;
  }
  return entity;
}

function conflict(path: string, where: string): UsageError {
  return new UsageError(`Cannot use ${where}: it gives "${path}" both whole and in parts`);
}
