import { canonicalJson } from "../plans/canonical_json.ts";
import type { Resource } from "./resource.ts";
import type { Fields } from "./resource_wire.ts";

/**
 * For each new item, the ids of the entities that look as if it had been created: not archived, and equal in every
 * field that both have, texts compared without regard to case. State and id are not compared.
 */
export async function findEqual(
  resource: Resource,
  items: readonly Fields[],
  options: { signal?: AbortSignal | undefined } = {},
): Promise<string[][]> {
  const candidates = await candidatesFor(resource, items, options.signal);
  return items.map((item) =>
    candidates.filter((entity) => looksLike(resource, item, entity)).map((entity) =>
      String(entity[resource.idField])
    )
  );
}

async function candidatesFor(
  resource: Resource,
  items: readonly Fields[],
  signal?: AbortSignal,
): Promise<Fields[]> {
  const { filters } = resource.spec;
  const parent = (["adGroupIds", "campaignIds"] as const).find((filter) =>
    filters.includes(filter) && items.every((item) => typeof item[parentField(filter)] === "string")
  );
  if (parent !== undefined) {
    const ids = new Set(items.map((item) => String(item[parentField(parent)])));
    return await resource.list({ [parent]: [...ids], signal });
  }
  if (
    filters.includes("name") && items.length <= 20 && items.every((item) => typeof item["name"] === "string")
  ) {
    const lists = [];
    for (const name of new Set(items.map((item) => String(item["name"])))) {
      lists.push(await resource.list({ name, signal }));
    }
    return lists.flat();
  }
  return await resource.list({ signal });
}

function parentField(filter: "adGroupIds" | "campaignIds"): string {
  return filter.slice(0, -1);
}

function looksLike(resource: Resource, item: Fields, entity: Fields): boolean {
  const now = resource.comparable(entity);
  const shared = Object.keys(item).filter((field) => field !== "state" && now[field] !== undefined);
  return shared.length > 0 && shared.every((field) => folded(item[field]) === folded(now[field]));
}

function folded(value: unknown): string {
  return canonicalJson(value).toLowerCase();
}
