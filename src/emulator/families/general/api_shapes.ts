import type { SchemaNode, SchemaType } from "../../../platform/schema/schema_node.ts";
import { isObject } from "../../core/json.ts";
import { SCHEMA_FILES, SHARED_MODELS } from "./schema_files.js";

export interface GeneralShape {
  readonly needed: readonly { readonly place: "query" | "header"; readonly name: string }[];
  readonly bodies: Readonly<Record<string, SchemaNode>>;
  readonly bodyRequired: boolean;
  readonly status: number;
  readonly responses: Readonly<Record<string, SchemaNode>>;
  readonly errors: Readonly<Record<string, SchemaNode>>;
}

export class ApiShapes {
  readonly #models: Readonly<Record<string, unknown>>;
  readonly #operations: Readonly<Record<string, unknown>>;
  readonly #errors: readonly unknown[];
  readonly #read = new Map<string, SchemaNode>();

  constructor(data: unknown, shared: unknown) {
    const { models, operations, errors } = isObject(data) ? data : {};
    const common = isObject(shared) && isObject(shared.models) ? shared.models : {};
    this.#models = { ...common, ...(isObject(models) ? models : {}) };
    this.#operations = isObject(operations) ? operations : {};
    this.#errors = Array.isArray(errors) ? errors : [];
  }

  get names(): readonly string[] {
    return Object.keys(this.#operations);
  }

  resolve(node: SchemaNode): SchemaNode {
    let at = node;
    for (let depth = 0; at.ref !== undefined && depth < 20; depth++) {
      const known = this.#read.get(at.ref) ?? readShape(this.#models[at.ref]);
      this.#read.set(at.ref, known);
      at = known;
    }
    return at;
  }

  operation(name: string): GeneralShape | undefined {
    const short = Object.hasOwn(this.#operations, name) ? this.#operations[name] : undefined;
    if (!isObject(short)) return undefined;
    const { p, b, br, r, e } = short;
    const responses = isObject(r) ? Object.entries(r) : [];
    const [status = "200", types] = responses.find(([code]) => code.startsWith("2")) ?? responses[0] ?? [];
    return {
      needed: neededOf(p),
      bodies: eachShape(b),
      bodyRequired: br === 1,
      status: Number(status),
      responses: eachShape(types),
      errors: eachShape(typeof e === "number" ? this.#errors[e] : undefined),
    };
  }
}

function neededOf(places: unknown): GeneralShape["needed"] {
  if (!isObject(places)) return [];
  return (["query", "header"] as const).flatMap((place) => {
    const fields = places[place];
    return Object.keys(isObject(fields) ? fields : {}).filter((name) => name.endsWith("!"))
      .map((name) => ({ place, name: name.slice(0, -1) }));
  });
}

function eachShape(shorts: unknown): Readonly<Record<string, SchemaNode>> {
  if (!isObject(shorts)) return {};
  return Object.fromEntries(Object.entries(shorts).map(([name, short]) => [name, readShape(short)]));
}

const loading = new Map<string, Promise<ApiShapes | undefined>>();

export function loadShapes(api: string): Promise<ApiShapes | undefined> {
  const known = loading.get(api) ?? load(api);
  loading.set(api, known);
  return known;
}

async function load(api: string): Promise<ApiShapes | undefined> {
  const file = Object.hasOwn(SCHEMA_FILES, api) ? SCHEMA_FILES[api] : undefined;
  if (file === undefined) return undefined;
  const [data, shared] = await Promise.all([file(), SHARED_MODELS()]);
  return new ApiShapes(data.default, shared.default);
}

const TYPES: Readonly<Record<string, SchemaType>> = {
  s: "string",
  i: "integer",
  n: "number",
  b: "boolean",
  o: "object",
};
const NESTED = ["oneOf", "anyOf", "allOf"];

/** The short form is described in `catalog/README.md`. */
function readShape(short: unknown): SchemaNode {
  if (typeof short === "string") return readText(short);
  if (Array.isArray(short)) {
    const [items, min, max] = short;
    return {
      type: "array",
      items: readShape(items),
      ...(typeof min === "number" ? { minItems: min } : {}),
      ...(typeof max === "number" ? { maxItems: max } : {}),
    };
  }
  return isObject(short) ? readObject(short) : {};
}

function readText(short: string): SchemaNode {
  if (short.startsWith("@")) return { ref: short.slice(1) };
  if (short.startsWith("=")) return { type: "string", enum: short.slice(1).split("|") };
  const [, letter = "", format, low, high] = /^(\w)(?::([^<]+))?(?:<(.*?)\.\.(.*?)>)?$/.exec(short) ?? [];
  const type = TYPES[letter];
  if (type === undefined) return {};
  const isText = type === "string";
  return {
    type,
    ...(format === undefined ? {} : { format }),
    ...(low ? { [isText ? "minLength" : "minimum"]: Number(low) } : {}),
    ...(high ? { [isText ? "maxLength" : "maximum"]: Number(high) } : {}),
  };
}

function readObject(short: Readonly<Record<string, unknown>>): SchemaNode {
  const { "": keywords, ...fields } = short;
  const names = Object.keys(fields);
  const rest = readKeywords(isObject(keywords) ? keywords : {});
  if (names.length === 0) return rest;
  const required = names.filter((name) => name.endsWith("!")).map((name) => name.slice(0, -1));
  const properties = names.map((name) => [name.replace(/!$/, ""), readShape(fields[name])]);
  return { type: "object", ...rest, properties: Object.fromEntries(properties), required };
}

function readKeywords(keywords: Readonly<Record<string, unknown>>): SchemaNode {
  return Object.fromEntries(
    Object.entries(keywords).filter(([name, value]) => !(name === "type" && value === "")).map(
      ([name, value]) => {
        if (name === "items" || name === "not") return [name, readShape(value)];
        if (name === "additionalProperties" && typeof value !== "boolean") return [name, readShape(value)];
        if (NESTED.includes(name) && Array.isArray(value)) return [name, value.map(readShape)];
        return [name, value];
      },
    ),
  );
}
