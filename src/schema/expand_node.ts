import type { SchemaNode, SchemaType } from "./schema_node.ts";
import type { ShortKeywords, ShortNode, ShortObject } from "./short_node.ts";

const TYPES: Readonly<Record<string, SchemaType>> = {
  s: "string",
  i: "integer",
  n: "number",
  b: "boolean",
  o: "object",
};
const SIMPLE = /^([sinbo])(?::([^<]+))?(?:<(.*?)\.\.(.*?)>)?$/;

/**
 * Writes a shape out of its short form.
 *
 * @throws {SyntaxError} when the text is not a short form.
 */
export function expandNode(short: ShortNode): SchemaNode {
  if (typeof short === "string") return expandText(short);
  if (isList(short)) {
    const [items, min, max] = short;
    return {
      type: "array",
      items: expandNode(items),
      ...(typeof min === "number" && { minItems: min }),
      ...(max !== undefined && { maxItems: max }),
    };
  }
  return expandObject(short);
}

function isList(short: ShortNode): short is Exclude<ShortNode, string | ShortObject> {
  return Array.isArray(short);
}

function expandText(short: string): SchemaNode {
  if (short === "*") return {};
  if (short.startsWith("@")) return { ref: short.slice(1) };
  if (short.startsWith("=")) return { type: "string", enum: short.slice(1).split("|") };
  const [, letter = "", format, least, greatest] = SIMPLE.exec(short) ?? [];
  const type = TYPES[letter];
  if (type === undefined) throw new SyntaxError(`Cannot read the schema "${short}": its form is unknown`);
  const [low, high] = type === "string"
    ? ["minLength", "maxLength"] as const
    : ["minimum", "maximum"] as const;
  return {
    type,
    ...(format !== undefined && { format }),
    ...(least && { [low]: Number(least) }),
    ...(greatest && { [high]: Number(greatest) }),
  };
}

function expandObject(short: ShortObject): SchemaNode {
  const properties: Record<string, SchemaNode> = {};
  const required: string[] = [];
  let keywords: ShortKeywords = {};
  for (const [key, value] of Object.entries(short)) {
    if (key === "") {
      keywords = value as ShortKeywords;
      continue;
    }
    const name = key.endsWith("!") ? key.slice(0, -1) : key;
    if (name !== key) required.push(name);
    properties[name] = expandNode(value as ShortNode);
  }
  const expanded = expandKeywords(keywords);
  if (Object.keys(properties).length === 0) return expanded;
  const { type, ...rest } = { type: "object" as const, ...expanded };
  return {
    ...((type as string) !== "" && { type }),
    properties,
    ...(required.length > 0 && { required }),
    ...rest,
  };
}

function expandKeywords(keywords: ShortKeywords): SchemaNode {
  const entries = Object.entries(keywords).map(([name, value]): [string, unknown] => {
    if (name === "items" || name === "not") return [name, expandNode(value as ShortNode)];
    if (name === "additionalProperties" && typeof value !== "boolean") {
      return [name, expandNode(value as ShortNode)];
    }
    if (name === "oneOf" || name === "anyOf" || name === "allOf") {
      return [name, (value as ShortNode[]).map(expandNode)];
    }
    return [name, value];
  });
  return Object.fromEntries(entries);
}
