import { idOf } from "../../../base/json/id_of.ts";
import type { ListOptions } from "../model/list_options.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields } from "../model/resource_wire.ts";
import { isArchived } from "../model/identity.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { plainNumbers } from "../wire/wire_differences.ts";

/** Maximum number of names to search for; with more names, listing everything takes fewer requests. */
const MAX_NAMES = 20;

/** How {@linkcode findEqual} looks. */
export interface FindEqualOptions {
  /** True to include archived entities. @default false */
  readonly archived?: boolean | undefined;
  /** Aborts listing the candidates. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds entities with the same stable identity: parents and name, or text, expression or product. State, bid and tags
 * are ignored, because they may have changed.
 */
export async function findEqual(
  resource: EntitySource,
  items: readonly Fields[],
  options: FindEqualOptions = {},
): Promise<string[][]> {
  const all = await candidatesFor(resource, items, { signal: options.signal });
  const candidates = options.archived ? all : all.filter((entity) => !isArchived(entity));
  return items.map((item) =>
    candidates.filter((entity) => looksLike(resource, item, entity)).flatMap((entity) =>
      idOf(entity, resource.spec.idField) ?? []
    )
  );
}

/** @param options.inAnyCase Also finds names that differ only in case, which the platform treats as equal. */
export async function candidatesFor(
  resource: EntitySource,
  items: readonly Fields[],
  { signal, inAnyCase = false }: { signal?: AbortSignal | undefined; inAnyCase?: boolean },
): Promise<Fields[]> {
  const { filters } = resource.spec;
  // A default list would leave out what is only just being enabled.
  const all = { states: null, signal };
  const parent = (["adGroupIds", "campaignIds"] as const).find((filter) =>
    filters.includes(filter) && items.every((item) => typeof item[parentField(filter)] === "string")
  );
  if (parent !== undefined) {
    const ids = new Set(items.map((item) => String(item[parentField(parent)])));
    return await resource.list({ ...all, [parent]: [...ids] });
  }
  const names = new Set(items.map((item) => item["name"]));
  const areNames = [...names].every((name) => typeof name === "string");
  const filter = inAnyCase ? "nameMatch" : "name";
  if (!filters.includes(filter) || names.size > MAX_NAMES || !areNames) return await resource.list(all);
  const lists = [];
  const match = inAnyCase ? { nameMatch: "BROAD" } as const : {};
  for (const name of names) lists.push(await resource.list({ ...all, ...match, name: String(name) }));
  return lists.flat();
}

function parentField(filter: "adGroupIds" | "campaignIds"): string {
  return filter.slice(0, -1);
}

function looksLike(resource: EntitySource, item: Fields, entity: Fields): boolean {
  const { numeric, idField } = resource.spec;
  const parents = Object.keys(resource.spec.parents);
  const telling = item["name"] === undefined
    ? Object.keys(item).filter((field) => ![idField, "state", "tags", ...numeric].includes(field))
    : [...parents, "name"];
  const shared = telling.filter((field) => item[field] !== undefined && entity[field] !== undefined);
  return shared.some((field) => !parents.includes(field)) &&
    shared.every((field) => agrees(item[field], entity[field]));
}

/** Returns predicates in a normalized order and number format, which differ between wire formats. */
function inOrder(list: readonly unknown[]): readonly unknown[] {
  if (!list.every((part) => typeof fieldsOf(part)["type"] === "string")) return list;
  return list.map((part): Fields => ({ ...fieldsOf(part), value: plainNumbers(fieldsOf(part)["value"]) }))
    .sort((a, b) => `${a["type"]} ${a["value"]}` < `${b["type"]} ${b["value"]}` ? -1 : 1);
}

/** True if an entity has all the values that were sent; it may contain more. */
function agrees(wanted: unknown, found: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null || typeof found !== "object" || found === null) {
    return String(wanted).trim().toLowerCase() === String(found).trim().toLowerCase();
  }
  if (Array.isArray(wanted) || Array.isArray(found)) {
    if (!Array.isArray(wanted) || !Array.isArray(found) || wanted.length !== found.length) return false;
    const [sent, kept] = [inOrder(wanted), inOrder(found)];
    return sent.every((part, index) => agrees(part, kept[index]));
  }
  return Object.entries(wanted).every(([field, part]) => {
    const there = (found as Fields)[field];
    return part === undefined || there === undefined || agrees(part, there);
  });
}

export interface EntitySource {
  readonly spec: ResourceSpec;
  readonly profile: { profileId: string; countryCode: string };
  getMany(
    ids: readonly string[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ReadonlyMap<string, Fields>>;
  list(options?: ListOptions): Promise<Fields[]>;
}
