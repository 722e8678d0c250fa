import type { OperationShape, ParameterPlace, ParameterShape } from "./operation_shape.ts";
import type { SchemaNode, SchemaType } from "./schema_node.ts";

export type ShortKeywords = Readonly<Record<string, unknown>>;

type ShortList = readonly [items: ShortNode, min?: number | null, max?: number];

export type ShortObject = { readonly [name: string]: ShortNode | ShortKeywords };

/**
 * Compact shape in `catalog/schemas`. Text stands for a simple shape: `*` any value, `@Name` a model, `=A|B` one of
 * these texts, `s i n b o` a text, integer, number, boolean or object, optionally followed by `:format` and
 * `<min..max>` (for text, its length).
 */
export type ShortNode = string | ShortList | ShortObject;

export interface ShortOperation {
  readonly p?: Readonly<Record<string, ShortObject>>;
  readonly b?: Readonly<Record<string, ShortNode>>;
  readonly br?: 1;
  readonly r?: Readonly<Record<string, Readonly<Record<string, ShortNode>>>>;
  readonly e?: number;
  readonly partial?: 1;
}

export interface ShortApi {
  readonly format: number;
  readonly api: string;
  readonly models: Readonly<Record<string, ShortNode>>;
  readonly errors: readonly Readonly<Record<string, ShortNode>>[];
  readonly operations: Readonly<Record<string, ShortOperation>>;
}

const PLACES: readonly ParameterPlace[] = ["path", "query", "header"];

export class ApiShapes {
  readonly api: string;
  readonly #data: ShortApi;
  readonly #shared: Readonly<Record<string, ShortNode>>;
  readonly #models = new Map<string, SchemaNode>();
  readonly #operations = new Map<string, OperationShape>();

  constructor(data: ShortApi, shared: Readonly<Record<string, ShortNode>> = {}) {
    this.api = data.api;
    this.#data = data;
    this.#shared = shared;
  }

  get operationNames(): string[] {
    return Object.keys(this.#data.operations);
  }

  model(name: string): SchemaNode {
    const known = this.#models.get(name);
    if (known !== undefined) return known;
    const short = own(this.#data.models, name) ?? own(this.#shared, name);
    if (short === undefined) {
      throw new RangeError(`Cannot read the schemas of "${this.api}": the model "${name}" is missing`);
    }
    const node = expandNode(short);
    this.#models.set(name, node);
    return node;
  }

  resolve(node: SchemaNode): SchemaNode {
    let at = node;
    for (let depth = 0; at.ref !== undefined; depth++) {
      if (depth > 20) {
        throw new RangeError(`Cannot read the schemas of "${this.api}": "${at.ref}" is a circle`);
      }
      at = this.model(at.ref);
    }
    return at;
  }

  operation(name: string): OperationShape | undefined {
    const known = this.#operations.get(name);
    if (known !== undefined) return known;
    const short = own(this.#data.operations, name);
    if (short === undefined) return undefined;
    const shape = this.#expand(short);
    this.#operations.set(name, shape);
    return shape;
  }

  #expand({ p = {}, b, br, r = {}, e, partial }: ShortOperation): OperationShape {
    return {
      parameters: PLACES.flatMap((place) => parametersIn(place, own(p, place))),
      body: b === undefined ? undefined : expandEach(b),
      bodyRequired: br === 1,
      responses: mapValues(r, expandEach),
      errors: expandEach((e === undefined ? undefined : this.#data.errors[e]) ?? {}),
      partial: partial === 1,
    };
  }
}

function parametersIn(place: ParameterPlace, short: ShortObject = {}): ParameterShape[] {
  const { properties = {}, required = [] } = expandNode(short);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }));
}

function expandEach(shorts: Readonly<Record<string, ShortNode>>): Readonly<Record<string, SchemaNode>> {
  return mapValues(shorts, expandNode);
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

const TYPES: Readonly<Record<string, SchemaType>> = {
  s: "string",
  i: "integer",
  n: "number",
  b: "boolean",
  o: "object",
};
const SIMPLE = /^([sinbo])(?::([^<]+))?(?:<(.*?)\.\.(.*?)>)?$/;

export function expandNode(short: ShortNode): SchemaNode {
  if (typeof short === "string") return expandText(short);
  if (isList(short)) {
    const [items, min, max] = short;
    return {
      type: "array",
      items: expandNode(items),
      ...(typeof min === "number" && { minItems: min }),
      ...(max !== undefined && { maxItems: max }),
    };
  }
  return expandObject(short);
}

function isList(short: ShortNode): short is Exclude<ShortNode, string | ShortObject> {
  return Array.isArray(short);
}

function expandText(short: string): SchemaNode {
  if (short === "*") return {};
  if (short.startsWith("@")) return { ref: short.slice(1) };
  if (short.startsWith("=")) return { type: "string", enum: short.slice(1).split("|") };
  const [, letter = "", format, least, greatest] = SIMPLE.exec(short) ?? [];
  const type = TYPES[letter];
  if (type === undefined) throw new SyntaxError(`Cannot read the schema "${short}": its form is unknown`);
  const [low, high] = type === "string"
    ? ["minLength", "maxLength"] as const
    : ["minimum", "maximum"] as const;
  return {
    type,
    ...(format !== undefined && { format }),
    ...(least && { [low]: Number(least) }),
    ...(greatest && { [high]: Number(greatest) }),
  };
}

function expandObject(short: ShortObject): SchemaNode {
  const properties: Record<string, SchemaNode> = {};
  const required: string[] = [];
  let keywords: ShortKeywords = {};
  for (const [key, value] of Object.entries(short)) {
    if (key === "") {
      keywords = value as ShortKeywords;
      continue;
    }
    const name = key.endsWith("!") ? key.slice(0, -1) : key;
    if (name !== key) required.push(name);
    properties[name] = expandNode(value as ShortNode);
  }
  const expanded = expandKeywords(keywords);
  if (Object.keys(properties).length === 0) return expanded;
  const { type, ...rest } = { type: "object" as const, ...expanded };
  return {
    ...((type as string) !== "" && { type }),
    properties,
    ...(required.length > 0 && { required }),
    ...rest,
  };
}

function expandKeywords(keywords: ShortKeywords): SchemaNode {
  const entries = Object.entries(keywords).map(([name, value]): [string, unknown] => {
    if (name === "items" || name === "not") return [name, expandNode(value as ShortNode)];
    if (name === "additionalProperties" && typeof value !== "boolean") {
      return [name, expandNode(value as ShortNode)];
    }
    if (name === "oneOf" || name === "anyOf" || name === "allOf") {
      return [name, (value as ShortNode[]).map(expandNode)];
    }
    return [name, value];
  });
  return Object.fromEntries(entries);
}
