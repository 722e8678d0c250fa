import { loadOperations } from "../../routing/operations_data.js";
import type { Route } from "../../routing/route.ts";
import { routeKey, Router } from "../../routing/router.ts";
import type { WireNames } from "../../routing/wire_names.ts";
import { type ApiShapes, loadShapes } from "./api_shapes.ts";
import { type GeneralOperation, inSets, placeOf } from "./general_operation.ts";

/** A described operation with the shapes of its API. */
export interface DescribedOperation {
  /** As the catalog describes it. */
  readonly operation: GeneralOperation;
  /** The operations of its API. */
  readonly siblings: readonly GeneralOperation[];
  /** Shapes of its API. */
  readonly shapes: ApiShapes;
}

interface Found {
  readonly described: readonly DescribedOperation[];
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the published operations that share a method and a path. */
export class GeneralOperations {
  readonly #wire: WireNames;
  #router: Promise<{ router: Router; byKey: ReadonlyMap<string, readonly [string, string][]> }> | undefined;
  readonly #apis = new Map<string, Promise<GeneralOperation[]>>();

  /** Reads nothing yet: the catalog and the shapes are read at the first request that needs them. */
  constructor(wire: WireNames) {
    this.#wire = wire;
  }

  /** The described operations of a method and a path, and the values of its placeholders. */
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
