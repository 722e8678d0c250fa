// @ts-check
/// <reference lib="dom" />
/** A statement that reads, and its rows. */
import { api } from "../api.js";
import { bigTable } from "../big_table.js";
import { counted, money } from "../format.js";
import { query, setQuery } from "../router.js";
import { saveCsv } from "../save_csv.js";
import { computed, html, Notice, signal, visible } from "../ui.js";

/** The view of the SQL of the address, which runs once it is shown. */
export function sqlView() {
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
      result.value = await api("/api/store/query", { body: { sql, as_of: query.value["as_of"] ?? "" } });
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
    if (wanted !== "" && wanted !== ran && !busy.peek()) {
      text.value = wanted;
      queueMicrotask(() => void run(wanted));
    }
    return html`<form onSubmit=${(/** @type {any} */ event) => {
      event.preventDefault();
      setQuery({ sql: text.value, view: "sql" });
      if (text.value === ran) void run(text.value);
    }}><label class="line">SQL query (read-only)<textarea rows="7" spellcheck=${false} value=${text.value} onInput=${(/** @type {any} */ { target }) => (text.value = target.value)}></textarea></label>
      <div class="buttons"><button type="submit" class="primary" disabled=${busy.value}>Run</button>${result.value && html`<button type="button" onClick=${save}>Save as CSV</button>`}</div></form>
    ${problem.value && html`<${Notice} error=${problem.value} />`}
    ${result.value && html`<p class="under" role="status" style=${{ marginTop: "8px" }}>${busy.value ? "Running …" : counted(result.value.rows.length, "row")}${result.value.truncated ? "; there are more" : ""}</p>${table.draw()}`}`;
  };
}

/**
 * @param {unknown} value
 * @param {number} [decimals]
 */
function cell(value, decimals) {
  if (typeof value === "number") return money(value, decimals ?? (Number.isInteger(value) ? 0 : Math.abs(value) < 1 ? 4 : 2));
  return visible(value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : value);
}
