import type { Fields } from "../wire/resource_wire.ts";

/** Words that the platform writes in lower case here, and in capitals elsewhere. */
const LOWER = ["budgetType", "costType", "bidOptimization", "expressionType"];
const DAYS = ["startDate", "endDate"];

/** An item as Sponsored Display writes it: words in lower case, days without hyphens. Either spelling may be given. */
export function withSdWords(item: Fields): Fields {
  const written: Fields = {};
  for (const [field, value] of Object.entries(item)) {
    const isWord = typeof value === "string" && LOWER.includes(field);
    const isDay = typeof value === "string" && DAYS.includes(field);
    written[field] = isWord ? value.toLowerCase() : isDay ? sdDay(value) : value;
  }
  return written;
}

/** A day as Sponsored Display writes it: `20261001` for `2026-10-01`. */
function sdDay(day: string): string {
  return day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$1$2$3");
}
