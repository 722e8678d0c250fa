import { type HttpResponse, jsonResponse } from "../../http/http_response.ts";
import type { Context } from "../../routing/context.ts";
import { isObject, type Json, type JsonObject, writeJson } from "../../core/json.ts";
import type { Predicate } from "../../entities/filter.ts";
import { isEmptyPage, positionsFrom, readPageToken, writePageToken } from "../../entities/list_entities.ts";
import { refusal } from "../../http/refusal.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { demandFilterSize, limitsOf } from "./limits.ts";
import { keptId, shown } from "./shown.ts";
import type { UnifiedKind, UnifiedSource } from "./unified_kind.ts";

const OTHERS = ["PLATFORM_DSP", "SPONSORED_TELEVISION"];
/** Positions span all collections of a kind; each collection starts at a multiple of this. */
const STRIDE = 2 ** 32;

export function queryEntities(kind: UnifiedKind, context: Context): HttpResponse {
  const { profile, body = {} } = context;
  if (!isObject(body)) throw refusal(400, "Request body must be an object");
  const { nextToken, maxResults, adProductFilter, ...filters } = body;
  const adProduct = readAdProduct(kind, adProductFilter);
  const limits = limitsOf(adProduct ?? kind.sources[0]!.adProduct, kind.entity);
  const predicates = Object.entries(filters).map(([name, value]) => {
    demandFilterSize(limits, name, value);
    return predicateOf(kind, { name, value }, profile);
  });
  const pageSize = readPageSize(maxResults, limits.page);
  const identity = `${profile.id} ${kind.entity} ${adProduct ?? ""} ${writeJson(filters)}`;
  const token = readToken(nextToken, identity);
  const page = token?.page ?? 0;
  const start = token?.position ?? 0;

  const found: JsonObject[] = [];
  let next: number | undefined = isEmptyPage(page, context) ? start : undefined;
  for (
    const { entity, position } of next === undefined
      ? entitiesFrom(kind, { adProduct, start, ids: namedIds(kind, filters, context) }, context)
      : []
  ) {
    if (!predicates.every((matches) => matches(entity))) continue;
    if (found.length === pageSize) {
      next = position;
      break;
    }
    found.push(entity);
  }
  const more = next === undefined
    ? {}
    : { nextToken: writePageToken({ page: page + 1, position: next, total: 0 }, identity) };
  return jsonResponse(200, { [kind.entity]: found, ...more }, { type: context.responseType });
}

function namedIds(kind: UnifiedKind, filters: JsonObject, context: Context): string[] | undefined {
  const filter = filters[`${kind.singular}IdFilter`];
  const include = isObject(filter) ? filter.include : undefined;
  return Array.isArray(include) ? include.map((id) => keptId(kind, String(id), context)) : undefined;
}

/** Looks up entities directly if the request names ids, so that other entities need no conversion. */
function* entitiesFrom(
  kind: UnifiedKind,
  { adProduct, start, ids }: {
    adProduct: string | undefined;
    start: number;
    ids: string[] | undefined;
  },
  { profile, quirks }: Context,
): Generator<{ entity: JsonObject; position: number }> {
  for (const [number, source] of kind.sources.entries()) {
    if ((adProduct !== undefined && source.adProduct !== adProduct) || start >= (number + 1) * STRIDE) {
      continue;
    }
    const first = number * STRIDE;
    const collection = profile.collection(source.collection);
    for (const at of positionsFrom(collection, start - first, ids)) {
      const kept = collection.at(at)!;
      if (source.shows?.(kept) === false) continue;
      const entity = shown(kind, source.toUnified(kept, profile), { profile, quirks });
      yield { entity, position: first + at };
    }
  }
}

export function demandAdProduct(
  { sources }: UnifiedKind,
  value: Json | undefined,
  where: string,
): UnifiedSource["adProduct"] {
  const adProduct = String(value ?? "");
  const known = new Set(sources.map((source) => source.adProduct));
  for (const one of known) if (one === adProduct) return one;
  const allowed = [...known, ...OTHERS].join(", ");
  throw refusal(
    400,
    `${where} includes invalid values: (${adProduct.slice(0, 40)}). Allowed values: (${allowed})`,
  );
}

export function readAdProduct(kind: UnifiedKind, filter: Json | undefined): string | undefined {
  if (kind.ofAnyProduct && filter === undefined) return undefined;
  const include = isObject(filter) ? filter.include : undefined;
  if (!Array.isArray(include) || include.length !== 1) {
    throw refusal(400, "adProductFilter must include exactly one ad product");
  }
  return demandAdProduct(kind, include[0], "adProductFilter");
}

export function predicateOf(
  kind: UnifiedKind,
  { name, value }: { name: string; value: Json | undefined },
  profile: ProfileState,
): Predicate {
  const filter = Object.hasOwn(kind.filters, name) ? kind.filters[name] : undefined;
  if (filter === undefined) {
    throw refusal(400, `The noted field is not allowed with this API endpoint : ${name}`);
  }
  return filter(value ?? null, name, profile);
}

export function readPageSize(value: Json | undefined, largest: number): number {
  if (value === undefined || value === null) return largest;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > largest) {
    throw refusal(400, `maxResults must be a whole number from 1 to ${largest}`);
  }
  return value;
}

function readToken(value: Json | undefined, identity: string): ReturnType<typeof readPageToken> {
  if (value === undefined || value === null) return undefined;
  const token = typeof value === "string" ? readPageToken(value, identity) : undefined;
  if (token === undefined) throw refusal(400, "nextToken is not valid for this request");
  return token;
}

export function pageOf<Item>(
  found: readonly Item[],
  { size, nextToken, identity }: { size: number; nextToken: Json | undefined; identity: string },
  context: Context,
): { readonly items: readonly Item[]; readonly more: JsonObject } {
  const { position: start, page } = readToken(nextToken, identity) ?? { position: 0, page: 0 };
  const end = isEmptyPage(page, context) ? start : start + size;
  const more = end < found.length
    ? { nextToken: writePageToken({ page: page + 1, position: end, total: found.length }, identity) }
    : {};
  return { items: found.slice(start, end), more };
}
