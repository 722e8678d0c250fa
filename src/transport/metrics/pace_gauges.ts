import { metricKey } from "../../internal/prometheus_text.ts";
import type { PaceReport } from "../pacer/pacer.ts";

/** Rate, limit and queue of a group of operations, by the names that every program of this package uses. */
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
