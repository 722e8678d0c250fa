import { EXPRESSION_FIELDS } from "../../client/entities/model/label.ts";
import type { Fields } from "../../client/entities/model/resource_wire.ts";
import { type FileKind, specOf } from "./file_kinds.ts";

/** Makes the key that distinguishes entities of one kind and parent; it is equal for a file and for the account. */
export function entityKey(kind: FileKind, fields: Fields): string {
  const { identity, parents } = specOf(kind);
  if (identity === undefined) return String(fields["name"] ?? "").trim().toLowerCase();
  const own: Fields = {};
  for (const name in fields) if (!Object.hasOwn(parents, name)) own[name] = fields[name];
  return identity(own);
}

/** Fields that are a part of {@linkcode entityKey}: what an entity of a file is found by. */
export function keyFields(kind: FileKind): string[] {
  return ["name", "keywordText", "matchType", ...EXPRESSION_FIELDS, "asin", "sku"].filter((name) =>
    name in kind.fields
  );
}

/** The identity fields that an entity may have one without the other, so that they can differ. */
export function productFields(kind: FileKind): string[] {
  return keyFields(kind).filter((name) => name === "asin" || name === "sku");
}

/** Entities in the one order that files have: by what tells them apart, then by id. */
export function inFileOrder<Entity extends { readonly key: string; readonly id: string }>(
  entities: readonly Entity[],
): Entity[] {
  return [...entities].sort((a, b) => order(a.key, b.key) || order(a.id, b.id));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
