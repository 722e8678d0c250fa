import type { SchemaNode } from "./schema_node.ts";

/** Place of a request parameter. */
export type ParameterPlace = "path" | "query" | "header";

export interface ParameterShape {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly schema: SchemaNode;
}

export interface OperationShape {
  readonly parameters: readonly ParameterShape[];
  readonly body: Readonly<Record<string, SchemaNode>> | undefined;
  readonly bodyRequired: boolean;
  readonly responses: Readonly<Record<string, Readonly<Record<string, SchemaNode>>>>;
  readonly errors: Readonly<Record<string, SchemaNode>>;
  /** True when the description was read in part; other fields may exist. */
  readonly partial: boolean;
}

export function bodyShape(shape: OperationShape | undefined, contentType?: string): SchemaNode | undefined {
  const types = shape?.body ?? {};
  if (contentType !== undefined && Object.hasOwn(types, contentType)) return types[contentType];
  return Object.values(types)[0];
}

export function responseShape(
  shape: OperationShape,
  { status, contentType = "" }: { status: number; contentType?: string | null },
): SchemaNode | undefined {
  const types = shape.responses[String(status)] ?? {};
  const plain = (contentType ?? "").replace(/;.*$/, "").trim().toLowerCase();
  const [, node] = Object.entries(types).find(([type]) => type.toLowerCase() === plain) ?? [];
  return node ?? Object.values(types)[0];
}
