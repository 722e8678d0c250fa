import type { SchemaNode } from "../../../src/platform/schema/schema_node.ts";

/** Names of models as names of types. */
export type TypeNames = (model: string) => string;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * Writes a shape as a type. Enumerations stay open, as the platform adds values; an integer may be a text, as one past 2^53
 * is read as such; what only responses hold is optional, as requests use the same models.
 */
export function typeText(node: SchemaNode, names: TypeNames): string {
  const parts = [ownText(node, names), ...(node.allOf ?? []).map((part) => typeText(part, names))];
  const alternatives = [...node.oneOf ?? [], ...node.anyOf ?? []].map((one) => typeText(one, names));
  if (alternatives.length > 0) parts.push(union(alternatives));
  const known = parts.filter((part) => part !== "unknown" && part !== "");
  return known.length === 0
    ? "unknown"
    : known.length === 1
    ? known[0] ?? "unknown"
    : known.map(grouped).join(" & ");
}

function ownText(node: SchemaNode, names: TypeNames): string {
  if (node.ref !== undefined) return names(node.ref);
  const values = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  if (values !== undefined) return enumText(values);
  const types = [node.type ?? []].flat();
  if (types.length === 0) return node.properties === undefined ? "" : objectText(node, names);
  return union(types.map((type) => {
    switch (type) {
      case "object":
        return objectText(node, names);
      case "array":
        return `${grouped(typeText(node.items ?? {}, names))}[]`;
      case "integer":
        return "number | string";
      default:
        return type;
    }
  }));
}

function enumText(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value));
  const isText = values.some((value) => typeof value === "string");
  return union([...texts, ...(isText ? ["Open"] : [])]);
}

function objectText(
  { properties = {}, required = [], additionalProperties: others }: SchemaNode,
  names: TypeNames,
): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = IDENTIFIER.test(name) ? name : JSON.stringify(name);
    const isRequired = required.includes(name) && !field.readOnly;
    return `${key}${isRequired ? "" : "?"}: ${typeText(field, names)}`;
  });
  const rest = others === undefined || others === false
    ? undefined
    : `{ [name: string]: ${others === true ? "unknown" : typeText(others, names)} }`;
  if (fields.length === 0) {
    return rest ?? (others === false ? "Record<string, never>" : "{ [name: string]: unknown }");
  }
  const own = `{ ${fields.join("; ")} }`;
  return rest === undefined ? own : `${own} & ${rest}`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].map((type) => type.includes(" & ") ? grouped(type) : type).join(" | ");
}

function grouped(type: string): string {
  return /[|&]/.test(type) && !/^\{[^{}]*\}$/.test(type) ? `(${type})` : type;
}
