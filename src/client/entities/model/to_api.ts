import { isObject } from "../../../base/json/fields_of.ts";

const MAPS = new Set(["tags"]);

/**
 * Converts an entity or input to the platform's JSON: camelCase names, no `null` and no `undefined` fields, amounts
 * without floating-point noise (0.1 + 0.2 is 0.3). Both spellings of a name are accepted, at every depth.
 *
 * @throws {TypeError} when it is not an object, gives one field in both spellings with different values, or holds a
 * `Date`.
 *
 * @example
 * ```ts
 * import { toApi } from "@platform/ads";
 *
 * console.log(toApi({ ad_group_id: "9", bid: 0.5, state: undefined })); // { adGroupId: "9", bid: 0.5 }
 * ```
 */
export function toApi(input: unknown): Record<string, unknown> {
  return apiFields(input);
}

/**
 * Converts like {@linkcode toApi}, but `null` is kept in clearable fields.
 *
 * @param clearable Paths such as `budget.endDate`.
 */
export function apiFields(input: unknown, clearable: readonly string[] = []): Record<string, unknown> {
  if (!isObject(input)) {
    throw new TypeError(
      `Cannot read an item: ${JSON.stringify(input) ?? String(input)} is not an object with fields`,
    );
  }
  return fields(input as Record<string, unknown>, clearable);
}

function fields(input: Record<string, unknown>, clearable: readonly string[]): Record<string, unknown> {
  const output: Record<string, unknown> = {};
  let renamed = false;
  for (const name of Object.keys(input)) {
    const value = input[name];
    const key = camelCase(name);
    renamed ||= key !== name;
    if (value === undefined || value === null && !clearable.includes(key)) continue;
    if (value instanceof Date) {
      throw new TypeError(`Cannot read an item: its "${key}" is a Date. Write a day as text, YYYY-MM-DD`);
    }
    const next = typeof value !== "object" || MAPS.has(key)
      ? typeof value === "number" ? withoutNoise(value) : value
      : deep(value, below(clearable, key));
    if (renamed && Object.hasOwn(output, key) && JSON.stringify(output[key]) !== JSON.stringify(next)) {
      throw new TypeError(`Cannot read an item: it gives "${key}" in two spellings with different values`);
    }
    if (key !== "__proto__") output[key] = next;
  }
  return output;
}

function below(paths: readonly string[], field: string): readonly string[] {
  if (paths.length === 0) return paths;
  return paths.flatMap((path) => path.startsWith(`${field}.`) ? [path.slice(field.length + 1)] : []);
}

function deep(value: unknown, clearable: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => deep(item, []));
  if (typeof value === "number") return withoutNoise(value);
  if (typeof value === "object" && value !== null) return fields(value as Record<string, unknown>, clearable);
  return value;
}

/** Removes binary rounding errors; numbers of up to 15 digits are unchanged. */
function withoutNoise(value: number): number {
  // Most amounts have few decimals, which is soon seen.
  if (Math.abs(value) < 1e9 && Math.round(value * 1e4) / 1e4 === value) return value;
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

export function camelCase(name: string): string {
  if (!name.includes("_")) return name;
  return name.replace(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
