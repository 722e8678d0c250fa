// @ts-check
/// <reference lib="dom" />
import { api, newestOnly } from "../api.js";
import { Chart } from "../chart.js";
import { bigTable } from "../big_table.js";
import { AMOUNTS, figureColumns, MEASURES, nextSort, SHARES, sortRows, sumOf } from "../figure_columns.js";
import { changeWord, counted, dayWord, money, percent, whole } from "../format.js";
import { lastChange } from "../live.js";
import { query, setQuery } from "../router.js";
import { saveCsv } from "../save_csv.js";
import { about, adsctl } from "../shell.js";
import { Sync } from "../sync.js";
import { CommandWords, computed, Copy, html, Loading, Notice, pageEffect, Select, signal, Switch, untracked, visible } from "../ui.js";
import { coverageView, maturityView } from "./coverage.js";
import { sqlView } from "./explore_sql.js";
import { salesByHour } from "./schedules.js";

const GROUPS = ["market", "product", "portfolio", "campaign", "ad_group", "keyword", "search_term", "week", "month", "day"];
const PERIODS = [["7", "last 7 days"], ["30", "last 30 days"], ["90", "last 90 days"], ["own", "other days …"]];

export function explorePage() {
  const store = signal(/** @type {any} */ (undefined));
  const data = signal(/** @type {any} */ (undefined));
  const hours = signal(/** @type {any} */ (undefined));
  const maturity = signal(/** @type {any} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const failed = (/** @type {unknown} */ error) => (problem.value = error);
  let asked = "";
  const storeRead = newestOnly();
  pageEffect(() => {
    lastChange.value;
    untracked(() => void storeRead.ask("/api/store").then((found) => {
      store.value = found;
      asked = "";
      if (found.exists) void api("/api/store/maturity").then((more) => (maturity.value = more.maturity), failed);
    }, failed));
  });
  const sql = sqlView(() => store.value?.tables ?? []);

  const figuresRead = newestOnly();
  const hoursRead = newestOnly();
  const load = () => {
    const choice = choiceOf(store.value);
    const wanted = String(new URLSearchParams(choice.params));
    if (wanted === asked) return;
    asked = wanted;
    problem.value = undefined;
    void figuresRead.ask(`/api/figures?${wanted}`).then((found) => (data.value = found), failed);
    hours.value = undefined;
    hoursRead.drop();
    const profile = choice.profile;
    if (profile !== undefined) void hoursRead.ask(`/api/hours?profile=${profile.profileId}&country=${profile.countryCode}`).then((found) => (hours.value = found), () => {});
  };
  pageEffect(() => {
    query.value;
    if (store.value?.exists && (query.value["view"] ?? "figures") === "figures") untracked(load);
  });

  const rows = computed(() => {
    const { sort = "" } = query.value;
    const all = data.value?.rows ?? [];
    return sort === "" ? all : sortRows(all, sort);
  });
  const columns = /** @type {{ readonly value: import("../figure_columns.js").FigureColumn[] }} */ (computed(() => figureColumns(data.value)));
  /** Width of a column; the sum of its figures, in bold, must fit. @param {import("../figure_columns.js").FigureColumn} column */
  const pixels = ({ key, isNumber }) => isNumber ? Math.max(72, 20 + 8.5 * valueText(key, data.value?.totals[0]?.[key], data.value?.decimals).length) : 150;
  const table = bigTable({
    name: "Figures by group",
    columns: () => columns.value.map((column) => {
      const { key, name, isNumber } = column;
      const { sort = "" } = query.value;
      return {
        name, class: isNumber ? "number" : "", width: isNumber ? `${pixels(column)}px` : undefined, sort: () => setQuery({ sort: nextSort(sort, key) }),
        sorted: sort === key ? /** @type {const} */ ("ascending") : sort === `-${key}` ? /** @type {const} */ ("descending") : undefined,
      };
    }),
    rows: () => rows.value,
    key: (row) => JSON.stringify(columns.value.filter(({ isNumber }) => !isNumber).map(({ key }) => row[key])),
    rowClass: () => "any",
    height: () => innerWidth < 640 ? cardHeight(columns.value) : 28,
    cells: (row) => figureCells(row, data.value, { columns: columns.value, profile: choiceOf(store.value).profile?.profileId }),
    sums: () => figureCells({ ...data.value?.totals[0], isSum: true }, data.value, { columns: columns.value, profile: undefined }),
    minWidth: () => columns.value.reduce((sum, column) => sum + pixels(column), 0),
  });
  const save = () => {
    const { columns: names } = data.value;
    saveCsv("figures", names, rows.value.map((/** @type {any} */ row) => names.map((/** @type {string} */ name) => row[name])));
  };

  const view = () => {
    const found = store.value;
    const shown = query.value["sql"] !== undefined ? "sql" : query.value["view"] ?? "figures";
    const head = html`<div class="head"><h1>Explore</h1>${found?.exists && html`<${Switch} label="View" value=${shown} options=${[["figures", "Figures"], ["sql", "SQL"], ["coverage", "Stored days"], ["restatements", "Restatements"]]}
      onChange=${(/** @type {string} */ value) => setQuery({ view: value === "figures" ? "" : value, sql: value === "sql" ? query.value["sql"] ?? data.value?.sql ?? "" : "" })} />
      <span class="push buttons">${shown !== "coverage" && shown !== "restatements" && html`<span class="button"><${Copy} text=${location.href} word="Copy link to this view" /></span>`}
      ${shown === "figures" && data.value && html`<button type="button" onClick=${save}>Save as CSV</button>`}</span>`}</div>`;
    if (found === undefined) return html`${head}${problem.value ? html`<${Notice} error=${problem.value} />` : html`<${Loading} />`}`;
    if (!found.exists) return html`${head}<p>No reports are stored yet.</p><${Sync} word="Fetch all figures" first=${true} />`;
    if (shown === "coverage") return html`${head}<${Sync} word="Sync now" />${coverageView(found)}`;
    if (shown === "restatements") return html`${head}${maturityView(maturity.value)}`;
    if (shown === "sql") return html`${head}${sql()}`;
    return html`${head}${choices(found, data.value?.period)}
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
  const { by = "campaign", profile = "", from = "", to = "", days = "30", currency = "", as_of: asOf = "", convert = "", against = "" } = query.value;
  const profiles = [...new Map(store.coverage.map((/** @type {any} */ one) => [one.profileId, one])).values()];
  const currencies = [...new Set(profiles.map((/** @type {any} */ { countryCode }) => store.currencies[countryCode] ?? countryCode))].sort();
  // Without a choice, that of the most spend; a chosen currency is about all of its profiles.
  const wanted = profile === "" && currency === "" && convert === "" ? store.most_spend ?? "" : profile;
  const own = profiles.find((/** @type {any} */ { profileId }) => profileId === wanted);
  const one = own ? store.currencies[/** @type {any} */ (own).countryCode] : currency !== "" ? currency : currencies[0] ?? "";
  const chosenDays = Object.fromEntries(Object.entries({ from, to }).filter(([, day]) => day !== ""));
  const isConverted = convert === "true" && about.value?.["converts_to"];
  const only = profiles.length === 1 ? profiles[0] : own;
  return {
    by, days, profiles, wanted: own ? wanted : "all", currencies, profile: /** @type {any} */ (only), currency: isConverted ? "convert" : String(one),
    params: { by, ...days === "own" ? chosenDays : { days }, ...own ? { profile: wanted } : {}, ...isConverted ? { convert: "true" } : { currency: String(one) }, ...asOf === "" ? {} : { as_of: asOf }, ...against === "" ? {} : { compare_from: against } },
  };
}

/**
 * @param {string} day
 * @param {number} count
 */
function dayBefore(day, count) {
  return day === "" ? "" : new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);
}

/**
 * @param {any} store
 * @param {{ start: string, end: string } | undefined} period the days that are shown
 */
function choices(store, period) {
  const { by, days, profiles, wanted, currencies, currency } = choiceOf(store);
  const { from: start = period?.start ?? "", to: end = period?.end ?? "" } = query.value;
  const converts = about.value?.["converts_to"];
  const { as_of: asOf = "", against = "" } = query.value;
  const date = (/** @type {string} */ name, /** @type {string} */ word, /** @type {string} */ value) => html`<label class="choice">${word} <input type="date" value=${value} onChange=${(/** @type {any} */ { target }) => setQuery({ [name]: target.value, days: "own" })} /></label>`;
  return html`<div class="toolbar">
    <${Select} label="Profile" value=${wanted} options=${[["all", "all"], ...profiles.map((/** @type {any} */ one) => /** @type {[string, string]} */ ([one.profileId, `${one.countryCode} ${one.profileId}`]))]} onChange=${(/** @type {string} */ value) => setQuery({ profile: value, ...value === "all" ? {} : { currency: "", convert: "" } })} />
    <${Select} label="By" value=${by} options=${[...GROUPS, "campaign,week", "campaign,day"].map((name) => /** @type {[string, string]} */ ([name, name.replace(",", " and ").replace("_", " ")]))} onChange=${(/** @type {string} */ value) => setQuery({ by: value === "campaign" ? "" : value })} />
    <${Select} label="Days" value=${days} options=${/** @type {[string, string][]} */ (PERIODS)} onChange=${(/** @type {string} */ value) => setQuery({ days: value === "30" ? "" : value, ...value === "own" ? { from: start, to: end } : { from: "", to: "" } })} />
    ${days === "own" && html`${date(`from`, "First", start)}${date("to", "Last", end)}`}
    <${Select} label="Against" value=${against === "" || against === "year" ? against : "own"} options=${[["", "the days before"], ["year", "a year before"], ["own", "other days …"]]} onChange=${(/** @type {string} */ value) => setQuery({ against: value === "own" ? dayBefore(start, 28) : value })} />
    ${against !== "" && against !== "year" && html`<label class="choice">from <input type="date" value=${against} max=${dayBefore(start, 1)} onChange=${(/** @type {any} */ { target }) => setQuery({ against: target.value })} /></label>`}
    ${(currencies.length > 1 || converts) && html`<${Select} label="Currency" value=${currency} options=${[...currencies.map((code) => /** @type {[string, string]} */ ([String(code), String(code)])), ...converts ? [/** @type {[string, string]} */ (["convert", `all, converted to ${converts}`])] : []]}
      onChange=${(/** @type {string} */ value) => setQuery(value === "convert" ? { convert: "true", currency: "", profile: "" } : { convert: "", currency: value, profile: "" })} />`}
    <label class="choice">As known on <input type="date" value=${asOf.slice(0, 10)} onChange=${(/** @type {any} */ { target }) => setQuery({ as_of: target.value })} /></label></div>
    ${currencies.length > 1 && !converts && html`<p class="under">One currency at a time. To convert them, start the console with <code>--currency</code> and <code>--rates</code>.</p>`}`;
}

/**
 * @param {string} key
 * @param {unknown} value
 * @param {number} decimals
 */
function valueText(key, value, decimals) {
  if (typeof value !== "number") return "none";
  if (SHARES.includes(key)) return percent(value, key === "acos" ? 1 : 2);
  if (key === "roas") return money(value, 2);
  return AMOUNTS.includes(key) ? money(value, decimals) : whole(value);
}

/**
 * @param {any} data
 * @param {() => unknown} table
 * @param {any} hours
 */
function figuresView({ totals, rows, row_count: count, days, days_before: earlier, before_whole: isWhole, before_comparable: isComparable, immature_from: young, period, before, decimals, notes, sql, applied }, table, hours) {
  const [total] = totals;
  if (total === undefined) return html`<p>No figures are stored for ${period.start} to ${period.end}. <${CommandWords} text=${adsctl("sync --all-profiles", { store: true })} /> fetches them.</p>`;
  const chosen = query.value["measure"] ?? "cost";
  const measure = MEASURES.find(({ key }) => key === chosen) ?? { key: "cost", name: "Spend" };
  const lateKeys = new Set(MEASURES.filter(({ late }) => late).map(({ key }) => key));
  // A sum over some of the days is no measure for a sum over all, and complete days are none for days that still count up.
  const was = (/** @type {string} */ key) => !isWhole || (lateKeys.has(key) && !isComparable) ? null : sumOf(earlier, key);
  const wasWord = (/** @type {string} */ key) => was(key) !== null ? `was ${valueText(key, was(key), decimals)}` : isWhole && lateKeys.has(key) ? "not comparable yet" : "earlier days are missing";
  const isYoung = period.end >= young.sales;
  const dates = daysOf(period);
  const by = new Map(days.map((/** @type {any} */ row) => [String(row.day).slice(0, 10), row]));
  const shift = (Date.parse(period.start) - Date.parse(before?.start ?? period.start)) / 86_400_000;
  const then = new Map(earlier.map((/** @type {any} */ row) => [dayBefore(String(row.day).slice(0, 10), -shift), row]));
  const of = (/** @type {Map<string, any>} */ map) => dates.map((day) => map.get(day)?.[measure.key] ?? null);
  return html`<div class="tiles ten" role="group" aria-label="Figure in the chart">${MEASURES.map(({ key, name, late, better }) => {
    const word = changeWord(total[key], was(key), { points: SHARES.includes(key), better });
    return html`<button type="button" class="tile" aria-pressed=${measure.key === key} onClick=${() => setQuery({ measure: key === "cost" ? "" : key })}><span class="under">${name}${late && isYoung ? " so far" : ""}</span>
      <span class="figure" style=${{ display: "block" }}>${valueText(key, total[key], decimals)}</span>
      <span class="under">${word && html`<span class=${`change ${word.kind}`}>${word.text}</span> · `}${wasWord(key)}</span></button>`;
  })}</div>
    <div class="section-head"><h2>${measure.name}${AMOUNTS.includes(measure.key) ? `, ${total.currency}` : ""} a day</h2><span class="under">${dayWord(period.start)} to ${dayWord(period.end)}${before ? `, compared with ${dayWord(before.start)} to ${dayWord(before.end)}${before.start.slice(0, 4) === period.start.slice(0, 4) ? "" : ` ${before.end.slice(0, 4)}`}` : ""}</span></div>
    <${Chart} label=${`${measure.name} by day`} days=${dates} immatureFrom=${lateKeys.has(measure.key) ? young.sales : young.cost} marks=${applied.map((/** @type {any} */ { id, day, note }) => ({ day, word: "applied plan", title: `${dayWord(day)}: ${visible(note || `plan ${id}`)}`, href: `/plans/${id}` }))} height=${200}
      show=${(/** @type {number} */ value) => SHARES.includes(measure.key) ? percent(value, measure.key === "ctr" ? 2 : 0) : valueText(measure.key, value, Number.isInteger(value) ? 0 : decimals)} exact=${(/** @type {number} */ value) => valueText(measure.key, value, decimals)}
      curves=${[{ name: "these days", values: of(by) }, ...earlier.length > 0 ? [{ name: "days before", values: of(then), class: "s2", whole: true }] : []]} />
    ${applied.length > 0 && html`<p class="under">Applied in this period: ${applied.slice(-12).map((/** @type {any} */ { id, note, day }, /** @type {number} */ at) => html`${at > 0 ? ", " : ""}${dayWord(day)} <a href=${`/plans/${id}`}><bdi>${visible(note || `plan ${id}`)}</bdi></a>`)}.</p>`}
    <div class="section-head" style=${{ marginTop: "20px" }}><h2>${counted(count, "row")}</h2>${count > rows.length && html`<span class="under">showing the first ${whole(rows.length)}; totals include all</span>`}</div>
    ${table()}
    ${notes.map((/** @type {string} */ note) => html`<p class="under" style=${{ marginTop: "8px" }}>${visible(note)}</p>`)}
    ${hours?.hours ? salesByHour(hours.hours, hours.currency, hours.decimals) : hours && html`<p class="under" style=${{ marginTop: "12px" }}>No hourly figures are stored for this profile. <${CommandWords} text=${adsctl("store stream run --once", { store: true })} /> stores what waits in the queue of its stream.</p>`}
    <details class="section"><summary>SQL behind the table</summary><pre tabindex="0" aria-label="SQL">${sql}</pre>
      <div class="buttons" style=${{ marginTop: "8px" }}><span class="button"><${Copy} text=${sql} /></span><button type="button" onClick=${() => setQuery({ sql, view: "sql" })}>Edit this query</button></div></details>`;
}

/** @param {{ start: string, end: string }} period */
function daysOf({ start, end }) {
  const days = [];
  for (let at = Date.parse(start); at <= Date.parse(end); at += 86_400_000) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
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
 * The cells of a row, or of the sum of all.
 *
 * @param {any} row
 * @param {any} data
 * @param {{ columns: import("../figure_columns.js").FigureColumn[], profile: string | undefined }} parts `profile`: whose campaigns the rows are about
 */
function figureCells(row, data, { columns, profile }) {
  const most = Math.max(...data.rows.map((/** @type {any} */ { cost }) => cost), 0);
  return columns.map(({ key, name, isNumber }, at) => {
    if (!isNumber) {
      const text = row.isSum ? at === 0 ? `All ${whole(data.row_count)}` : "" : visible(row[key] ?? "");
      const shown = row.isSum ? text : /^\d{4}-\d\d-\d\d/.test(text) ? text.slice(0, 10) : text || html`<span class="muted">no name</span>`;
      const id = key === "campaign" && profile !== undefined ? row.campaign_id : undefined;
      return html`<td title=${text} class=${`group${row[`${key}_id`] === undefined ? "" : " name"}`}><bdi>${id ? html`<a href=${`/grid?${new URLSearchParams({ profile: profile ?? "", campaign: id })}`}>${shown}</a>` : shown}</bdi></td>`;
    }
    if (key.endsWith("_change")) {
      const word = typeof row[key] === "number" ? changeWord(1 + row[key], 1, { better: key === "sales_change" ? "more" : undefined }) : undefined;
      return html`<td class="number">${word ? html`<span class=${`change ${word.kind}`}>${word.text}</span>` : ""}</td>`;
    }
    const bar = key === "cost" && !row.isSum && most > 0 ? { "--part": `${(row.cost / most * 100).toFixed(1)}%` } : {};
    return html`<td class=${`number fig${key === "cost" ? " in-bar" : ""}`} style=${bar} data-label=${name}>${row[key] === null ? html`<span class="under">${key === "acos" ? "no sales" : ""}</span>` : valueText(key, row[key], data.decimals)}</td>`;
  });
}
