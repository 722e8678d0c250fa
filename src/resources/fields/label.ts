import type { Fields } from "../wire/resource_wire.ts";

/** Label of an entity with a name. */
export function nameLabel(entity: Fields): string {
  return String(entity["name"] ?? "");
}

/** Label of a keyword: its text and match type. */
export function keywordLabel(entity: Fields): string {
  return `"${entity["keywordText"] ?? ""}" (${entity["matchType"] ?? "?"})`;
}

/** Label of a targeting clause: its predicates. */
export function targetLabel(entity: Fields): string {
  const expression = entity["expression"];
  if (!Array.isArray(expression)) return "";
  return expression.map((part: Fields) =>
    part["value"] === undefined ? part["type"] : `${part["type"]}=${part["value"]}`
  )
    .join(" and ");
}

/** Label of an ad that shows one product. */
export function productLabel(entity: Fields): string {
  return String(entity["asin"] ?? entity["sku"] ?? "");
}
