import type { ApiShapes } from "./api_shapes.ts";
import { bodyShape, type OperationShape, type ParameterShape } from "./operation_shape.ts";
import type { SchemaNode } from "./schema_node.ts";
import { shapeAt, shapeTree, typeText } from "./shape_tree.ts";

/** Parts of an operation that can be described. */
export type DescribedPart = "body" | "response" | "errors";

/** How a part is described. */
export interface DescribeOptions {
  /** Media type of the body. */
  readonly contentType?: string | undefined;
  /** Way of field names from which on to describe. @default all of it */
  readonly at?: string | undefined;
  /** Most characters; what is deeper is left out. @default no limit */
  readonly limit?: number;
}

/** A part in words, and whether all of it is there. */
export interface DescribedText {
  /** The tree. */
  readonly text: string;
  /** True when fields were left out for the limit. */
  readonly isShortened: boolean;
}

/** Says the parameters of an operation, a line each: `* query count: integer, at most 100`. */
export function parameterLines(shapes: ApiShapes, { parameters }: OperationShape): string[] {
  return parameters.map((parameter: ParameterShape) => {
    const mark = parameter.required ? "* " : "";
    return `${mark}${parameter.in} ${parameter.name}: ${typeText(parameter.schema, { shapes })}`;
  });
}

/**
 * Says the shape of the body, of the successful response or of the errors as a tree; `undefined` where none is published.
 *
 * @throws {RangeError} when `at` leads to no field.
 */
export function describePart(
  shapes: ApiShapes,
  shape: OperationShape,
  part: DescribedPart,
  { contentType, at = "", limit = Infinity }: DescribeOptions = {},
): DescribedText | undefined {
  const nodes = partsOf(shape, part, contentType);
  if (nodes.length === 0) return undefined;
  const found = nodes.map((
    [title, node],
  ): [string, SchemaNode] => [title, at === "" ? node : wayTo(shapes, node, at)]);
  const direction = part === "body" ? "request" : "response";
  const write = (depth: number): string =>
    found.flatMap(([title, node]) => {
      const [first = "", ...lines] = shapeTree(shapes, node, { direction, depth });
      return [`${title}: ${first}`, ...lines];
    }).join("\n");
  const whole = write(Infinity);
  if (whole.length <= limit) return { text: whole, isShortened: false };
  for (let depth = 8; depth >= 0; depth--) {
    const text = write(depth);
    if (text.length <= limit) return { text, isShortened: true };
  }
  return { text: `${write(0).slice(0, limit - 4)} ...`, isShortened: true };
}

function partsOf(
  shape: OperationShape,
  part: DescribedPart,
  contentType: string | undefined,
): [string, SchemaNode][] {
  if (part === "body") {
    const node = bodyShape(shape, contentType);
    const required = shape.bodyRequired ? "body (required)" : "body";
    return node === undefined ? [] : [[required, node]];
  }
  if (part === "errors") return Object.entries(shape.errors);
  return Object.entries(shape.responses).flatMap(([status, types]): [string, SchemaNode][] => {
    const node = Object.values(types).at(-1);
    return node === undefined ? [] : [[status, node]];
  });
}

function wayTo(shapes: ApiShapes, node: SchemaNode, at: string): SchemaNode {
  const found = shapeAt(shapes, node, at);
  if (found === undefined) throw new RangeError(`Cannot describe "${at}": there is no such field`);
  return found;
}
