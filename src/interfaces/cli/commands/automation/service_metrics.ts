import { metricKey, metricLines, type PublishedMetric } from "../../../../base/text/prometheus_text.ts";
import type { ServiceEvent, ServiceStatus } from "../../../../automation/service/mod.ts";

const METRICS = {
  runs: {
    name: "platform_ads_service_runs_total",
    type: "counter",
    help: "Runs that ended, by timer and outcome.",
  },
  late: {
    name: "platform_ads_service_late",
    type: "gauge",
    help: "1 if a timer is overdue, or has run for more than two hours.",
  },
  due: {
    name: "platform_ads_service_next_due_timestamp_seconds",
    type: "gauge",
    help: "Next time at which a timer is due.",
  },
} as const satisfies Readonly<Record<string, PublishedMetric>>;

export class ServiceMetrics {
  readonly #runs = new Map<string, number>();
  #units: readonly ServiceStatus[] = [];

  looked(units: readonly ServiceStatus[]): void {
    this.#units = units;
  }

  heard({ kind, timer }: ServiceEvent): void {
    if (kind === "began") return;
    const key = metricKey(METRICS.runs.name, { timer, outcome: kind });
    this.#runs.set(key, (this.#runs.get(key) ?? 0) + 1);
  }

  problem(): string | undefined {
    const bad = this.#units.filter(({ isLate, outcome }) => isLate || outcome === "failed");
    if (bad.length === 0) return undefined;
    return bad.map(({ countryCode, timer, isLate }) =>
      `${countryCode} ${timer} ${isLate ? "is late" : "failed"}`
    )
      .join(", ");
  }

  text(): string {
    const each = (metric: PublishedMetric, value: (unit: ServiceStatus) => number): string[] =>
      metricLines(
        metric,
        this.#units.map((unit) => [
          metricKey(metric.name, { profile_id: unit.profileId, timer: unit.timer }),
          value(unit),
        ]),
      );
    return [
      ...metricLines(METRICS.runs, this.#runs),
      ...each(METRICS.late, ({ isLate }) => isLate ? 1 : 0),
      ...each(METRICS.due, ({ next }) => Math.round(next / 1000)),
      "",
    ].join("\n");
  }
}
