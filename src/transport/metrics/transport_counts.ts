import { metricKey } from "../../internal/prometheus_text.ts";
import type { TransportEvent } from "../transport_options.ts";

/** Counters of requests, of throttled ones and of seconds waited that an event of a client adds to. */
export function transportCounts({ kind, status, seconds }: TransportEvent): [key: string, amount: number][] {
  if (kind === "pace") return [];
  if (kind === "wait") return [["platform_ads_wait_seconds_total", seconds]];
  const sent = metricKey("platform_ads_requests_total", { status: String(status ?? "none") });
  return status === 429 ? [[sent, 1], ["platform_ads_throttled_total", 1]] : [[sent, 1]];
}
