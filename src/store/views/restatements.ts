import type { ReportName } from "../../client/reports/requests/named_report.ts";
import type { ReportLayout } from "../model/report_layout.ts";
import type { StoreDriver } from "../model/store_driver.ts";
import { sqlDialect } from "../tables/sql_dialect.ts";
import { viewColumn } from "./view_columns.ts";

/** Columns for grouping restatements. */
export type RestatementKey = "report" | "age" | "country_code" | "profile_id" | "date";

/** Changes of figures after their day was first stored. */
export interface Restatement {
  /** Report; absent unless restatements are grouped by report. */
  readonly report?: ReportName;
  /** Days between the reported day and the change. */
  readonly age?: number;
  /** Country; absent unless the sums are by country. */
  readonly country_code?: string;
  /** The platform's id of the profile; absent unless the sums are by profile. */
  readonly profile_id?: string;
  /** Day whose figures changed. */
  readonly date?: string;
  /** Number of row versions that became known. */
  readonly versions: number;
  /** Change of impressions. */
  readonly impressions: number;
  /** Change of clicks. */
  readonly clicks: number;
  /** Change of the spend, in the currency of the profiles. */
  readonly cost: number;
  /** Change of the orders. */
  readonly orders: number;
  /** Change of the sales, in the currency of the profiles. */
  readonly sales: number;
}

const FOLLOWED: Readonly<
  Record<"impressions" | "clicks" | "cost" | "orders" | "sales", readonly string[]>
> = {
  impressions: ["impressions"],
  clicks: ["clicks"],
  cost: ["cost"],
  orders: ["purchases14d", "purchases", "orders14d"],
  sales: ["sales14d", "sales"],
};

/**
 * SQL of a metric; 0 if a report lacks the metric.
 *
 * @param nameOf Returns the column name in the view; tables use the platform's names.
 */
export function metricSql(
  { columns }: ReportLayout,
  nameOf: (column: string) => string,
): Record<keyof typeof FOLLOWED, string> {
  const sql = (names: readonly string[]): string => {
    const column = names.find((name) => columns.some((each) => each.name === name));
    return column === undefined ? "0" : `coalesce(h."${nameOf(column)}", 0)`;
  };
  const { impressions, clicks, cost, orders, sales } = FOLLOWED;
  return {
    impressions: sql(impressions),
    clicks: sql(clicks),
    cost: sql(cost),
    orders: sql(orders),
    sales: sql(sales),
  };
}

function changesSql(report: ReportName, select: (time: string, sign: "" | "-") => string): string {
  // The columns of the two reporting APIs differ: a day that changes between them was not restated by that.
  const first = "coalesce(d.reporting_since, d.first_pulled_at)";
  const from = `FROM ${report}_history AS h JOIN days AS d
    ON d.profile_id = h.profile_id AND d.date = h.date AND d.report = '${report}'`;
  return `SELECT ${select("h.known_from", "")} ${from} WHERE h.known_from > ${first} AND h.known_from >= ?
    UNION ALL SELECT ${select("h.known_to", "-")} ${from} WHERE h.known_to >= ? AND h.known_to > ${first}`;
}

export async function restatements(
  driver: StoreDriver,
  since: string,
  by: readonly RestatementKey[],
): Promise<Restatement[]> {
  const sums = new Map<string, Restatement>();
  const { age } = sqlDialect(driver.dialect);
  for (const layout of driver.layouts) {
    const { report } = layout;
    const metrics = metricSql(layout, viewColumn);
    const select = (time: string, sign: "" | "-"): string =>
      [
        `h.country_code, h.profile_id, h.date, ${age(time, "h.date")} AS age, ${
          sign === "" ? 1 : 0
        } AS versions`,
        ...Object.entries(metrics).map(([name, sql]) => `${sign}${sql} AS ${name}`),
      ].join(", ");
    const keys = by.filter((key) => key !== "report");
    const totals = ["versions", ...Object.keys(metrics)].map((name) => `sum(${name}) AS ${name}`);
    const sql = `SELECT ${[...keys, ...totals].join(", ")} FROM (${changesSql(report, select)}) AS changes` +
      (keys.length === 0 ? "" : ` GROUP BY ${keys.join(", ")}`);
    const { rows } = await driver.query(sql, { params: [since, since], maxRows: Infinity });
    for (const row of rows) add(sums, row, { report, by });
  }
  // A row that vanished takes its figures back, and no version of it becomes known.
  return [...sums.values()].filter(({ versions, impressions, clicks, cost, orders, sales }) =>
    [versions, impressions, clicks, cost, orders, sales].some((figure) => figure !== 0)
  );
}

function add(
  sums: Map<string, Restatement>,
  row: Readonly<Record<string, unknown>>,
  { report, by }: { report: ReportName; by: readonly RestatementKey[] },
): void {
  const identity = {
    ...(by.includes("report") ? { report } : {}),
    ...(by.includes("country_code") ? { country_code: String(row["country_code"]) } : {}),
    ...(by.includes("profile_id") ? { profile_id: String(row["profile_id"]) } : {}),
    ...(by.includes("date") ? { date: String(row["date"]) } : {}),
    ...(by.includes("age") ? { age: Number(row["age"]) } : {}),
  };
  const key = JSON.stringify(identity);
  const known = sums.get(key);
  const sum = (name: "versions" | keyof typeof FOLLOWED): number =>
    Math.round(((known?.[name] ?? 0) + Number(row[name])) * 1e6) / 1e6;
  sums.set(key, {
    ...identity,
    versions: sum("versions"),
    impressions: sum("impressions"),
    clicks: sum("clicks"),
    cost: sum("cost"),
    orders: sum("orders"),
    sales: sum("sales"),
  });
}
