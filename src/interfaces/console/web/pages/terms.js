// @ts-check
/// <reference lib="dom" />
import { api, newestOnly } from "../api.js";
import { bigTable } from "../big_table.js";
import { counted, money, percent, whole } from "../format.js";
import { pageKeys } from "../keys.js";
import { lastChange } from "../live.js";
import { go, query, setQuery } from "../router.js";
import { saveCsv } from "../save_csv.js";
import { about } from "../shell.js";
import { Sync } from "../sync.js";
import { computed, html, Loading, Notice, pageEffect, phone, Select, signal, Switch, untracked, visible } from "../ui.js";
import { previewView } from "./job_preview.js";

/** @type {[key: string, word: string, holds: (term: any) => boolean][]} */
const SHOWN = [
  ["", "All", () => true],
  ["sold", "With orders", ({ orders }) => orders > 0],
  ["unsold", "Without orders", ({ orders }) => orders === 0],
  ["products", "Products", ({ is_product: isProduct }) => isProduct],
];
/** @type {[key: string, name: string][]} */
const FIGURES = [["clicks", "Clicks"], ["cost", "Spend"], ["orders", "Orders"], ["sales", "Sales"], ["acos", "ACOS"]];
const CSV = ["term", "is_product", "campaign", "campaign_name", "ad_group", "ad_group_name", "clicks", "cost", "orders", "sales"];
/** @type {Record<string, { title: (count: string) => string, path: string, isMoved?: true }>} */
const ACTIONS = {
  move: { title: (count) => `Move ${count}`, path: "plan/harvest", isMoved: true },
  negate: { title: (count) => `Negate ${count}`, path: "plan/negatives" },
};

export function termsPage() {
  const profiles = signal(/** @type {any[] | undefined} */ (undefined));
  const data = signal(/** @type {any} */ (undefined));
  const problem = signal(/** @type {any} */ (undefined));
  const ticks = signal(/** @type {ReadonlySet<string>} */ (new Set()));
  const action = signal("");
  const found = signal(/** @type {any} */ (undefined));
  const busy = signal("");
  const map = signal(/** @type {Record<string, string>} */ ({}));
  const failed = (/** @type {unknown} */ error) => (problem.value = error);
  void api("/api/profiles").then((all) => (profiles.value = all.profiles), failed);
  const profile = () => query.value["profile"] ?? profiles.value?.[0]?.profile_id;
  const days = () => query.value["days"] ?? "30";
  const reading = newestOnly();
  const planning = newestOnly();
  pageEffect(() => {
    lastChange.value;
    const id = profile();
    const address = `/api/profiles/${id}/terms?days=${days()}`;
    if (id === undefined) return;
    untracked(() => {
      map.value = savedMap(id);
      void reading.ask(address).then((all) => {
        problem.value = undefined;
        data.value = all;
      }, (error) => {
        data.value = undefined;
        failed(error);
      });
    });
  });

  const keyOf = (/** @type {any} */ one) => `${one.ad_group} ${one.term}`;
  const rows = computed(() => {
    const { q = "", show = "", sort = "-cost" } = query.value;
    const [, , holds = () => true] = SHOWN.find(([key]) => key === show) ?? [];
    const words = q.toLowerCase();
    const all = (data.value?.terms ?? []).filter((/** @type {any} */ one) => holds(one) && `${one.term} ${one.campaign_name} ${one.ad_group_name}`.toLowerCase().includes(words));
    const key = sort.replace("-", "");
    const value = (/** @type {any} */ one) => key === "acos" ? acosOf(one) ?? -1 : one[key];
    return all.sort((/** @type {any} */ a, /** @type {any} */ b) => (sort.startsWith("-") ? -1 : 1) * (typeof value(a) === "string" ? value(a).localeCompare(value(b)) : value(a) - value(b)));
  });
  const ticked = () => (data.value?.terms ?? []).filter((/** @type {any} */ one) => ticks.value.has(keyOf(one)));
  const forget = () => {
    planning.drop();
    busy.value = "";
    found.value = undefined;
  };
  const tick = (/** @type {any[]} */ some) => {
    const next = new Set(ticks.value);
    const clear = some.every((one) => next.has(keyOf(one)));
    for (const one of some) clear ? next.delete(keyOf(one)) : next.add(keyOf(one));
    ticks.value = next;
    forget();
  };
  const box = (/** @type {any[]} */ some, /** @type {string} */ label) => html`<input type="checkbox" tabindex="-1" aria-label=${label} checked=${some.length > 0 && some.every((one) => ticks.value.has(keyOf(one)))} onChange=${() => tick(some)} />`;
  const table = bigTable({
    name: "Search terms",
    columns: () => {
      const { sort = "-cost" } = query.value;
      const head = (/** @type {string} */ key, /** @type {string} */ name, more = {}) => ({
        name,
        sort: () => setQuery({ sort: sort === `-${key}` ? key : `-${key}` }),
        sorted: sort === key ? /** @type {const} */ ("ascending") : sort === `-${key}` ? /** @type {const} */ ("descending") : undefined,
        ...more,
      });
      return [
        { name: box(rows.value, "Tick all that are shown"), width: "36px" },
        head("term", "Search term"),
        head("ad_group_name", "Campaign and ad group", { width: "32%" }),
        ...FIGURES.map(([key, name]) => head(key, name, { class: "number", width: "86px" })),
      ];
    },
    rows: () => rows.value,
    key: keyOf,
    height: () => phone.value ? 118 : 44,
    onKey: (key, row) => void (key === " " && tick([row])),
    cells: (one) => html`<td class="tick">${box([one], `Tick ${visible(one.term)}`)}</td>
      <td class="name" title=${visible(one.term)}><bdi class="two-lines">${visible(one.term)}</bdi>${one.is_product && html`<div class="under">product</div>`}</td>
      <td class="place" title=${`${visible(one.campaign_name)}, ${visible(one.ad_group_name)}`}><a class="cut" href=${`/grid?${new URLSearchParams({ profile: profile(), campaign: one.campaign })}`}><bdi>${visible(one.campaign_name)}</bdi></a><div class="under cut"><bdi>${visible(one.ad_group_name)}</bdi></div></td>
      ${FIGURES.filter(([key]) => !phone.value || key !== "sales").map(([key, name]) => html`<td class="number fig" data-label=${name}>${figure(one, key, data.value.decimals)}</td>`)}`,
    minWidth: () => 760,
  });

  pageKeys([
    { key: "j", does: "next term", run: () => table.move(1) },
    { key: "k", does: "previous term", run: () => table.move(-1) },
    { key: "x", does: "tick", run: () => table.row() && tick([table.row()]) },
  ]);

  /** @param {"preview" | "plan"} what */
  const run = async (what) => {
    const { path, isMoved } = ACTIONS[action.value] ?? { path: "" };
    const terms = ticked().map((/** @type {any} */ one) => ({ term: one.term, ad_group: one.ad_group }));
    const sources = new Set(terms.map((/** @type {any} */ one) => one.ad_group));
    const lines = Object.entries(map.value).filter(([source, target]) => sources.has(source) && target.trim() !== "").map(([source, target]) => ({ source, target }));
    const body = { terms, days: Number(days()), ...isMoved ? { map: lines } : {} };
    problem.value = undefined;
    busy.value = what;
    try {
      const address = `/api/profiles/${profile()}/${path}`;
      if (what === "plan") {
        const { plan_id: plan } = await api(address, { body });
        saveMap(profile(), map.value);
        if (plan === null) failed(new Error("Cannot make a plan: there is nothing left to change"));
        else go(`/plans/${plan}`);
      } else {
        const answer = await planning.ask(`${address}/preview`, body);
        found.value = answer;
        const suggested = (answer.suggestions ?? []).flatMap((/** @type {any} */ one) => one.target === null ? [] : [[one.source, one.target_name]]);
        const isNew = suggested.some((/** @type {any} */ [source]) => !map.value[source]);
        map.value = { ...Object.fromEntries(suggested), ...map.value };
        // Suggested targets are shown with the plan that they make.
        if (isNew) return void await run("preview");
      }
    } catch (error) {
      failed(error);
    }
    busy.value = "";
  };
  const begin = (/** @type {string} */ name) => {
    forget();
    action.value = name;
    void run("preview");
  };

  const view = () => html`<div class="head"><h1>Search terms</h1>
      ${profiles.value && profiles.value.length > 0 && html`<${Select} label="Profile" value=${profile()} options=${profiles.value.map((/** @type {any} */ each) => [each.profile_id, `${each.country_code} · ${visible(each.name ?? "").slice(0, 60)} · ${each.profile_id}`])} onChange=${(/** @type {string} */ value) => reset({ profile: value })} />
        <${Select} label="Days" value=${days()} options=${[["7", "last 7"], ["30", "last 30"], ["60", "last 60"]]} onChange=${(/** @type {string} */ value) => reset({ days: value === "30" ? "" : value })} />`}</div>
    ${problem.value && problem.value.code !== "NO_STORE" && html`<${Notice} error=${problem.value} />`}
    ${problem.value?.code === "NO_STORE" || data.value?.count === 0 ? html`<p>No search terms with clicks are stored for these days.</p><${Sync} word="Fetch all figures" first=${true} />`
    : data.value === undefined ? !problem.value && html`<${Loading} />` : list(data.value)}`;
  const reset = (/** @type {Record<string, string>} */ values) => {
    ticks.value = new Set();
    action.value = "";
    data.value = undefined;
    forget();
    setQuery(values);
  };

  /** @param {any} all */
  const list = ({ count, terms, period, currency, immature_from: young }) => {
    const chosen = ticked();
    const { q = "", show = "" } = query.value;
    return html`<div class="toolbar" role="search"><label>Find <input type="search" value=${q} placeholder="term, campaign or ad group" onInput=${(/** @type {any} */ { target }) => setQuery({ q: target.value })} /></label>
        <${Switch} label="Show" value=${show} options=${SHOWN.map(([key, word, holds]) => [key, `${word} ${whole(terms.filter(holds).length)}`])} onChange=${(/** @type {string} */ value) => setQuery({ show: value })} />
        <button type="button" class="push" onClick=${() => saveCsv("search terms", CSV, rows.value.map((/** @type {any} */ one) => CSV.map((name) => one[name])))}>Save as CSV</button></div>
      <p class="under" role="status">${counted(rows.value.length, "term")} of ${whole(count)} with clicks, ${period.start} to ${period.end}; amounts in ${currency}. Clicks since ${young} may still lead to orders.${count > terms.length ? ` The ${whole(terms.length)} that cost most are listed.` : ""} Tick terms to plan for exactly those.</p>
      ${chosen.length > 0 && html`<section class="section chosen" aria-label="Ticked terms"><div class="buttons"><span class="strong" role="status">${counted(chosen.length, "term")} ticked</span>
        ${about.value?.["read_only"] === false && html`<button type="button" class=${action.value === "" ? "primary" : ""} onClick=${() => begin("move")}>Move to keywords …</button><button type="button" onClick=${() => begin("negate")}>Negate …</button>`}
        <button type="button" class="link" onClick=${() => { ticks.value = new Set(); action.value = ""; forget(); }}>Untick all</button></div>
        ${action.value !== "" && planned(chosen)}</section>`}
      ${table.draw()}`;
  };

  /** @param {any[]} chosen */
  const planned = (chosen) => {
    const { title, isMoved } = /** @type {any} */ (ACTIONS[action.value]);
    const sources = [...new Map(chosen.map((one) => [one.ad_group, one]))];
    const targets = [...new Set((data.value?.terms ?? []).map((/** @type {any} */ one) => one.ad_group_name))];
    const isWorking = busy.value !== "";
    return html`<h2>${title(counted(chosen.length, "term"))}</h2>
      <p class="under">${isMoved ? "A term becomes an exact keyword in the target ad group, a product (ASIN) a product target; then a negative keeps it out of its source. Targets take keywords or products, not both." : "A term becomes an exact negative keyword in its ad group, a product (ASIN) a negative target. Terms that are keywords are skipped."} ${!isMoved && `Clicks since ${data.value.immature_from} may still lead to orders; the weekly job Negatives does not count them.`} Nothing is sent: you review the plan first.</p>
      ${isMoved && html`<form class="form" aria-label="Targets" onSubmit=${(/** @type {any} */ event) => { event.preventDefault(); void run("preview"); }}>
        ${sources.map(([id, one]) => html`<label class="line" key=${id}><span>From <bdi>${visible(one.ad_group_name)}</bdi> <span class="under"><bdi>${visible(one.campaign_name)}</bdi></span></span>
          <input list="targets" placeholder="target ad group, by name or id" value=${map.value[id] ?? ""} onInput=${(/** @type {any} */ { target }) => { map.value = { ...map.value, [id]: target.value }; forget(); }} /></label>`)}
        <datalist id="targets">${targets.map((name) => html`<option value=${name}></option>`)}</datalist></form>`}
      <div class="buttons"><button type="button" disabled=${isWorking} onClick=${() => run("preview")}>${busy.value === "preview" ? "Working it out …" : "Preview"}</button>
        <button type="button" class="primary" disabled=${isWorking || !(found.value?.changes > 0)} onClick=${() => run("plan")}>${busy.value === "plan" ? "Making the plan …" : `Make a plan${found.value ? ` of ${counted(found.value.changes, "change")}` : ""}`}</button></div>
      ${found.value && previewView({ ...found.value, suggestions: (found.value.suggestions ?? []).filter((/** @type {any} */ one) => one.target === null) }, () => {}, "")}`;
  };
  return { title: () => "Search terms", view };
}

/** @param {any} one */
function acosOf({ cost, sales }) {
  return sales > 0 ? cost / sales : undefined;
}

/**
 * @param {any} one
 * @param {string} key
 * @param {number} decimals
 */
function figure(one, key, decimals) {
  if (key === "acos") return acosOf(one) === undefined ? html`<span class="under">no sales</span>` : percent(acosOf(one) ?? 0);
  return key === "cost" || key === "sales" ? money(one[key], decimals) : whole(one[key]);
}

/**
 * The targets that were used last, which this browser keeps.
 *
 * @param {string} profile
 * @returns {Record<string, string>}
 */
function savedMap(profile) {
  try {
    return JSON.parse(localStorage.getItem(`harvest-map-${profile}`) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * @param {string} profile
 * @param {Record<string, string>} map
 */
function saveMap(profile, map) {
  localStorage.setItem(`harvest-map-${profile}`, JSON.stringify(map));
}
