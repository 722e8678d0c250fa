/** Fields whose keys are data, not field names, and so keep their spelling. */
const MAPS = new Set(["tags"]);

/**
 * Gives an entity or input in the platform's JSON: camelCase names, no `null` and no `undefined` fields. Both
 * spellings of a name are accepted on input, at every depth.
 *
 * @throws {TypeError} when it is not an object, or gives one field in both spellings with different values.
 */
export function toApi(input: unknown): Record<string, unknown> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new TypeError(
      `Cannot read an item: ${JSON.stringify(input) ?? String(input)} is not an object with fields`,
    );
  }
  return fields(input as Record<string, unknown>);
}

function fields(input: Record<string, unknown>): Record<string, unknown> {
  const output: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === null || value === undefined) continue;
    const key = camelCase(name);
    const next = MAPS.has(key) ? value : deep(value);
    if (Object.hasOwn(output, key) && JSON.stringify(output[key]) !== JSON.stringify(next)) {
      throw new TypeError(`Cannot read an item: it gives "${key}" in two spellings with different values`);
    }
    if (key !== "__proto__") output[key] = next;
  }
  return output;
}

function deep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deep);
  if (typeof value === "object" && value !== null) return fields(value as Record<string, unknown>);
  return value;
}

function camelCase(name: string): string {
  if (!name.includes("_")) return name;
  return name.replace(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
