import type { ConsoleContext } from "./console_context.ts";
import { ApiProblem } from "./responses.ts";

export interface ApiCall {
  readonly context: ConsoleContext;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Fires when the page disconnects or the console stops. */
  readonly signal: AbortSignal;
}

export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly about: string;
  readonly takes?: Readonly<Record<string, string>>;
  readonly gives: string;
  /** True for routes that `--read-only` rejects: changes of the account, plans or the approval key. */
  readonly changes?: boolean;
  run(call: ApiCall): unknown;
}

export function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; params: Record<string, string> } | undefined {
  const parts = path.split("/");
  for (const route of routes) {
    const wanted = route.path.split("/");
    if (route.method !== method || wanted.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = wanted.every((part, at) => {
      const given = parts[at] ?? "";
      if (!part.startsWith(":")) return part === given;
      params[part.slice(1)] = decoded(given);
      return given !== "";
    });
    if (fits) return { route, params };
  }
  return undefined;
}

export function textOf(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (typeof value === "string" && value !== "") return value;
  throw new ApiProblem(400, "BAD_REQUEST", `Cannot use this request: "${name}" is missing`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ApiProblem(400, "BAD_REQUEST", "Cannot read the address: its encoding is invalid");
  }
}

export function listIn(body: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const value = body[name];
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new ApiProblem(400, "BAD_REQUEST", `Cannot use this request: "${name}" is not a list`);
}
