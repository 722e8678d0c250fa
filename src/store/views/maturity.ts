import { addDays, dayOf } from "../../base/time/calendar.ts";
import { type Maturity, RESTATE_DAYS } from "../model/maturity_share.ts";
import { metricSql } from "./restatements.ts";
import { keptVersions } from "../tables/kept_versions.ts";
import { sqlDialect } from "../tables/sql_dialect.ts";
import type { StoreDriver } from "../model/store_driver.ts";

const SEEN_EARLY = 3;

const JUDGE_AFTER = 20;

const JUDGED_DAYS = 90;

/**
 * Approximate maximum of judged rows per report, and minimum per market. Beyond it days are sampled evenly; shares
 * hardly change, and large stores would take minutes.
 */
const [JUDGED_ROWS, MARKET_ROWS] = [1_000_000, 100_000];

/**
 * At most once a day.
 *
 * @param now Epoch milliseconds.
 */
export async function judgeMaturity(driver: StoreDriver, now: number): Promise<void> {
  const { rows } = await driver.query("SELECT max(judged_at) AS judged FROM maturity", {
    params: [],
    maxRows: 1,
  });
  const judged = rows[0]?.["judged"];
  if (typeof judged === "string" && now - Date.parse(judged) < JUDGE_AFTER * 3600_000) return;
  await driver.replaceMaturity(await maturity(driver, dayOf(now)), new Date(now).toISOString());
}

export async function maturity(
  driver: StoreDriver,
  today: string,
  limit: { rows: number; ofMarket: number } = { rows: JUDGED_ROWS, ofMarket: MARKET_ROWS },
): Promise<Maturity[]> {
  const final = addDays(today, -RESTATE_DAYS);
  const first = addDays(final, -JUDGED_DAYS);
  const dialect = sqlDialect(driver.dialect);
  const { age } = dialect;
  // A day that came from one reporting API first and then from the other tells nothing about later figures.
  const firstPull = "coalesce(d.reporting_since, d.first_pulled_at)";
  const seen =
    `d.report = ? AND d.date >= '${first}' AND d.date <= '${final}' AND d.first_pulled_at IS NOT NULL
    AND ${age(firstPull, "d.date")} <= ${SEEN_EARLY}`;
  const found: Maturity[] = [];
  for (const layout of driver.layouts) {
    const { report, table } = layout;
    const { rows: markets } = await driver.query(
      `SELECT profiles.country_code, sum(d.rows) AS stored
       FROM days AS d JOIN profiles ON profiles.profile_id = d.profile_id WHERE ${seen} GROUP BY profiles.country_code`,
      { params: [report], maxRows: Infinity },
    );
    if (markets.length === 0) continue;
    const total = markets.reduce((sum, { stored }) => sum + Number(stored), 0);
    const judged = markets.map(({ stored }) => {
      const share = Math.max(limit.ofMarket, limit.rows * Number(stored) / total);
      const days = everyDay({ first, final }, Math.ceil(Number(stored) / share));
      return `(profiles.country_code = ?${
        days === undefined ? "" : ` AND d.date IN ('${days.join("', '")}')`
      })`;
    });
    const codes = markets.map((row) => String(row["country_code"]));
    const metrics = metricSql(layout, (name) => name);
    const names = Object.keys(metrics);
    // Days first: the rows of a profile lie by day. Their range is said twice, as it leaves partitions of rows out.
    const part = (of: string, time: string, sign: "" | "-"): string =>
      `SELECT profiles.country_code, h.date, ${age(dialect.time(time), "h.date")} AS age, ${
        Object.entries(metrics).map(([name, sql]) => `${sign}${sql} AS ${name}`).join(", ")
      }
      FROM days AS d CROSS JOIN ${of} AS h CROSS JOIN profiles
      WHERE ${seen} AND (${judged.join(" OR ")}) AND h.profile_id = d.profile_id AND h.date = d.date
        AND h.date >= '${first}' AND h.date <= '${final}' AND profiles.profile_id = d.profile_id`;
    const { from, column } = keptVersions(layout, dialect);
    // By the number alone: by day and profile as well, PostgreSQL would look every version up among all rows of its day.
    const kept = `(SELECT rows.profile_id, ${
      layout.columns.map(({ name }) => `${column(name)} AS "${name}"`).join(", ")
    }, d.known_from, d.known_to FROM ${from}
      WHERE d.ref = rows.ref AND ${dialect.changeWithin("d", first, final)})`;
    const parts = [
      part(table, "h.known_from", ""),
      ...[kept, `${table}_history`].flatMap((ended) => [
        part(ended, "h.known_from", ""),
        part(ended, "h.known_to", "-"),
      ]),
    ];
    const sums = names.map((name) => `sum(${name}) AS ${name}`).join(", ");
    const { rows } = await driver.query(
      `SELECT country_code, age, count(DISTINCT date) AS days, ${sums}
       FROM (${parts.join(" UNION ALL ")}) AS changes GROUP BY country_code, age ORDER BY country_code, age`,
      { params: parts.flatMap(() => [report, ...codes]), maxRows: Infinity },
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

function everyDay({ first, final }: { first: string; final: string }, step: number): string[] | undefined {
  if (step <= 1) return undefined;
  // Else it would always be the same day of the week.
  const steps = step % 7 === 0 ? step + 1 : step;
  const days: string[] = [];
  for (let day = final; day >= first; day = addDays(day, -steps)) days.push(day);
  return days;
}

function metricNames(): Maturity["metric"][] {
  return ["impressions", "clicks", "cost", "orders", "sales"];
}

function shares(
  rows: readonly Readonly<Record<string, unknown>>[],
  of: Pick<Maturity, "report" | "country_code" | "metric" | "days">,
): Maturity[] {
  const moved = (until: number): number =>
    rows.reduce((sum, row) => Number(row["age"]) <= until ? sum + Number(row[of.metric]) : sum, 0);
  const total = moved(Infinity);
  if (total === 0) return [];
  return Array.from({ length: RESTATE_DAYS }, (_, index) => ({
    ...of,
    age: index + 1,
    share: Math.round(moved(index + 1) / total * 10_000) / 10_000,
  }));
}
