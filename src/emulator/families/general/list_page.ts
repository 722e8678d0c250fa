import { isObject, type Json, type JsonObject } from "../../core/json.ts";

/** A page of entities. */
interface ListPage {
  /** The entities of the page. */
  readonly entities: readonly JsonObject[];
  /** Token of the next page; absent on the last one. */
  readonly nextToken?: string;
  /** Number of entities on all pages. */
  readonly total: number;
}

const SIZES = ["maxResults", "count", "pageSize", "limit", "size"];
const TOKENS = ["nextToken", "nextPageToken", "cursor", "nextCursor", "pageToken", "token"];
const STARTS = ["startIndex", "offset"];

/** The entities that every filter of a request lets through, and of those one page. */
export function takePage(entities: readonly JsonObject[], asked: JsonObject): ListPage {
  const found = entities.filter((entity) =>
    Object.entries(asked).every(([name, value]) => passes(entity, name, value))
  );
  const start = numberOf(asked, [...TOKENS, ...STARTS]) ?? 0;
  const size = numberOf(asked, SIZES) ?? 100;
  const end = start + Math.max(1, size);
  return {
    entities: found.slice(start, end),
    ...(end < found.length ? { nextToken: String(end) } : {}),
    total: found.length,
  };
}

/**
 * True if an entity passes a filter: `stateFilter` looks at `state`, `campaignIds` at `campaignId`; other names let all
 * pass.
 */
function passes(entity: JsonObject, name: string, value: Json | undefined): boolean {
  const field = fieldOf(entity, name);
  if (field === undefined || value === undefined || value === null) return true;
  const wanted = valuesOf(value);
  if (wanted.length === 0) return true;
  return wanted.includes(String(entity[field]).toLowerCase());
}

function fieldOf(entity: JsonObject, name: string): string | undefined {
  const bare = name.replace(/Filters?$/, "").replace(/Ids$/, "Id").toLowerCase();
  const field = Object.keys(entity).find((each) => each.toLowerCase() === bare);
  const value = field === undefined ? undefined : entity[field];
  return typeof value === "object" ? undefined : field;
}

function valuesOf(value: Json): string[] {
  if (isObject(value)) return Array.isArray(value.include) ? valuesOf(value.include) : [];
  if (Array.isArray(value)) {
    return value.filter((each) => typeof each !== "object").map((each) => String(each).toLowerCase());
  }
  return String(value).split(",").map((each) => each.trim().toLowerCase());
}

function numberOf(asked: JsonObject, names: readonly string[]): number | undefined {
  const found = names.map((name) => Number(asked[name] ?? NaN)).find((number) => Number.isInteger(number));
  return found !== undefined && found >= 0 ? found : undefined;
}
