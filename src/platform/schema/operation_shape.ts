import type { SchemaNode } from "./schema_node.ts";

/** Place of a request parameter. */
export type ParameterPlace = "path" | "query" | "header";

export interface ParameterShape {
  /** Name, with the neutral word in place of the platform's own. */
  readonly name: string;
  readonly in: ParameterPlace;
  /** True when required. */
  readonly required: boolean;
  readonly schema: SchemaNode;
}

export interface OperationShape {
  /** Path, query and header parameters. */
  readonly parameters: readonly ParameterShape[];
  /** Body by media type; `undefined` without one. */
  readonly body: Readonly<Record<string, SchemaNode>> | undefined;
  readonly bodyRequired: boolean;
  /** Successful responses by status and media type. */
  readonly responses: Readonly<Record<string, Readonly<Record<string, SchemaNode>>>>;
  /** Error responses by status, or `default`. */
  readonly errors: Readonly<Record<string, SchemaNode>>;
  /** True when the description was read in part; other fields may exist. */
  readonly partial: boolean;
}

/** Body of a media type, or the first described one. */
export function bodyShape(shape: OperationShape | undefined, contentType?: string): SchemaNode | undefined {
  const types = shape?.body ?? {};
  if (contentType !== undefined && Object.hasOwn(types, contentType)) return types[contentType];
  return Object.values(types)[0];
}

/** Successful response of a status and media type, if published. */
export function responseShape(
  shape: OperationShape,
  { status, contentType = "" }: { status: number; contentType?: string | null },
): SchemaNode | undefined {
  const types = shape.responses[String(status)] ?? {};
  const plain = (contentType ?? "").replace(/;.*$/, "").trim().toLowerCase();
  const [, node] = Object.entries(types).find(([type]) => type.toLowerCase() === plain) ?? [];
  return node ?? Object.values(types)[0];
}
