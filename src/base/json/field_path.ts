export function valueAt(row: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path];
  let value: unknown = row;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}(?:\.\d+)?Z$/;

/** Earliest epoch milliseconds that count as a time; smaller numbers in date fields are not times. */
const FIRST_MOMENT = Date.UTC(2000, 0);

export function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Formats targeting expressions as `TYPE=value` and times to the minute, otherwise like {@linkcode cellText}.
 *
 * @param field Path of the field; numbers in date fields may be epoch milliseconds.
 */
export function readableText(value: unknown, field = ""): string {
  if (typeof value === "number" && value > FIRST_MOMENT && /(Date|Time)$/.test(field)) {
    return readableText(new Date(value).toISOString());
  }
  if (typeof value === "string" && MOMENT.test(value)) return value.replace(MOMENT, "$1 $2Z");
  if (Array.isArray(value) && value.length > 0 && value.every(isPredicate)) {
    return value.map(({ type, value }) => value === undefined ? type : `${type}=${value}`).join(" & ");
  }
  if (Array.isArray(value) && value.every((part) => typeof part !== "object")) return value.join(", ");
  return cellText(value);
}

function isPredicate(part: unknown): part is { type: string; value?: string } {
  return typeof part === "object" && part !== null && typeof (part as { type?: unknown }).type === "string" &&
    Object.keys(part).every((name) => name === "type" || name === "value");
}
