import type { ApiShapes } from "./api_shapes.ts";
import { bodyShape, type OperationShape, type ParameterShape } from "./operation_shape.ts";
import type { SchemaNode } from "./schema_node.ts";
import type { Direction } from "./check_value.ts";
import { listedValues } from "./check_scalar.ts";
import { type FlatShape, flatShape } from "./flat_shape.ts";

type DescribedPart = "body" | "response" | "errors";

interface DescribeOptions {
  readonly contentType?: string | undefined;
  readonly at?: string | undefined;
  readonly limit?: number;
}

interface DescribedText {
  readonly text: string;
  readonly isShortened: boolean;
}

export function parameterLines(shapes: ApiShapes, { parameters }: OperationShape): string[] {
  return parameters.map((parameter: ParameterShape) => {
    const mark = parameter.required ? "* " : "";
    return `${mark}${parameter.in} ${parameter.name}: ${typeText(parameter.schema, { shapes })}`;
  });
}

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

interface TreeOptions {
  readonly direction: Direction;
  readonly depth?: number;
}

interface Place {
  readonly shapes: ApiShapes;
  readonly direction: Direction;
  readonly depth: number;
  readonly indent: string;
  readonly above: readonly SchemaNode[];
}

const MAX_VALUES = 12;

function shapeTree(
  shapes: ApiShapes,
  node: SchemaNode,
  { direction, depth = Infinity }: TreeOptions,
): string[] {
  const place: Place = { shapes, direction, depth, indent: "", above: [] };
  return [typeText(node, place), ...fieldLines(node, place)];
}

function shapeAt(shapes: ApiShapes, node: SchemaNode, way: string): SchemaNode | undefined {
  let at: SchemaNode | undefined = node;
  for (const name of way.split(/[.[\]]+/).filter((part) => part !== "" && !/^\d+$/.test(part))) {
    at = objectOf(flatShape(shapes, at), shapes).fields.get(name);
    if (at === undefined) return undefined;
  }
  return at;
}

function typeText(published: SchemaNode, { shapes }: { shapes: ApiShapes }): string {
  const flat = flatShape(shapes, published);
  const [node = {}] = flat.parts;
  const types = [...flat.types].filter((type) => type !== "null");
  const suffix = flat.types.has("null") ? " or null" : "";
  const values = flat.parts.flatMap((part) => part.enum ?? (part.const === undefined ? [] : [part.const]));
  if (values.length > 0) return `${valuesText(values)}${suffix}`;
  if (flat.items !== undefined) {
    const inner = typeText(flat.items, { shapes });
    return `list${limitsText(node.minItems, node.maxItems, "of ")}${suffix}${
      inner === "object" ? "" : `: ${inner}`
    }`;
  }
  if (flat.fields.size > 0 || flat.others !== undefined) {
    return flat.fields.size === 0 && flat.others !== undefined
      ? `object of ${typeText(flat.others, { shapes })}${suffix}`
      : `object${suffix}`;
  }
  return `${types.map((type) => scalarText(type, node)).join(" or ") || "anything"}${suffix}`;
}

function scalarText(type: string, node: SchemaNode): string {
  const { format, pattern, minLength, maxLength, minimum, maximum } = node;
  if (type === "string") {
    const length = limitsText(minLength, maxLength, "of ");
    const shape = pattern === undefined ? "" : ` matching ${pattern}`;
    return `text${format === undefined ? "" : ` (${format})`}${
      length === "" ? "" : `${length} characters`
    }${shape}`;
  }
  if (type === "integer" || type === "number") return type + limitsText(minimum, maximum, "");
  return type === "boolean" ? "true or false" : type;
}

function limitsText(least: number | undefined, greatest: number | undefined, word: string): string {
  if (least !== undefined && least !== 0 && greatest !== undefined) {
    return least === greatest ? ` ${word}${least}` : ` ${word}${least} to ${greatest}`;
  }
  if (greatest !== undefined) return ` ${word}at most ${greatest}`;
  return least === undefined || (least === 0 && word !== "") ? "" : ` ${word}at least ${least}`;
}

function valuesText(values: readonly unknown[]): string {
  const listed = listedValues(values);
  if (listed !== undefined) return `one or more of ${listed.join(", ")}, joined by commas`;
  const texts = [...new Set(values.map((value) => String(value)))];
  if (texts.length === 1) return `only ${texts[0]}`;
  const shown = texts.slice(0, MAX_VALUES).join(", ");
  return `one of ${shown}${texts.length > MAX_VALUES ? ` and ${texts.length - MAX_VALUES} more` : ""}`;
}

function fieldLines(node: SchemaNode, place: Place): string[] {
  const flat = objectOf(flatShape(place.shapes, node), place.shapes);
  if (flat.fields.size === 0) return [];
  if (place.above.includes(flat.parts[0] ?? node)) return [`${place.indent}  ... as above`];
  if (place.depth <= 0) return [`${place.indent}  ... ${flat.fields.size} fields`];
  const inside: Place = {
    ...place,
    depth: place.depth - 1,
    indent: `${place.indent}  `,
    above: [...place.above, flat.parts[0] ?? node],
  };
  const shown = [...flat.fields].filter(([, field]) => place.direction === "response" || !field.readOnly);
  const order = ([name]: readonly [string, SchemaNode]): number => flat.required.has(name) ? 0 : 1;
  return shown.sort((a, b) => order(a) - order(b)).flatMap(([name, field]) => {
    const mark = flat.required.has(name) ? "* " : "";
    const remarks = [
      field.deprecated && "deprecated",
      field.default !== undefined && `default ${field.default}`,
    ];
    const tail = remarks.filter((remark) => remark).map((remark) => ` (${remark})`).join("");
    return [`${inside.indent}${mark}${name}: ${typeText(field, place)}${tail}`, ...fieldLines(field, inside)];
  });
}

function objectOf(flat: FlatShape, shapes: ApiShapes): FlatShape {
  let at = flat;
  for (let depth = 0; depth < 5 && at.fields.size === 0 && at.items !== undefined; depth++) {
    at = flatShape(shapes, at.items);
  }
  return at;
}
