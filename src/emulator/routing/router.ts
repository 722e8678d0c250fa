import type { Route } from "./route.ts";
import type { WireNames } from "./wire_names.ts";

export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

interface Entry {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** Routes without placeholders win. */
export class Router {
  readonly #entries: readonly Entry[];

  /** @throws {RangeError} when two routes have the same method and path. */
  constructor(routes: readonly Route[]) {
    const seen = new Set<string>();
    for (const route of routes) {
      const key = routeKey(route);
      if (seen.has(key)) throw new RangeError(`Cannot register "${key}": it is registered already`);
      seen.add(key);
    }
    this.#entries = routes.map((route) => ({ route, segments: route.path.split("/") }))
      .sort((a, b) => placeholders(a) - placeholders(b));
  }

  find(method: string, path: string): RouteMatch | undefined {
    const segments = path.split("/");
    for (const { route, segments: template } of this.#entries) {
      if (route.method !== method || template.length !== segments.length) continue;
      const params = match(template, segments);
      if (params !== undefined) return { route, params };
    }
    return undefined;
  }
}

export function routeKey({ method, path }: Route): string {
  return `${method} ${path.replace(/\{[^}]*\}/g, "{}")}`;
}

function placeholders(entry: Entry): number {
  return entry.segments.filter((segment) => segment.startsWith("{")).length;
}

function match(template: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const segment = segments[index]!;
    if (!part.startsWith("{")) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decoded(segment);
    if (value === undefined || value === "" || value === "." || value === "..") return undefined;
    params[part.slice(1, -1)] = value;
  }
  return params;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

export function spellRoute(route: Route, wire: WireNames): Route {
  const { requestTypes, responseTypes, path } = route;
  return {
    ...route,
    path: wire.spell(path),
    responseTypes: responseTypes.map((type) => wire.spell(type)),
    ...(requestTypes === undefined ? {} : { requestTypes: requestTypes.map((type) => wire.spell(type)) }),
  };
}
