import process from "node:process";
import { metricKey, metricLines, type PublishedMetric } from "../../internal/prometheus_text.ts";
import { paceGauges } from "../../transport/metrics/pace_gauges.ts";
import { TRANSPORT_METRICS } from "../../transport/metrics/transport_metrics.ts";
import type { McpContext } from "../mcp_context.ts";
import { VERSION } from "../version.ts";

/** Context with metrics. */
export type MeasuredContext = Pick<McpContext, "connected" | "metrics" | "pendingCalls">;

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

/** Metrics that are published with the value 0 before anything was counted. */
const FROM_ZERO = /^platform_ads_(?:mcp_audit_failures|throttled|wait_seconds)_total$/;

/** The metrics of a server in the text format of Prometheus: sums over all of its accounts, without data of any account. */
export function metricsText(contexts: readonly MeasuredContext[], sessions: number): string {
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

/** Rest of a key after the metric's name; a text that matches nothing for the key of another metric. */
function afterName(key: string, name: string): string {
  return key.startsWith(name) ? key.slice(name.length) : " ";
}
