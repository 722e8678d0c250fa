import { parseJson } from "../../src/base/json/json.ts";
import { publishedDifferences } from "./published_check.ts";

/** Paths that list entities of accounts. */
const LISTS = /^\/(?:(?:s[pb]\/|portfolios\/).*list|s[bd]\/\w+(?:\/extended)?|adsApi\/v1\/query\/\w+)$/;
/** Ids of what an entity has: it may have none. */
const CHOICES = new Set(["portfolioId", "brandEntityId"]);

type Body = Record<string, unknown>;

/** A platform that leaves out, of the first entity of each list, the ids of it and its parents that are optional. */
export class WithoutOptionalIds {
  /** Ids that are published as optional, by path. */
  readonly optional = new Map<string, readonly string[]>();

  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const path = new URL(String(input)).pathname.replace(/^\/(?:na|eu|fe)/, "");
    const responseType = response.headers.get("content-type") ?? "";
    if (!LISTS.test(path) || response.status !== 200 || !responseType.includes("json")) return response;
    const text = await response.text();
    const body = parseJson(text) as Body | Body[];
    const list = Array.isArray(body)
      ? body
      : Object.values(body).find((value): value is Body[] => Array.isArray(value));
    const first = list?.[0];
    if (first === undefined) return new Response(text, response);
    const differences = async (entity: Body): Promise<number> => {
      const responseBody = JSON.stringify(body, (_, value) => value === list ? [entity] : value);
      const exchange = { method: init?.method ?? "GET", path, status: 200, responseType, responseBody };
      return (await publishedDifferences({ ...exchange, requestType: undefined, requestBody: undefined }))
        .length;
    };
    const ids = this.optional.get(path) ?? await optionalIds(first, differences);
    this.optional.set(path, ids);
    for (const name of ids) delete first[name];
    return Response.json(body, { headers: { "content-type": responseType } });
  };
}

/** Names of ids without which an entity still fits its description. */
async function optionalIds(entity: Body, differences: (entity: Body) => Promise<number>): Promise<string[]> {
  const most = await differences(entity);
  const found: string[] = [];
  for (const name of Object.keys(entity)) {
    if (!name.endsWith("Id") || CHOICES.has(name)) continue;
    const { [name]: _, ...others } = entity;
    if (await differences(others) <= most) found.push(name);
  }
  return found;
}
