// @ts-check
/// <reference lib="dom" />
/** The store: figures by report, measure and split, the SQL behind them, and what is stored. */
import { api } from "../api.js";
import { bigTable } from "../big_table.js";
import { Chart } from "../chart.js";
import { csvText, exploreSql } from "../explore_sql.js";
import { counted, money } from "../format.js";
import { query, setQuery } from "../router.js";
import { computed, html, Loading, Notice, signal, visible } from "../ui.js";
import { coverageView, maturityView } from "./coverage.js";

const MEASURES = ["cost", "sales_14d", "sales", "clicks", "impressions", "purchases_14d", "purchases", "orders"];

export function explorePage() {
  const store = signal(/** @type {any} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const result = signal(/** @type {any} */ (undefined));
  const sql = signal("");
  const busy = signal(false);
  // As many decimals in a column as its values need, so that they stand below each other.
  const decimals = computed(() => (result.value?.columns ?? []).map((/** @type {string} */ _name, /** @type {number} */ at) =>
    result.value.rows.some((/** @type {any[]} */ row) => typeof row[at] === "number" && !Number.isInteger(row[at]))
      ? result.value.rows.some((/** @type {any[]} */ row) => Math.abs(row[at]) >= 1) ? 2 : 4
      : 0));
  const maturity = signal(/** @type {any} */ (undefined));

  const run = async () => {
    busy.value = true;
    problem.value = undefined;
    try {
      result.value = await api("/api/store/query", { body: { sql: sql.value, as_of: query.value["as_of"] ?? "" } });
    } catch (error) {
      problem.value = error;
    } finally {
      busy.value = false;
    }
  };
  const choose = (/** @type {Record<string, string>} */ values) => {
    setQuery({ ...values, sql: "" });
    sql.value = sqlOf(store.value, query.value);
    void run();
  };
  void api("/api/store").then((found) => {
    store.value = found;
    if (!found.exists) return;
    sql.value = query.value["sql"] ?? sqlOf(found, query.value);
    void run();
    void api("/api/store/maturity").then((more) => (maturity.value = more.maturity), () => {});
  }, (error) => (problem.value = error));

  const table = bigTable({
    name: "Result",
    columns: [],
    rows: () => result.value?.rows ?? [],
    key: (row) => String(result.value.rows.indexOf(row)),
    cells: (row) => result.value.columns.map((/** @type {string} */ _name, /** @type {number} */ at) => html`<td class=${typeof row[at] === "number" ? "number" : ""}>${cell(row[at], decimals.value[at])}</td>`),
    head: () => (result.value?.columns ?? []).map((/** @type {string} */ name, /** @type {number} */ at) => ({
      name, class: typeof result.value.rows[0]?.[at] === "number" ? "number" : "",
    })),
  });

  const save = async () => {
    try {
      const { columns, rows } = await api("/api/store/query", { body: { sql: sql.value, max_rows: 50000, as_of: query.value["as_of"] ?? "" } });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([csvText(columns, rows)], { type: "text/csv" }));
      link.download = "figures.csv";
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      problem.value = error;
    }
  };

  const view = () => {
    const found = store.value;
    if (found === undefined) return html`<h1>Explore</h1>${problem.value ? html`<${Notice} error=${problem.value} />` : html`<${Loading} />`}`;
    if (!found.exists) return html`<h1>Explore</h1><${Notice}>No reports are stored yet. <code>adsctl sync</code> fetches them.<//>`;
    const shown = query.value["view"] ?? "figures";
    return html`<h1>Explore</h1>
      <div class="tabs">${[["figures", "Figures"], ["coverage", "What is stored"], ["restatements", "Restatement"]].map(([name, word]) => html`
        <button type="button" aria-pressed=${shown === name} onClick=${() => setQuery({ view: name === "figures" ? "" : name ?? "" })}>${word}</button>`)}</div>
      ${shown === "coverage" && coverageView(found.coverage)}
      ${shown === "restatements" && maturityView(maturity.value)}
      ${shown === "figures" && html`
        ${choices(found, choose)}
        <details class="card" open=${query.value["sql"] !== undefined}><summary>SQL</summary>
          <form onSubmit=${(/** @type {any} */ event) => { event.preventDefault(); setQuery({ sql: sql.value }); void run(); }}>
            <label class="line">Statement that reads
              <textarea rows="6" spellcheck=${false} value=${sql.value} onInput=${(/** @type {any} */ { target }) => (sql.value = target.value)}></textarea></label>
            <div class="buttons"><button type="submit" class="primary" disabled=${busy.value}>Run</button></div>
          </form></details>
        ${problem.value && html`<${Notice} error=${problem.value} />`}
        ${result.value === undefined ? html`<${Loading} />` : html`
          <div class="split">${chartOf(result.value)}<div>
            <p class="under" role="status">${busy.value ? "Running …" : counted(result.value.rows.length, "row")}${result.value.truncated ? ", the first of more" : ""}${" "}
              <button type="button" onClick=${save}>Save as CSV</button></p>
            ${table()}</div></div>`}`}`;
  };
  return { title: () => "Explore", view };
}

/**
 * The SQL of what the address chooses.
 *
 * @param {any} store
 * @param {Record<string, string>} values
 */
function sqlOf(store, values) {
  const choice = choiceOf(store, values);
  const read = store.coverage.filter((/** @type {any} */ one) => choice.profile === "" || one.profileId === choice.profile);
  return exploreSql(choice, Object.fromEntries(read.map((/** @type {any} */ { countryCode }) => [countryCode, store.currencies[countryCode] ?? countryCode])));
}

/**
 * The choice of the address, with defaults for the rest.
 *
 * @param {any} store
 * @param {Record<string, string>} values
 */
function choiceOf(store, values) {
  const stored = [...new Set(store.coverage.map((/** @type {any} */ one) => one.report))];
  const report = values["report"] ?? String(stored.find((name) => String(name).endsWith("campaigns")) ?? stored[0] ?? "sp_campaigns");
  const columns = columnsOf(store, report);
  const measures = (values["measures"] ?? "").split(",").filter((name) => columns.includes(name) || name === "acos");
  const last = store.coverage.filter((/** @type {any} */ one) => one.report === report).map((/** @type {any} */ { lastDay }) => lastDay).sort().at(-1);
  const start = last === undefined ? "" : new Date(Date.parse(last) - 29 * 86_400_000).toISOString().slice(0, 10);
  return {
    report,
    measures: measures.length > 0 ? measures : MEASURES.filter((name) => columns.includes(name)).slice(0, 2),
    split: values["split"] ?? "date",
    start: values["start"] ?? start,
    end: values["end"] ?? last ?? "",
    profile: values["profile"] ?? "",
  };
}

/**
 * @param {any} store
 * @param {string} report
 * @returns {string[]}
 */
function columnsOf(store, report) {
  return store.tables.find((/** @type {any} */ { name }) => name === report)?.columns.map((/** @type {any} */ { name }) => name) ?? [];
}

/**
 * @param {any} store
 * @param {(values: Record<string, string>) => void} choose
 */
function choices(store, choose) {
  const choice = choiceOf(store, query.value);
  const columns = columnsOf(store, choice.report);
  const reports = [...new Set(["performance", ...store.coverage.map((/** @type {any} */ one) => one.report)])];
  const profiles = [...new Map(store.coverage.map((/** @type {any} */ one) => [one.profileId, one.countryCode]))];
  const measures = [...MEASURES.filter((name) => columns.includes(name)), ...(columns.includes("cost") ? ["acos"] : [])];
  const splits = ["date", "country_code", "week", "month", "campaign_name", "placement_classification", "ad_group_name", "keyword", "match_type", "search_term", "advertised_sku"]
    .filter((name) => columns.includes(name));
  const select = (/** @type {string} */ name, /** @type {string} */ value, /** @type {[string, string][]} */ options) => html`
    <select value=${value} onChange=${(/** @type {any} */ { target }) => choose({ [name]: target.value })}>
      ${options.map(([key, word]) => html`<option value=${key}>${word}</option>`)}</select>`;
  const picked = (/** @type {string} */ name) => choice.measures.includes(name);
  return html`<div class="toolbar">
    <label>Report ${select("report", choice.report, reports.map((name) => [String(name), String(name)]))}</label>
    <label>By ${select("split", choice.split, [...splits.map((name) => /** @type {[string, string]} */ ([name, name])), ...splits.slice(1).map((name) => /** @type {[string, string]} */ ([`date,${name}`, `date and ${name}`])), ["", "in all"]])}</label>
    <label>Profile ${select("profile", choice.profile, [["", "all"], ...profiles.map(([id, country]) => /** @type {[string, string]} */ ([String(id), `${country} ${id}`]))])}</label>
    <label>From <input type="date" value=${choice.start} onChange=${(/** @type {any} */ { target }) => choose({ start: target.value })} /></label>
    <label>To <input type="date" value=${choice.end} onChange=${(/** @type {any} */ { target }) => choose({ end: target.value })} /></label>
    <label>Data as of <input type="date" value=${(query.value["as_of"] ?? "").slice(0, 10)}
      onChange=${(/** @type {any} */ { target }) => choose({ as_of: target.value === "" ? "" : `${target.value}T23:59:59Z` })} /></label>
    <fieldset><legend class="hidden">Measures</legend>${measures.map((name) => html`<label class="tickbox"><input type="checkbox" checked=${picked(name)}
      onChange=${() => choose({ measures: (picked(name) ? choice.measures.filter((one) => one !== name) : [...choice.measures, name]).join(",") })} />${name}</label>`)}</fieldset>
  </div>`;
}

/** @param {any} result */
function chartOf({ columns, rows }) {
  const day = columns.indexOf("date");
  const numbers = columns.flatMap((/** @type {string} */ name, /** @type {number} */ at) =>
    rows.some((/** @type {any[]} */ row) => typeof row[at] === "number") ? [{ name, at }] : []).slice(0, 5);
  if (day === -1 || rows.length < 2 || numbers.length === 0) return null;
  const texts = columns.map((/** @type {string} */ _name, /** @type {number} */ at) => at).filter((/** @type {number} */ at) => at !== day && !numbers.some((/** @type {any} */ one) => one.at === at));
  const days = [...new Set(rows.map((/** @type {any[]} */ row) => String(row[day]).slice(0, 10)))].sort();
  if (texts.length === 0) {
    const byDay = new Map(rows.map((/** @type {any[]} */ row) => [String(row[day]).slice(0, 10), row]));
    return html`<${Chart} label="The result by day" days=${days} height=${300} curves=${numbers.map((/** @type {any} */ { name, at }, /** @type {number} */ index) => ({
      name: index > 0 ? `${name} (right)` : name, axis: index > 0 ? "right" : "left", show: (/** @type {number} */ value) => cell(value),
      values: days.map((one) => byDay.get(one)?.[at] ?? null),
    }))} />`;
  }
  // By a second column: the first measure of the five largest members.
  const [{ name, at }] = numbers;
  /** @type {Map<string, Map<string, number>>} */
  const members = new Map();
  for (const row of rows) {
    const member = visible(row[texts[0]]);
    const own = members.get(member) ?? new Map();
    own.set(String(row[day]).slice(0, 10), row[at]);
    members.set(member, own);
  }
  const total = (/** @type {Map<string, number>} */ own) => [...own.values()].reduce((sum, value) => sum + (value ?? 0), 0);
  const top = [...members].sort((a, b) => total(b[1]) - total(a[1])).slice(0, 5);
  return html`<${Chart} label=${`${name} by day and ${columns[texts[0]]}`} days=${days} height=${300} curves=${top.map(([member, own]) => ({
    name: `${member}: ${name}`, show: (/** @type {number} */ value) => cell(value), values: days.map((one) => own.get(one) ?? null),
  }))} />`;
}

/**
 * @param {unknown} value
 * @param {number} [decimals]
 */
function cell(value, decimals) {
  if (typeof value === "number") return money(value, decimals ?? (Number.isInteger(value) ? 0 : Math.abs(value) < 1 ? 4 : 2));
  return visible(value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : value);
}
