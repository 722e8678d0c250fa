/** A query parameter that is repeated for each value. */
export interface RepeatedQueryValue {
  /** The values. */
  readonly repeated: readonly (string | number)[];
}

/**
 * A value of a query parameter. A list is written as one comma-separated value, which most of the platform expects,
 * unless it is a {@linkcode RepeatedQueryValue}.
 */
export type QueryValue =
  | string
  | number
  | boolean
  | readonly (string | number)[]
  | RepeatedQueryValue
  | undefined;

export function queryText(params: Readonly<Record<string, QueryValue>> = {}): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    if (isRepeated(value)) {
      for (const one of value.repeated) pairs.push(queryText({ [name]: one }).slice(1));
      continue;
    }
    const parts = Array.isArray(value) ? value : [value];
    if (!parts.every(isPlain)) {
      throw new TypeError(
        `Cannot send the query parameter "${name}": ${shown(value)} is no text, number, true, false or list`,
      );
    }
    const text = parts.join(",");
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text).replaceAll("%2C", ",")}`);
  }
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function isRepeated(value: NonNullable<QueryValue>): value is RepeatedQueryValue {
  return typeof value === "object" && value !== null && "repeated" in value && Array.isArray(value.repeated);
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

function shown(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function withoutQuery(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? url : url.slice(0, at);
}
