import { addDays } from "../internal/calendar.ts";
import { REPORT_PRESET_NAMES, type ReportPresetName } from "../reports/presets.ts";
import { ageSql, metricSql } from "./restatements.ts";
import type { StoreDriver } from "./store_driver.ts";
import { RESTATE_DAYS } from "./sync/sync_options.ts";

/** Days after which a day must have been stored for the first time to be judged. */
const SEEN_EARLY = 3;

/** How much of the final figure was known at an age, on the average of the days that are final by now. */
export interface Maturity {
  /** Name of the preset, for example `sp_placement`. */
  readonly report: ReportPresetName;
  /** Country of the profiles. */
  readonly country_code: string;
  /** Metric: impressions, clicks, cost, orders or sales. */
  readonly metric: "impressions" | "clicks" | "cost" | "orders" | "sales";
  /** Days after the day. */
  readonly age: number;
  /** Share of the final figure; more than 1 where figures were taken back later. */
  readonly share: number;
  /** Days that were judged. */
  readonly days: number;
}

/**
 * Judges from the history how much of the final figures is known at each age.
 *
 * @param today The day it is.
 */
export async function maturity(driver: StoreDriver, today: string): Promise<Maturity[]> {
  const final = addDays(today, -RESTATE_DAYS);
  const found: Maturity[] = [];
  for (const report of REPORT_PRESET_NAMES) {
    const metrics = metricSql(report);
    const names = Object.keys(metrics);
    const from = `FROM ${report}_history AS h JOIN days AS d
      ON d.profile_id = h.profile_id AND d.date = h.date AND d.report = '${report}'
      WHERE h.date <= ? AND d.first_pulled_at IS NOT NULL AND ${
      ageSql(driver.dialect, "d.first_pulled_at")
    } <= ${SEEN_EARLY}`;
    const part = (time: string, sign: "" | "-"): string =>
      `SELECT h.country_code, h.date, ${ageSql(driver.dialect, time)} AS age, ${
        Object.entries(metrics).map(([name, sql]) => `${sign}${sql} AS ${name}`).join(", ")
      } ${from}`;
    const sums = names.map((name) => `sum(${name}) AS ${name}`).join(", ");
    const { rows } = await driver.query(
      `SELECT country_code, age, count(DISTINCT date) AS days, ${sums}
       FROM (${part("h.known_from", "")} UNION ALL ${
        part("h.known_to", "-")
      } AND h.known_to IS NOT NULL) AS changes
       GROUP BY country_code, age ORDER BY country_code, age`,
      { params: [final, final], maxRows: Infinity },
    );
    for (const country of new Set(rows.map((row) => String(row["country_code"])))) {
      const own = rows.filter((row) => row["country_code"] === country);
      const days = Math.max(...own.map((row) => Number(row["days"])));
      for (const metric of metricNames()) {
        found.push(...shares(own, { report, country_code: country, metric, days }));
      }
    }
  }
  return found;
}

function metricNames(): Maturity["metric"][] {
  return ["impressions", "clicks", "cost", "orders", "sales"];
}

/** The share that was known at each age from 1 to 42 days. */
function shares(
  rows: readonly Readonly<Record<string, unknown>>[],
  of: Pick<Maturity, "report" | "country_code" | "metric" | "days">,
): Maturity[] {
  const moved = (until: number): number =>
    rows.reduce((sum, row) => Number(row["age"]) <= until ? sum + Number(row[of.metric] ?? 0) : sum, 0);
  const total = moved(Infinity);
  if (total === 0) return [];
  return Array.from({ length: RESTATE_DAYS }, (_, index) => ({
    ...of,
    age: index + 1,
    share: Math.round(moved(index + 1) / total * 10_000) / 10_000,
  }));
}
