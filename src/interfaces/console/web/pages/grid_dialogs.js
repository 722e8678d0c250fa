// @ts-check
/// <reference lib="dom" />
import { counted, whole } from "../format.js";
import { bulkValue, readPaste } from "../grid_edits.js";
import { placeOf } from "../grid_draft.js";
import { showModal } from "../shell.js";
import { html, Notice, Select, signal, visible } from "../ui.js";
import { cellText } from "./grid_cells.js";
import { addDialog } from "./grid_add.js";
import { copyDialog } from "./grid_copy.js";

const MAX_SHOWN = 200;

/**
 * @typedef {import("../grid_columns.js").GridColumn} GridColumn
 * @typedef {{
 *   profile: string, profiles: any[],
 *   table: string, adGroups: { id: string, label: string }[], current: string | undefined, rows: any[], chosen: any[], at: number, column: GridColumn | undefined, columns: GridColumn[], names: Record<string, string>, taken: ReadonlySet<string>, decimals: number, decimalsOf: (edit: import("../grid_draft.js").Edit) => number, nameOf: (id: string) => string,
 *   columnOf: (row: any, column: GridColumn) => GridColumn, now: (row: any, column: GridColumn) => string | number | null, canEdit: (row: any, column: GridColumn) => boolean,
 * }} Grid
 * @typedef {import("../grid_edits.js").CellValue} CellValue
 */

/**
 * @param {{
 *   dialog: { value: { name: string, text?: string } | undefined }, checked: { value: any }, findings: { value: ReadonlyMap<string, any[]> },
 *   draft: { value: ReturnType<typeof import("../grid_drafts.js").gridDrafts> | undefined }, conflicts: { value: ReadonlyMap<string, unknown> },
 *   grid: () => Grid, put: (cells: CellValue[]) => void, add: (body: Record<string, unknown>) => Promise<any>, done: (plan: string) => void,
 * }} parts
 */
export function gridDialogs({ dialog, draft, conflicts, findings, grid, put, add, done }) {
  const bulk = signal({ column: "", operation: /** @type {import("../grid_edits.js").Bulk["operation"]} */ ("percent"), amount: "", find: "", replace: "" });
  const pasted = signal({ column: "", text: "" });
  const busy = signal(false);
  const reviewed = signal(/** @type {import("../grid_drafts.js").Made[]} */ ([]));
  const problem = signal(/** @type {unknown} */ (undefined));
  const close = () => {
    dialog.value = undefined;
    problem.value = undefined;
    reviewed.value = [];
    pasted.value = { ...pasted.value, text: "" };
    document.querySelector("main [role=grid]") instanceof HTMLElement && /** @type {HTMLElement} */ (document.querySelector("main [role=grid]")).focus();
  };
  /** Columns of which some row can be edited. @param {Grid} found @param {any[]} rows */
  const open = ({ columns, canEdit }, rows) => columns.filter((column) => rows.some((row) => canEdit(row, column)));
  /** @param {GridColumn[]} columns @param {string} key @param {GridColumn | undefined} active */
  const oneOf = (columns, key, active) => columns.find((one) => one.key === key) ?? columns.find((one) => one.key === active?.key) ?? columns[0];

  const bulkDialog = () => {
    const found = grid();
    const { chosen, now, canEdit } = found;
    const isOne = new Set(chosen.map(({ profile_id: id }) => id)).size === 1;
    // Portfolios are those of a profile.
    const columns = open(found, chosen).filter(({ type }) => isOne || type !== "portfolio").map((one) => isOne ? found.columnOf(chosen[0], one) : one);
    const column = oneOf(columns, bulk.value.column, found.column);
    if (column === undefined) return frame("Change many rows", close, html`<p>Tick rows first, or select several with Shift and the arrow keys.</p>`);
    const operations = column.type === "money"
      ? [["percent", "change by percent"], ["add", "add"], ["set", "set"], ["round", "round to steps of"]]
      : column.type === "text" ? [["replace", "find and replace"]] : column.type === "percent" ? [["set", "set"], ["add", "add"]] : [["set", "set"]];
    const operation = operations.some(([one]) => one === bulk.value.operation) ? bulk.value.operation : operations[0]?.[0];
    const asked = /** @type {any} */ ({ ...bulk.value, operation, ...column.type === "state" && bulk.value.amount === "" ? { amount: "PAUSED" } : {} });
    const isFilled = operation === "replace" ? asked.find !== "" : asked.amount !== "";
    /** @type {CellValue[]} */
    const cells = [];
    /** @type {string[]} */
    const problems = [];
    for (const row of isFilled ? chosen : []) {
      if (!canEdit(row, column)) continue;
      const next = bulkValue(asked, column, { now: now(row, column), decimals: row.decimals });
      if (next === undefined) continue;
      if ("problem" in next) problems.push(next.problem);
      else if (next.value !== now(row, column)) cells.push({ row, column, value: next.value });
    }
    const set = (/** @type {Record<string, string>} */ values) => (bulk.value = /** @type {any} */ ({ ...bulk.value, ...values }));
    const input = (/** @type {string} */ label, /** @type {"amount" | "find" | "replace"} */ name) => html`<label class="line">${label}<input value=${bulk.value[name]} autofocus=${name !== "replace"} onInput=${(/** @type {any} */ { target }) => set({ [name]: target.value })} /></label>`;
    const save = () => {
      put(cells);
      close();
    };
    return frame(`Change ${counted(chosen.length, "row")}`, close, html`
      <div class="toolbar"><${Select} label="Column" value=${column.key} options=${columns.map(({ key, title }) => [key, title])} onChange=${(/** @type {string} */ value) => set({ column: value, amount: "" })} />
        <${Select} label="How" value=${operation} options=${operations} onChange=${(/** @type {string} */ value) => set({ operation: value })} /></div>
      ${operation === "replace" ? html`${input("Find", "find")}${input("Replace with", "replace")}`
      : column.type === "state" ? html`<div class="toolbar"><${Select} label="State" value=${asked.amount} options=${[["ENABLED", "enabled"], ["PAUSED", "paused"]]} onChange=${(/** @type {string} */ value) => set({ amount: value })} /></div>`
      : column.type === "portfolio" ? html`<div class="toolbar"><${Select} label="Portfolio" value=${asked.amount} options=${[["", "choose …"], ...Object.entries(column.names ?? {}).map(([id, name]) => [id, visible(name)])]} onChange=${(/** @type {string} */ value) => set({ amount: value })} /></div>`
      : input(operation === "percent" ? "Percent, such as 10 or -5" : operation === "round" ? "Step, such as 0.05" : column.type === "date" ? "Day, such as 2027-03-31" : "Amount", "amount")}
      ${["set", "add"].includes(operation ?? "") && currencyWarning(cells)}
      ${preview(cells, problems, found, isFilled)}`, { word: `Change ${counted(cells.length, "cell")}`, run: save, off: cells.length === 0 || problems.length > 0 });
  };

  const pasteDialog = () => {
    const found = grid();
    const { rows, at, now, canEdit, decimals } = found;
    const columns = open(found, rows);
    const column = oneOf(columns, pasted.value.column, found.column);
    const text = pasted.value.text || dialog.value?.text || "";
    if (column === undefined) return frame("Paste", close, html`<p>No column of this view can be edited.</p>`);
    const { cells, problems } = text === "" ? { cells: [], problems: [] } : readPaste(text, { rows, at, column, columns, now, decimals, canEdit, columnOf: found.columnOf });
    const changing = cells.filter(({ row, column, value }) => value !== now(row, column));
    const save = () => {
      put(changing);
      close();
    };
    return frame("Paste from a spreadsheet", close, html`
      <p class="under">One line per row: id or name, a tab, and the new value. For several columns, start with a header such as <code>id ⇥ bid ⇥ state</code>. Lines with only a value fill down from the selected row. Amounts can be relative: +10% or *1.2.</p>
      <div class="toolbar"><${Select} label="Column" value=${column.key} options=${columns.map(({ key, title }) => [key, title])} onChange=${(/** @type {string} */ value) => (pasted.value = { ...pasted.value, column: value })} /></div>
      <label class="line">Lines<textarea rows="6" autofocus value=${text} onInput=${(/** @type {any} */ { target }) => {
      const { value } = target;
      pasted.value = { ...pasted.value, text: value };
      dialog.value = { name: "paste" };
    }}></textarea></label>
      ${currencyWarning(changing)}
      ${preview(changing, problems, found, text !== "")}`, { word: `Paste ${counted(changing.length, "value")}`, run: save, off: changing.length === 0 });
  };

  const listDialog = () => {
    const own = draft.value;
    if (own === undefined) return null;
    const all = [...own.edits.value.values()].sort((a, b) => Number(conflicts.value.has(placeOf(b))) - Number(conflicts.value.has(placeOf(a))));
    const { decimalsOf, names } = grid();
    const said = (/** @type {any} */ value, /** @type {import("../grid_draft.js").Edit} */ edit) => cellText(value, { ...columnFor(edit.field), names }, decimalsOf(edit)) || "empty";
    const held = all.filter((edit) => conflicts.value.has(placeOf(edit)));
    return frame(counted(all.length, "edit"), close, html`
      ${held.length > 0 && html`<p>${counted(held.length, "field")} changed in the account since. Keeping yours replaces the value that is there now.</p>
        <div class="buttons"><button type="button" onClick=${() => own.change(held.map((edit) => ({ ...edit, seen: theirsOf(edit) })), { fresh: true })}>Keep all mine</button>
        <button type="button" onClick=${() => own.discard(held)}>Take all theirs</button></div>`}
      <table class="plain cards"><thead><tr><th scope="col">Entity</th><th scope="col">Field</th><th scope="col">Was</th><th scope="col">New</th><th scope="col"><span class="hidden">Decide</span></th></tr></thead>
      <tbody>${all.slice(0, MAX_SHOWN).map((edit) => html`<tr key=${placeOf(edit)}><td class="wide"><bdi>${visible(edit.label)}</bdi> <span class="under">${edit.id}</span>
          ${(findings.value.get(`${edit.kind} ${edit.id}`) ?? []).map((/** @type {any} */ { message, level, refused }) => html`<div class=${`under ${level === "deny" || refused ? "bad" : level === "note" ? "" : "warn"}`}>${visible(message)}</div>`)}</td>
        <td>${fieldWord(edit.field)}</td><td class="value" data-label="Was">${said(edit.seen, edit)}</td><td class="value strong" data-label="New">${said(edit.value, edit)}
          ${conflicts.value.has(placeOf(edit)) && html`<div class="warn">now ${said(theirsOf(edit), edit)}</div>`}</td>
        <td class="nowrap">${conflicts.value.has(placeOf(edit)) ? html`<button type="button" class="link" onClick=${() => own.change([{ ...edit, seen: theirsOf(edit) }], { fresh: true })}>Keep mine</button> · <button type="button" class="link" onClick=${() => own.discard([edit])}>Take theirs</button>`
      : html`<button type="button" class="link" aria-label=${`Discard ${fieldWord(edit.field)} of ${visible(edit.label)}`} onClick=${() => own.discard([edit])}>Discard</button>`}</td></tr>`)}</tbody></table>
      ${all.length > MAX_SHOWN && html`<p class="under">The first ${MAX_SHOWN} of ${whole(all.length)}.</p>`}
      ${own.files().map((file) => html`<p class="under">In a terminal: <code>adsctl plan from ${visible(file)}</code></p>`)}`, { word: `Discard all ${whole(all.length)}`, run: () => own.discard(all), off: all.length === 0, isPlain: true });
  };
  const theirsOf = (/** @type {import("../grid_draft.js").Edit} */ edit) => /** @type {string | number | null} */ (conflicts.value.get(placeOf(edit)) ?? null);

  const reviewDialog = () => {
    const own = draft.value;
    if (own === undefined) return null;
    const make = async (/** @type {any} */ event) => {
      busy.value = true;
      problem.value = undefined;
      try {
        const made = await own.review(String(new FormData(event.currentTarget).get("note") ?? ""));
        const [first] = made;
        if (made.length > 1) reviewed.value = made;
        else if (first?.plan === undefined) throw first?.error;
        else {
          dialog.value = undefined;
          done(first.plan);
        }
      } catch (error) {
        problem.value = error;
      } finally {
        busy.value = false;
      }
    };
    const { nameOf } = grid();
    if (reviewed.value.length > 0) {
      return frame("Plans were made", close, html`<ul class="rows tight">${reviewed.value.map((/** @type {any} */ { id, plan, error }) => html`<li key=${id}><span>${plan === undefined && html`<span class="bad">!</span>`}</span><span><bdi>${visible(nameOf(id))}</bdi>: ${
        plan === undefined ? html`<span class="bad">${visible(error instanceof Error ? error.message : error)}</span>` : html`<a href=${`/plans/${plan}`}>Plan ${plan}</a>`}</span></li>`)}</ul>
        <p class="under">Each opens for review. Nothing is sent before you apply it.</p>`);
    }
    const pending = own.pending();
    const several = pending.length > 1 && html`<p>One plan per profile, ${pending.length} in all: ${pending.map((id) => visible(nameOf(id))).join("; ")}.</p>`;
    return frame(`Make ${pending.length > 1 ? `${pending.length} plans` : "a plan"} from ${counted(own.edits.value.size, "edit")}`, close, html`${several}
      <p class="under">The plan is checked, and opens for review. Nothing is sent before you apply it. The edits stay here until the account has the new values.</p>
      <label class="line">Reason<input name="note" maxlength="2000" autofocus /></label>
      ${problem.value && html`<${Notice} error=${problem.value} />`}`, { word: busy.value ? `Making the ${pending.length > 1 ? "plans" : "plan"} …` : `Make the ${pending.length > 1 ? "plans" : "plan"}`, run: make, off: busy.value });
  };

  const copying = copyDialog({ close, done, frame });
  const adding = addDialog({ close, add, done, frame });
  return {
    draw: () => {
      const { name } = dialog.value ?? { name: "" };
      if (name === "copy") {
        const { profile, profiles, chosen } = grid();
        return copying.draw({ profile, profiles, rows: chosen });
      }
      return name === "bulk" ? bulkDialog() : name === "paste" ? pasteDialog() : name === "add" ? adding.draw(grid()) : name === "list" ? listDialog() : name === "review" ? reviewDialog() : null;
    },
  };
}

/** @param {CellValue[]} cells */
function currencyWarning(cells) {
  const currencies = new Set(cells.flatMap(({ row, column }) => column.type === "money" ? row.currency : []));
  return currencies.size > 1 && html`<p class="warn">Amounts are not converted: ${[...currencies].join(" and ")}.</p>`;
}

/** @param {string} field */
function fieldWord(field) {
  const [, placement] = /^dynamicBidding\.placementBidding\.PLACEMENT_(\w+)$/.exec(field) ?? [];
  if (placement !== undefined) return placement.toLowerCase().replaceAll("_", " ");
  return { "portfolioId": "portfolio", "defaultBid": "default bid", "budget.budget": "budget", "budget.amount": "budget", "startDate": "start", "endDate": "end" }[field] ?? field;
}

/** @param {string} field */
function columnFor(field) {
  return /** @type {GridColumn} */ ({ key: field, title: fieldWord(field), type: /bid$|^budget/i.test(field) ? "money" : field === "state" ? "state" : field === "portfolioId" ? "portfolio" : field.includes("placementBidding") ? "percent" : "text", width: 0 });
}

/**
 * @param {CellValue[]} cells
 * @param {string[]} problems
 * @param {Grid} grid
 * @param {boolean} isFilled
 */
function preview(cells, problems, { now }, isFilled) {
  if (!isFilled) return html`<p class="under" role="status">Nothing is changed yet.</p>`;
  return html`<p class="under" role="status">${counted(cells.length, "cell")} would change${problems.length > 0 ? `; ${counted(problems.length, "problem")}` : ""}.</p>
    ${problems.length > 0 && html`<ul class="rows tight">${[...new Set(problems)].slice(0, 20).map((text) => html`<li><span class="bad">!</span><span>${visible(text)}</span></li>`)}</ul>`}
    ${cells.length > 0 && html`<div class="scroll"><table class="plain"><tbody>${cells.slice(0, 12).map(({ row, column, value }) => html`<tr><td class="wide"><bdi>${visible(row.name)}</bdi></td><td class="under">${column.title}</td>
      <td class="value"><s class="muted">${cellText(now(row, column), column, row.decimals) || "empty"}</s></td><td class="value strong">${cellText(value, column, row.decimals) || "empty"}</td></tr>`)}</tbody></table></div>
      ${cells.length > 12 && html`<p class="under">and ${whole(cells.length - 12)} more</p>`}`}`;
}

/**
 * @param {string} title
 * @param {() => void} close
 * @param {unknown} content
 * @param {{ word: string, run: (event: any) => void, off: boolean, isPlain?: boolean }} [action]
 */
export function frame(title, close, content, action) {
  return html`<dialog class="wide-dialog" aria-labelledby="grid-dialog" ref=${showModal} onClose=${close}>
    <form onSubmit=${(/** @type {any} */ event) => {
    event.preventDefault();
    if (action !== undefined && !action.off) action.run(event);
  }}><h2 id="grid-dialog">${title}</h2>${content}
    <div class="buttons"><button type="button" onClick=${close}>Close</button>${action !== undefined && html`<button type="submit" class=${action.isPlain ? "" : "primary"} disabled=${action.off}>${action.word}</button>`}</div></form></dialog>`;
}
