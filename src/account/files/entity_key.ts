import { EXPRESSION_FIELDS } from "../../client/entities/model/identity.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import { type FileKind, specOf } from "./file_kinds.ts";

/** Returns a key that identifies an entity within its parent; it is the same in the file and in the account. */
export function entityKey(kind: FileKind, fields: Fields): string {
  const { identity, parents } = specOf(kind);
  if (identity === undefined) return String(fields["name"] ?? "").trim().toLowerCase();
  const own: Fields = {};
  for (const name in fields) if (!Object.hasOwn(parents, name)) own[name] = fields[name];
  return identity(own);
}

export function keyFields(kind: FileKind): string[] {
  return ["name", "keywordText", "matchType", ...EXPRESSION_FIELDS, "asin", "sku"].filter((name) =>
    name in kind.fields
  );
}

export function productFields(kind: FileKind): string[] {
  return keyFields(kind).filter((name) => name === "asin" || name === "sku");
}

export function inFileOrder<Entity extends { readonly key: string; readonly id: string }>(
  entities: readonly Entity[],
): Entity[] {
  return [...entities].sort((a, b) => order(a.key, b.key) || order(a.id, b.id));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
