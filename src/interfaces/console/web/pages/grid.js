// @ts-check
/// <reference lib="dom" />
/** The account as an editable table. Every edit is kept in a draft, from which a plan is made. */
import { api, ApiError } from "../api.js";
import { bigTable } from "../big_table.js";
import { counted, time, whole } from "../format.js";
import { columnsOf, figureFilters, filledColumns, hasLabel, shownColumns, sumsByCurrency, TABLES, viewRows } from "../grid_columns.js";
import { placeOf } from "../grid_draft.js";
import { gridDrafts } from "../grid_drafts.js";
import { DECISIONS, decisionsOf, editsOf, keptAgain } from "../grid_plan.js";
import { typedValue } from "../grid_edits.js";
import { gridFill } from "../grid_fill.js";
import { joinedTables, profileWords } from "../grid_rows.js";
import { pageKeys } from "../keys.js";
import { lastChange } from "../live.js";
import { go, query, setQuery } from "../router.js";
import { saveCsv } from "../save_csv.js";
import { about } from "../shell.js";
import { computed, html, Loading, Notice, pageEffect, phone, Select, signal, untracked, visible } from "../ui.js";
import { gridBar } from "./grid_bar.js";
import { cellText, columnWidth, gridCells, gridHeight, gridHeads, phoneSums, sumRows } from "./grid_cells.js";
import { gridDialogs } from "./grid_dialogs.js";
import { gridViews } from "./grid_views.js";

/**
 * @typedef {import("../grid_columns.js").GridColumn} GridColumn
 * @typedef {import("../grid_draft.js").Edit} Edit
 */

/** Milliseconds after which stored settings are offered. */
const SLOW = 4000;

export function gridPage() {
  const labels = signal(/** @type {{ id: string, name: string, campaigns: string[], ad_groups: string[] }[]} */ ([]));
  const profiles = signal(/** @type {any[] | undefined} */ (undefined));
  const data = signal(/** @type {any} */ (undefined));
  const draft = signal(/** @type {ReturnType<typeof gridDrafts> | undefined} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const ticks = signal(/** @type {ReadonlySet<string>} */ (new Set()));
  const active = signal(0);
  const range = signal({ from: 0, to: 0 });
  const editing = signal(/** @type {{ key: string, column: string, text: string, problem: string, fresh: boolean } | undefined} */ (undefined));
  const dialog = signal(/** @type {{ name: string, text?: string } | undefined} */ (undefined));
  const checked = signal(/** @type {any} */ (undefined));
  const left = signal("");
  /** Rows that the last fill left out. */
  const unfilled = signal("");

  const failed = (/** @type {unknown} */ error) => (problem.value = error);
  const readProfiles = () => void api("/api/profiles").then((found) => (profiles.value = found.profiles), failed);
  readProfiles();
  /** Ids of the profiles that are shown: those of the address, or the first. @returns {string[]} */
  const chosenProfiles = () => {
    const { profile: text = "" } = query.value;
    const all = (profiles.value ?? []).map((/** @type {any} */ { profile_id: id }) => id);
    if (text === "all") return all;
    return text === "" ? all.slice(0, 1) : text.split(",");
  };
  const profile = () => chosenProfiles()[0] ?? "";
  const isSeveral = () => plan() === "" && chosenProfiles().length > 1;
  const nameOf = (/** @type {string} */ id) => profileWords(profiles.value?.find((/** @type {any} */ one) => one.profile_id === id), id);
  /** True once the account takes long to respond. */
  const isSlow = signal(false);
  const failures = signal(/** @type {{ id: string, error: unknown }[]} */ ([]));
  const plan = () => query.value["plan"] ?? "";
  const table = () => plan() !== "" ? "plan" : TABLES.some(([name]) => name === query.value["table"]) ? query.value["table"] ?? "" : "campaigns";
  const isReadOnly = () => about.value?.["read_only"] !== false || Boolean(data.value?.closed);

  let loaded = "";
  let drafted = "";
  let labelled = "";
  const load = async () => {
    const [name, ids] = [table(), plan() === "" ? chosenProfiles() : [plan()]];
    const key = `${ids} ${name} ${query.value["from"] ?? ""}`;
    if (ids.length === 0 || loaded === key) return;
    loaded = key;
    problem.value = undefined;
    failures.value = [];
    data.value = undefined;
    editing.value = undefined;
    ticks.value = new Set();
    range.value = { from: 0, to: 0 };
    active.value = 0;
    if (drafted !== String(ids)) {
      drafted = String(ids);
      checked.value = undefined;
      labels.value = [];
      labelled = "";
      draft.value = gridDrafts(name === "plan" ? "plans" : "profiles", ids, { nameOf, profileOf: ({ kind, id }) => rowsByKey.value.get(`${kind} ${id}`)?.profile_id });
    }
    isSlow.value = false;
    setTimeout(() => loaded === key && (isSlow.value = true), SLOW);
    const kept = draft.value?.load();
    /** @type {{ id: string, found: any }[]} */
    const parts = [];
    await Promise.all(ids.map(async (id) => {
      try {
        const [found] = await Promise.all([name === "plan" ? api(`/api/plans/${id}/grid`) : readTable(id, name), kept]);
        if (loaded !== key) return;
        // Rows are shown as soon as they are there, in the order of the profiles.
        parts.push({ id, found });
        parts.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
        data.value = joinedTables(name, parts, profiles.value ?? []);
      } catch (error) {
        if (loaded !== key) return;
        if (ids.length === 1) failed(error);
        else failures.value = [...failures.value, { id, error }];
      }
    }));
    // After the rows, which a view by label cannot do without.
    if (loaded !== key || name === "plan" || labelled === String(ids)) return;
    labelled = String(ids);
    for (const id of ids) {
      void api(`/api/profiles/${id}/labels`).then((found) => labelled === String(ids) && (labels.value = [...labels.value, ...found.labels]), () => {});
    }
  };
  /** The table of the account, or that of the store while the platform cannot be reached. @param {string} id @param {string} name */
  const readTable = async (id, name) => {
    const path = `/api/profiles/${id}/grid/${name}`;
    const stored = (/** @type {unknown} */ error) => api(`${path}?from=store`).then((found) => ({ ...found, why: error instanceof Error ? error.message : "" }), () => {
      throw error;
    });
    if (query.value["from"] === "store") return await stored(new Error(""));
    return await api(path).catch((error) => error instanceof ApiError && error.status === 502 ? stored(error) : Promise.reject(error));
  };
  const again = () => {
    problem.value = undefined;
    if (profiles.value === undefined) readProfiles();
    loaded = "";
    void load();
  };
  pageEffect(() => {
    chosenProfiles();
    query.value["from"];
    plan();
    table();
    untracked(() => void load());
  });

  pageEffect(() => {
    const { id } = lastChange.value;
    // The console was gone, and is back.
    if (id === "*" && untracked(() => problem.value !== undefined)) untracked(again);
    if (id !== "" && (id === plan() || id === "*")) untracked(() => void lookAtPlan().catch(() => {}));
  });
  /** Another tab, or a person elsewhere, may have closed the plan. */
  const lookAtPlan = async () => {
    const [id, shown] = [plan(), data.value];
    if (id === "" || shown === undefined) return;
    const { closed } = await api(`/api/plans/${id}/grid`);
    if (data.value !== shown || closed === shown.closed) return;
    dialog.value = undefined;
    editing.value = undefined;
    data.value = { ...shown, closed };
  };

  pageEffect(() => {
    if (data.value !== undefined && !isReadOnly()) untracked(leaveDone);
  });

  /** Drops edits that the account already contains. */
  const leaveDone = () => {
    const byPlace = accountValues();
    const done = edits().filter((edit) => byPlace.has(placeOf(edit)) && byPlace.get(placeOf(edit)) === edit.value);
    unfilled.value = "";
    left.value = done.length === 0 ? "" : `${counted(done.length, "edit")} removed from the draft: the account now has ${done.length === 1 ? "this value" : "these values"}.`;
    draft.value?.discard(done, { silent: true });
  };
  /** Takes what a check has read of the account into the rows, and leaves out the edits that it has already. @param {any} found */
  const learn = ({ conflicts: held, done }) => {
    // The account was read: it takes the place of the stored settings.
    if (data.value.stored.length > 0) return query.value["from"] === "store" ? setQuery({ from: "" }) : again();
    const own = draft.value?.edits.value;
    const values = new Map(held.map((/** @type {any} */ one) => [placeOf(one), one.now]));
    const kept = done.flatMap((/** @type {any} */ one) => own?.get(placeOf(one)) ?? []);
    for (const edit of kept) values.set(placeOf(edit), edit.value);
    if (values.size === 0) return;
    const rows = data.value.rows.map((/** @type {any} */ row) => {
      const news = Object.entries(fieldsIn(row)).flatMap(([column, field]) => {
        const place = placeOf({ ...row, field });
        return values.has(place) ? [[column, values.get(place)]] : [];
      });
      return news.length === 0 ? row : { ...row, ...Object.fromEntries(news) };
    });
    data.value = { ...data.value, rows };
    draft.value?.discard(kept, { silent: true });
  };
  const accountValues = () => {
    /** @type {Map<string, unknown>} */
    const values = new Map();
    const wanted = new Set(edits().map(({ kind, id }) => `${kind} ${id}`));
    for (const row of data.value.rows) {
      // Stored settings may be older than an edit, and say nothing about the account.
      if (!wanted.has(row.key) || row.is_stored) continue;
      for (const [column, field] of Object.entries(fieldsIn(row))) values.set(placeOf({ ...row, field }), row[column] ?? null);
    }
    return values;
  };

  const edits = () => [...draft.value?.edits.value.values() ?? []];
  const columns = /** @type {{ readonly value: GridColumn[] }} */ (computed(() => {
    const shown = shownColumns(table(), query.value["cols"] ?? "", isSeveral()).map(withNames);
    return plan() === "" ? shown : filledColumns(shown, data.value?.rows ?? []);
  }));
  /** @param {GridColumn} column @returns {GridColumn} */
  const withNames = (column) => column.type === "portfolio" ? { ...column, names: data.value?.names.portfolios ?? {} } : column;
  /** A column with the portfolios of a row's profile. @param {any} row @param {GridColumn} column @returns {GridColumn} */
  const columnOf = (row, column) => column.type === "portfolio" ? { ...column, names: data.value?.portfolios_of?.[row.profile_id] ?? {} } : column;
  /** @type {{ readonly value: Map<string, any> }} */
  const rowsByKey = computed(() => new Map((data.value?.rows ?? []).map((/** @type {any} */ row) => [row.key, row])));
  /** Paths of the fields of a row that can be edited, by column. @returns {Record<string, string>} */
  const fieldsIn = (/** @type {any} */ row) => row.fields ?? data.value.fields?.[row.kind] ?? {};
  const fieldOf = (/** @type {any} */ row, /** @type {GridColumn} */ column) => fieldsIn(row)[column.key] ?? "";
  const canEdit = (/** @type {any} */ row, /** @type {GridColumn} */ column) => !isReadOnly() && fieldOf(row, column) !== "";
  const editOf = (/** @type {any} */ row, /** @type {GridColumn} */ column) =>
    draft.value?.edits.value.get(placeOf({ kind: row.kind, id: row.id, field: fieldOf(row, column) }));
  const now = (/** @type {any} */ row, /** @type {GridColumn} */ column) => {
    const edit = editOf(row, column);
    return edit === undefined ? row[column.key] ?? null : edit.value;
  };
  const conflicts = computed(() => {
    /** @type {Map<string, unknown>} */
    const found = new Map((checked.value?.conflicts ?? []).map((/** @type {any} */ one) => [placeOf(one), one.now]));
    const values = data.value === undefined ? new Map() : accountValues();
    for (const edit of edits()) {
      const place = placeOf(edit);
      if (values.has(place)) found.set(place, values.get(place));
      if (found.get(place) === edit.seen) found.delete(place);
    }
    const own = draft.value?.edits.value;
    return new Map([...found].filter(([place]) => own?.has(place)));
  });
  const findings = computed(() => Map.groupBy(checked.value?.findings ?? [], (/** @type {any} */ { kind, id }) => `${kind} ${id}`));
  const edited = computed(() => new Set(edits().map(({ kind, id }) => `${kind} ${id}`)));
  const decisions = computed(() => plan() === "" ? new Map() : decisionsOf(data.value?.rows ?? [], data.value?.proposed ?? [], draft.value?.edits.value ?? new Map()));
  const decided = (/** @type {string} */ wanted) => new Set([...decisions.value].flatMap(([key, decision]) => decision === wanted ? [key] : []));
  /** @type {{ readonly value: any[] }} */
  const rows = computed(() => {
    if (data.value === undefined) return [];
    const { only = "" } = query.value;
    // Rows with edits are higher: the table measures a new list anew.
    draft.value?.edits.value;
    const conflicting = new Set([...conflicts.value.keys()].map((place) => place.split(" ").slice(0, 2).join(" ")));
    /** @type {Record<string, { has(key: string): boolean }>} */
    const filters = { edited: edited.value, findings: findings.value, conflicts: conflicting, kept: decided("kept"), changed: decided("changed"), rejected: decided("rejected") };
    const shown = filters[only];
    const label = labels.value.find((/** @type {any} */ { id }) => id === query.value["label"]);
    const carries = label === undefined ? undefined : hasLabel({ campaigns: new Set(label.campaigns), ad_groups: new Set(label.ad_groups) });
    return viewRows(data.value.rows, query.value, (row) => (shown === undefined || shown.has(row.key)) && (carries === undefined || carries(row)));
  });
  const sums = computed(() => sumsByCurrency(rows.value));
  const adGroups = computed(() => {
    const { ad_group_campaigns: campaigns = {}, names } = data.value ?? {};
    // An ad group whose campaign is archived takes no rows.
    return Object.entries(campaigns).flatMap(([id, campaign]) => names.campaigns[/** @type {string} */ (campaign)] === undefined ? [] : [{ id, label: `${names.campaigns[/** @type {string} */ (campaign)]} · ${names.ad_groups[id] ?? id}` }]).sort((a, b) => a.label.localeCompare(b.label));
  });

  /** @param {{ row: any, column: GridColumn, value: string | number | null }[]} cells */
  const put = (cells) => {
    unfilled.value = "";
    draft.value?.change(cells.map(({ row, column, value }) => ({
      kind: row.kind, id: row.id, field: fieldOf(row, column), value, seen: row[column.key] ?? null, label: row.name,
    })));
  };
  const decimals = () => data.value?.decimals ?? 2;
  const decimalsOf = (/** @type {Edit} */ { kind, id }) => rowsByKey.value.get(`${kind} ${id}`)?.decimals ?? decimals();
  const begin = (/** @type {any} */ row, /** @type {GridColumn} */ column, /** @type {string | undefined} */ text = undefined) => {
    if (!canEdit(row, column)) return;
    const value = now(row, column);
    editing.value = { key: row.key, column: column.key, text: text ?? String(value ?? ""), problem: "", fresh: true };
  };
  /** @param {any} row @param {GridColumn} column @param {string} text */
  const finish = (row, column, text) => {
    if (editing.value === undefined) return true;
    const before = now(row, column);
    if (text.trim() === String(before ?? "")) {
      editing.value = undefined;
      return true;
    }
    const next = typedValue(columnOf(row, column), text, { now: before, decimals: row.decimals });
    if ("problem" in next) {
      editing.value = { ...editing.value, text, problem: next.problem, fresh: false };
      return false;
    }
    editing.value = undefined;
    put([{ row, column, value: next.value }]);
    return true;
  };
  /** @param {KeyboardEvent} event @param {any} row @param {GridColumn} column */
  const inCell = (event, row, column) => {
    const { target, key, shiftKey } = event;
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    if (key === "Escape") editing.value = undefined;
    else if (key === "Enter") {
      if (finish(row, column, target.value)) down();
    } else if (key === "Tab") {
      if (finish(row, column, target.value)) move(shiftKey ? -1 : 1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
    if (editing.value === undefined) big.focus();
  };

  const down = () => {
    big.move(1);
    range.value = { from: big.at(), to: big.at() };
  };
  const move = (/** @type {number} */ by) => (active.value = Math.max(0, Math.min(columns.value.length - 1, active.value + by)));
  const chosen = () => {
    const ticked = ticks.value.size === 0 ? [] : rows.value.filter(({ key }) => ticks.value.has(key));
    if (ticked.length > 0) return ticked;
    const [from, to] = ends();
    return rows.value.slice(from, to + 1);
  };
  const ends = () => {
    const { from, to } = range.value;
    return from < to ? /** @type {const} */ ([from, to]) : /** @type {const} */ ([to, from]);
  };
  const fill = gridFill({ range, ends: () => ends(), rows: () => rows.value, column: () => columns.value[active.value], canEdit, now, put, tell: (words) => (unfilled.value = words) });
  /** Without an argument, toggles the first change and applies the same decision to all. */
  const decide = (/** @type {"keep" | "reject" | undefined} */ wish = undefined) => {
    const own = draft.value;
    const some = chosen();
    const [first] = some;
    if (own === undefined || first === undefined || plan() === "" || isReadOnly()) return;
    if ((wish ?? (decisions.value.get(first.key) === "rejected" ? "keep" : "reject")) === "reject") own.discard(editsOf(some, own.edits.value));
    else own.change(keptAgain(some, data.value.proposed, own.edits.value));
  };
  const tick = (/** @type {any[]} */ some) => {
    const next = new Set(ticks.value);
    const clear = some.every(({ key }) => next.has(key));
    for (const { key } of some) clear ? next.delete(key) : next.add(key);
    ticks.value = next;
  };

  /** @param {KeyboardEvent} event @param {any} row */
  const press = (event, row) => {
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const column = columns.value[active.value];
    if (ctrlKey || metaKey) {
      if (isReadOnly()) return false;
      const letter = key.toLowerCase();
      if (letter === "z") shiftKey ? draft.value?.redo() : draft.value?.undo();
      else if (letter === "y") draft.value?.redo();
      else if (letter === "d") fill.down();
      else return false;
      return true;
    }
    if (shiftKey && (key === "ArrowDown" || key === "ArrowUp")) {
      const { from, to } = range.value;
      const next = Math.max(0, Math.min(rows.value.length - 1, to + (key === "ArrowDown" ? 1 : -1)));
      big.moveTo(next);
      range.value = { from, to: next };
      return true;
    }
    if (key === "ArrowRight" || key === "ArrowLeft") move(key === "ArrowRight" ? 1 : -1);
    else if (key === " " && !isReadOnly()) tick([row]);
    else if (column === undefined) return false;
    else if (key === "Enter" || key === "F2") begin(row, column);
    else if (key === "Delete" || key === "Backspace") {
      const edit = editOf(row, column);
      if (edit !== undefined) draft.value?.discard([edit]);
    } else if (column.type === "money" && /^[\d.,+*-]$/.test(key) && canEdit(row, column)) begin(row, column, key);
    else return false;
    return true;
  };

  /** @param {any} row @param {number} at @param {number} place @param {MouseEvent} event */
  const click = (row, at, place, event) => {
    active.value = place;
    range.value = event.shiftKey ? { ...range.value, to: at } : { from: at, to: at };
    const column = columns.value[place];
    if (column !== undefined && (phone.value || event.detail === 2)) begin(row, column);
  };
  const parts = () => ({
    columns: columns.value, columnOf, active: active.value, range: ends(), at: big.at(), editing: editing.value, ticks: ticks.value,
    isReadOnly: isReadOnly(), canEdit, editOf, decisionOf: (/** @type {any} */ { key }) => decisions.value.get(key) ?? "", findings: findings.value, conflicts: conflicts.value, tick, click, finish, inCell,
    drag: (/** @type {number} */ at) => fill.over(at) || (range.value = { ...range.value, to: at }),
    isFilling: fill.isDragged(), beginFill: fill.begin,
    position: (/** @type {any} */ row) => positions.value.get(row.key) ?? 0,
    begin, discard: (/** @type {Edit} */ edit) => draft.value?.discard([edit]),
    type: (/** @type {string} */ text) => {
      if (editing.value !== undefined) editing.value.text = text;
    },
  });
  const positions = computed(() => new Map(rows.value.map(({ key }, at) => [key, at])));
  const big = bigTable({
    name: "Entities of the account",
    columns: () => gridHeads({
      columns: columns.value, sums: sums.value, sort: query.value["sort"] ?? "", isReadOnly: isReadOnly(),
      all: rows.value.length > 0 && rows.value.every(({ key }) => ticks.value.has(key)), some: ticks.value.size > 0,
      tickAll: () => tick(rows.value), sortBy: (key) => setQuery({ sort: query.value["sort"] === `-${key}` ? key : query.value["sort"] === key ? "" : `-${key}` }),
    }),
    rows: () => rows.value,
    key: ({ key }) => key,
    height: (row) => gridHeight(row, { columns: columns.value, editOf, canEdit }),
    rowClass: ({ key }) => `entity${edited.value.has(key) ? " changed" : ""}${decisions.value.get(key) === "rejected" ? " rejected" : ""}`,
    cells: (row, id) => gridCells(row, id, parts()),
    sums: () => sumRows(sums.value, { columns: columns.value, isReadOnly: isReadOnly() }),
    column: () => active.value,
    press,
    onMove: () => (range.value = { from: big.at(), to: big.at() }),
    minWidth: () => columns.value.reduce((sum, column) => sum + columnWidth(column, sums.value), 40),
  });

  pageEffect(() => {
    const paste = (/** @type {ClipboardEvent} */ event) => {
      const { target } = event;
      if (isReadOnly() || dialog.value !== undefined || (target instanceof HTMLElement && target.matches("input, textarea, select"))) return;
      dialog.value = { name: "paste", text: event.clipboardData?.getData("text/plain") ?? "" };
      event.preventDefault();
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  });
  pageKeys([
    { key: "u", does: "undo the last edit", run: () => draft.value?.undo() },
    { key: "e", does: "change the ticked rows", run: () => isReadOnly() || (dialog.value = { name: "bulk" }) },
    { key: "v", does: "paste from a spreadsheet", run: () => isReadOnly() || (dialog.value = { name: "paste" }) },
    { key: "n", does: "add from a list", run: () => canAdd() && (dialog.value = { name: "add" }) },
    { key: "l", does: "list the edits", run: () => isReadOnly() || (dialog.value = { name: "list" }) },
    { key: "x", does: "keep or reject changes of the plan", run: () => decide() },
    { key: "r", does: "review: make the plan", run: () => bar.review() },
    { key: "c", does: "check the edits", run: () => void bar.check() },
  ]);
  const canAdd = () => !isReadOnly() && !isSeveral() && (table() === "campaigns" || (["keywords", "targets", "negatives"].includes(table()) && adGroups.value.length > 0));
  /** Names that a new campaign cannot have. */
  const taken = computed(() => new Set(table() !== "campaigns" ? [] : (data.value?.rows ?? []).flatMap((/** @type {any} */ { kind, name }) => kind === "sp.campaigns" ? [name.toLowerCase()] : [])));
  const bar = gridBar({
    decide: () => plan() === "" ? undefined : { decide, counts: (/** @type {string} */ one) => decided(one).size },
    canAdd, canCopy: () => !isReadOnly() && !isSeveral() && table() === "campaigns" && chosen().length > 0, canFill: () => ends()[1] > ends()[0] && columns.value.length > 0, fillDown: fill.down, draft, checked, learn, conflicts, dialog, chosen: () => ticks.value.size || (ends()[1] - ends()[0] > 0 ? ends()[1] - ends()[0] + 1 : 0), isReadOnly,
  });
  const dialogs = gridDialogs({
    dialog, draft, conflicts, findings, checked,
    grid: () => ({ profile: profile(), profiles: profiles.value ?? [], table: table(), adGroups: adGroups.value, current: rows.value[big.at()]?.ad_group_id, rows: rows.value, chosen: chosen(), at: big.at(), column: columns.value[active.value], columns: columnsOf(table()).map(withNames), names: data.value?.names.portfolios ?? {}, taken: taken.value, now, canEdit, columnOf, nameOf, decimals: decimals(), decimalsOf }),
    put, add: (body) => api(`/api/profiles/${profile()}/grid/${table()}/new`, { body }), done: (plan) => go(`/plans/${plan}`),
  });
  const views = gridViews({ isReadOnly: () => about.value?.["read_only"] !== false });
  const saveRows = () => {
    const heads = columns.value.map(({ title }) => title);
    const lines = rows.value.map((row) => columns.value.map((column) => column.key === "decision" ? decisions.value.get(row.key) : column.key === "name" || canEdit(row, column) ? now(row, column) : row[column.key]));
    saveCsv(table(), ["id", ...heads], lines.map((line, at) => [rows.value[at].id, ...line]));
  };

  const view = () => {
    const name = table();
    return html`<div class=${isReadOnly() ? "" : "with-bar"}>${name === "plan" ? planHead(data.value, plan()) : html`<div class="head"><h1>Grid</h1>
        <${Select} label="Show" value=${name} options=${TABLES} onChange=${(/** @type {string} */ value) => setQuery({ table: value, cols: "", sort: "", where: "", only: "" })} />
        ${profilePicker(profiles.value ?? [], chosenProfiles())}</div>`}
      ${problem.value && html`<${Notice} error=${problem.value} again=${again} />`}
      ${failures.value.map((/** @type {any} */ { id, error }) => html`<${Notice} error=${`${nameOf(id)}: ${error instanceof Error ? error.message : error}`} again=${again} />`)}
      ${(data.value?.stored ?? []).map((/** @type {any} */ { id, at, source, why }) => html`<${Notice}>${isSeveral() && html`<bdi>${visible(nameOf(id))}</bdi>: `}These settings ${source === "file" ? "are from a file" : "were stored"}, ${time(at)}.${
      why !== "" && html` The account could not be read: ${visible(why)}.`} You can edit them. "Check" compares your edits with the account, and shows what others changed beside them. <button type="button" class="link" onClick=${() => query.value["from"] === "store" ? setQuery({ from: "" }) : again()}>Read the account</button><//>`)}
      ${draft.value?.problem.value && html`<${Notice} error=${draft.value.problem.value} />`}
      ${(draft.value?.told.value || left.value || unfilled.value) && html`<${Notice}>${draft.value?.told.value} ${draft.value?.toldPlan.value && html`<a href=${`/plans/${draft.value.toldPlan.value}`}>Open the plan</a>`} ${left.value} ${unfilled.value}<//>`}
      ${data.value === undefined || about.value === undefined ? !problem.value && html`<${Loading} />${isSlow.value && data.value === undefined && plan() === "" && html`<p role="status">The account has not responded yet. <button type="button" class="link" onClick=${() => setQuery({ from: "store" })}>Work on the stored settings</button></p>`}` : html`
        ${toolbar({ name, count: rows.value.length, columns: columns.value, saveRows, totals: phone.value ? phoneSums(sums.value, { columns: columns.value }) : "", findings: findings.value.size, edited: edited.value.size, conflicts: conflicts.value.size, decided: name === "plan" ? decided : undefined, views: name === "plan" ? null : views.draw(), labels: labels.value })}
        ${bar.draw(chosenLine())}
        ${rows.value.length === 0 ? html`<p role="status">${data.value.rows.length === 0 ? `${isSeveral() ? "The profiles have" : "The profile has"} no enabled or paused items of this kind.` : "No rows match."} ${
      data.value.rows.length > 0 && html`<button type="button" class="link" onClick=${() => setQuery({ q: "", state: "", where: "", only: "", campaign: "", label: "" })}>Show all ${whole(data.value.rows.length)}</button>`}</p>` : big.draw()}`}
      ${dialogs.draw()}</div>`;
  };

  const chosenLine = () => {
    const [row, column] = [rows.value[Math.min(big.at(), rows.value.length - 1)], columns.value[active.value]];
    if (row === undefined || column === undefined) return null;
    const edit = editOf(row, column);
    const { problem: bad = "" } = editing.value ?? {};
    const said = findings.value.get(row.key) ?? [];
    return html`<p class="chosen" id="chosen-cell"><bdi class="strong">${visible(row.name)}</bdi> <span class="under">${row.id}</span>${isSeveral() && html` · <bdi>${visible(row.market)}</bdi>`} · ${column.title}: ${
      edit === undefined ? html`<bdi>${cellText(column.key === "decision" ? decisions.value.get(row.key) : row[column.key], column, row.decimals) || "empty"}</bdi>` : html`<s>${cellText(edit.seen, column, row.decimals) || "empty"}</s> <strong>${cellText(edit.value, column, row.decimals) || "empty"}</strong>`}
      ${bad !== "" && html`<span class="bad" role="alert">${visible(bad)}</span>`}
      ${said.map((/** @type {any} */ { message, allowed }) => html`<span class="warn"> ${visible(message)}${allowed && `. Allowed: ${visible(allowed)}`}.</span>`)}</p>`;
  };
  return { title: () => "Grid", view };
}

/**
 * One profile is chosen from a list, several by ticks.
 *
 * @param {any[]} profiles
 * @param {string[]} chosen
 */
function profilePicker(profiles, chosen) {
  if (profiles.length === 0) return null;
  const choose = (/** @type {string[]} */ ids) => setQuery({ profile: ids.length > 1 && ids.length === profiles.length ? "all" : ids.join(","), campaign: "", label: "" });
  const options = profiles.map((each) => [each.profile_id, `${visible(profileWords(each, each.profile_id))} · ${each.profile_id}`]);
  const several = chosen.length > 1 ? [["", `${chosen.length} profiles`]] : [];
  return html`<${Select} label="Profile" value=${chosen.length > 1 ? "" : chosen[0]} options=${[...several, ...options]} onChange=${(/** @type {string} */ value) => value !== "" && choose([value])} />
    ${profiles.length > 1 && html`<details class="choose"><summary>Several profiles</summary><fieldset><legend class="hidden">Profiles</legend>${profiles.map((each) => html`
      <label><input type="checkbox" checked=${chosen.includes(each.profile_id)} onChange=${() => {
    const ids = profiles.map(({ profile_id: id }) => id).filter((id) => (id === each.profile_id) !== chosen.includes(id));
    if (ids.length > 0) choose(ids);
  }} /> <bdi>${visible(profileWords(each, each.profile_id))}</bdi> <span class="under">${each.currency ?? ""}</span></label>`)}
      <button type="button" class="link" onClick=${() => choose(profiles.map(({ profile_id: id }) => id))}>All ${profiles.length}</button></fieldset></details>`}`;
}

/**
 * @param {any} data
 * @param {string} id
 */
function planHead(data, id) {
  return html`<p class="crumbs"><a href="/plans">Plans</a> / <a href=${`/plans/${id}`}>${id}</a> / Grid</p>
    <div class="head"><h1><bdi>${visible(data?.note || `Plan ${id}`)}</bdi></h1></div>
    ${data !== undefined && html`<p class="under">${data.country_code} · amounts in ${data.currency ?? "an unknown currency"} · proposed by ${data.maker === "agent" ? "an agent" : "a person or program"}. Keep, change or reject each row. "Review" makes a new plan of what is left, and closes this one.</p>`}
    ${data?.closed && html`<${Notice}>${visible(data.closed)}.<//>`}`;
}

/** @param {{ views: unknown, labels: { id: string, name: string }[], decided: ((decision: string) => ReadonlySet<string>) | undefined, name: string, count: number, columns: GridColumn[], totals: string, saveRows: () => void, findings: number, edited: number, conflicts: number }} parts */
function toolbar({ name, count, columns, totals, saveRows, findings, edited, conflicts, decided, views, labels }) {
  const { q = "", state = "", where = "", only = "", campaign = "", cols = "", label = "" } = query.value;
  const shown = new Set(columns.map(({ key }) => key));
  const choose = (/** @type {string} */ key) => {
    const keys = columnsOf(name).map((one) => one.key).filter((one) => (one === key) !== shown.has(one));
    setQuery({ cols: keys.filter((one) => one !== "name").join(",") });
  };
  /** @type {[string, string][]} */
  const onlys = [["", "all"], ...decided === undefined ? /** @type {[string, string][]} */ ([["edited", `edited (${whole(edited)})`]]) : DECISIONS.map(([key, word]) => /** @type {[string, string]} */ ([key, `${word} (${whole(decided(key).size)})`])), ["findings", `with findings (${whole(findings)})`], ["conflicts", `conflicts (${whole(conflicts)})`]];
  return html`<div class="toolbar" role="search">
      <input type="search" aria-label="Find a row" value=${q} placeholder="Find name, id or campaign" onInput=${(/** @type {any} */ { target }) => setQuery({ q: target.value })} />
      ${name !== "negatives" && html`<${Select} label="State" value=${state} options=${[["", "all"], ["ENABLED", "enabled"], ["PAUSED", "paused"]]} onChange=${(/** @type {string} */ value) => setQuery({ state: value })} />`}
      ${shown.has("cost") && html`<label>Figure <input size="12" value=${where} placeholder="acos > 30" aria-invalid=${where !== "" && figureFilters(where) === undefined} onChange=${(/** @type {any} */ { target }) => setQuery({ where: target.value })} /></label>`}
      ${name !== "plan" && name !== "portfolios" && html`<${Select} label="Label" isLate value=${label} options=${[["", "all"], ...labels.map(({ id, name }) => [id, visible(name)])]} onChange=${(/** @type {string} */ value) => setQuery({ label: value })} />`}
      <${Select} label="Rows" value=${only} options=${onlys} onChange=${(/** @type {string} */ value) => setQuery({ only: value })} />
      <span class="grow"></span>${views}
      <details class="choose"><summary>Columns</summary><fieldset><legend class="hidden">Columns</legend>${columnsOf(name).filter(({ key }) => key !== "name").map(({ key, title }) => html`
        <label><input type="checkbox" checked=${shown.has(key)} onChange=${() => choose(key)} /> ${title}</label>`)}
        ${cols !== "" && html`<button type="button" class="link" onClick=${() => setQuery({ cols: "" })}>Reset columns</button>`}</fieldset></details>
      <button type="button" class="link" onClick=${saveRows}>Save as CSV</button></div>
    <p class="under" role="status">${counted(count, "row")}${!shown.has("cost") ? "" : name === "plan" ? "; figures behind the plan" : "; figures of the last 30 stored days"}.${totals !== "" && html` <span class="strong">${totals}</span>`}
      ${where !== "" && figureFilters(where) === undefined && html` <span class="bad">"${visible(where)}" is not a filter: write it as acos > 30 or clicks < 5 and cost > 10.</span>`}
      ${campaign !== "" && html` Only campaign ${campaign}. <a href=${`/account?${new URLSearchParams({ view: "history", q: campaign, ...!/^\d+$/.test(query.value["profile"] ?? "") ? {} : { profile: query.value["profile"] ?? "" } })}`}>Its history</a> · <button type="button" class="link" onClick=${() => setQuery({ campaign: "" })}>Show all campaigns</button>`}</p>`;
}
