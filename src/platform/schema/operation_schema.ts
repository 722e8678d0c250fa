import type { ApiShapes } from "./api_shapes.ts";
import type { OperationShape, ParameterPlace } from "./operation_shape.ts";
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

/** A parameter of an operation with the JSON Schema of its value. */
export interface ParameterSchema {
  /** Name of the parameter, with the neutral word in place of the platform's own. */
  readonly name: string;
  /** Place of the parameter. */
  readonly in: ParameterPlace;
  /** True when a request without it is refused. */
  readonly required: boolean;
  /** JSON Schema of its value. */
  readonly schema: JsonSchema;
}

/** Published description of an operation, as JSON Schemas of the 2020-12 edition, each of them self-contained. */
export interface OperationSchema {
  /** Parameters: path, query, header. */
  readonly parameters: readonly ParameterSchema[];
  /** Schemas of the body by media type; `null` when the operation takes none. */
  readonly body: { readonly required: boolean; readonly types: Readonly<Record<string, JsonSchema>> } | null;
  /** Schemas of a successful response by status and media type. */
  readonly responses: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  /** Schemas of the response to a failed request by status, or `default`. */
  readonly errors: Readonly<Record<string, JsonSchema>>;
  /** True if the description was read only in part, so that more may exist than it lists. */
  readonly partial: boolean;
}

export function operationSchema(shapes: ApiShapes, shape: OperationShape): OperationSchema {
  const each = (nodes: Readonly<Record<string, SchemaNode>>): Record<string, JsonSchema> =>
    Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, jsonSchema(shapes, node)]));
  const responses = Object.entries(shape.responses).map(([status, types]) => [status, each(types)]);
  return {
    parameters: shape.parameters.map(({ schema, ...parameter }) => ({
      ...parameter,
      schema: jsonSchema(shapes, schema),
    })),
    body: shape.body === undefined ? null : { required: shape.bodyRequired, types: each(shape.body) },
    responses: Object.fromEntries(responses),
    errors: each(shape.errors),
    partial: shape.partial,
  };
}
