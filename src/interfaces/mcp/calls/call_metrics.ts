import type { TransportEvent } from "../../../platform/transport/transport_options.ts";
import { transportCounts } from "../../../platform/transport/metrics.ts";
import { metricKey } from "../../../base/text/prometheus_text.ts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { type CallAnswer, STILL_WORKING } from "./pending_calls.ts";
import type { TooManyCallsError } from "./call_limits.ts";
import { TASK } from "./tasks.ts";

type CallOutcome = "ok" | "failed" | "asked" | "limited" | "waiting";

const BOUNDS = [0.1, 0.5, 1, 5, 10, 30, 60];

export class CallMetrics {
  readonly counters: Map<string, number> = new Map();
  running = 0;

  answered(tool: string, result: CallOutcome, seconds: number): void {
    const duration = "platform_ads_mcp_call_duration_seconds";
    this.#add("platform_ads_mcp_calls_total", 1, { tool, result });
    for (const bound of [...BOUNDS, Infinity]) {
      const le = bound === Infinity ? "+Inf" : String(bound);
      this.#add(`${duration}_bucket`, seconds <= bound ? 1 : 0, { tool, le });
    }
    this.#add(`${duration}_sum`, seconds, { tool });
    this.#add(`${duration}_count`, 1, { tool });
  }

  heard(event: TransportEvent): void {
    for (const [key, amount] of transportCounts(event)) this.#count(key, amount);
  }

  auditFailed(): void {
    this.#add("platform_ads_mcp_audit_failures_total", 1);
  }

  #add(name: string, amount: number, labels?: Readonly<Record<string, string>>): void {
    this.#count(metricKey(name, labels), amount);
  }

  #count(key: string, amount: number): void {
    this.counters.set(key, (this.counters.get(key) ?? 0) + amount);
  }
}

const RETRY_AFTER = "platform-ads/retry_after";

export async function measuredCall(
  run: () => Promise<CallAnswer>,
  tool: string,
  metrics: CallMetrics,
): Promise<CallAnswer> {
  const began = performance.now();
  metrics.running++;
  try {
    const answer = await run();
    metrics.answered(tool, outcomeOf(answer), (performance.now() - began) / 1000);
    return answer;
  } finally {
    metrics.running--;
  }
}

export function limitedAnswer(answer: CallToolResult, { retryAfter }: TooManyCallsError): CallToolResult {
  return { ...answer, _meta: { ...answer._meta, [RETRY_AFTER]: retryAfter } };
}

function outcomeOf(answer: CallAnswer): CallOutcome {
  if (!("content" in answer)) return "asked";
  const { _meta: meta, isError } = answer as CallToolResult;
  if (meta?.[RETRY_AFTER] !== undefined) return "limited";
  if (meta?.[STILL_WORKING] === true || meta?.[TASK] !== undefined) return "waiting";
  return isError ? "failed" : "ok";
}
