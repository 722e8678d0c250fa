// @ts-check
/// <reference lib="dom" />
/** What needs a look, and spend of 30 days. */
import { api } from "../api.js";
import { Chart } from "../chart.js";
import { counted, money, percent, time } from "../format.js";
import { lastChange } from "../live.js";
import { Badge, html, Loading, Notice, pageEffect, signal, untracked, visible } from "../ui.js";
import { stateBadge } from "./plans.js";

export function overviewPage() {
  const data = signal(/** @type {any} */ (undefined));
  const profiles = signal(/** @type {any[]} */ ([]));
  const problem = signal(/** @type {unknown} */ (undefined));
  pageEffect(() => {
    lastChange.value;
    untracked(() =>
      void api("/api/overview").then((found) => (data.value = found), (error) => (problem.value = error))
    );
  });
  void api("/api/profiles").then(({ profiles: found, failures }) => {
    profiles.value = found;
    if (failures.length > 0) problem.value = new Error(failures.map((/** @type {any} */ one) => `${one.region}: ${one.message}`).join("; "));
  }, (error) => (problem.value = error));
  const view = () => html`
    <h1>Overview</h1>
    ${problem.value && html`<${Notice} error=${problem.value} />`}
    ${data.value === undefined ? html`<${Loading} />` : html`
      ${attention(data.value)}
      ${spend(data.value, profiles.value)}`}`;
  return { title: () => "Overview", view };
}

/** @param {any} data */
function attention({ waiting, asking, plans, consent_days: consent, gaps, store }) {
  const lines = [];
  if (asking > 0) lines.push(["approve", html`${counted(asking, "waiting plan")} with findings that ask for a person`]);
  if (plans.unfinished) lines.push(["deny", html`${counted(plans.unfinished, "plan")} cut off while being sent`]);
  if (plans.failed) lines.push(["advise", html`${counted(plans.failed, "plan")} not done in whole`]);
  if (consent !== null && consent <= 30) lines.push(["approve", html`The consent ends in ${counted(consent, "day")}: <code>adsctl auth url</code>`]);
  if (!store) lines.push(["note", html`No reports are stored yet: <code>adsctl sync</code> fetches them`]);
  const missing = gaps.filter((/** @type {any} */ one) => one.gaps.length > 0);
  if (missing.length > 0) lines.push(["advise", html`<a href="/explore?view=coverage">${counted(missing.length, "stored report")} with gaps</a>`]);
  return html`<section class="card" aria-label="What needs a look"><h2>What needs a look</h2>
    ${lines.length === 0 ? html`<p>Nothing.</p>` : html`<ul class="findings">${
    lines.map(([level, text]) => html`<li><${Badge} kind=${level}>${level === "deny" ? "act" : level === "approve" ? "decide" : "look"}<//> ${text}</li>`)
  }</ul>`}
    ${waiting.length > 0 && html`<h2>Plans that wait</h2><ul class="findings">${
    waiting.map((/** @type {any} */ plan) => html`<li>${stateBadge(plan.state)} <a href=${`/plans/${plan.id}`}>${visible(plan.note || plan.id)}</a>
      <span class="under"> ${plan.country_code}, ${counted(plan.changes, "change")}, ${time(plan.created_at, plan.time_zone)}</span></li>`)
  }</ul>`}
  </section>`;
}

/**
 * @param {any} data
 * @param {any[]} profiles
 */
function spend({ spend: stored }, profiles) {
  if (stored.length === 0) {
    return html`<section class="card"><h2>Profiles</h2><div class="scroll"><table class="plain">
      <thead><tr><th scope="col">Market</th><th scope="col">Profile</th><th scope="col">Account</th><th scope="col">Currency</th></tr></thead>
      <tbody>${profiles.map((one) => html`<tr><td>${one.country_code}</td><td>${one.profile_id}</td>
        <td>${visible(one.name)} <span class="under">${one.type}</span></td><td>${one.currency}</td></tr>`)}</tbody></table></div></section>`;
  }
  return html`<div class="grid">${stored.map((/** @type {any} */ one) => {
    const name = profiles.find(({ profile_id: id }) => id === one.profile_id)?.name;
    const sum = (/** @type {string} */ field) => one.days.reduce((/** @type {number} */ total, /** @type {any} */ day) => total + day[field], 0);
    const [cost, sales] = [sum("cost"), sum("sales")];
    const show = (/** @type {number} */ value) => money(value, one.decimals);
    return html`<section class="card" key=${one.profile_id}>
      <h2>${one.country_code} <span class="under">${visible(name ?? one.profile_id)} · ${one.currency} · days in ${one.time_zone}</span></h2>
      <dl class="figures small">
        <div><dt>Spend</dt><dd>${show(cost)}</dd></div><div><dt>Sales</dt><dd>${show(sales)}</dd></div>
        <div><dt>ACOS</dt><dd>${sales > 0 ? percent(cost / sales) : "none"}</dd></div></dl>
      <${Chart} label=${`Spend, sales and ACOS of ${one.country_code} by day`} days=${one.days.map((/** @type {any} */ { date }) => date)}
        immatureFrom=${one.immature_from} curves=${[
      { name: `Spend, ${one.currency}`, values: one.days.map((/** @type {any} */ day) => day.cost), show },
      { name: `Sales, ${one.currency}`, values: one.days.map((/** @type {any} */ day) => day.sales), show },
      { name: "ACOS, % (right)", axis: "right", show: (/** @type {number} */ value) => `${value.toFixed(1)} %`,
        values: one.days.map((/** @type {any} */ day) => day.sales > 0 ? day.cost / day.sales * 100 : null) },
    ]} />
    </section>`;
  })}</div>`;
}
