/** A value of a query parameter; a list is written as one comma-separated value, as the platform reads it. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/** Writes query parameters with a leading `?`, leaving out those that are `undefined`; empty text without any. */
export function queryText(params: Readonly<Record<string, QueryValue>> = {}): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(",") : String(value);
    parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(text).replaceAll("%2C", ",")}`);
  }
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}
