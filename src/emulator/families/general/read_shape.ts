import type { SchemaNode, SchemaType } from "../../../schema/schema_node.ts";
import { isObject } from "../../core/json.ts";

const TYPES: Readonly<Record<string, SchemaType>> = {
  s: "string",
  i: "integer",
  n: "number",
  b: "boolean",
  o: "object",
};
const NESTED = ["oneOf", "anyOf", "allOf"];

/** A shape out of the short form of `catalog/schemas`; `catalog/README.md` describes that form. */
export function readShape(short: unknown): SchemaNode {
  if (typeof short === "string") return readText(short);
  if (Array.isArray(short)) {
    const [items, min, max] = short;
    return {
      type: "array",
      items: readShape(items),
      ...(typeof min === "number" ? { minItems: min } : {}),
      ...(typeof max === "number" ? { maxItems: max } : {}),
    };
  }
  return isObject(short) ? readObject(short) : {};
}

function readText(short: string): SchemaNode {
  if (short.startsWith("@")) return { ref: short.slice(1) };
  if (short.startsWith("=")) return { type: "string", enum: short.slice(1).split("|") };
  const [, letter = "", format, low, high] = /^(\w)(?::([^<]+))?(?:<(.*?)\.\.(.*?)>)?$/.exec(short) ?? [];
  const type = TYPES[letter];
  if (type === undefined) return {};
  const isText = type === "string";
  return {
    type,
    ...(format === undefined ? {} : { format }),
    ...(low ? { [isText ? "minLength" : "minimum"]: Number(low) } : {}),
    ...(high ? { [isText ? "maxLength" : "maximum"]: Number(high) } : {}),
  };
}

function readObject(short: Readonly<Record<string, unknown>>): SchemaNode {
  const { "": keywords, ...fields } = short;
  const names = Object.keys(fields);
  const rest = readKeywords(isObject(keywords) ? keywords : {});
  if (names.length === 0) return rest;
  const required = names.filter((name) => name.endsWith("!")).map((name) => name.slice(0, -1));
  const properties = names.map((name) => [name.replace(/!$/, ""), readShape(fields[name])]);
  return { type: "object", ...rest, properties: Object.fromEntries(properties), required };
}

function readKeywords(keywords: Readonly<Record<string, unknown>>): SchemaNode {
  return Object.fromEntries(
    Object.entries(keywords).filter(([name, value]) => !(name === "type" && value === "")).map(
      ([name, value]) => {
        if (name === "items" || name === "not") return [name, readShape(value)];
        if (name === "additionalProperties" && typeof value !== "boolean") return [name, readShape(value)];
        if (NESTED.includes(name) && Array.isArray(value)) return [name, value.map(readShape)];
        return [name, value];
      },
    ),
  );
}
