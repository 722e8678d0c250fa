// @ts-check
/** Parses pasted lists of new rows and reports every mistake at once, by line and column. Sends nothing. */
import { amountOf, typedValue } from "./grid_edits.js";

/**
 * @typedef {{ line: number, text: string, match?: string, bid?: number }} NewLine
 * @typedef {{ line: number, name: string, budget: number, [field: string]: string | number }} NewCampaign
 */

/**
 * Lines that are not empty, with their number. A text without tabs may be parted by semicolons, which keyboards have.
 *
 * @param {string} text
 * @returns {{ line: number, parts: string[] }[]}
 */
function linesOf(text) {
  const mark = text.includes("\t") ? "\t" : ";";
  return text.replace(/\r\n?/g, "\n").split("\n").map((line, at) => ({ line: at + 1, parts: line.split(mark).map((part) => part.trim()) }))
    .filter(({ parts }) => parts.some((part) => part !== ""));
}

/**
 * The match types of a table.
 *
 * @param {string} table
 */
export function matchesOf(table) {
  return table === "negatives" ? ["exact", "phrase"] : ["exact", "phrase", "broad"];
}

/**
 * The lines of a list: a text or an ASIN, and in any order a match type and a bid, parted by tabs.
 *
 * @param {string} text
 * @param {{ decimals: number, table: string }} options `decimals` of the currency
 * @returns {{ lines: NewLine[], problems: string[] }}
 */
export function readList(text, { decimals, table }) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, NewLine>} */
  const seen = new Map();
  const lines = linesOf(text).flatMap(({ line, parts }) => {
    const bad = (/** @type {number} */ column, /** @type {string} */ what) => void problems.push(`Line ${line}, column ${column}: ${what}`);
    const [first = "", ...others] = parts;
    /** @type {NewLine} */
    const found = { line, text: first };
    if (first === "") bad(1, table === "targets" ? "the ASIN is missing" : "the text is missing");
    else if (table === "targets" && !/^b0[0-9a-z]{8}$/i.test(first)) bad(1, `"${first}" is not an ASIN`);
    others.forEach((part, at) => {
      if (part === "") return;
      if (/^[a-z]+$/i.test(part)) {
        if (table === "targets") bad(at + 2, `"${part}" is a match type; an ASIN has none`);
        else if (!matchesOf(table).includes(part.toLowerCase())) bad(at + 2, `"${part}" is not ${matchesOf(table).join(" or ")}`);
        else found.match = part.toLowerCase();
        return;
      }
      const amount = amountOf(part, decimals);
      if ("problem" in amount) bad(at + 2, amount.problem);
      else if (table === "negatives") bad(at + 2, "a negative has no bid");
      else found.bid = amount.value;
    });
    const key = `${first.toLowerCase()} ${found.match ?? ""}`;
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      if (found.bid !== undefined && found.bid !== earlier.bid) bad(1, `"${first}" is in line ${earlier.line} too, ${earlier.bid === undefined ? "without a bid" : `with the bid ${earlier.bid}`}`);
      return [];
    }
    seen.set(key, found);
    return [found];
  });
  return { lines, problems };
}

/** @typedef {import("./grid_columns.js").ColumnType | "targeting"} ListType */

/** Columns of a list of campaigns, in their order where it has no head. @type {{ key: string, title: string, type: ListType }[]} */
export const CAMPAIGN_COLUMNS = [
  { key: "name", title: "Name", type: "text" },
  { key: "budget", title: "Budget", type: "money" },
  { key: "targeting", title: "Targeting", type: "targeting" },
  { key: "bid", title: "Bid", type: "money" },
  { key: "state", title: "State", type: "state" },
  { key: "start", title: "Start", type: "date" },
  { key: "end", title: "End", type: "date" },
  { key: "portfolio", title: "Portfolio", type: "portfolio" },
];

/**
 * The campaigns of a list, parted by tabs; a head may name the columns.
 *
 * @param {string} text
 * @param {{ decimals: number, portfolios: Record<string, string>, taken: ReadonlySet<string> }} account `taken`: names of campaigns, in
 *   small letters
 * @returns {{ lines: NewCampaign[], problems: string[] }}
 */
export function readCampaigns(text, { decimals, portfolios, taken }) {
  /** @type {string[]} */
  const problems = [];
  const all = linesOf(text);
  let columns = CAMPAIGN_COLUMNS;
  const [head] = all;
  if (head !== undefined && /^(?:name|campaign)$/i.test(head.parts[0] ?? "")) {
    all.shift();
    const found = head.parts.map((word, at) => at === 0 ? columns[0] : columns.find(({ key, title }) => [key, title.toLowerCase()].includes(word.toLowerCase())));
    found.forEach((one, at) => {
      if (one === undefined && head.parts[at] !== "") problems.push(`Line ${head.line}, column ${at + 1}: "${head.parts[at]}" is not a column of campaigns`);
    });
    if (problems.length > 0) return { lines: [], problems };
    columns = /** @type {typeof columns} */ (found);
  }
  /** @type {Map<string, number>} */
  const seen = new Map();
  const lines = all.map(({ line, parts }) => {
    /** @param {number} at @param {string} what */
    const bad = (at, what) => void problems.push(`Line ${line}, column ${at + 1}${columns[at] === undefined ? "" : ` (${columns[at].title})`}: ${what}`);
    /** @type {any} */
    const found = { line };
    parts.forEach((part, at) => {
      const column = columns[at];
      if (part === "") return;
      if (column === undefined) return bad(at, "the list has no such column");
      if (column.type === "targeting") {
        const word = /^(?:auto|manual)/i.exec(part)?.[0];
        if (word === undefined) return bad(at, `"${part}" is not auto or manual`);
        found[column.key] = word.toUpperCase();
        return;
      }
      const next = typedValue({ ...column, type: column.type, width: 0, names: portfolios }, part, { now: null, decimals });
      if ("problem" in next) bad(at, next.problem);
      else found[column.key] = next.value;
    });
    for (const key of ["name", "budget"]) {
      const at = columns.findIndex((one) => one?.key === key);
      if (at < 0 || (parts[at] ?? "") === "") bad(Math.max(at, 0), `the ${key} is missing`);
    }
    const name = String(found.name ?? "").toLowerCase();
    const earlier = seen.get(name);
    if (name !== "" && earlier !== undefined) bad(0, `"${found.name}" is in line ${earlier} too`);
    else if (taken.has(name)) bad(0, `the profile has a campaign "${found.name}"`);
    seen.set(name, line);
    return found;
  });
  return { lines, problems };
}
