// @ts-check

/**
 * @typedef {{ value: string | number | null } | { problem: string }} NewValue
 * @typedef {{ row: any, column: import("./grid_columns.js").GridColumn, value: string | number | null }} CellValue
 */

/**
 * An amount as a person or a spreadsheet writes it.
 *
 * @param {string} text
 * @param {number} [decimals] of the currency; any number of them when absent
 * @param {string} [noun] what is asked for
 * @returns {{ value: number } | { problem: string }}
 */
export function amountOf(text, decimals, noun = "an amount") {
  const bare = text.replace(/^[\s$€£¥₹]+|[\s$€£¥₹]+$/g, "").replace(/[\s\u00a0\u202f](?=\d{3}\b)/g, "");
  if (/^\d{1,3}[.,]\d{3}$/.test(bare) && !bare.startsWith("0")) {
    return { problem: `"${text}" is ambiguous: ${bare.replace(/[.,]/, "")} or ${bare.replace(",", ".")}. Write it without a thousands separator` };
  }
  const plain = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(bare) ? bare.replaceAll(",", "")
    : /^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/.test(bare) ? bare.replaceAll(".", "").replace(",", ".") : bare.replace(",", ".");
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(plain)) return { problem: `"${text}" is not ${noun}` };
  const value = Number(plain);
  if (decimals !== undefined && rounded(value, decimals) !== value) return { problem: `"${text}" has more than ${decimals} decimals` };
  return { value };
}

/**
 * @param {number} value
 * @param {number} decimals
 */
function rounded(value, decimals) {
  const scale = 10 ** decimals;
  return Math.round(Number((value * scale).toPrecision(12))) / scale;
}

const STEP = /^([+\-*×])\s*(\d+(?:[.,]\d+)?)\s*(%?)$/;

/**
 * The value that a text gives a cell. An amount may be relative to the one there, by the rules of the weekly jobs:
 * `+10%`, `-0.05`, `*1.2`, but not `-10`, which may lack its percent sign.
 *
 * @param {import("./grid_columns.js").GridColumn} column
 * @param {string} text
 * @param {{ now: unknown, decimals: number }} cell
 * @returns {NewValue}
 */
export function typedValue({ key, type, title, names = {} }, text, { now, decimals }) {
  const bare = text.trim();
  if (type === "percent") {
    const next = typedPercent(bare, Number(now ?? 0));
    return "value" in next && Number(next.value) > 900 ? { problem: `"${bare}" is more than 900 %` } : next;
  }
  if (type === "portfolio") {
    if (bare === "") return { value: null };
    const found = Object.entries(names).filter(([id, name]) => id === bare || name.trim().toLowerCase() === bare.toLowerCase());
    return found.length === 1 ? { value: found[0]?.[0] ?? "" } : { problem: found.length === 0 ? `There is no portfolio "${bare}"` : `${found.length} portfolios are named "${bare}": use the id` };
  }
  if (type === "money") {
    const [, sign = "", number = "", percent = ""] = STEP.exec(bare) ?? [];
    const isFactor = sign === "*" || sign === "×";
    if (sign === "" || isFactor && percent !== "") return amountOf(bare, decimals);
    if (typeof now !== "number") return { problem: `"${bare}" is relative, but the cell is empty` };
    const by = amountOf(number);
    if ("problem" in by) return by;
    if (!isFactor && percent === "" && by.value >= 1 && /^\d+$/.test(number)) {
      return { problem: `"${bare}" may lack its percent sign: write ${sign}${number}% for percent, or ${sign}${number}.00 for an amount of money` };
    }
    const signed = sign === "-" ? -by.value : by.value;
    const next = isFactor ? now * signed : percent === "" ? now + signed : now * (1 + signed / 100);
    return next <= 0 ? { problem: `"${bare}" leaves no amount above 0` } : { value: rounded(next, decimals) };
  }
  if (type === "state") {
    const state = bare.toUpperCase();
    return ["ENABLED", "PAUSED"].includes(state) ? { value: state } : { problem: `"${bare}" is not a state: expected enabled or paused` };
  }
  if (type === "date") {
    if (bare === "" && key === "end") return { value: null };
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(bare) && new Date(`${bare}T00:00:00Z`).toJSON()?.startsWith(bare);
    return isDay ? { value: bare } : { problem: `"${bare}" is not a day: write it as 2027-03-31` };
  }
  return bare === "" ? { problem: `${title} cannot be empty` } : { value: bare };
}

/**
 * Whole percent, or points more or less than those there.
 *
 * @param {string} bare
 * @param {number} now
 * @returns {{ value: number } | { problem: string }}
 */
function typedPercent(bare, now) {
  const [, sign = "", number = ""] = STEP.exec(bare) ?? [];
  if (sign === "") return amountOf(bare.replace(/\s*%$/, ""), 0);
  const by = Number(number.replace(",", "."));
  const next = sign === "+" ? now + by : sign === "-" ? now - by : now * by;
  return next < 0 ? { problem: `"${bare}" makes the amount negative` } : { value: rounded(next, 0) };
}

/**
 * @typedef {{ operation: "set" | "percent" | "add" | "round" | "replace", amount: string, find: string, replace: string }} Bulk
 */

/**
 * The new value of one of many cells.
 *
 * @param {Bulk} bulk
 * @param {import("./grid_columns.js").GridColumn} column
 * @param {{ now: unknown, decimals: number }} cell
 * @returns {NewValue | undefined} nothing for a cell that stays
 */
export function bulkValue({ operation, amount, find, replace }, column, cell) {
  const { now, decimals } = cell;
  if (operation === "replace") {
    if (find === "") return { problem: "Enter the text to find" };
    return typeof now === "string" && now.includes(find) ? typedValue(column, now.replaceAll(find, replace), cell) : undefined;
  }
  if (operation === "set") return typedValue(column, amount, cell);
  const bare = amount.trim().replace(",", ".").replace(/%$/, "");
  if (!/^[+-]?\d+(?:\.\d+)?$/.test(bare)) return { problem: `"${amount}" is not a number` };
  const number = Number(bare);
  if (typeof now !== "number") return undefined;
  if (operation === "round") {
    if (number <= 0) return { problem: "Enter a step above 0" };
    return { value: rounded(Math.max(1, Math.round(rounded(now / number, 6))) * number, decimals) };
  }
  const next = operation === "percent" ? now * (1 + number / 100) : now + number;
  return next < 0 ? { problem: `${amount} makes ${now} negative` } : { value: rounded(next, decimals) };
}

/**
 * Reads what a spreadsheet copies: id or name and a value on each line, with a head that names columns, or values alone,
 * which go down from the chosen row.
 *
 * @param {string} text
 * @param {{ rows: any[], at: number, column: import("./grid_columns.js").GridColumn, columns: import("./grid_columns.js").GridColumn[],
 *   now: (row: any, column: import("./grid_columns.js").GridColumn) => unknown, decimals: number,
 *   columnOf?: (row: any, column: import("./grid_columns.js").GridColumn) => import("./grid_columns.js").GridColumn,
 *   canEdit: (row: any, column: import("./grid_columns.js").GridColumn) => boolean }} grid `at`: position of the chosen row
 * @returns {{ cells: CellValue[], problems: string[] }}
 */
export function readPaste(text, { rows, at, column, columns, now, decimals, canEdit, columnOf = (_, own) => own }) {
  const lines = text.replace(/\r\n?/g, "\n").split("\n").map((line, index) => ({ index, parts: line.split("\t").map((part) => part.trim()) }))
    .filter(({ parts }) => parts.some((part) => part !== ""));
  /** @type {CellValue[]} */
  const cells = [];
  /** @type {string[]} */
  const problems = [];
  /** @param {number} index @param {string} what */
  const bad = (index, what) => void problems.push(`Line ${index + 1}: ${what}`);
  const [head] = lines;
  let wanted = [column];
  /** Line of the value of the chosen row: an empty line below it is an empty cell. */
  let top = 0;
  if (head !== undefined && head.parts.length > 1 && /^(?:id|name|keyword|campaign)$/i.test(head.parts[0] ?? "")) {
    lines.shift();
    top = head.index + 1;
    const found = head.parts.slice(1).map((word) => columns.find(({ key, title }) => [key, title.toLowerCase()].includes(word.toLowerCase())));
    head.parts.slice(1).forEach((word, place) => {
      if (found[place] === undefined) bad(head.index, `"${word}" is not a column that can be edited here`);
    });
    if (problems.length > 0) return { cells, problems };
    wanted = found.flatMap((one) => one ?? []);
  }
  /** @type {Map<string, any[]>} */
  const named = new Map();
  for (const row of rows) {
    for (const name of new Set([row.id, row.name.trim().toLowerCase()])) named.set(name, [...named.get(name) ?? [], row]);
  }
  const seen = new Set();
  lines.forEach(({ index, parts }) => {
    const alone = parts.length === 1;
    const [first = ""] = parts;
    const found = alone ? rows.slice(at + index - top, at + index - top + 1) : named.get(first) ?? named.get(first.toLowerCase()) ?? [];
    const [row] = found;
    if (row === undefined) return bad(index, alone ? "there is no row left for this value" : `no row in this view has the id or name "${first}"`);
    if (found.length > 1) return bad(index, `${found.length} rows are named "${first}": use their ids`);
    if (parts.length - (alone ? 0 : 1) > wanted.length) return bad(index, "it has more values than columns");
    wanted.forEach((one, place) => {
      const given = parts[alone ? 0 : place + 1] ?? "";
      if (given === "") return;
      if (!canEdit(row, one)) return bad(index, `${one.title} of "${row.name}" cannot be edited`);
      if (seen.has(`${row.key} ${one.key}`)) return bad(index, `"${first}" is given twice`);
      seen.add(`${row.key} ${one.key}`);
      const next = typedValue(columnOf(row, one), given, { now: now(row, one), decimals: row.decimals ?? decimals });
      if ("problem" in next) return bad(index, next.problem);
      cells.push({ row, column: one, value: next.value });
    });
  });
  return { cells, problems };
}
