import type {
  StandardSchemaWithJSON,
  Tool as ProtocolTool,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import type * as z from "zod";

export type ToolDefinition = ProtocolTool;

interface ToolConfig {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: StandardSchemaWithJSON;
  readonly outputSchema: StandardSchemaWithJSON;
  readonly annotations: ToolAnnotations;
}

/** Tools are hidden from callers without their scope, so the list depends on the caller. */
export function toolDefinition(
  name: string,
  { title, description, inputSchema, outputSchema, annotations }: ToolConfig,
): ToolDefinition {
  return {
    name,
    title,
    description,
    inputSchema: { ...jsonSchemaOf(inputSchema, "input"), type: "object" },
    annotations,
    outputSchema: { ...jsonSchemaOf(outputSchema, "output"), type: "object" },
  };
}

export function jsonSchemaOf(
  schema: StandardSchemaWithJSON,
  side: "input" | "output",
): Record<string, unknown> {
  return schema["~standard"].jsonSchema[side]({ target: "draft-2020-12" });
}

type JsonSchema = Record<string, unknown>;

/**
 * Removes schema parts that only cost agents tokens; the same values stay valid.
 *
 * @param rare Arguments to omit.
 */
export function leanSchema<Schema extends z.ZodObject>(
  schema: Schema,
  rare: readonly string[] = [],
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const standard = schema["~standard"] as StandardSchemaWithJSON<
    z.input<Schema>,
    z.output<Schema>
  >["~standard"];
  const { input, output } = standard.jsonSchema;
  return {
    "~standard": {
      ...standard,
      jsonSchema: {
        input: once((options) => {
          // Arguments that there are not are refused all the same.
          const { additionalProperties: _, ...schema } = lean(input(options)) as JsonSchema;
          if (rare.length === 0 || options.libraryOptions?.["types"] === true) return schema;
          const all = Object.entries(schema["properties"] ?? {});
          return { ...schema, properties: Object.fromEntries(all.filter(([name]) => !rare.includes(name))) };
        }),
        // An answer may say more than it promises: clients must not refuse it for that.
        output: once((options) => {
          const schema = lean(output(options)) as JsonSchema;
          return options.libraryOptions?.["types"] === true ? schema : open(schema);
        }),
      },
    },
  };
}

/** Cached, because every HTTP request creates a server that converts its schemas again. */
function once<Options extends object>(convert: (options: Options) => JsonSchema): typeof convert {
  const known = new Map<string, JsonSchema>();
  return (options) => {
    const key = JSON.stringify(options);
    let schema = known.get(key);
    if (schema === undefined) known.set(key, schema = convert(options));
    return schema;
  };
}

/** Accepts any arguments, because the SDK would reject invalid ones without logging; the tool validates them itself. */
export function uncheckedSchema<Input, Output>(
  schema: StandardSchemaWithJSON<Input, Output>,
): StandardSchemaWithJSON<Input, Input> {
  const validate = (value: unknown) => ({ value: value as Input });
  return { "~standard": { ...schema["~standard"], types: undefined, validate } };
}

function open({ additionalProperties: _, required, ...schema }: JsonSchema): JsonSchema {
  // What a field of an answer is, an agent sees in the answer; the names of those that are always there are enough.
  const names = Array.isArray(required) ? required.map(String) : Object.keys(schema["properties"] ?? {});
  return { ...schema, properties: Object.fromEntries(names.map((name) => [name, {}])) };
}

function lean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lean);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name, field]) => !saysNothing(name, field));
  return Object.fromEntries(kept.map(([name, field]) => leanField(name, field)));
}

/** Uses only forms that all clients support: a single type, and `enum` instead of `const`. */
function leanField(name: string, value: unknown): [string, unknown] {
  if (name === "type" && Array.isArray(value)) return [name, value[0]];
  if (name === "const" && typeof value !== "object") return ["enum", [value]];
  return [name, lean(value)];
}

function saysNothing(name: string, value: unknown): boolean {
  switch (name) {
    case "$schema":
      return typeof value === "string";
    case "propertyNames":
      return JSON.stringify(value) === '{"type":"string"}';
    case "additionalProperties":
      return JSON.stringify(value) === "{}";
    case "default":
      return value === 0;
    case "minimum":
      return typeof value === "number" && value <= 1;
    // Some clients refuse a schema for them.
    case "format":
    case "pattern":
      return typeof value === "string";
    case "maximum":
    case "minItems":
    case "maxItems":
    case "minLength":
    case "maxLength":
      return typeof value === "number";
    default:
      return false;
  }
}
