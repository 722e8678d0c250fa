import type { ApiShapes } from "./api_shapes.ts";
import { type JsonSchema, jsonSchema } from "./json_schema.ts";
import type { OperationShape, ParameterPlace } from "./operation_shape.ts";
import type { SchemaNode } from "./schema_node.ts";

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
