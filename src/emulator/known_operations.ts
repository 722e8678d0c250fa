import { loadOperations } from "./operations_data.js";
import type { Route } from "./route.ts";
import { routeKey, Router } from "./router.ts";

let loading: Promise<Router> | undefined;

/**
 * The id of the operation that a method and a path belong to on the real platform, whether it is emulated or not;
 * `undefined` when the platform does not serve the path. The catalog is read when this is first asked.
 */
export async function knownOperation(method: string, path: string): Promise<string | undefined> {
  const router = await (loading ??= readOperations());
  return router.find(method, path)?.route.operation;
}

async function readOperations(): Promise<Router> {
  const { apis } = await loadOperations();
  const routes = new Map<string, Route>();
  for (const api of apis) {
    if (api.hostedTools) continue;
    for (const { operationId, method, path } of api.operations) {
      const route = nameOnly(`${api.slug}:${operationId}`, method as Route["method"], path);
      if (!routes.has(routeKey(route))) routes.set(routeKey(route), route);
    }
  }
  return new Router([...routes.values()]);
}

function nameOnly(operation: string, method: Route["method"], path: string): Route {
  const handle = () => {
    throw new TypeError(`Cannot run ${operation}: only its name is known`);
  };
  return { operation, method, path, answerTypes: [], handle };
}
