import type { Route } from "../routing/route.ts";

interface PublishedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

export function operationsWithRules(
  routes: readonly Route[],
  published: readonly PublishedOperation[],
): ReadonlySet<string> {
  const paths = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const shared = published.filter(({ id, method, path }) =>
    /^v1-s[pb]-/.test(id) && paths.has(`${method} ${path}`)
  );
  return new Set([...routes.map(({ operation }) => operation), ...shared.map(({ id }) => id)]);
}
