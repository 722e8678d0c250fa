import type { Identity } from "../access/identity.ts";
import type { McpContext } from "../context/mcp_context.ts";
import { refusal } from "../access/refusal.ts";
import process from "node:process";
import { metricKey, metricLines, type PublishedMetric } from "../../../base/text/prometheus_text.ts";
import { paceGauges, TRANSPORT_METRICS } from "../../../platform/transport/metrics.ts";
import { VERSION } from "../context/environment.ts";

export const METRICS_PATH = "/metrics";

const HEALTH_PATH = "/health";
const ALIVE_PATH = "/health/live";
/** Milliseconds that a readiness check is cached. */
const CHECK_AGE = 5_000;

export class OperatorRoutes {
  readonly #contexts: readonly McpContext[];
  readonly #now: () => number;
  #checked: { readonly at: number; readonly result: Promise<Health> } | undefined;

  constructor(contexts: readonly McpContext[], now: () => number) {
    this.#contexts = contexts;
    this.#now = now;
  }

  /**
   * Answers `/health/live` and `/health` (503 if not ready); `undefined` for other paths. Probes need no token, so the
   * response contains nothing secret.
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

  /** For admitted callers that do not belong to a single account. */
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

type CheckedContext = Pick<McpContext, "ads" | "store">;

interface Health {
  readonly alive: true;
  readonly ready: boolean;
  /** True if settings and credentials exist; nothing is sent to verify them. */
  readonly credentials: boolean;
  readonly store?: boolean;
}

const TIMEOUT = 3_000;

async function health(contexts: readonly CheckedContext[]): Promise<Health> {
  const credentials = await all(contexts.map((context) => context.ads()));
  const stores = contexts.flatMap(({ store }) => store === undefined ? [] : [store]);
  const store = stores.length === 0 ? undefined : await all(
    stores.map((one) => one.use((opened) => opened.query("SELECT 1 AS one", [], { maxRows: 1 }))),
  );
  return {
    alive: true,
    ready: credentials && store !== false,
    credentials,
    ...(store === undefined ? {} : { store }),
  };
}

async function all(checks: readonly Promise<unknown>[]): Promise<boolean> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("It took too long")), TIMEOUT);
  try {
    await Promise.race([Promise.all(checks), late.promise]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

type MeasuredContext = Pick<McpContext, "connected" | "metrics" | "pendingCalls">;

const METRICS: readonly PublishedMetric[] = [
  { name: "platform_ads_mcp_info", type: "gauge", help: "The version; always 1." },
  { name: "platform_ads_mcp_calls_total", type: "counter", help: "Calls of tools, by tool and result." },
  {
    name: "platform_ads_mcp_call_duration_seconds",
    type: "histogram",
    help: "Seconds until a call was answered, by tool.",
  },
  { name: "platform_ads_mcp_running_calls", type: "gauge", help: "Calls that are being answered." },
  {
    name: "platform_ads_mcp_pending_calls",
    type: "gauge",
    help: "Work that goes on although its client was answered.",
  },
  { name: "platform_ads_mcp_sessions", type: "gauge", help: "Sessions of clients of the 2025 revisions." },
  {
    name: "platform_ads_mcp_audit_failures_total",
    type: "counter",
    help: "Entries that the audit log did not take.",
  },
  ...TRANSPORT_METRICS,
  { name: "process_resident_memory_bytes", type: "gauge", help: "Memory of the process." },
];

const FROM_ZERO = /^platform_ads_(?:mcp_audit_failures|throttled|wait_seconds)_total$/;

function metricsText(contexts: readonly MeasuredContext[], sessions: number): string {
  const values = new Map<string, number>();
  const add = (key: string, value: number): void => void values.set(key, (values.get(key) ?? 0) + value);
  add(metricKey("platform_ads_mcp_info", { version: VERSION }), 1);
  add("platform_ads_mcp_sessions", sessions);
  add("process_resident_memory_bytes", process.memoryUsage().rss);
  for (const { connected, metrics, pendingCalls } of contexts) {
    add("platform_ads_mcp_running_calls", metrics.running);
    add("platform_ads_mcp_pending_calls", pendingCalls.size);
    for (const [key, value] of metrics.counters) add(key, value);
    for (const report of connected?.transport.pacer.paces() ?? []) {
      for (const [key, value] of paceGauges(report)) add(key, value);
    }
  }
  const lines = METRICS.flatMap((metric) => {
    const { name } = metric;
    const found = [...values].filter(([key]) =>
      /^(?:_bucket|_sum|_count)?(?:\{|$)/.test(afterName(key, name))
    );
    if (found.length === 0 && FROM_ZERO.test(name)) found.push([name, 0]);
    return metricLines(metric, found);
  });
  return lines.join("\n") + "\n";
}

function afterName(key: string, name: string): string {
  return key.startsWith(name) ? key.slice(name.length) : " ";
}
