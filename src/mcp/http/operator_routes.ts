import type { Identity } from "../identity/identity.ts";
import type { McpContext } from "../mcp_context.ts";
import { type Health, health } from "../metrics/health.ts";
import { metricsText } from "../metrics/metrics_text.ts";
import { refusal } from "./refusal.ts";

/** Path of the server's metrics. */
export const METRICS_PATH = "/metrics";

const HEALTH_PATH = "/health";
const ALIVE_PATH = "/health/live";
/** Milliseconds for which a readiness check counts, so that frequent requests cause no work. */
const CHECK_AGE = 5_000;

/** Routes for operators of the server. */
export class OperatorRoutes {
  readonly #contexts: readonly McpContext[];
  readonly #now: () => number;
  #checked: { readonly at: number; readonly result: Promise<Health> } | undefined;

  /**
   * @param contexts What is served.
   * @param now Milliseconds since the epoch.
   */
  constructor(contexts: readonly McpContext[], now: () => number) {
    this.#contexts = contexts;
    this.#now = now;
  }

  /**
   * Says whether the server is alive (`/health/live`) and ready (`/health`, 503 when it is not); `undefined` for another
   * request. A probe bears no token and knows no name of the server, and the response holds nothing that is secret.
   */
  async health(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    if (pathname !== HEALTH_PATH && pathname !== ALIVE_PATH) return undefined;
    if (!isReading(request)) return refusal(405, "Ask with GET", { allow: "GET" });
    if (pathname === ALIVE_PATH) return respond({ alive: true }, 200);
    const now = this.#now();
    if (this.#checked === undefined || now - this.#checked.at > CHECK_AGE) {
      this.#checked = { at: now, result: health(this.#contexts) };
    }
    const result = await this.#checked.result;
    return respond(result, result.ready ? 200 : 503);
  }

  /** Metrics, for callers that the guard has admitted and that belong to no single account. */
  metrics(request: Request, identity: Identity, sessions: number): Response {
    if (!isReading(request)) return refusal(405, "Ask with GET", { allow: "GET" });
    if (identity.tenant !== undefined) return refusal(403, "The figures are for those who run the server");
    return new Response(metricsText(this.#contexts, sessions), {
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
    });
  }
}

function respond(body: object, status: number): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}

function isReading({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}
