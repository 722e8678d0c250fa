import type { SchemaNode } from "../../../src/platform/schema/schema_node.ts";
import type {
  ShortApi,
  ShortNode,
  ShortObject,
  ShortOperation,
} from "../../../src/platform/schema/api_shapes.ts";
import { neutralise } from "../neutral_words.ts";
import { basePath, type Description, METHODS, OTHERS_JOB } from "../read_description.ts";
import { type Node, nodeOf, resolveRef } from "../resolve_ref.ts";
import { readSchema } from "./read_schema.ts";
import { shortenNode } from "./shorten_node.ts";

/** Where the shapes of an API come from. */
export interface SchemaSource {
  /** Slug of the API. */
  readonly api: string;
  /** The document as it is published, vendor words and all: they tell where the platform's own word stands on the wire. */
  readonly document: unknown;
  /** What was read of it, in neutral words. */
  readonly description: Description;
  /** Vendor words. */
  readonly words: readonly string[];
}

/** Reads the shapes of bodies, responses, parameters and errors out of an OpenAPI 3 or Swagger 2 description. */
export function readSchemas({ api, document, description, words }: SchemaSource): Omit<ShortApi, "format"> {
  const root = nodeOf(document);
  const models = new Map<string, ShortNode>();
  const schemas = { ...nodeOf(nodeOf(root["components"])["schemas"]), ...nodeOf(root["definitions"]) };
  for (const [name, schema] of Object.entries(schemas)) {
    models.set(neutralise(name, words), shortenNode(readSchema(schema, words)));
  }
  const errors: Record<string, ShortNode>[] = [];
  const operations: Record<string, ShortOperation> = {};
  const names = new Map(description.operations.map((one) => [`${one.method} ${one.path}`, one.operationId]));
  for (const [path, entry] of Object.entries(nodeOf(root["paths"]))) {
    const item = resolveRef(root, entry);
    for (const method of METHODS) {
      const name = names.get(`${method.toUpperCase()} ${neutralise(basePath(root) + path, words)}`);
      if (item[method] === undefined || name === undefined) continue;
      operations[name] = operationOf({ root, item, operation: nodeOf(item[method]), words }, errors);
    }
  }
  return { api, models: Object.fromEntries(models), errors, operations };
}

interface Place {
  readonly root: Node;
  readonly item: Node;
  readonly operation: Node;
  readonly words: readonly string[];
}

function operationOf(place: Place, errors: Record<string, ShortNode>[]): ShortOperation {
  const { root, operation } = place;
  const parameters = parametersOf(place);
  const content = nodeOf(resolveRef(root, operation["requestBody"])["content"]);
  const form = parameters.filter(({ in: at }) => at === "formData");
  const body = parameters.find(({ in: at }) => at === "body");
  const b = Object.keys(content).length > 0
    ? typesOf(content, place)
    : body !== undefined || form.length > 0
    ? swaggerTypes(
      operation["consumes"] ?? root["consumes"],
      shape(body?.["schema"] ?? formOf(form), place),
      place,
    )
    : undefined;
  const isRequired = resolveRef(root, operation["requestBody"])["required"] === true ||
    body?.["required"] === true;
  const p = placesOf(parameters, place);
  const { r, failed } = responsesOf(place);
  const e = Object.keys(failed).length === 0 ? undefined : indexOf(errors, failed);
  return {
    ...(Object.keys(p).length === 0 ? {} : { p }),
    ...(b === undefined ? {} : { b }),
    ...(b !== undefined && isRequired ? { br: 1 } : {}),
    ...(Object.keys(r).length === 0 ? {} : { r }),
    ...(e === undefined ? {} : { e }),
  };
}

function parametersOf({ root, item, operation }: Place): Node[] {
  const merged = new Map<string, Node>();
  for (const list of [item["parameters"], operation["parameters"]]) {
    for (const entry of Array.isArray(list) ? list : []) {
      const parameter = resolveRef(root, entry);
      merged.set(`${parameter["in"]} ${String(parameter["name"]).toLowerCase()}`, parameter);
    }
  }
  return [...merged.values()];
}

function placesOf(parameters: readonly Node[], { words }: Place): Record<string, ShortObject> {
  const places: Record<string, ShortObject> = {};
  for (const at of ["path", "query", "header"]) {
    const properties: Record<string, SchemaNode> = {};
    const required: string[] = [];
    for (const parameter of parameters.filter((one) => one["in"] === at)) {
      const published = String(parameter["name"]);
      if (at === "header" && OTHERS_JOB.test(published)) continue;
      const name = neutralise(published, words);
      const { in: _, name: __, required: ___, schema, description: ____, style, explode, ...inline } =
        parameter;
      const isJoined = explode === false || inline["collectionFormat"] === "csv" ||
        (schema === undefined && inline["type"] === "array" && inline["collectionFormat"] === undefined);
      void style;
      properties[name] = {
        ...readSchema(schema ?? inline, words),
        ...(at === "query" && isJoined ? { explode: false } : {}),
      };
      if (parameter["required"] === true || at === "path") required.push(name);
    }
    if (Object.keys(properties).length === 0) continue;
    const short = shortenNode({ type: "object", properties, required: required.sort() });
    if (typeof short === "object" && !Array.isArray(short)) places[at] = short as ShortObject;
  }
  return places;
}

function responsesOf(
  place: Place,
): { r: Record<string, Record<string, ShortNode>>; failed: Record<string, ShortNode> } {
  const { root, operation } = place;
  const r: Record<string, Record<string, ShortNode>> = {};
  const failed: Record<string, ShortNode> = {};
  for (const [status, entry] of Object.entries(nodeOf(operation["responses"]))) {
    const response = resolveRef(root, entry);
    const types = response["schema"] === undefined
      ? typesOf(nodeOf(response["content"]), place)
      : swaggerTypes(operation["produces"] ?? root["produces"], shape(response["schema"], place), place);
    if (/^[23]/.test(status)) r[status] = types;
    else failed[status] = oneOf(Object.values(types));
  }
  return { r, failed };
}

function oneOf(shapes: readonly ShortNode[]): ShortNode {
  const different = [...new Map(shapes.map((one) => [JSON.stringify(one), one])).values()];
  return different.length === 1 && different[0] !== undefined
    ? different[0]
    : different.length === 0
    ? "*"
    : { "": { anyOf: different } };
}

function typesOf(content: Node, place: Place): Record<string, ShortNode> {
  const named = Object.entries(content).map(([type, media]): [string, ShortNode] => [
    neutralise(type, place.words),
    shape(nodeOf(media)["schema"] ?? {}, place),
  ]);
  return Object.fromEntries(named);
}

function swaggerTypes(types: unknown, node: ShortNode, { words }: Place): Record<string, ShortNode> {
  const names = Array.isArray(types) && types.length > 0 ? types.map(String) : ["application/json"];
  return Object.fromEntries(names.map((type) => [neutralise(type, words), node]));
}

function formOf(fields: readonly Node[]): Node {
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map(({ name, in: _, required: __, ...schema }) => [String(name), schema]),
    ),
    required: fields.filter(({ required }) => required === true).map(({ name }) => String(name)),
  };
}

function shape(schema: unknown, { words }: Place): ShortNode {
  return shortenNode(readSchema(schema, words));
}

function indexOf(sets: Record<string, ShortNode>[], set: Record<string, ShortNode>): number {
  const text = JSON.stringify(set);
  const known = sets.findIndex((one) => JSON.stringify(one) === text);
  return known === -1 ? sets.push(set) - 1 : known;
}
