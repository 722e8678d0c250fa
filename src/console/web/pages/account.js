// @ts-check
/// <reference lib="dom" />
/** The account as a tree, and what changed in it. */
import { api } from "../api.js";
import { counted, kindWord, money, time, whole } from "../format.js";
import { query, setQuery } from "../router.js";
import { Badge, html, Loading, Notice, pageEffect, signal, untracked, visible } from "../ui.js";
import { driftSection } from "./account_drift.js";

export function accountPage() {
  const profiles = signal(/** @type {any[] | undefined} */ (undefined));
  const campaigns = signal(/** @type {any} */ (undefined));
  const history = signal(/** @type {any} */ (undefined));
  const opened = signal(/** @type {Record<string, any>} */ ({}));
  const problem = signal(/** @type {unknown} */ (undefined));
  const failed = (/** @type {unknown} */ error) => (problem.value = error);

  void api("/api/profiles").then((found) => (profiles.value = found.profiles), failed);
  const profile = () => query.value["profile"] ?? profiles.value?.[0]?.profile_id;
  const drift = driftSection(profile);
  let loaded = "";
  pageEffect(() => {
    const id = profile();
    const shown = query.value["view"] ?? "tree";
    if (id === undefined || loaded === `${id} ${shown}`) return;
    loaded = `${id} ${shown}`;
    untracked(() => {
      problem.value = undefined;
      if (shown === "tree") {
        campaigns.value = undefined;
        opened.value = {};
        void api(`/api/profiles/${id}/campaigns`).then((found) => (campaigns.value = found), failed);
      } else if (shown === "history") {
        history.value = undefined;
        void api(`/api/profiles/${id}/history`).then((found) => (history.value = found), failed);
      }
    });
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

  const view = () => {
    const shown = query.value["view"] ?? "tree";
    return html`<h1>Account</h1>
      ${problem.value && html`<${Notice} error=${problem.value} />`}
      ${profiles.value === undefined ? html`<${Loading} />` : html`
        <div class="toolbar"><label>Profile <select value=${profile()} onChange=${(/** @type {any} */ { target }) => setQuery({ profile: target.value })}>
          ${profiles.value.map((/** @type {any} */ one) => html`<option value=${one.profile_id}>${one.country_code} · ${visible(one.name ?? "")} · ${one.profile_id}</option>`)}</select></label>
          <label>Search <input type="search" value=${query.value["q"] ?? ""} onInput=${(/** @type {any} */ { target }) => setQuery({ q: target.value })} /></label></div>
        <div class="tabs">${[["tree", "Campaigns"], ["history", "Change history"], ["drift", "Drift"]].map(([name, word]) => html`
          <button type="button" aria-pressed=${shown === name} onClick=${() => setQuery({ view: name === "tree" ? "" : name ?? "" })}>${word}</button>`)}</div>
        ${shown === "tree" ? tree(campaigns.value, opened.value, open) : shown === "drift" ? drift() : historyTable(history.value)}`}`;
  };
  return { title: () => "Account", view };
}

/** @param {string} state */
function state(state) {
  const isOn = /^enabled$/i.test(state);
  return html`<${Badge} kind=${isOn ? "good" : "muted"}>${String(state).toLowerCase()}<//>`;
}

/**
 * @param {any} data
 * @param {Record<string, any>} opened
 * @param {(id: string) => void} open
 */
function tree(data, opened, open) {
  if (data === undefined) return html`<${Loading} />`;
  const wanted = (query.value["q"] ?? "").toLowerCase();
  const found = data.campaigns.filter((/** @type {any} */ { name, id }) => `${name} ${id}`.toLowerCase().includes(wanted));
  return html`<section class="card"><p class="under">${counted(found.length, "campaign")}; amounts in ${data.currency}; figures of 30 days of the store</p>
    <div class="scroll"><table class="plain"><thead><tr><th scope="col">Name</th><th scope="col">State</th><th scope="col" class="number">Budget</th>
      <th scope="col" class="number">Bid</th><th scope="col" class="number">Spend</th><th scope="col" class="number">Sales</th><th scope="col" class="number">Clicks</th></tr></thead>
    <tbody>${found.slice(0, 500).map((/** @type {any} */ one) => html`
      <tr key=${one.id}><td class="wide"><button type="button" class="fold" aria-expanded=${opened[one.id] !== undefined} onClick=${() => open(one.id)}>
        <span aria-hidden="true">${opened[one.id] === undefined ? "▸" : "▾"}</span> <bdi>${visible(one.name)}</bdi></button>
        <div class="under">${kindWord(one.kind)} ${one.id}</div></td>${figures(one, data.decimals)}</tr>
      ${opened[one.id] === "loading" ? html`<tr key=${`${one.id} loading`}><td colspan="7">Loading …</td></tr>`
      : (opened[one.id] ?? []).slice(0, 500).map((/** @type {any} */ child) => html`<tr key=${child.id} class="child">
        <td class="wide"><bdi>${visible(child.name)}</bdi> <span class="under">${kindWord(child.kind)} ${child.id}</span></td>${figures(child, data.decimals)}</tr>`)}
      ${opened[one.id]?.length > 500 && html`<tr key=${`${one.id} more`}><td colspan="7">The first 500 of ${whole(opened[one.id].length)} are shown.</td></tr>`}`)}
    </tbody></table></div>${found.length > 500 && html`<p class="under">The first 500; search for others.</p>`}</section>`;
}

/**
 * @param {any} one
 * @param {number} decimals
 */
function figures({ state: now, budget, bid, figures: known }, decimals) {
  const { cost30d, sales30d, clicks30d } = known ?? {};
  return html`<td>${state(now)}</td><td class="number">${money(budget, decimals)}</td><td class="number">${money(bid, decimals)}</td>
    <td class="number">${money(cost30d, decimals)}</td><td class="number">${money(sales30d, decimals)}</td><td class="number">${whole(clicks30d)}</td>`;
}

/** @param {any} data */
function historyTable(data) {
  if (data === undefined) return html`<${Loading} />`;
  const wanted = (query.value["q"] ?? "").toLowerCase();
  const events = data.events.filter((/** @type {any} */ one) =>
    `${one.entity_type} ${one.entity_id} ${one.keyword ?? ""} ${one.change}`.toLowerCase().includes(wanted));
  if (events.length === 0) return html`<${Notice}>Nothing changed in the last 14 days.<//>`;
  return html`<section class="card"><div class="scroll"><table class="plain">
    <thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Change</th><th scope="col" class="number">Before</th><th scope="col" class="number">After</th><th scope="col">By</th></tr></thead>
    <tbody>${events.slice(0, 500).map((/** @type {any} */ one) => html`<tr><td class="nowrap">${time(one.at, data.time_zone)}</td>
      <td>${visible(one.keyword ?? "")} <span class="under">${one.entity_type.toLowerCase().replaceAll("_", " ")} ${one.entity_id}</span></td>
      <td>${one.change.toLowerCase().replaceAll("_", " ")}</td><td class="number">${visible(one.before ?? "")}</td><td class="number">${visible(one.after ?? "")}</td>
      <td>${one.plan_id ? html`<${Badge} kind="good">ours<//> <a href=${`/plans/${one.plan_id}`}>plan</a>` : html`<span class="under">not recorded</span>`}</td></tr>`)}</tbody></table></div></section>`;
}
