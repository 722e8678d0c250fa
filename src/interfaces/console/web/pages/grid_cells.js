// @ts-check
/// <reference lib="dom" />
import { kindWord, money, percent, whole } from "../format.js";
import { html, Icon, phone, visible } from "../ui.js";

/**
 * @typedef {import("../grid_columns.js").GridColumn} GridColumn
 * @typedef {import("../grid_draft.js").Edit} Edit
 * @typedef {{
 *   columns: GridColumn[], active: number, range: readonly [number, number], at: number, isReadOnly: boolean,
 *   editing: { key: string, column: string, text: string, problem: string, fresh: boolean } | undefined, ticks: ReadonlySet<string>,
 *   canEdit: (row: any, column: GridColumn) => boolean, decisionOf: (row: any) => string, editOf: (row: any, column: GridColumn) => Edit | undefined,
 *   findings: ReadonlyMap<string, any[]>, conflicts: ReadonlyMap<string, unknown>, tick: (rows: any[]) => void, position: (row: any) => number,
 *   click: (row: any, at: number, place: number, event: MouseEvent) => void, drag: (at: number) => void, isFilling: boolean, beginFill: (event: MouseEvent) => void, type: (text: string) => void,
 *   finish: (row: any, column: GridColumn, text: string) => boolean, inCell: (event: KeyboardEvent, row: any, column: GridColumn) => void,
 *   columnOf: (row: any, column: GridColumn) => GridColumn, begin: (row: any, column: GridColumn) => void, discard: (edit: Edit) => void,
 * }} CellParts
 */

/**
 * A value as its column shows it.
 *
 * @param {unknown} value
 * @param {GridColumn} column
 * @param {number} decimals of the currency
 */
export function cellText(value, { key, type, names }, decimals) {
  if (value === undefined || value === null) return "";
  if (type === "percent") return `${whole(value)} %`;
  if (type === "portfolio") return visible(names?.[String(value)] ?? value);
  if (type === "money") return money(value, decimals);
  if (type === "count") return whole(value);
  if (type === "share") return percent(Number(value));
  if (type === "ratio") return money(value, 2);
  if (type === "state") return String(value).toLowerCase();
  if (key === "op") return { create: "new", update: "change", archive: "archive" }[String(value)] ?? String(value);
  return key === "kind" ? kindWord(String(value)) : key === "match" ? String(value).toLowerCase().replaceAll("_", " ") : visible(value);
}

/** @param {GridColumn} column */
function isNumber({ type }) {
  return !["text", "state", "date", "portfolio"].includes(type);
}

/**
 * @param {{ columns: GridColumn[], sums: any[], sort: string, isReadOnly: boolean, all: boolean, some: boolean, tickAll: () => void, sortBy: (key: string) => void }} parts
 * @returns {import("../big_table.js").Column[]}
 */
export function gridHeads({ columns, sums, sort, isReadOnly, all, some, tickAll, sortBy }) {
  const box = html`<input type="checkbox" aria-label="Tick all rows of this view" checked=${all} indeterminate=${some && !all} onChange=${tickAll} />`;
  return [
    ...isReadOnly ? [] : [{ name: box, class: "tick", width: "36px" }],
    ...columns.map((column) => ({
      name: column.title,
      class: isNumber(column) ? "number" : "",
      ...column.key === "name" ? {} : { width: `${columnWidth(column, sums)}px` },
      sorted: sort === column.key ? /** @type {const} */ ("ascending") : sort === `-${column.key}` ? /** @type {const} */ ("descending") : undefined,
      sort: () => sortBy(column.key),
    })),
  ];
}

/**
 * Pixels of a column; the sum of its figures, in bold, must fit.
 *
 * @param {GridColumn} column
 * @param {any[]} sums by currency
 */
export function columnWidth(column, sums) {
  return column.figure ? Math.max(column.width, ...sums.map((one) => 24 + 8.5 * cellText(one[column.key], column, one.decimals).length)) : column.width;
}

/**
 * Columns that a row shows below its name on a phone: those with a value, or that can be edited.
 *
 * @param {any} row
 * @param {Pick<CellParts, "columns" | "canEdit">} parts
 */
function phoneColumns(row, { columns, canEdit }) {
  return columns.filter((column) => column.key !== "name" && (column.key === "decision" || canEdit(row, column) || (row[column.key] ?? "") !== ""));
}

/**
 * A row with edits is higher: the old value is above the new one.
 *
 * @param {any} row
 * @param {Pick<CellParts, "columns" | "editOf" | "canEdit">} parts
 */
export function gridHeight(row, { columns, editOf, canEdit }) {
  if (phone.value) {
    const shown = phoneColumns(row, { columns, canEdit });
    let height = 56;
    for (let at = 0; at < shown.length; at += 3) height += shown.slice(at, at + 3).some((column) => editOf(row, column) !== undefined) ? 56 : 36;
    return height;
  }
  return columns.some((column) => editOf(row, column) !== undefined) ? 48 : 28;
}

/**
 * @param {any} row
 * @param {string} id
 * @param {CellParts} parts
 */
export function gridCells(row, id, parts) {
  const { columns, ticks, tick, isReadOnly } = parts;
  const isTicked = ticks.has(row.key);
  const shown = phone.value ? phoneColumns(row, parts) : [];
  return html`${!isReadOnly && html`<td class="tick"><input type="checkbox" tabindex="-1" aria-label=${`Tick ${visible(row.name)}`} checked=${isTicked} onChange=${() => tick([row])} /></td>`}
    ${columns.map((column, place) => phone.value && column.key !== "name" && !shown.includes(column) ? null : oneCell(row, column, place, `${id}-${place}`, parts, shown.indexOf(column) % 3 === 0))}`;
}

/**
 * @param {any} row
 * @param {GridColumn} column
 * @param {number} place
 * @param {string} id
 * @param {CellParts} parts
 * @param {boolean} isFirst on its line, on a phone
 */
function oneCell(row, column, place, id, parts, isFirst) {
  const { editing, editOf, canEdit, conflicts, findings, active, range, position, click, drag, isFilling, beginFill, decisionOf } = parts;
  const { decimals } = row;
  const at = position(row);
  const edit = editOf(row, column);
  const isEdited = edit !== undefined;
  const isOpen = editing?.key === row.key && editing?.column === column.key;
  const place_ = isEdited ? `${edit.kind} ${edit.id} ${edit.field}` : "";
  const theirs = conflicts.has(place_);
  const said = isEdited ? findings.get(row.key) ?? [] : [];
  const kind = said.some(({ level, refused }) => level === "deny" || refused) ? "bad" : said.length > 0 ? "warn" : "";
  const isChosen = place === active && at >= range[0] && at <= range[1];
  const hasHandle = isChosen && at === range[1] && !isOpen && !phone.value && canEdit(row, column);
  const name = [column.key === "name" ? "name" : isNumber(column) ? "number" : "", isEdited ? "edited" : "", canEdit(row, column) ? "can" : "", isChosen ? isFilling ? "chosen filling" : "chosen" : "", theirs ? "theirs" : "", isFirst ? "first" : ""].filter(Boolean).join(" ");
  const text = column.key === "decision" ? decisionOf(row) : cellText(row[column.key], column, decimals);
  return html`<td id=${id} class=${name} data-label=${column.key === "name" ? undefined : column.title} title=${["text", "portfolio"].includes(column.type) ? `${edit === undefined ? "" : `${cellText(edit.value, column, decimals)}, was `}${text}` : undefined} aria-selected=${isChosen} aria-readonly=${!canEdit(row, column)}
      onClick=${(/** @type {MouseEvent} */ event) => isOpen || click(row, at, place, event)}
      onMouseEnter=${(/** @type {MouseEvent} */ event) => event.buttons === 1 && editing === undefined && (isFilling || place === active) && drag(at)}>${
    isOpen ? field(row, parts.columnOf(row, column), parts)
    : isEdited ? html`<span class="two"><s class="before">${cellText(theirs ? conflicts.get(place_) : edit.seen, column, decimals) || "empty"}</s> <span class="after">${
      kind !== "" && html`<span class=${kind}><${Icon} name=${kind === "bad" ? "cross" : "warning"} /></span>`}${theirs && html`<span class="warn"><${Icon} name="swap" /></span>`}<bdi>${cellText(edit.value, column, decimals) || "empty"}</bdi></span></span>`
    : column.key === "name" ? html`<bdi class="cut">${text}</bdi>` : text}${hasHandle && html`<span class="handle" aria-hidden="true" title="Drag to fill" onMouseDown=${beginFill} onClick=${(/** @type {Event} */ event) => event.stopPropagation()}></span>`}</td>`;
}

/**
 * @param {any} row
 * @param {GridColumn} column
 * @param {CellParts} parts
 */
function field(row, column, { editing, finish, inCell, type }) {
  const first = (/** @type {any} */ element) => {
    if (element === null || editing === undefined || !editing.fresh) return;
    editing.fresh = false;
    element.focus();
    if (element instanceof HTMLInputElement && editing.text.length > 1) element.select();
  };
  const props = {
    ref: first,
    "aria-label": `${column.title} of ${visible(row.name)}`,
    "aria-invalid": editing?.problem !== "",
    "aria-describedby": "chosen-cell",
    onKeyDown: (/** @type {KeyboardEvent} */ event) => inCell(event, row, column),
    onBlur: (/** @type {any} */ { target }) => editing?.problem === "" && finish(row, column, target.value),
  };
  if (column.type === "state") {
    return html`<select ...${props} value=${editing?.text} onChange=${(/** @type {any} */ { target }) => finish(row, column, target.value)}>
      <option value="ENABLED" selected=${editing?.text === "ENABLED"}>enabled</option><option value="PAUSED" selected=${editing?.text === "PAUSED"}>paused</option></select>`;
  }
  if (column.type === "portfolio") {
    return html`<select ...${props} value=${editing?.text} onChange=${(/** @type {any} */ { target }) => finish(row, column, target.value)}>
      <option value="">none</option>${Object.entries(column.names ?? {}).map(([id, name]) => html`<option value=${id} selected=${editing?.text === id}>${visible(name)}</option>`)}</select>`;
  }
  return html`<input ...${props} type="text" inputmode=${column.type === "money" ? "decimal" : undefined} value=${editing?.text} onInput=${(/** @type {any} */ { target }) => type(target.value)} />`;
}

/**
 * A row of sums for each currency.
 *
 * @param {any[]} sums
 * @param {{ columns: GridColumn[], isReadOnly: boolean }} parts
 */
export function sumRows(sums, { columns, isReadOnly }) {
  return sums.map((one) => {
    const all = sums.length === 1 ? `All ${whole(one.count)}` : `${one.currency || "No currency"}: ${whole(one.count)}`;
    const known = one.known === one.count || columns.every(({ key }) => key !== "cost") ? all : `${all}, ${whole(one.known)} with figures`;
    return html`${!isReadOnly && html`<td class="tick"></td>`}${columns.map((column) => html`<td class=${isNumber(column) ? "number" : ""} data-label=${column.title}>${
      column.key === "name" ? known : column.figure ? cellText(one[column.key], column, one.decimals) : ""}</td>`)}`;
  });
}

/**
 * The sums as a line, for a phone, where the head of the table is not shown.
 *
 * @param {any[]} sums
 * @param {{ columns: GridColumn[] }} parts
 */
export function phoneSums(sums, { columns }) {
  return sums.flatMap((one) => {
    const words = columns.flatMap((column) => column.figure && one[column.key] !== undefined ? [`${column.title} ${cellText(one[column.key], column, one.decimals)}`] : []);
    return words.length === 0 ? [] : `${sums.length === 1 ? "" : `${one.currency}: `}${words.join(" · ")}`;
  }).join("; ");
}
