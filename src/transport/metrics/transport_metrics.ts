import type { PublishedMetric } from "../../internal/prometheus_text.ts";

/** Metrics that every program of this package publishes about its requests, by the names that dashboards share. */
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
