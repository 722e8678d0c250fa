// @ts-check
/** The SQL of a choice on the Explore page; a person may then change it. */

const SIMPLE = /^[a-z_][a-z0-9_]*$/;
const AMOUNT = /^(cost|acos|sales)/;
const CODE = /^[A-Z]{2,3}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * Amounts of several currencies are never summed: the rows are then split by currency.
 *
 * @param {{ report: string, measures: string[], split: string, start: string, end: string, profile: string }} choice
 * @param {Record<string, string>} [currencies] currency of each country whose figures are read
 */
export function exploreSql({ report, measures, split, start, end, profile }, currencies = {}) {
  const chosen = split === "" ? [] : split.split(",");
  const isMixed = !chosen.includes("country_code") && new Set(Object.values(currencies)).size > 1 &&
    measures.some((name) => AMOUNT.test(name));
  const groups = [...chosen.map(quoted), ...(isMixed ? [currencyOf(currencies)] : [])];
  const selects = [
    ...chosen.map(quoted),
    ...(isMixed ? [`${currencyOf(currencies)} AS currency`] : []),
    ...measures.map((name) => name === "acos"
      ? `sum(cost) / nullif(sum(${salesColumn(report)}), 0) AS acos`
      : `sum(${quoted(name)}) AS ${quoted(name)}`),
  ];
  const where = [
    ...(DAY.test(start) ? [`date >= '${start}'`] : []),
    ...(DAY.test(end) ? [`date <= '${end}'`] : []),
    ...(/^\d+$/.test(profile) ? [`profile_id = '${profile}'`] : []),
  ];
  const order = chosen.includes("date") ? "date" : `${groups.length + 1} DESC`;
  return [
    `SELECT ${selects.join(", ")}`,
    `FROM ${quoted(report)}`,
    ...(where.length === 0 ? [] : [`WHERE ${where.join(" AND ")}`]),
    ...(groups.length === 0 ? [] : [`GROUP BY ${groups.join(", ")}`, `ORDER BY ${order}`]),
  ].join("\n");
}

/** @param {Record<string, string>} currencies */
function currencyOf(currencies) {
  const cases = Object.entries(currencies).filter((pair) => pair.every((code) => CODE.test(code)));
  return `CASE country_code ${cases.map(([country, currency]) => `WHEN '${country}' THEN '${currency}'`).join(" ")} END`;
}

/** @param {string} report */
export function salesColumn(report) {
  return report.startsWith("sp_") ? "sales_14d" : "sales";
}

/** @param {string} name */
function quoted(name) {
  return SIMPLE.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/**
 * Rows as the text of a CSV file. A text that a spreadsheet would take for a formula begins with an apostrophe.
 *
 * @param {string[]} columns
 * @param {unknown[][]} rows
 */
export function csvText(columns, rows) {
  const cell = (/** @type {unknown} */ value) => {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    const safe = /^[=+@\t\r-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}
