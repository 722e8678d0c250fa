import type { TransportEvent } from "../../../platform/transport/transport_options.ts";
import { transportCounts } from "../../../platform/transport/metrics.ts";
import { metricKey } from "../../../base/text/prometheus_text.ts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { type CallAnswer, STILL_WORKING } from "./pending_calls.ts";
import type { TooManyCallsError } from "./call_limits.ts";
import { TASK } from "./tasks.ts";

/** How a call ended: `limited` came too soon, `waiting` was answered before its work was done. */
type CallOutcome = "ok" | "failed" | "asked" | "limited" | "waiting";

/** Upper ends of the durations that are counted apart, in seconds. */
const BOUNDS = [0.1, 0.5, 1, 5, 10, 30, 60];

/** Counters of a server, by the names under which they are published. */
export class CallMetrics {
  /** Values by name and labels. */
  readonly counters: Map<string, number> = new Map();
  /** Calls that are being answered. */
  running = 0;

  /** Counts a call that was answered. */
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

  /** Counts what the client of the platform reports. */
  heard(event: TransportEvent): void {
    for (const [key, amount] of transportCounts(event)) this.#count(key, amount);
  }

  /** Counts an entry that the audit log did not take. */
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

/** Field of an answer's `_meta`: seconds after which a call that came too soon may be made again. */
const RETRY_AFTER = "platform-ads/retry_after";

/** Answers a call and counts it. */
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

/** The answer to a call that came too soon, which says in its `_meta` when to try again. */
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
