import { metricKey, type PublishedMetric } from "../../base/text/prometheus_text.ts";
import type { PaceReport } from "./pacer/pacer.ts";
import type { TransportEvent } from "./transport_options.ts";

export const TRANSPORT_METRICS: readonly PublishedMetric[] = [
  { name: "platform_ads_requests_total", type: "counter", help: "Requests sent to the platform, by status." },
  { name: "platform_ads_throttled_total", type: "counter", help: "Requests that were refused as too fast." },
  { name: "platform_ads_wait_seconds_total", type: "counter", help: "Seconds waited before requests." },
  { name: "platform_ads_pace_rate", type: "gauge", help: "Requests a second of a group, once throttled." },
  {
    name: "platform_ads_pace_limit",
    type: "gauge",
    help: "Requests a second that the platform last allowed.",
  },
  { name: "platform_ads_pace_waiting", type: "gauge", help: "Requests that wait for their turn." },
];

export function paceGauges(
  { host, group, rate, limit, waiting }: PaceReport,
): [name: string, value: number][] {
  const labels = { host, group };
  const gauges: [string, number | undefined][] = [
    ["platform_ads_pace_rate", rate],
    ["platform_ads_pace_limit", limit],
    ["platform_ads_pace_waiting", waiting],
  ];
  return gauges.flatMap(([name, value]) => value === undefined ? [] : [[metricKey(name, labels), value]]);
}

export function transportCounts({ kind, status, seconds }: TransportEvent): [key: string, amount: number][] {
  if (kind === "pace") return [];
  if (kind === "wait") return [["platform_ads_wait_seconds_total", seconds]];
  const sent = metricKey("platform_ads_requests_total", { status: String(status ?? "none") });
  return status === 429 ? [[sent, 1], ["platform_ads_throttled_total", 1]] : [[sent, 1]];
}
