import type { ApiShapes } from "./api_shapes.ts";
import type { SchemaNode } from "./schema_node.ts";

/** A JSON Schema of the 2020-12 edition. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const EDITION = "https://json-schema.org/draft/2020-12/schema";
const OURS = new Set(["word", "wordShort", "wordEnum", "wordEnumShort", "discriminator", "explode"]);
const SHAPES = new Set(["items", "not", "additionalProperties"]);
const LISTS = new Set(["oneOf", "anyOf", "allOf"]);

export function jsonSchema(shapes: ApiShapes, node: SchemaNode): JsonSchema {
  const defs = new Map<string, JsonSchema>();
  const convert = (shape: SchemaNode): JsonSchema => {
    const entries = Object.entries(shape).filter(([name]) => !OURS.has(name)).map(([name, value]) => {
      if (name === "ref") return ["$ref", `#/$defs/${pointer(define(String(value)))}`];
      if (name === "properties") return [name, mapValues(value as Record<string, SchemaNode>, convert)];
      // What is published overlaps: a value may fit several alternatives, which oneOf would refuse.
      if (name === "oneOf" && shape.anyOf === undefined) {
        return ["anyOf", (value as SchemaNode[]).map(convert)];
      }
      if (LISTS.has(name)) return [name, (value as SchemaNode[]).map(convert)];
      if (name === "pattern") return [name, unicodePattern(String(value))];
      return SHAPES.has(name) && typeof value === "object" ? [name, convert(value)] : [name, value];
    });
    return Object.fromEntries(entries);
  };
  const define = (name: string): string => {
    if (!defs.has(name)) {
      defs.set(name, {});
      defs.set(name, convert(shapes.model(name)));
    }
    return name;
  };
  const schema = convert(node);
  return { $schema: EDITION, ...schema, ...(defs.size > 0 && { $defs: Object.fromEntries(defs) }) };
}

function mapValues(
  record: Readonly<Record<string, SchemaNode>>,
  change: (node: SchemaNode) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(record).map(([name, node]) => [name, change(node)]));
}

function pointer(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}

/** Removes needless escapes, which are errors under the `u` flag. */
function unicodePattern(pattern: string): string {
  try {
    new RegExp(pattern, "u");
    return pattern;
  } catch {
    return pattern.replace(/\\([^\w^$\\.*+?()[\]{}|/-]|_)/g, "$1");
  }
}
