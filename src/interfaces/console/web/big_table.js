// @ts-check
/// <reference lib="dom" />
import { html, pageEffect, signal } from "./ui.js";

const ROW = 28;
const SPARE = 300;

/**
 * @typedef {{ name: unknown, class?: string, width?: string | undefined, sorted?: "ascending" | "descending" | undefined, sort?: () => void }} Column
 * @typedef {{
 *   name: string,
 *   columns: () => Column[],
 *   rows: () => any[],
 *   cells: (row: any, id: string) => unknown,
 *   key: (row: any) => string,
 *   height?: (row: any) => number,
 *   rowClass?: (row: any) => string,
 *   onKey?: (key: string, row: any) => void,
 *   sums?: () => unknown[],
 *   column?: () => number,
 *   press?: (event: KeyboardEvent, row: any) => boolean,
 *   onMove?: () => void,
 *   minWidth?: () => number,
 * }} BigTableOptions `sums`: cells of each row below the head; `column`: the cell of a row that keys are about, whose id is
 *   that of the row, a hyphen and its number; `press`: gets every key first, and says if it used it; `onMove`:
 *   called after a key chose another row
 */

/**
 * Makes a table that is moved by keyboard: arrows, Page Up, Page Down, Home and End. The page decides what other keys do
 * in a row.
 *
 * @param {BigTableOptions} options
 */
export function bigTable({ name, columns, rows, cells, key, height = () => ROW, rowClass, onKey, sums, column, press, onMove, minWidth }) {
  const seen = signal({ top: 0, bottom: 1200 });
  const active = signal(0);
  const id = `table-${name.replace(/\W+/g, "-").toLowerCase()}`;
  /** @type {HTMLElement | null} */
  let box = null;
  let starts = new Float64Array(1);
  let measuredRows = /** @type {any[]} */ ([]);
  let measuredWidth = 0;

  const look = () => {
    if (box === null || !box.isConnected) return;
    const head = box.querySelector("thead")?.getBoundingClientRect().height ?? 0;
    const { top } = box.getBoundingClientRect();
    const next = { top: Math.max(0, -top - head - SPARE), bottom: Math.max(0, innerHeight - top - head + SPARE) };
    // Few redraws: those in sight change by blocks of rows.
    if (Math.abs(next.top - seen.value.top) + Math.abs(next.bottom - seen.value.bottom) > SPARE / 3) seen.value = next;
  };
  pageEffect(() => {
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  });

  const measure = (/** @type {any[]} */ all) => {
    if (all === measuredRows && measuredWidth === innerWidth) return;
    measuredRows = all;
    measuredWidth = innerWidth;
    starts = new Float64Array(all.length + 1);
    for (let at = 0; at < all.length; at++) starts[at + 1] = (starts[at] ?? 0) + height(all[at]);
  };
  const rowAt = (/** @type {number} */ place) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  /** @param {number} at */
  const moveTo = (at) => {
    const all = rows();
    const next = Math.max(0, Math.min(all.length - 1, at));
    active.value = next;
    if (box === null) return;
    measure(all);
    const style = getComputedStyle(box);
    const stays = parseFloat(style.getPropertyValue("--top")) + parseFloat(style.getPropertyValue("--stay") || "0") + 40 + ROW * Math.max(0, (sums?.().length ?? 0) - 1);
    const { top } = box.getBoundingClientRect();
    const from = top + 28 + (starts[next] ?? 0);
    const to = top + 28 + (starts[next + 1] ?? 0);
    if (from < stays) scrollBy(0, from - stays);
    else if (to > innerHeight - 24) scrollBy(0, to - innerHeight + 24);
    look();
  };

  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const { target } = event;
    if (target instanceof HTMLElement && target.matches("select, input:not([type=checkbox])")) return;
    const own = rows()[active.value];
    if (press !== undefined && own !== undefined && press(event, own)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(innerHeight / ROW) - 6);
    /** @type {Record<string, number>} */
    const moves = {
      ArrowDown: active.value + 1,
      ArrowUp: active.value - 1,
      PageDown: active.value + page,
      PageUp: active.value - page,
      Home: 0,
      End: rows().length - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) {
      moveTo(next);
      onMove?.();
    }
    else if ([" ", "Enter", "ArrowLeft", "ArrowRight"].includes(event.key) && onKey !== undefined) {
      const row = rows()[active.value];
      if (row !== undefined) onKey(event.key, row);
    } else return;
    event.preventDefault();
  };

  const draw = () => {
    const all = rows();
    measure(all);
    const heads = columns();
    const sumRows = sums?.() ?? [];
    const first = rowAt(seen.value.top);
    const last = Math.min(all.length, rowAt(seen.value.bottom) + 1);
    const current = Math.min(active.value, all.length - 1);
    const whole = starts[all.length] ?? 0;
    const gap = (/** @type {number} */ pixels) => html`<tr role="presentation" aria-hidden="true"><td colspan=${heads.length} style=${{ height: `${pixels}px` }}></td></tr>`;
    const activeId = current >= first && current < last ? `${id}-${current}` : undefined;
    return html`<div class=${minWidth === undefined ? "big" : "big wide"} ref=${(/** @type {any} */ element) => {
      if (element === null || box === element) return;
      box = element;
      requestAnimationFrame(look);
    }}>
      <table role="grid" tabindex="0" id=${id} aria-label=${name} aria-rowcount=${all.length + 1}
          style=${minWidth === undefined ? {} : { minWidth: `${minWidth()}px` }}
          aria-activedescendant=${activeId === undefined || column === undefined ? activeId : `${activeId}-${column()}`} onKeyDown=${pressed}>
        <colgroup>${heads.map(({ width }) => html`<col style=${width === undefined ? {} : { width }} />`)}</colgroup>
        <thead><tr aria-rowindex="1">${heads.map(({ name, class: kind, sort, sorted }) => html`<th scope="col" class=${kind} aria-sort=${sorted}>${
      sort === undefined ? name : html`<button type="button" class="plain" onClick=${sort}>${name}${sorted && html` <span aria-hidden="true">${sorted === "ascending" ? "↑" : "↓"}</span>`}</button>`}</th>`)}</tr>
          ${sumRows.map((cells, nth) => html`<tr class="sums" style=${{ "--nth": nth }}>${cells}</tr>`)}</thead>
        <tbody>
          ${gap(starts[first] ?? 0)}
          ${all.slice(first, last).map((row, offset) => {
      const at = first + offset;
      return html`<tr key=${key(row)} id=${`${id}-${at}`} aria-rowindex=${at + 2} style=${{ height: `${height(row)}px` }}
            class=${`${rowClass?.(row) ?? ""}${at === current ? " active" : ""}`}
            onMouseDown=${() => (active.value = at)}>${cells(row, `${id}-${at}`)}</tr>`;
    })}
          ${gap(whole - (starts[last] ?? 0))}
        </tbody>
      </table>
    </div>`;
  };
  return {
    draw,
    moveTo,
    at: () => Math.min(active.value, rows().length - 1),
    focus: () => document.getElementById(id)?.focus({ preventScroll: true }),
    row: () => rows()[Math.min(active.value, rows().length - 1)],
    move: (/** @type {number} */ by) => moveTo(active.value + by),
    next: (/** @type {(row: any) => boolean} */ wanted) => {
      const all = rows();
      for (let step = 1; step <= all.length; step++) {
        const at = (active.value + step) % all.length;
        if (wanted(all[at])) return moveTo(at);
      }
    },
  };
}
