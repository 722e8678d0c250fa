import type { SchemaNode } from "./schema_node.ts";

/** Place of a request parameter. */
export type ParameterPlace = "path" | "query" | "header";

/** A parameter of a request. */
export interface ParameterShape {
  /** Its name, with the neutral word in place of the platform's own. */
  readonly name: string;
  readonly in: ParameterPlace;
  /** True when a request without it is refused. */
  readonly required: boolean;
  readonly schema: SchemaNode;
}

/** Published requests and responses of one operation. */
export interface OperationShape {
  /** Parameters: path, query, header. */
  readonly parameters: readonly ParameterShape[];
  /** Shape of the body by media type; `undefined` when it takes none. */
  readonly body: Readonly<Record<string, SchemaNode>> | undefined;
  /** True when a request without a body is refused. */
  readonly bodyRequired: boolean;
  /** Shape of a successful response by status and media type; none for a response without content. */
  readonly responses: Readonly<Record<string, Readonly<Record<string, SchemaNode>>>>;
  /** Shape of the response to a failed request by status, or `default`. */
  readonly errors: Readonly<Record<string, SchemaNode>>;
  /** True when its description was read in part: what it does not name may exist. */
  readonly partial: boolean;
}

/** The shape of a body of that media type, or of the first one that is described; `undefined` without any. */
export function bodyShape(shape: OperationShape | undefined, contentType?: string): SchemaNode | undefined {
  const types = shape?.body ?? {};
  if (contentType !== undefined && Object.hasOwn(types, contentType)) return types[contentType];
  return Object.values(types)[0];
}

/** The shape of a successful response of that status and media type; `undefined` where none is published. */
export function responseShape(
  shape: OperationShape,
  { status, contentType = "" }: { status: number; contentType?: string | null },
): SchemaNode | undefined {
  const types = shape.responses[String(status)] ?? {};
  const plain = (contentType ?? "").replace(/;.*$/, "").trim().toLowerCase();
  const [, node] = Object.entries(types).find(([type]) => type.toLowerCase() === plain) ?? [];
  return node ?? Object.values(types)[0];
}
