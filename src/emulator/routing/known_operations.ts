import { loadOperations } from "./operations_data.js";
import type { Route } from "./route.ts";
import { routeKey, Router } from "./router.ts";
import type { WireNames } from "./wire_names.ts";

export class KnownOperations {
  readonly #wire: WireNames;
  #loading: Promise<Router> | undefined;

  constructor(wire: WireNames) {
    this.#wire = wire;
  }

  async find(method: string, path: string): Promise<string | undefined> {
    const router = await (this.#loading ??= readOperations(this.#wire));
    return router.find(method, path)?.route.operation;
  }
}

async function readOperations(wire: WireNames): Promise<Router> {
  const { apis } = await loadOperations();
  const routes = new Map<string, Route>();
  for (const api of apis) {
    if (api.hostedTools) continue;
    for (const { operationId, method, path } of api.operations) {
      const route = nameOnly(`${api.slug}:${operationId}`, method as Route["method"], wire.spell(path));
      if (!routes.has(routeKey(route))) routes.set(routeKey(route), route);
    }
  }
  return new Router([...routes.values()]);
}

function nameOnly(operation: string, method: Route["method"], path: string): Route {
  const handle = () => {
    throw new TypeError(`Cannot run ${operation}: only its name is known`);
  };
  return { operation, method, path, responseTypes: [], handle };
}
