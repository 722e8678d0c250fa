// @ts-check

const BARS = 20;
const KEPT = 30;

/** @type {[about: string, sql: string][]} */
export const EXAMPLES = [
  ["Spend and sales by day", "SELECT date, sum(cost) AS cost, sum(sales) AS sales FROM budget_pressure GROUP BY date ORDER BY date"],
  ["Campaigns by spend", "SELECT campaign_name, sum(cost) AS cost, sum(sales) AS sales, sum(cost) / nullif(sum(sales), 0) AS acos FROM budget_pressure GROUP BY campaign_id, campaign_name ORDER BY cost DESC LIMIT 50"],
  ["Campaigns out of budget", "SELECT date, country_code, campaign_name, budget, budget_used FROM budget_pressure WHERE budget_used >= 0.95 ORDER BY date DESC LIMIT 200"],
  ["Search terms without orders", "SELECT search_term, sum(clicks) AS clicks, sum(cost) AS cost FROM search_term_performance GROUP BY search_term HAVING sum(orders) = 0 ORDER BY cost DESC LIMIT 100"],
  ["Match types", "SELECT match_type, sum(clicks) AS clicks, sum(cost) AS cost, sum(orders) AS orders FROM performance GROUP BY match_type ORDER BY cost DESC"],
];

/**
 * Columns of a result whose values are numbers; ids are none.
 *
 * @param {{ columns: string[], rows: any[][] }} result
 */
export function drawable({ columns, rows }) {
  return columns.filter((name, at) => !/_?id$/i.test(name) && rows.some((row) => typeof row[at] === "number") && rows.every((row) => typeof row[at] === "number" || row[at] === null));
}

/**
 * The values of a column by day, summed up where a day has several rows; or by the first column with texts, the largest
 * first.
 *
 * @param {{ columns: string[], rows: any[][] }} result
 * @param {string} name
 * @returns {{ days: string[], values: number[] } | { bars: { name: string, value: number }[], more: number } | undefined}
 */
export function chartOf({ columns, rows }, name) {
  const at = columns.indexOf(name);
  if (at < 0 || rows.length < 2) return undefined;
  const isDay = (/** @type {unknown} */ value) => typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value);
  const day = columns.findIndex((_one, place) => rows.every((row) => isDay(row[place])));
  const label = day >= 0 ? day : columns.findIndex((_one, place) => place !== at && rows.some((row) => typeof row[place] === "string"));
  if (label < 0) return undefined;
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const row of rows) {
    const key = day >= 0 ? row[label].slice(0, 10) : String(row[label] ?? "");
    sums.set(key, (sums.get(key) ?? 0) + (row[at] ?? 0));
  }
  if (day >= 0) {
    const days = [...sums.keys()].sort();
    return days.length < 2 ? undefined : { days, values: days.map((one) => sums.get(one) ?? 0) };
  }
  const bars = [...sums].map(([one, value]) => ({ name: one, value })).sort((a, b) => b.value - a.value);
  return { bars: bars.slice(0, BARS), more: Math.max(0, bars.length - BARS) };
}

/**
 * A list of kept queries with one more, the newest first and each once.
 *
 * @param {readonly string[]} kept
 * @param {string} sql
 */
export function withQuery(kept, sql) {
  return [sql, ...kept.filter((one) => one !== sql)].slice(0, KEPT);
}
