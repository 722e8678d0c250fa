// @ts-check
/// <reference lib="dom" />
import { api, newestOnly } from "../api.js";
import { Chart } from "../chart.js";
import { bigTable } from "../big_table.js";
import { counted, money, whole } from "../format.js";
import { query, setQuery } from "../router.js";
import { saveCsv } from "../save_csv.js";
import { chartOf, drawable, EXAMPLES, withQuery } from "../sql_chart.js";
import { computed, html, Notice, Select, signal, visible } from "../ui.js";

/**
 * The view of the SQL of the address, which runs once it is shown.
 *
 * @param {() => any[]} tables tables of the store with their columns
 */
export function sqlView(tables) {
  const history = signal(kept("sql-history"));
  const saved = signal(kept("sql-saved"));
  const find = signal("");
  const drawn = signal("");
  const reading = newestOnly();
  const text = signal(query.value["sql"] ?? "");
  const problem = signal(/** @type {unknown} */ (undefined));
  const result = signal(/** @type {any} */ (undefined));
  const busy = signal(false);
  let ran = "";
  // As many decimals in a column as its values need, so that they stand below each other.
  const decimals = computed(() => (result.value?.columns ?? []).map((/** @type {string} */ _name, /** @type {number} */ at) =>
    result.value.rows.some((/** @type {any[]} */ row) => typeof row[at] === "number" && !Number.isInteger(row[at]))
      ? result.value.rows.some((/** @type {any[]} */ row) => Math.abs(row[at]) >= 1) ? 2 : 4
      : 0));
  const run = async (/** @type {string} */ sql) => {
    ran = sql;
    busy.value = true;
    problem.value = undefined;
    try {
      result.value = await reading.ask("/api/store/query", { sql, as_of: query.value["as_of"] ?? "" });
      keep("sql-history", history, withQuery(history.value, sql));
    } catch (error) {
      problem.value = error;
    } finally {
      busy.value = false;
    }
  };
  const table = bigTable({
    name: "Result",
    columns: () => (result.value?.columns ?? []).map((/** @type {string} */ name, /** @type {number} */ at) => ({ name, class: isNumber(at) ? "number" : "" })),
    rows: () => result.value?.rows ?? [],
    key: (row) => String(result.value.rows.indexOf(row)),
    rowClass: () => "any",
    height: () => innerWidth < 640 ? 22 * (result.value?.columns.length ?? 1) + 10 : 28,
    cells: (row) => result.value.columns.map((/** @type {string} */ name, /** @type {number} */ at) => html`<td class=${isNumber(at) ? "number fig" : ""} data-label=${name}>${cell(row[at], decimals.value[at])}</td>`),
  });
  const isNumber = (/** @type {number} */ at) => typeof result.value?.rows[0]?.[at] === "number";
  const save = async () => {
    try {
      const { columns, rows } = await api("/api/store/query", { body: { sql: ran, max_rows: 50000, as_of: query.value["as_of"] ?? "" } });
      saveCsv("rows", columns, rows);
    } catch (error) {
      problem.value = error;
    }
  };
  return () => {
    const wanted = query.value["sql"] ?? "";
    if (wanted !== "" && wanted !== ran) {
      text.value = wanted;
      queueMicrotask(() => void run(wanted));
    }
    return html`<form onSubmit=${(/** @type {any} */ event) => {
      event.preventDefault();
      setQuery({ sql: text.value, view: "sql" });
      if (text.value === ran) void run(text.value);
    }}><label class="line">SQL query (read-only)<textarea rows="7" spellcheck=${false} value=${text.value} onInput=${(/** @type {any} */ { target }) => (text.value = target.value)}></textarea></label>
      <div class="buttons"><button type="submit" class="primary" disabled=${busy.value}>Run</button>${result.value && html`<button type="button" onClick=${save}>Save as CSV</button>`}
        ${text.value.trim() !== "" && !saved.value.includes(text.value) && html`<button type="button" onClick=${() => keep("sql-saved", saved, withQuery(saved.value, text.value))}>Save this query</button>`}</div></form>
    <div class="columns three section">${aside()}</div>
    ${problem.value && html`<${Notice} error=${problem.value} />`}
    ${result.value && html`<p class="under" role="status" style=${{ marginTop: "8px" }}>${busy.value ? "Running …" : counted(result.value.rows.length, "row")}${result.value.truncated ? "; there are more" : ""}</p>${result.value.notes.map((/** @type {string} */ note) => html`<p class="under">${visible(note)}</p>`)}${chart(result.value)}${table.draw()}`}`;
  };

  /** @param {string} sql */
  function put(sql) {
    text.value = sql;
    document.querySelector("textarea")?.focus();
  }
  /** @param {any} found */
  function chart(found) {
    const names = drawable(found);
    const name = drawn.value === "none" || names.includes(drawn.value) ? drawn.value : names[0] ?? "none";
    const shape = chartOf(found, name);
    if (names.length === 0 || found.rows.length < 2) return null;
    const exact = (/** @type {number} */ value) => cell(value, Number.isInteger(value) ? 0 : 2);
    return html`<section aria-label="Chart of the result"><${Select} label="Chart" value=${name} options=${[["none", "none"], ...names.map((one) => [one, one])]} onChange=${(/** @type {string} */ value) => (drawn.value = value)} />
      ${shape && ("days" in shape ? html`<${Chart} label=${`${name} by day`} days=${shape.days} height=${180} show=${exact} curves=${[{ name, values: shape.values }]} />`
      : html`<ol class="bars">${shape.bars.map((/** @type {any} */ bar) => html`<li><bdi>${visible(bar.name)}</bdi><span style=${{ "--part": `${(Math.max(0, bar.value) / Math.max(1e-9, shape.bars[0]?.value ?? 1) * 100).toFixed(1)}%` }}></span><b>${exact(bar.value)}</b></li>`)}</ol>${shape.more > 0 && html`<p class="under">and ${whole(shape.more)} more</p>`}`)}</section>`;
  }
  function aside() {
    const words = find.value.toLowerCase();
    const shown = tables().filter((/** @type {any} */ { name, columns }) => [name, ...columns.map((/** @type {any} */ one) => one.name)].some((one) => one.includes(words)));
    const list = (/** @type {string} */ title, /** @type {[word: unknown, sql: string][]} */ all, /** @type {((sql: string) => void) | undefined} */ drop) => html`<section aria-label=${title}><h2>${title} <span class="count">${all.length}</span></h2>
      ${all.length === 0 ? html`<p class="under">None yet.</p>` : html`<ul class="queries">${all.map(([word, sql]) => html`<li key=${sql}><button type="button" class="link two-lines" title=${sql} onClick=${() => put(sql)}>${word}</button>${drop && html`<button type="button" class="link" aria-label=${`Forget ${sql}`} onClick=${() => drop(sql)}>×</button>`}</li>`)}</ul>`}</section>`;
    return html`<section aria-label="Tables"><h2>Tables <span class="count">${shown.length}</span></h2>
        <label class="line"><span class="hidden">Find a table or column</span><input type="search" placeholder="table or column" value=${find.value} onInput=${(/** @type {any} */ { target }) => (find.value = target.value)} /></label>
        <div class="tables" tabindex="0" role="group" aria-label="Tables and columns">${shown.map((/** @type {any} */ { name, about, columns }) => html`<details key=${name}><summary>${name}</summary><p class="under">${visible(about)} <button type="button" class="link" onClick=${() => put(`SELECT * FROM ${name} LIMIT 100`)}>Show rows</button></p>
          <dl class="facts">${columns.map((/** @type {any} */ one) => html`<dt><code>${one.name}</code></dt><dd class="under">${one.type}${one.meaning ? ` · ${visible(one.meaning)}` : ""}</dd>`)}</dl></details>`)}</div></section>
      <div>${list("Examples", EXAMPLES, undefined)}${list("Saved", saved.value.map((/** @type {string} */ sql) => [sql, sql]), (/** @type {string} */ sql) => keep("sql-saved", saved, saved.value.filter((/** @type {string} */ one) => one !== sql)))}</div>
      ${list("Run before", history.value.map((/** @type {string} */ sql) => [sql, sql]), undefined)}`;
  }
}

/**
 * Queries that this browser keeps.
 *
 * @param {string} name
 * @returns {string[]}
 */
function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "[]");
  } catch {
    return [];
  }
}

/**
 * @param {string} name
 * @param {{ value: string[] }} list
 * @param {string[]} queries
 */
function keep(name, list, queries) {
  list.value = queries;
  localStorage.setItem(name, JSON.stringify(queries));
}

/**
 * @param {unknown} value
 * @param {number} [decimals]
 */
function cell(value, decimals) {
  if (typeof value === "number") return money(value, decimals ?? (Number.isInteger(value) ? 0 : Math.abs(value) < 1 ? 4 : 2));
  return visible(value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : value);
}
