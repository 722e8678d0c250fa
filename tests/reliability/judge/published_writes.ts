import type { SeededRandom } from "../../support/seeded_random.ts";

/** A shape as `catalog/schemas` writes it. */
type Shape = string | readonly unknown[] | { readonly [name: string]: unknown };

/** A value for a field, where its name says more than its shape; `undefined` where it does not. */
export type FieldValue = (name: string, path: readonly string[]) => unknown;

/** An operation of the published descriptions that writes. */
export interface PublishedWrite {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly accept: string | undefined;
  /** True for an update of what bids, budgets and states stand in. */
  readonly isOfMoney: boolean;
  /** Draws a body, as published. */
  readonly body: (random: SeededRandom, value: FieldValue) => unknown;
}

interface PublishedApi {
  readonly slug: string;
  readonly operations: readonly {
    readonly operationId: string;
    readonly method: string;
    readonly path: string;
    readonly accept?: string;
  }[];
}

/** APIs whose operations change campaigns, on both wires. */
const APIS =
  /^(sponsored-(products|brands-v[34]|display)|portfolios|v1-s(p|b|d|pglobal)-(campaigns|ad-groups|targets|ads))$/;

const OF_MONEY = /\/(portfolios|campaigns|adGroups|keywords|targets)$/;

/** Every published operation with a body that may change something, read from the files of the catalog alone. */
export async function publishedWrites(): Promise<PublishedWrite[]> {
  const folder = new URL("../../../catalog/", import.meta.url);
  const read = async (name: string): Promise<Record<string, unknown>> =>
    JSON.parse(await Deno.readTextFile(new URL(name, folder)));
  const { apis } = await read("operations.json") as { apis: readonly PublishedApi[] };
  const shared = (await read("schemas/shared.json"))["models"] as Record<string, Shape>;
  const writes: PublishedWrite[] = [];
  for (const { slug, operations } of apis) {
    if (!APIS.test(slug)) continue;
    const file = await read(`schemas/${slug.replaceAll("-", "_")}.json`);
    const models = { ...shared, ...file["models"] as Record<string, Shape> };
    const shapes = file["operations"] as Record<string, { b?: Record<string, Shape> } | undefined>;
    for (const { operationId, method, path, accept } of operations) {
      const [contentType, shape] = Object.entries(shapes[operationId]?.b ?? {})[0] ?? [];
      if (method === "GET" || shape === undefined || contentType === undefined) continue;
      if (
        /list$|query|recommend|forecast|usage|report|snapshot|search|count$|migration|creatives/i.test(path)
      ) continue;
      writes.push({
        id: `${slug}:${operationId}`,
        method,
        path,
        contentType,
        accept,
        isOfMoney: (method === "PUT" || /\/update\//.test(path)) && OF_MONEY.test(path),
        body: (random, value) => draw(shape, { models, random, value, path: [] }),
      });
    }
  }
  return writes;
}

interface Drawing {
  readonly models: Readonly<Record<string, Shape>>;
  readonly random: SeededRandom;
  readonly value: FieldValue;
  readonly path: readonly string[];
}

function draw(shape: Shape | undefined, drawing: Drawing): unknown {
  const { models, random, path } = drawing;
  if (shape === undefined || path.length > 12) return undefined;
  if (typeof shape === "string") {
    if (shape.startsWith("@")) return draw(models[shape.slice(1)], drawing);
    if (shape.startsWith("=")) return random.pick(shape.slice(1).split("|"));
    return simple(shape, random);
  }
  if (Array.isArray(shape)) {
    const [item, least = 0] = shape as [Shape, number?];
    const count = Math.max(least ?? 0, random.pick([1, 1, 1, 2]));
    return Array.from({ length: count }, () => draw(item, drawing));
  }
  const { "": keywords, ...fields } = shape as Record<string, Shape>;
  const more = (keywords ?? {}) as Record<string, unknown>;
  const whole: Record<string, unknown> = {};
  if (typeof more["ref"] === "string") return draw(models[more["ref"]], drawing);
  const choice = more["oneOf"] ?? more["anyOf"];
  if (Array.isArray(choice)) Object.assign(whole, draw(random.pick(choice as Shape[]), drawing));
  for (const one of (more["allOf"] ?? []) as Shape[]) Object.assign(whole, draw(one, drawing));
  const types = more["type"];
  if (types !== undefined && types !== "" && types !== "object") {
    const [first = "string"] = [types].flat() as string[];
    return [types].flat().includes("null") && random.integer(0, 3) === 0 ? null : simple(first, random);
  }
  // Half of the objects inside others are said in part: one field, and nothing of the rest.
  const keys = Object.keys(fields);
  const isPart = path.length > 1 && keys.length > 1 && random.integer(0, 1) === 0;
  const only = isPart ? random.pick(keys) : undefined;
  for (const [key, field] of Object.entries(fields)) {
    if (only !== undefined && key !== only) continue;
    const name = key.replace("!", "");
    const inside = [...path, name];
    // Often one field alone, as people change things, and now and then a required one is missing.
    const isLikely = key.endsWith("!") || /^(campaign|adGroup|keyword|target|portfolio|ad)Id$/.test(name);
    const isWanted = only !== undefined ||
      (isLikely
        ? random.integer(0, 19) > 0
        // The rest of an object inside another is mostly said with it.
        : path.length > 1
        ? random.integer(0, 3) > 0
        : random.integer(0, 5) < (/^(budget|dynamicBidding|bidding|bid|defaultBid)$/.test(name) ? 4 : 2));
    if (!isWanted) continue;
    const known = drawing.value(name, path);
    const value = known === undefined ? draw(field, { ...drawing, path: inside }) : known;
    if (value !== undefined) whole[name] = value;
  }
  return whole;
}

function simple(shape: string, random: SeededRandom): unknown {
  const type = shape.replace(/[<:].*$/, "");
  if (type === "n" || type === "number" || type === "i" || type === "integer") return random.integer(1, 200);
  if (type === "b" || type === "boolean") return random.integer(0, 1) === 1;
  if (type === "o" || type === "*") return {};
  return shape.includes("date") ? "2026-12-01" : `text ${random.integer(1, 99_999)}`;
}
