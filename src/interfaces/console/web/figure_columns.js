// @ts-check

/**
 * @typedef {{ key: string, name: string, isNumber: boolean }} FigureColumn
 */

/** @type {{ key: string, name: string, late?: boolean, better?: "more" | "less" }[]} */
export const MEASURES = [
  { key: "cost", name: "Spend" }, { key: "sales", name: "Sales", late: true, better: "more" }, { key: "acos", name: "ACOS", late: true, better: "less" },
  { key: "roas", name: "ROAS", late: true, better: "more" }, { key: "orders", name: "Orders", late: true, better: "more" },
  { key: "impressions", name: "Impressions" }, { key: "clicks", name: "Clicks" }, { key: "ctr", name: "CTR", better: "more" },
  { key: "cpc", name: "Cost per click" }, { key: "cvr", name: "CVR", late: true, better: "more" },
];

export const SHARES = ["acos", "ctr", "cvr"];

export const AMOUNTS = ["cost", "sales", "cpc"];

const NUMBERS = [
  ["cost", "Spend"], ["cost_change", "± spend"], ["sales", "Sales"], ["sales_change", "± sales"], ["acos", "ACOS"], ["roas", "ROAS"],
  ["orders", "Orders"], ["impressions", "Impr."], ["clicks", "Clicks"], ["ctr", "CTR"], ["cvr", "CVR"],
];

/**
 * The names of the groups, where a name stands for its id, and the figures.
 *
 * @param {{ columns: string[] } | undefined} data
 * @returns {FigureColumn[]}
 */
export function figureColumns(data) {
  const all = data?.columns ?? [];
  const keys = all.slice(0, all.indexOf("currency"));
  const named = keys.filter((key) => !/_id$/.test(key) || !keys.includes(key.slice(0, -3)));
  return [
    ...named.map((key) => ({ key, name: (key.charAt(0).toUpperCase() + key.slice(1)).replaceAll("_", " "), isNumber: false })),
    ...NUMBERS.map(([key = "", name = ""]) => ({ key, name, isNumber: true })),
  ];
}

/**
 * Rows by a column, `-cost` from the highest; unknown values come last.
 *
 * @param {readonly any[]} rows
 * @param {string} sort
 */
export function sortRows(rows, sort) {
  const [key, sign] = sort.startsWith("-") ? [sort.slice(1), -1] : [sort, 1];
  return [...rows].sort((a, b) => {
    const [one, other] = [a[key] ?? undefined, b[key] ?? undefined];
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
    return sign * (typeof one === "number" ? one - other : String(one).localeCompare(String(other)));
  });
}

/**
 * The sort after a click on a head: from the highest, from the lowest, as it was.
 *
 * @param {string} sort
 * @param {string} key
 */
export function nextSort(sort, key) {
  return sort === `-${key}` ? key : sort === key ? "" : `-${key}`;
}

/**
 * A figure of several days, ratios from their sums.
 *
 * @param {readonly any[]} rows by day
 * @param {string} key
 * @returns {number | null}
 */
export function sumOf(rows, key) {
  if (rows.length === 0) return null;
  const sum = (/** @type {string} */ name) => rows.reduce((all, row) => all + (row[name] ?? 0), 0);
  const ratio = (/** @type {string} */ part, /** @type {string} */ all) => sum(all) > 0 ? sum(part) / sum(all) : null;
  const of = { acos: ["cost", "sales"], roas: ["sales", "cost"], cpc: ["cost", "clicks"], ctr: ["clicks", "impressions"], cvr: ["orders", "clicks"] }[key];
  return of === undefined ? sum(key) : ratio(of[0] ?? "", of[1] ?? "");
}
