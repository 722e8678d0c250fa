/** Returns JSON with sorted keys, so that equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  // Nothing in such a list has keys to sort, and a plan may list a million ids.
  if (Array.isArray(value) && value.every(isPlain)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    fields.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
    return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

const PART = 1000;

/**
 * Yields {@linkcode canonicalJson} in parts, because a list of a million items exceeds the maximum string length.
 *
 * @param value An object; lists in its fields are divided.
 */
export function* canonicalParts(value: object): Generator<string> {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
  for (const [at, [key, field]] of fields.entries()) {
    yield `${at === 0 ? "{" : ","}${JSON.stringify(key)}:`;
    if (!Array.isArray(field) || field.length <= PART) {
      yield canonicalJson(field);
      continue;
    }
    for (let from = 0; from < field.length; from += PART) {
      yield `${from === 0 ? "[" : ","}${canonicalJson(field.slice(from, from + PART)).slice(1, -1)}`;
    }
    yield "]";
  }
  yield fields.length === 0 ? "{}" : "}";
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ||
    value === null;
}

export function sameValue(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b) && (a === undefined) === (b === undefined);
}
