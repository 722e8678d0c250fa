// @ts-check
/// <reference lib="dom" />
/** A table of any number of rows of one height, of which only those in sight are in the document. */
import { html, signal } from "./ui.js";

/** Height of a row, as the style sheet has it. */
const ROW = 32;
/** Rows that are drawn above and below those in sight. */
const SPARE = 8;

/**
 * @typedef {{
 *   name: string,
 *   columns: { name: string, class?: string, width?: string }[],
 *   rows: () => any[],
 *   cells: (row: any) => unknown,
 *   key: (row: any) => string,
 *   rowClass?: (row: any) => string,
 *   onKey?: (key: string, row: any) => void,
 *   head?: () => { name: string, class?: string, width?: string }[],
 * }} BigTableOptions
 */

/**
 * Makes a table that is moved by keyboard: arrows, Page Up, Page Down, Home and End. What other keys do in a row is the
 * page's to say.
 *
 * @param {BigTableOptions} options
 */
export function bigTable({ name, columns: fixed, rows, cells, key, rowClass, onKey, head }) {
  const top = signal(0);
  const height = signal(600);
  const active = signal(0);
  const id = `table-${name.replace(/\W+/g, "-").toLowerCase()}`;
  /** @type {HTMLElement | null} */
  let box = null;
  const resized = new ResizeObserver(([entry]) => {
    if (entry !== undefined) height.value = entry.contentRect.height;
  });
  /** @param {HTMLElement | null} element */
  const keep = (element) => {
    if (box === element) return;
    if (box !== null) resized.unobserve(box);
    box = element;
    if (box !== null) resized.observe(box);
  };

  /** @param {number} at */
  const moveTo = (at) => {
    const next = Math.max(0, Math.min(rows().length - 1, at));
    active.value = next;
    if (box === null) return;
    // The head covers the first row's height.
    const from = next * ROW;
    if (from < box.scrollTop) box.scrollTop = from;
    else if (from + 2 * ROW > box.scrollTop + box.clientHeight) box.scrollTop = from + 2 * ROW - box.clientHeight;
  };

  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const page = Math.max(1, Math.floor(height.value / ROW) - 2);
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
    if (next !== undefined) moveTo(next);
    else if ([" ", "Enter", "ArrowLeft", "ArrowRight"].includes(event.key) && onKey !== undefined) {
      const row = rows()[active.value];
      if (row !== undefined) onKey(event.key, row);
    } else return;
    event.preventDefault();
  };

  return () => {
    const all = rows();
    const columns = head?.() ?? fixed;
    const first = Math.max(0, Math.floor(top.value / ROW) - SPARE);
    const last = Math.min(all.length, Math.ceil((top.value + height.value) / ROW) + SPARE);
    const current = Math.min(active.value, all.length - 1);
    return html`<div class="big" ref=${keep}
        onScroll=${(/** @type {any} */ { currentTarget }) => (top.value = currentTarget.scrollTop)}>
      <table role="grid" tabindex="0" id=${id} style=${{ minWidth: `${columns.length * 120}px` }} aria-label=${name} aria-rowcount=${all.length + 1}
          aria-activedescendant=${current >= first && current < last ? `${id}-${current}` : undefined}
          onKeyDown=${pressed}>
        <colgroup>${columns.map(({ width }) => html`<col style=${width === undefined ? {} : { width }} />`)}</colgroup>
        <thead><tr aria-rowindex="1">${
      columns.map((column) => html`<th scope="col" class=${column.class}>${column.name}</th>`)
    }</tr></thead>
        <tbody>
          <tr role="presentation" style=${{ height: `${first * ROW}px` }}></tr>
          ${all.slice(first, last).map((row, offset) => {
      const at = first + offset;
      return html`<tr key=${key(row)} id=${`${id}-${at}`} aria-rowindex=${at + 2}
            class=${`${rowClass?.(row) ?? ""}${at === current ? " active" : ""}`}
            onMouseDown=${() => (active.value = at)}>${cells(row)}</tr>`;
    })}
          <tr role="presentation" style=${{ height: `${(all.length - last) * ROW}px` }}></tr>
        </tbody>
      </table>
    </div>`;
  };
}
