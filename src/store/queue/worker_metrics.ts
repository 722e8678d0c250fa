import { metricKey, metricLines, type PublishedMetric } from "../../base/text/prometheus_text.ts";
import { paceGauges, TRANSPORT_METRICS, transportCounts } from "../../platform/transport/metrics.ts";
import type { PaceReport } from "../../platform/transport/pacer/pacer.ts";
import type { TransportEvent } from "../../platform/transport/transport_options.ts";
import type { JobCounts } from "./queue_status.ts";

export class WorkerMetrics {
  readonly #counters = new Map<string, number>();

  get rows(): number {
    return this.#counters.get("platform_ads_rows_stored_total") ?? 0;
  }

  add(name: string, amount: number, labels: Readonly<Record<string, string>> = {}): void {
    this.#count(metricKey(name, labels), amount);
  }

  #count(key: string, amount: number): void {
    this.#counters.set(key, (this.#counters.get(key) ?? 0) + amount);
  }

  heard(event: TransportEvent): void {
    for (const [key, amount] of transportCounts(event)) this.#count(key, amount);
  }

  text(now: { jobs: JobCounts; workers: number; paces: readonly PaceReport[] }): string {
    const gauges = new Map<string, number>([
      ...Object.entries(now.jobs).map(([state, count]) =>
        [`platform_ads_jobs{state="${state}"}`, count] as const
      ),
      ["platform_ads_workers", now.workers],
      ...now.paces.flatMap(paceGauges),
    ]);
    const lines: string[] = [];
    for (const metric of METRICS) {
      const { name, type } = metric;
      const values = type === "gauge" ? gauges : this.#counters;
      const found = [...values].filter(([key]) => key === name || key.startsWith(`${name}{`));
      if (found.length === 0 && !name.startsWith("platform_ads_pace_")) found.push([name, 0]);
      lines.push(...metricLines(metric, found.sort()));
    }
    return lines.join("\n") + "\n";
  }
}

const METRICS: readonly PublishedMetric[] = [
  { name: "platform_ads_jobs", type: "gauge", help: "Jobs on the queue, of all workers, by state." },
  { name: "platform_ads_workers", type: "gauge", help: "Living workers." },
  { name: "platform_ads_jobs_run_total", type: "counter", help: "Jobs this worker ran, by outcome." },
  { name: "platform_ads_reports_total", type: "counter", help: "Reports this worker pulled, by outcome." },
  {
    name: "platform_ads_plans_total",
    type: "counter",
    help: "Plans of rollouts this worker applied, by outcome.",
  },
  { name: "platform_ads_drift_changes_total", type: "counter", help: "Changes found, by who made them." },
  { name: "platform_ads_rows_stored_total", type: "counter", help: "Rows this worker stored." },
  ...TRANSPORT_METRICS,
];
