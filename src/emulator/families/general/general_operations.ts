import { loadOperations } from "../../routing/operations_data.js";
import type { Route } from "../../routing/route.ts";
import { routeKey, Router } from "../../routing/router.ts";
import type { WireNames } from "../../routing/wire_names.ts";
import { type ApiShapes, loadShapes } from "./api_shapes.ts";

export interface DescribedOperation {
  readonly operation: GeneralOperation;
  readonly siblings: readonly GeneralOperation[];
  readonly shapes: ApiShapes;
}

interface Found {
  readonly described: readonly DescribedOperation[];
  readonly params: Readonly<Record<string, string>>;
}

export class GeneralOperations {
  readonly #wire: WireNames;
  #router: Promise<{ router: Router; byKey: ReadonlyMap<string, readonly [string, string][]> }> | undefined;
  readonly #apis = new Map<string, Promise<GeneralOperation[]>>();

  constructor(wire: WireNames) {
    this.#wire = wire;
  }

  async find(method: string, path: string): Promise<Found | undefined> {
    const { router, byKey } = await (this.#router ??= this.#readPaths());
    const match = router.find(method, path);
    if (match === undefined) return undefined;
    const described: DescribedOperation[] = [];
    for (const [api, name] of byKey.get(routeKey(match.route)) ?? []) {
      const shapes = await loadShapes(api);
      const siblings = await this.#operationsOf(api);
      const operation = siblings.find((each) => each.name === name);
      if (shapes?.operation(name) !== undefined && operation !== undefined) {
        described.push({ operation, siblings, shapes });
      }
    }
    // Unified operations of one ad product say more than those of all.
    const isForAll = ({ operation: { api } }: DescribedOperation) => api.startsWith("v1-all-");
    const sorted = [...described.filter((each) => !isForAll(each)), ...described.filter(isForAll)];
    return sorted.length === 0 ? undefined : { described: sorted, params: match.params };
  }

  #operationsOf(api: string): Promise<GeneralOperation[]> {
    const known = this.#apis.get(api) ?? readOperations(api);
    this.#apis.set(api, known);
    return known;
  }

  async #readPaths() {
    const routes = new Map<string, Route>();
    const byKey = new Map<string, [string, string][]>();
    for (const api of (await loadOperations()).apis) {
      if (api.hostedTools) continue;
      for (const { operationId, method, path } of api.operations) {
        if (!isMethod(method)) continue;
        const route: Route = {
          operation: `${api.slug}:${operationId}`,
          method,
          path: this.#wire.spell(path),
          responseTypes: [],
          handle: () => {
            throw new TypeError("Cannot run an operation that is only looked up");
          },
        };
        const key = routeKey(route);
        if (!routes.has(key)) routes.set(key, route);
        byKey.set(key, [...byKey.get(key) ?? [], [api.slug, operationId]]);
      }
    }
    return { router: new Router([...routes.values()]), byKey };
  }
}

async function readOperations(slug: string): Promise<GeneralOperation[]> {
  const api = (await loadOperations()).apis.find((each) => each.slug === slug);
  const operations = (api?.operations ?? []).map(({ operationId, method, path }) => ({
    api: slug,
    name: operationId,
    method,
    path,
    ...placeOf(method, path),
  }));
  return inSets(operations);
}

function isMethod(method: string): method is Route["method"] {
  return ["GET", "POST", "PUT", "PATCH", "DELETE"].includes(method);
}

type Verb = "list" | "get" | "create" | "update" | "delete" | "other";

interface GeneralOperation {
  readonly api: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly verb: Verb;
  readonly set: string;
  readonly idParam?: string;
}

type Place = Pick<GeneralOperation, "verb" | "set" | "idParam">;

const UNIFIED_VERBS: Readonly<Record<string, Verb>> = {
  create: "create",
  query: "list",
  retrieve: "list",
  update: "update",
  delete: "delete",
};

export function placeOf(method: string, path: string): Place {
  const unified = /^(\/adsApi\/v1)\/(create|query|retrieve|update|delete)\/([^/]+)/.exec(path);
  if (unified !== null) {
    const [, base, verb = "", entity] = unified;
    return { verb: UNIFIED_VERBS[verb] ?? "other", set: `${base}/${entity}` };
  }
  const segments = path.split("/");
  const last = segments.at(-1) ?? "";
  const parent = segments.slice(0, -1).join("/").replace(/\/extended$/, "");
  if (method === "POST" && /^(list|query|search)$/.test(last)) return { verb: "list", set: parent };
  if (method === "POST" && last === "delete") return { verb: "delete", set: parent };
  if (method === "GET" && last === "extended") return { verb: "list", set: parent };
  if (last.startsWith("{")) {
    const idParam = last.slice(1, -1);
    const verb = { GET: "get", PUT: "update", PATCH: "update", DELETE: "delete" }[method];
    return isVerb(verb) ? { verb, set: parent, idParam } : { verb: "other", set: path };
  }
  const verb = { GET: "list", POST: "create", PUT: "update", PATCH: "update" }[method];
  return { verb: isVerb(verb) ? verb : "other", set: path };
}

function isVerb(verb: string | undefined): verb is Verb {
  return verb !== undefined;
}

/** Treats operations as a set only if there is a create and a way to read. */
function inSets(operations: readonly GeneralOperation[]): GeneralOperation[] {
  const verbs = new Map<string, Set<Verb>>();
  for (const { set, verb } of operations) verbs.set(set, (verbs.get(set) ?? new Set()).add(verb));
  return operations.map((operation) => {
    const known = verbs.get(operation.set);
    const isSet = known?.has("create") && (known.has("list") || known.has("get"));
    return isSet ? operation : { ...operation, verb: "other" };
  });
}
