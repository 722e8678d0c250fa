// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { counted, kindWord, money, percent, whole } from "../format.js";
import { query, setQuery } from "../router.js";
import { Sheet } from "../save_csv.js";
import { adsctl } from "../shell.js";
import { Sync } from "../sync.js";
import { Command, html, Loading, Notice, pageEffect, Select, Sign, signal, Switch, untracked, visible } from "../ui.js";
import { driftSection } from "./account_drift.js";

const MAX_ROWS = 500;
/** @type {[key: string, word: string][]} */
const SORTS = [["", "as listed"], ["cost30d", "spend"], ["sales30d", "sales"], ["acos", "ACOS"], ["budget", "budget"], ["name", "name"]];

export function accountPage() {
  const profiles = signal(/** @type {any[] | undefined} */ (undefined));
  const campaigns = signal(/** @type {any} */ (undefined));
  const opened = signal(/** @type {Record<string, any>} */ ({}));
  const problem = signal(/** @type {unknown} */ (undefined));
  const failed = (/** @type {unknown} */ error) => (problem.value = error);

  void api("/api/profiles").then((found) => (profiles.value = found.profiles), failed);
  const profile = () => query.value["profile"] ?? profiles.value?.[0]?.profile_id;
  const drift = driftSection(profile);
  let loaded = "";
  const load = () => {
    const id = profile();
    const shown = query.value["view"] ?? "tree";
    if (id === undefined || loaded === `${id} ${shown}`) return;
    loaded = `${id} ${shown}`;
    problem.value = undefined;
    if (shown === "tree") {
      campaigns.value = undefined;
      opened.value = {};
      void api(`/api/profiles/${id}/campaigns`).then((found) => loaded === `${id} tree` && (campaigns.value = found), failed);
    }
  };
  pageEffect(() => {
    profile();
    query.value;
    untracked(load);
  });
  const open = async (/** @type {string} */ id) => {
    const { [id]: known, ...others } = opened.value;
    if (known !== undefined) {
      opened.value = others;
      return;
    }
    opened.value = { ...opened.value, [id]: "loading" };
    try {
      const { entities } = await api(`/api/profiles/${profile()}/campaigns/${id}`);
      opened.value = { ...opened.value, [id]: entities };
    } catch (error) {
      opened.value = others;
      failed(error);
    }
  };
  const again = () => {
    loaded = "";
    load();
  };

  const view = () => {
    const shown = query.value["view"] ?? "tree";
    const one = profiles.value?.find((/** @type {any} */ { profile_id: id }) => id === profile());
    return html`<div class="head"><h1>Account</h1>
        <${Switch} label="View" value=${shown} options=${[["tree", "Campaigns"], ["drift", "Changes"]]} onChange=${(/** @type {string} */ value) => setQuery({ view: value === "tree" ? "" : value })} /></div>
      ${problem.value && html`<${Notice} error=${problem.value} again=${again} />`}
      ${profiles.value === undefined ? !problem.value && html`<${Loading} />` : profiles.value.length === 0 ? html`<p>This login has no profiles.</p><${Command} text=${adsctl("auth doctor")} />` : html`
        <div class="toolbar"><${Select} label="Profile" value=${profile()} options=${profiles.value.map((/** @type {any} */ each) => [each.profile_id, `${each.country_code} · ${visible(each.name ?? "").slice(0, 60)} · ${each.profile_id}`])} onChange=${(/** @type {string} */ value) => setQuery({ profile: value })} />
          <label>Find <input type="search" value=${query.value["q"] ?? ""} placeholder="name or id" onInput=${(/** @type {any} */ { target }) => setQuery({ q: target.value })} /></label>
          ${shown === "tree" && html`<${Select} label="Sort" value=${query.value["sort"] ?? ""} options=${SORTS} onChange=${(/** @type {string} */ value) => setQuery({ sort: value })} />`}</div>
        ${shown === "tree" ? tree(campaigns.value, opened.value, open, one, problem.value) : drift()}`}`;
  };
  return { title: () => "Account", view };
}

/** @param {any} one */
function acosOf({ figures }) {
  const { cost30d, sales30d } = figures ?? {};
  return sales30d > 0 ? cost30d / sales30d : undefined;
}

/**
 * @param {any} data
 * @param {Record<string, any>} opened
 * @param {(id: string) => void} open
 * @param {any} profile
 * @param {unknown} problem
 */
function tree(data, opened, open, profile, problem) {
  if (data === undefined) return problem ? null : html`<${Loading} />`;
  const { q = "", sort = "" } = query.value;
  const found = data.campaigns.filter((/** @type {any} */ { name, id }) => `${name} ${id}`.toLowerCase().includes(q.toLowerCase()));
  const value = (/** @type {any} */ one) => sort === "acos" ? acosOf(one) : sort === "budget" ? one.budget : one.figures?.[sort];
  if (sort === "name") found.sort((/** @type {any} */ a, /** @type {any} */ b) => String(a.name).localeCompare(String(b.name)));
  else if (sort !== "") found.sort((/** @type {any} */ a, /** @type {any} */ b) => (value(b) ?? -1) - (value(a) ?? -1));
  const known = data.campaigns.filter((/** @type {any} */ { figures }) => figures?.cost30d !== undefined).length;
  const bids = data.campaigns.length === 0 ? html`<p>The profile has no campaigns that are enabled or paused.</p>` : null;
  return html`<p class="under" role="status">${counted(found.length, "campaign")}; amounts in ${data.currency}; figures of the last 30 stored days.</p>
    ${known < data.campaigns.length && html`<div class="notice">${known === 0 ? "No figures of these campaigns are stored." : `${data.campaigns.length - known} of ${data.campaigns.length} campaigns have no stored figures: they had no impressions, or their report is not stored.`}
      <${Sync} word="Fetch their reports" options=${{ profiles: [profile?.profile_id ?? ""] }} /></div>`}
    ${bids ?? html`<${Sheet} name="campaigns"><table class="plain cards"><thead><tr><th scope="col">Name</th><th scope="col">State</th><th scope="col" class="number">Budget</th><th scope="col" class="number">Bid</th>
      <th scope="col" class="number">Spend</th><th scope="col" class="number">Sales</th><th scope="col" class="number">ACOS</th><th scope="col" class="number">Clicks</th></tr></thead>
    <tbody>${found.slice(0, MAX_ROWS).map((/** @type {any} */ one) => html`
      <tr key=${one.id}><td class="wide"><button type="button" class="plain strong" disabled=${one.id === null} aria-expanded=${opened[one.id] !== undefined} onClick=${() => open(one.id)} title=${visible(one.name)}>
        <span aria-hidden="true">${opened[one.id] === undefined ? "▸" : "▾"}</span> <bdi class="two-lines">${visible(one.name)}</bdi></button>
        <div class="under">${kindWord(one.kind)} ${one.id ?? "without an id"}</div></td>${figures(one, data.decimals)}</tr>
      ${opened[one.id] === "loading" ? html`<tr key=${`${one.id} loading`}><td colspan="8" class="muted">Reading ad groups, keywords and targets …</td></tr>`
      : (opened[one.id] ?? []).slice(0, MAX_ROWS).map((/** @type {any} */ child) => html`<tr key=${child.id} class="child">
        <td class="wide"><bdi>${visible(child.name)}</bdi> <span class="under">${kindWord(child.kind)} ${child.id ?? "without an id"}</span></td>${figures(child, data.decimals)}</tr>`)}
      ${opened[one.id]?.length === 0 && html`<tr key=${`${one.id} empty`}><td colspan="8" class="muted">This campaign is empty.</td></tr>`}
      ${opened[one.id]?.length > MAX_ROWS && html`<tr key=${`${one.id} more`}><td colspan="8">The first ${MAX_ROWS} of ${whole(opened[one.id].length)} are shown.</td></tr>`}`)}
    </tbody></table><//>`}${found.length > MAX_ROWS && html`<p class="under">Showing the first ${MAX_ROWS} of ${whole(found.length)}. Search to find the others.</p>`}`;
}

/**
 * @param {any} one
 * @param {number} decimals
 */
function figures(one, decimals) {
  const { state, budget, bid, figures: known } = one;
  const { cost30d, sales30d, clicks30d } = known ?? {};
  const acos = acosOf(one);
  return html`<td class="nowrap"><${Sign} kind=${/^enabled$/i.test(state) ? "good" : "muted"}>${String(state).toLowerCase()}<//></td><td class="number" data-label="Budget">${money(budget, decimals)}</td><td class="number" data-label="Bid">${money(bid, decimals)}</td>
    <td class="number" data-label="Spend">${money(cost30d, decimals)}</td><td class="number" data-label="Sales">${money(sales30d, decimals)}</td><td class="number" data-label="ACOS">${acos === undefined ? "" : percent(acos)}</td><td class="number" data-label="Clicks">${whole(clicks30d)}</td>`;
}
