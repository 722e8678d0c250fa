// @ts-check
/// <reference lib="dom" />
/** Saves rows to a CSV file on the user's machine. */
import { csvText } from "./csv.js";
import { html } from "./ui.js";

/**
 * @param {string} name of the file, without its ending
 * @param {string[]} columns
 * @param {unknown[][]} rows
 */
export function saveCsv(name, columns, rows) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csvText([columns, ...rows])], { type: "text/csv" }));
  link.download = `${name.replace(/[^\w-]+/g, "_")}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * A table with a button that saves its rows as they are shown.
 *
 * @param {{ name: string, children?: unknown }} props
 */
export function Sheet({ name, children }) {
  return html`<div class="sheet">${children}<p class="csv"><button type="button" class="link" onClick=${(/** @type {any} */ { currentTarget }) => {
    const { columns, rows } = rowsOf(currentTarget.closest(".sheet").querySelector("table"));
    saveCsv(name, columns, rows);
  }}>Save as CSV</button></p></div>`;
}

/**
 * Columns and rows of a table; headings between rows are a column of their own.
 *
 * @param {HTMLTableElement} table
 * @returns {{ columns: string[], rows: unknown[][] }}
 */
export function rowsOf(table) {
  const heads = [...table.tHead?.rows[0]?.cells ?? []].map(textOf);
  /** @type {string | undefined} */
  let group;
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]).flatMap((row) => {
    const cells = [...row.cells];
    if (cells.length === 1 && cells[0]?.tagName === "TH") {
      group = textOf(cells[0]);
      return [];
    }
    return [{ group, cells: cells.map((cell) => valueOf(textOf(cell))) }];
  });
  const isGrouped = group !== undefined;
  return { columns: [...isGrouped ? ["Group"] : [], ...heads], rows: rows.map((row) => [...isGrouped ? [row.group ?? ""] : [], ...row.cells]) };
}

/** @param {HTMLElement} cell */
function textOf(cell) {
  return cell.innerText.trim().replace(/\s*\n\s*/g, " · ").replace(/[▸▾↑↓] ?/g, "").replace(/^[· ]+|[· ]+$/g, "");
}

/**
 * A number where the text is one.
 *
 * @param {string} text
 */
function valueOf(text) {
  return /^[−-]?\d{1,3}(?:,\d{3})*(?:\.\d+)?$/.test(text) ? Number(text.replaceAll(",", "").replace("−", "-")) : text;
}
