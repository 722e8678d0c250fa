// @ts-check
/// <reference lib="dom" />
/** Fills cells of a column from others: down a chosen range, or as far as the handle of the range is dragged. */
import { counted } from "./format.js";
import { signal } from "./ui.js";

/** Width in pixels of the window edge where a drag scrolls, and pixels per scroll step. */
const EDGE = 40;
const STEP = 28;

/**
 * True where a value of one row means nothing in another: an amount of another currency, or a portfolio of another profile.
 *
 * @param {any} row
 * @param {any} source
 * @param {import("./grid_columns.js").GridColumn} column
 */
function isForeign(row, source, { type }) {
  return type === "money" ? row.currency !== source.currency : type === "portfolio" && row.profile_id !== source.profile_id;
}

/**
 * @typedef {import("./grid_columns.js").GridColumn} GridColumn
 * @param {{
 *   range: { value: { from: number, to: number } }, ends: () => readonly [number, number], rows: () => any[], column: () => GridColumn | undefined,
 *   canEdit: (row: any, column: GridColumn) => boolean, now: (row: any, column: GridColumn) => string | number | null,
 *   put: (cells: import("./grid_edits.js").CellValue[]) => void, tell: (words: string) => void,
 * }} parts `ends`: first and last position of the chosen range; `tell`: says what was left out, or nothing
 */
export function gridFill({ range, ends, rows, column, canEdit, now, put, tell }) {
  /** Range whose values are being dragged; `undefined` if there is none. */
  const source = signal(/** @type {readonly [number, number] | undefined} */ (undefined));
  /** @param {readonly [number, number]} from values that are repeated @param {number} first @param {number} last */
  const fill = ([from, to], first, last) => {
    const one = column();
    const all = rows();
    if (one === undefined) return;
    const sources = all.slice(from, to + 1);
    if (sources.length === 0) return;
    const cells = all.slice(first, last + 1).flatMap((row, place) => {
      const at = first + place;
      const source = sources[((at - from) % sources.length + sources.length) % sources.length];
      return at >= from && at <= to || !canEdit(row, one) ? [] : [{ row, source }];
    });
    // No value is the same everywhere.
    const own = cells.filter(({ row, source }) => now(source, one) === null || !isForeign(row, source, one));
    const left = cells.length - own.length;
    put(own.map(({ row, source }) => ({ row, column: one, value: now(source, one) })));
    tell(left === 0 ? "" : `${counted(left, "row")} not filled: ${one.type === "money" ? "the currency differs" : "the portfolio belongs to another profile"}.`);
  };
  /** @param {number} at */
  const over = (at) => {
    if (source.value === undefined) return false;
    const [from, to] = source.value;
    range.value = at < from ? { from: to, to: at } : { from, to: Math.max(at, to) };
    return true;
  };
  return {
    over,
    /** True while the handle is dragged. */
    isDragged: () => source.value !== undefined,
    down: () => {
      const [from, to] = ends();
      fill([from, from], from, to);
    },
    /** @param {MouseEvent} event */
    begin: (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.stopPropagation();
      const first = ends();
      source.value = first;
      let y = event.clientY;
      const scroll = setInterval(() => {
        if (y > innerHeight - EDGE) scrollBy(0, STEP);
        else if (y < EDGE) scrollBy(0, -STEP);
      }, 40);
      const stop = new AbortController();
      /** @param {boolean} isDone */
      const end = (isDone) => {
        clearInterval(scroll);
        stop.abort();
        source.value = undefined;
        const [from, to] = ends();
        if (isDone) fill(first, from, to);
        else range.value = { from: first[0], to: first[1] };
      };
      addEventListener("mousemove", ({ clientY, buttons }) => {
        y = clientY;
        // The button was let go outside the window.
        if (buttons === 0) end(false);
      }, { signal: stop.signal });
      addEventListener("mouseup", () => end(true), { signal: stop.signal });
      addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        end(false);
      }, { signal: stop.signal, capture: true });
    },
  };
}
