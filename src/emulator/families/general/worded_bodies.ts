import type { SchemaNode } from "../../../platform/schema/schema_node.ts";
import { isObject, type Json, parseJson, writeJson } from "../../core/json.ts";
import type { HttpResponse } from "../../http/http_response.ts";
import { IncomingRequest } from "../../http/incoming_request.ts";
import type { WireNames } from "../../routing/wire_names.ts";
import { type ApiShapes, loadShapes } from "./api_shapes.ts";

interface Turn {
  name(neutral: string): { readonly from: string; readonly to: string };
}

/**
 * Translates bodies between the platform's own word, used on the wire where published, and the neutral word used
 * internally.
 */
export class WordedBodies {
  readonly #wire: WireNames;

  constructor(wire: WireNames) {
    this.#wire = wire;
  }

  async incoming(request: IncomingRequest, operation: string | undefined): Promise<IncomingRequest> {
    const found = await this.#shapes(operation);
    if (found === undefined || request.body.length === 0) return request;
    const node = found.shape.bodies[request.mediaType] ?? Object.values(found.shape.bodies)[0];
    if (node === undefined) return request;
    let body: Json;
    try {
      body = parseJson(request.text());
    } catch {
      return request;
    }
    const neutral = turned(found.shapes, node, body, {
      name: (name) => ({ from: this.#wire.spell(name), to: name }),
    });
    return new IncomingRequest({
      method: request.method,
      target: request.queryText === "" ? request.path : `${request.path}?${request.queryText}`,
      headers: request.headers,
      body: new TextEncoder().encode(writeJson(neutral)),
      tooLarge: request.tooLarge,
    });
  }

  async outgoing(response: HttpResponse, operation: string | undefined): Promise<HttpResponse> {
    const found = await this.#shapes(operation);
    if (found === undefined || response.value === undefined) return response;
    const type = (response.headers["content-type"] ?? "").toLowerCase();
    const { responses, status } = found.shape;
    const spelled = Object.entries(responses).find(([name]) => this.#wire.spell(name).toLowerCase() === type);
    const node = spelled?.[1] ?? Object.values(responses)[0];
    if (node === undefined || response.status !== status) return response;
    const value = turned(found.shapes, node, response.value as Json, {
      name: (name) => ({ from: name, to: this.#wire.spell(name) }),
    });
    return { ...response, value, body: writeJson(value) };
  }

  async #shapes(operation: string | undefined) {
    if (operation === undefined) return undefined;
    const [api = "", name = ""] = operation.split(":");
    const shapes = await loadShapes(api);
    const shape = shapes?.operation(name);
    return shapes === undefined || shape === undefined ? undefined : { shapes, shape };
  }
}

function turned(shapes: ApiShapes, node: SchemaNode, value: Json, turn: Turn): Json {
  const parts = partsOf(shapes, node);
  if (typeof value === "string") {
    const marked = parts.flatMap(({ wordEnum = [], wordEnumShort = [] }) => [...wordEnum, ...wordEnumShort]);
    return marked.map((text) => turn.name(text)).find(({ from }) => from === value)?.to ?? value;
  }
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? []);
    return items.length === 0 ? value : value.map((item) => turned(shapes, eitherOf(items), item, turn));
  }
  if (!isObject(value)) return value;
  const fields = new Map<string, { to: string; nodes: SchemaNode[] }>();
  for (const part of parts) {
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      const { from, to } = field.word || field.wordShort ? turn.name(name) : { from: name, to: name };
      const known = fields.get(from) ?? { to, nodes: [] };
      known.nodes.push(field);
      fields.set(from, known);
    }
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const known = fields.get(name);
      if (known === undefined || field === undefined) return [name, field];
      return [known.to, turned(shapes, eitherOf(known.nodes), field, turn)];
    }),
  );
}

function eitherOf(nodes: readonly SchemaNode[]): SchemaNode {
  return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { anyOf: nodes };
}

function partsOf(shapes: ApiShapes, node: SchemaNode, parts: SchemaNode[] = []): SchemaNode[] {
  const shape = shapes.resolve(node);
  if (parts.includes(shape)) return parts;
  parts.push(shape);
  for (const part of [...shape.allOf ?? [], ...shape.oneOf ?? [], ...shape.anyOf ?? []]) {
    partsOf(shapes, part, parts);
  }
  return parts;
}
