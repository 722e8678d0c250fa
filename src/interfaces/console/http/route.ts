import type { ConsoleContext } from "./console_context.ts";
import { ApiProblem } from "./responses.ts";

/** A request of the API. */
export interface ApiCall {
  readonly context: ConsoleContext;
  /** Parts of the path by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Values of the address by name. */
  readonly query: Readonly<Record<string, string>>;
  /** The JSON object of the body; empty for GET. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Fires when the page has gone away or the console ends. */
  readonly signal: AbortSignal;
}

/** One operation of the API. */
export interface Route {
  readonly method: "GET" | "POST";
  /** Path; `:name` stands for one part. */
  readonly path: string;
  /** Description for the documentation. */
  readonly about: string;
  /** Fields of the body or values of the address, each with its meaning. */
  readonly takes?: Readonly<Record<string, string>>;
  /** Contents of the response. */
  readonly gives: string;
  /** True for what `--read-only` refuses: whatever changes the account, plans or the approval key. */
  readonly changes?: boolean;
  /** Gives what is sent as JSON, or a whole response. */
  run(call: ApiCall): unknown;
}

/** Finds the route of a request and the parts of its path. */
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

/**
 * A text of a body.
 *
 * @throws {ApiProblem} when there is none.
 */
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

/**
 * A list of a body; empty where there is none.
 *
 * @throws {ApiProblem} for what is not a list.
 */
export function listIn(body: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const value = body[name];
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new ApiProblem(400, "BAD_REQUEST", `Cannot use this request: "${name}" is not a list`);
}
