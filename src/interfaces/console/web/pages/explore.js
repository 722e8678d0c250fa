// @ts-check
/// <reference lib="dom" />
/** Figures of the store by group, with the days before, by day and by hour; the SQL behind them; what is stored. */
import { api } from "../api.js";
import { Chart } from "../chart.js";
import { bigTable } from "../big_table.js";
import { csvText } from "../csv.js";
import { changeWord, counted, dayWord, money, percent, whole } from "../format.js";
import { query, setQuery } from "../router.js";
import { about, adsctl } from "../shell.js";
import { Command, Copy, html, Loading, Notice, pageEffect, Select, signal, Switch, untracked, visible } from "../ui.js";
import { coverageView, maturityView } from "./coverage.js";
import { sqlView } from "./explore_sql.js";
import { salesByHour } from "./schedules.js";

/** @type {{ key: string, name: string, so?: boolean, better?: "more" | "less" }[]} */
const MEASURES = [
  { key: "cost", name: "Spend" }, { key: "sales", name: "Sales", so: true, better: "more" }, { key: "orders", name: "Orders", so: true, better: "more" },
  { key: "acos", name: "ACOS", so: true, better: "less" }, { key: "clicks", name: "Clicks" }, { key: "cpc", name: "Cost per click" },
];
const GROUPS = ["market", "product", "portfolio", "campaign", "ad_group", "keyword", "search_term", "week", "month", "day"];
const PERIODS = [["7", "last 7 days"], ["30", "last 30 days"], ["90", "last 90 days"], ["own", "other days …"]];

export function explorePage() {
  const store = signal(/** @type {any} */ (undefined));
  const data = signal(/** @type {any} */ (undefined));
  const hours = signal(/** @type {any} */ (undefined));
  const maturity = signal(/** @type {any} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const failed = (/** @type {unknown} */ error) => (problem.value = error);
  void api("/api/store").then((found) => {
    store.value = found;
    if (found.exists) void api("/api/store/maturity").then((more) => (maturity.value = more.maturity), failed);
  }, failed);
  const sql = sqlView();

  let asked = "";
  const load = () => {
    const choice = choiceOf(store.value);
    const wanted = String(new URLSearchParams(choice.params));
    if (wanted === asked) return;
    asked = wanted;
    problem.value = undefined;
    void api(`/api/figures?${wanted}`).then((found) => wanted === asked && (data.value = found), (error) => {
      if (wanted === asked) failed(error);
    });
    hours.value = undefined;
    const profile = choice.profile;
    if (profile !== undefined) void api(`/api/hours?profile=${profile.profileId}&country=${profile.countryCode}`).then((found) => (hours.value = found), () => {});
  };
  pageEffect(() => {
    query.value;
    if (store.value?.exists && (query.value["view"] ?? "figures") === "figures") untracked(load);
  });

  const rowsOf = () => {
    const measure = query.value["sort"] ?? "";
    const rows = data.value?.rows ?? [];
    return measure === "" ? rows : sorted(rows, measure);
  };
  let sortedRows = /** @type {any[]} */ ([]);
  let sortedBy = /** @type {unknown[]} */ ([]);
  const sorted = (/** @type {any[]} */ rows, /** @type {string} */ name) => {
    if (sortedBy[0] !== rows || sortedBy[1] !== name) {
      sortedBy = [rows, name];
      sortedRows = [...rows].sort((a, b) => (b[name] ?? -1) - (a[name] ?? -1));
    }
    return sortedRows;
  };
  const table = bigTable({
    name: "Figures by group",
    columns: () => columnsOf(data.value).map(({ name, isNumber, width }) => ({ name, class: isNumber ? "number" : "", width })),
    rows: rowsOf,
    key: (row) => JSON.stringify(columnsOf(data.value).filter(({ isNumber }) => !isNumber).map(({ key }) => row[key])),
    rowClass: () => "any",
    height: () => innerWidth < 640 ? cardHeight(columnsOf(data.value)) : 28,
    cells: (row) => figureCells(row, data.value),
  });

  const save = () => {
    const link = document.createElement("a");
    const { columns, rows } = data.value;
    link.href = URL.createObjectURL(new Blob([csvText(columns, rows.map((/** @type {any} */ row) => columns.map((/** @type {string} */ name) => row[name])))], { type: "text/csv" }));
    link.download = "figures.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  };

  const view = () => {
    const found = store.value;
    const shown = query.value["sql"] !== undefined ? "sql" : query.value["view"] ?? "figures";
    const head = html`<div class="head"><h1>Explore</h1>${found?.exists && html`<${Switch} label="View" value=${shown} options=${[["figures", "Figures"], ["sql", "SQL"], ["coverage", "Stored days"], ["restatements", "Restatements"]]}
      onChange=${(/** @type {string} */ value) => setQuery({ view: value === "figures" ? "" : value, sql: value === "sql" ? query.value["sql"] ?? data.value?.sql ?? "" : "" })} />
      <span class="push buttons">${shown !== "coverage" && shown !== "restatements" && html`<span class="button"><${Copy} text=${location.href} word="Copy link to this view" /></span>`}
      ${shown === "figures" && data.value && html`<button type="button" onClick=${save}>Save as CSV</button>`}</span>`}</div>`;
    if (found === undefined) return html`${head}${problem.value ? html`<${Notice} error=${problem.value} />` : html`<${Loading} />`}`;
    if (!found.exists) return html`${head}<p>No reports are stored yet. One command fetches them:</p><${Command} text=${adsctl("sync --all-profiles", { store: true })} />`;
    if (shown === "coverage") return html`${head}${coverageView(found.coverage)}`;
    if (shown === "restatements") return html`${head}${maturityView(maturity.value)}`;
    if (shown === "sql") return html`${head}${sql()}`;
    return html`${head}${choices(found)}
      ${problem.value && html`<${Notice} error=${problem.value} again=${() => { asked = ""; load(); }} />`}
      ${data.value === undefined ? !problem.value && html`<${Loading} />` : figuresView(data.value, table.draw, hours.value)}`;
  };
  return { title: () => "Explore", view };
}

/**
 * What the address chooses, with defaults for the rest: one currency at a time.
 *
 * @param {any} store
 */
function choiceOf(store) {
  const { by = "campaign", profile = "", from = "", to = "", days = "30", currency = "", as_of: asOf = "", convert = "" } = query.value;
  const profiles = [...new Map(store.coverage.map((/** @type {any} */ one) => [one.profileId, one])).values()];
  const currencies = [...new Set(profiles.map((/** @type {any} */ { countryCode }) => store.currencies[countryCode] ?? countryCode))].sort();
  const own = profiles.find((/** @type {any} */ { profileId }) => profileId === profile);
  const last = store.coverage.map((/** @type {any} */ { lastDay }) => lastDay).sort().at(-1) ?? "";
  const end = days === "own" && to !== "" ? to : last;
  const start = days === "own" && from !== "" ? from : dayBefore(end, Number(days === "own" ? 30 : days) - 1);
  const one = own ? store.currencies[/** @type {any} */ (own).countryCode] : currency !== "" ? currency : currencies[0] ?? "";
  const isConverted = convert === "true" && about.value?.["converts_to"];
  const only = profiles.length === 1 ? profiles[0] : own;
  return {
    by, days, profiles, currencies, start, end, profile: /** @type {any} */ (only), currency: isConverted ? "convert" : String(one),
    params: { by, from: start, to: end, ...profile === "" ? {} : { profile }, ...isConverted ? { convert: "true" } : { currency: String(one) }, ...asOf === "" ? {} : { as_of: asOf } },
  };
}

/**
 * @param {string} day
 * @param {number} count
 */
function dayBefore(day, count) {
  return day === "" ? "" : new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);
}

/** @param {any} store */
function choices(store) {
  const { by, days, profiles, currencies, start, end, currency } = choiceOf(store);
  const converts = about.value?.["converts_to"];
  const { profile = "", as_of: asOf = "" } = query.value;
  const date = (/** @type {string} */ name, /** @type {string} */ word, /** @type {string} */ value) => html`<label class="choice">${word} <input type="date" value=${value} onChange=${(/** @type {any} */ { target }) => setQuery({ [name]: target.value, days: "own" })} /></label>`;
  return html`<div class="toolbar">
    <${Select} label="Profile" value=${profile} options=${[["", "all"], ...profiles.map((/** @type {any} */ one) => /** @type {[string, string]} */ ([one.profileId, `${one.countryCode} ${one.profileId}`]))]} onChange=${(/** @type {string} */ value) => setQuery({ profile: value })} />
    <${Select} label="By" value=${by} options=${[...GROUPS, "campaign,week", "campaign,day"].map((name) => /** @type {[string, string]} */ ([name, name.replace(",", " and ").replace("_", " ")]))} onChange=${(/** @type {string} */ value) => setQuery({ by: value === "campaign" ? "" : value })} />
    <${Select} label="Days" value=${days} options=${/** @type {[string, string][]} */ (PERIODS)} onChange=${(/** @type {string} */ value) => setQuery({ days: value === "30" ? "" : value, ...value === "own" ? { from: start, to: end } : { from: "", to: "" } })} />
    ${days === "own" && html`${date(`from`, "First", start)}${date("to", "Last", end)}`}
    ${(currencies.length > 1 || converts) && html`<${Select} label="Currency" value=${currency} options=${[...currencies.map((code) => /** @type {[string, string]} */ ([String(code), String(code)])), ...converts ? [/** @type {[string, string]} */ (["convert", `all, converted to ${converts}`])] : []]}
      onChange=${(/** @type {string} */ value) => setQuery(value === "convert" ? { convert: "true", currency: "", profile: "" } : { convert: "", currency: value, profile: "" })} />`}
    <label class="choice">As known on <input type="date" value=${asOf.slice(0, 10)} onChange=${(/** @type {any} */ { target }) => setQuery({ as_of: target.value === "" ? "" : `${target.value}T23:59:59Z` })} /></label></div>
    ${currencies.length > 1 && !converts && html`<p class="under">One currency at a time. To convert them, start the console with <code>--currency</code> and <code>--rates</code>.</p>`}`;
}

/**
 * @param {string} key
 * @param {unknown} value
 * @param {number} decimals
 */
function valueText(key, value, decimals) {
  if (typeof value !== "number") return "none";
  if (key === "acos") return percent(value);
  return key === "orders" || key === "clicks" ? whole(value) : money(value, decimals);
}

/**
 * @param {any} data
 * @param {() => unknown} table
 * @param {any} hours
 */
function figuresView({ totals, rows, row_count: count, days, days_before: earlier, before_whole: isWhole, before_comparable: isComparable, immature_from: young, period, before, decimals, notes, sql }, table, hours) {
  const [total] = totals;
  if (total === undefined) return html`<p>No figures are stored for ${period.start} to ${period.end}. <code>${adsctl("sync --all-profiles", { store: true })}</code> fetches them.</p>`;
  const chosen = query.value["measure"] ?? "cost";
  const measure = MEASURES.find(({ key }) => key === chosen) ?? { key: "cost", name: "Spend" };
  const lateKeys = new Set(MEASURES.filter(({ so }) => so).map(({ key }) => key));
  // A sum over some of the days is no measure for a sum over all, and complete days are none for days that still count up.
  const was = (/** @type {string} */ key) => !isWhole || (lateKeys.has(key) && !isComparable) ? null : earlierValue(earlier, key);
  const wasWord = (/** @type {string} */ key) => was(key) !== null ? `was ${valueText(key, was(key), decimals)}` : isWhole && lateKeys.has(key) ? "not comparable yet" : "earlier days are missing";
  const isYoung = period.end >= young.sales;
  const dates = daysOf(period);
  const by = new Map(days.map((/** @type {any} */ row) => [String(row.day).slice(0, 10), row]));
  const shift = (Date.parse(period.start) - Date.parse(before?.start ?? period.start)) / 86_400_000;
  const then = new Map(earlier.map((/** @type {any} */ row) => [dayBefore(String(row.day).slice(0, 10), -shift), row]));
  const of = (/** @type {Map<string, any>} */ map) => dates.map((day) => map.get(day)?.[measure.key] ?? null);
  return html`<div class="tiles" role="group" aria-label="Figure in the chart">${MEASURES.map(({ key, name, so, better }) => {
    const word = changeWord(total[key], was(key), { points: key === "acos", better });
    return html`<button type="button" class="tile" aria-pressed=${measure.key === key} onClick=${() => setQuery({ measure: key === "cost" ? "" : key })}><span class="under">${name}${so && isYoung ? " so far" : ""}</span>
      <span class="figure" style=${{ display: "block" }}>${valueText(key, total[key], decimals)}</span>
      <span class="under">${word && html`<span class=${`change ${word.kind}`}>${word.text}</span> · `}${wasWord(key)}</span></button>`;
  })}</div>
    <div class="section-head"><h2>${measure.name}${["cost", "sales", "cpc"].includes(measure.key) ? `, ${total.currency}` : ""} a day</h2><span class="under">${dayWord(period.start)} to ${dayWord(period.end)}${before ? `, compared with ${dayWord(before.start)} to ${dayWord(before.end)}` : ""}</span></div>
    <${Chart} label=${`${measure.name} by day`} days=${dates} immatureFrom=${["cost", "clicks", "cpc"].includes(measure.key) ? young.cost : young.sales} height=${200}
      show=${(/** @type {number} */ value) => measure.key === "acos" ? percent(value, 0) : valueText(measure.key, value, Number.isInteger(value) ? 0 : decimals)} exact=${(/** @type {number} */ value) => valueText(measure.key, value, decimals)}
      curves=${[{ name: "these days", values: of(by) }, ...earlier.length > 0 ? [{ name: "days before", values: of(then), class: "s2", whole: true }] : []]} />
    <div class="section-head" style=${{ marginTop: "20px" }}><h2>${counted(count, "row")}</h2>${count > rows.length && html`<span class="under">showing the first ${whole(rows.length)}; totals include all</span>`}
      <span class="push"><${Select} label="Sort" value=${query.value["sort"] ?? ""} options=${[["", "default"], ...MEASURES.map(({ key, name }) => /** @type {[string, string]} */ ([key, name]))]} onChange=${(/** @type {string} */ value) => setQuery({ sort: value })} /></span></div>
    ${table()}
    ${notes.map((/** @type {string} */ note) => html`<p class="under" style=${{ marginTop: "8px" }}>${visible(note)}</p>`)}
    ${hours?.hours ? salesByHour(hours.hours, hours.currency, hours.decimals) : hours && html`<p class="under" style=${{ marginTop: "12px" }}>No hourly figures are stored for this profile. <code>${adsctl("store stream run", { store: true })}</code> receives them.</p>`}
    <details class="section"><summary>SQL behind the table</summary><pre tabindex="0" aria-label="SQL">${sql}</pre>
      <div class="buttons" style=${{ marginTop: "8px" }}><span class="button"><${Copy} text=${sql} /></span><button type="button" onClick=${() => setQuery({ sql, view: "sql" })}>Edit this query</button></div></details>`;
}

/**
 * A figure of the days before; ratios from their sums.
 *
 * @param {any[]} rows by day
 * @param {string} key
 */
function earlierValue(rows, key) {
  if (rows.length === 0) return null;
  const sum = (/** @type {string} */ name) => rows.reduce((all, row) => all + (row[name] ?? 0), 0);
  if (key === "acos") return sum("sales") > 0 ? sum("cost") / sum("sales") : null;
  if (key === "cpc") return sum("clicks") > 0 ? sum("cost") / sum("clicks") : null;
  return sum(key);
}

/** @param {{ start: string, end: string }} period */
function daysOf({ start, end }) {
  const days = [];
  for (let at = Date.parse(start); at <= Date.parse(end); at += 86_400_000) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** @param {any} data */
function columnsOf(data) {
  const keys = (data?.columns ?? []).slice(0, (data?.columns ?? []).indexOf("currency"));
  // A name stands for its id.
  const named = keys.filter((/** @type {string} */ key) => !/_id$/.test(key) || !keys.includes(key.slice(0, -3)));
  return [
    ...named.map((/** @type {string} */ key, /** @type {number} */ at) => ({ key, name: (key.charAt(0).toUpperCase() + key.slice(1)).replaceAll("_", " "), isNumber: false, width: at === 0 ? "26%" : undefined })),
    { key: "cost", name: "Spend", isNumber: true }, { key: "cost_change", name: "Change", isNumber: true }, { key: "sales", name: "Sales", isNumber: true }, { key: "sales_change", name: "Change", isNumber: true },
    { key: "orders", name: "Orders", isNumber: true }, { key: "clicks", name: "Clicks", isNumber: true }, { key: "acos", name: "ACOS", isNumber: true },
  ];
}

/**
 * Height of a row on a phone, in pixels: a card of its names and of lines with four figures.
 *
 * @param {readonly { isNumber: boolean }[]} columns
 */
function cardHeight(columns) {
  const figures = columns.filter(({ isNumber }) => isNumber).length;
  return 10 + 22 * (columns.length - figures) + 34 * Math.ceil(figures / 4);
}

/**
 * @param {any} row
 * @param {any} data
 */
function figureCells(row, data) {
  return columnsOf(data).map(({ key, name, isNumber }) => {
    if (!isNumber) {
      const text = visible(row[key] ?? "");
      return html`<td title=${text} class=${`group${row[`${key}_id`] === undefined ? "" : " name"}`}><bdi>${/^\d{4}-\d\d-\d\d/.test(text) ? text.slice(0, 10) : text || html`<span class="muted">no name</span>`}</bdi></td>`;
    }
    if (key.endsWith("_change")) {
      const word = typeof row[key] === "number" ? changeWord(1 + row[key], 1, { better: key === "sales_change" ? "more" : undefined }) : undefined;
      return html`<td class="number">${word ? html`<span class=${`change ${word.kind}`}>${word.text}</span>` : ""}</td>`;
    }
    return html`<td class="number fig" data-label=${name}>${key === "acos" && row[key] === null ? html`<span class="under">no sales</span>` : valueText(key, row[key], data.decimals)}</td>`;
  });
}
