// @ts-check
/// <reference lib="dom" />
/** Open plans and problems, and spend of 30 days. */
import { api } from "../api.js";
import { Chart } from "../chart.js";
import { counted, money, percent, time } from "../format.js";
import { lastChange } from "../live.js";
import { Badge, html, Loading, Notice, pageEffect, signal, untracked, visible } from "../ui.js";
import { stateBadge } from "./plans.js";

export function overviewPage() {
  const data = signal(/** @type {any} */ (undefined));
  const profiles = signal(/** @type {any[] | undefined} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const drift = signal(/** @type {{ read: any[], total: number } | undefined} */ (undefined));
  pageEffect(() => {
    lastChange.value;
    untracked(() =>
      void api("/api/overview").then((found) => (data.value = found), (error) => (problem.value = error))
    );
  });
  void api("/api/profiles").then(({ profiles: found, failures }) => {
    profiles.value = found;
    if (failures.length > 0) problem.value = new Error(failures.map((/** @type {any} */ one) => `${one.region}: ${one.message}`).join("; "));
  }, (error) => {
    problem.value = error;
    profiles.value = [];
  });
  let begun = false;
  pageEffect(() => {
    if (begun || data.value === undefined || profiles.value === undefined) return;
    begun = true;
    untracked(() => void driftOf(data.value.spend, profiles.value ?? [], (found) => {
      if (location.pathname !== "/") return false;
      drift.value = found;
      return true;
    }));
  });
  const view = () => html`
    <h1>Overview</h1>
    ${problem.value && html`<${Notice} error=${problem.value} />`}
    ${data.value === undefined ? html`<${Loading} />` : html`
      ${attention(data.value, drift.value)}
      ${spend(data.value, profiles.value ?? [])}`}`;
  return { title: () => "Overview", view };
}

/**
 * Counts the changes made outside plans, one profile after another: the stored ones, or all where none is stored.
 *
 * @param {any[]} stored
 * @param {any[]} profiles
 * @param {(found: { read: any[], total: number }) => boolean} show false ends the reading
 */
async function driftOf(stored, profiles, show) {
  const known = new Set(stored.map(({ profile_id: id }) => id));
  const chosen = known.size > 0 ? profiles.filter(({ profile_id: id }) => known.has(id)) : profiles;
  /** @type {any[]} */
  let read = [];
  for (const { profile_id: id, country_code: market } of chosen) {
    if (!show({ read, total: chosen.length })) return;
    read = [...read, await api(`/api/profiles/${id}/drift?counts=true`).then(({ counts }) => ({ id, market, count: counts.other }),
      (error) => ({ id, market, error }))];
  }
  show({ read, total: chosen.length });
}

/** @param {{ read: any[], total: number } | undefined} drift */
function driftLine(drift) {
  if (drift === undefined) return html`<p class="under">Drift of the last 7 days: loading …</p>`;
  const { read, total } = drift;
  if (total === 0) return null;
  const progress = read.length < total ? `; ${read.length} of ${counted(total, "profile")} read …` : "";
  const shown = read.filter(({ count, error }) => error || count > 0);
  if (shown.length === 0) {
    return html`<p class="under">Drift of the last 7 days: ${read.length === 0 ? "loading" : `none in ${read.map(({ market }) => market).join(", ")}`}${progress}</p>`;
  }
  return html`<p><${Badge} kind="advise">look<//> Changes of the last 7 days made outside plans: ${shown.map(({ id, market, count, error }, at) => html`${at > 0 && ", "}<a
    href=${`/account?view=drift&by=other&profile=${id}`}>${market} ${error ? "could not be read" : counted(count, "change")}</a>`)}${progress}</p>`;
}

/**
 * @param {any} data
 * @param {{ read: any[], total: number } | undefined} drift
 */
function attention({ waiting, asking, plans, consent_days: consent, gaps, expiring, store }, drift) {
  const lines = [];
  if (asking > 0) lines.push(["approve", html`${counted(asking, "open plan")} with findings that need a person's approval`]);
  if (plans.waiting > asking) lines.push(["approve", html`<a href="/plans">${counted(plans.waiting - asking, "open plan")}</a> to apply or refuse`]);
  if (plans.unfinished) lines.push(["deny", html`${counted(plans.unfinished, "plan")} interrupted while being sent`]);
  if (plans.failed) lines.push(["advise", html`${counted(plans.failed, "plan")} with changes that failed`]);
  if (expiring.length > 0) {
    lines.push(["deny", html`<a href="/explore?view=coverage">${counted(expiring.length, "stored report")}</a> with missing days that can be fetched only until today: <code>adsctl sync</code>`]);
  }
  if (consent !== null && consent <= 30) lines.push(["approve", html`The consent expires in ${counted(consent, "day")}: <code>adsctl auth url</code>`]);
  if (!store) lines.push(["note", html`No reports are stored yet: <code>adsctl sync</code> fetches them`]);
  const missing = gaps.filter((/** @type {any} */ one) => one.gaps.length > 0);
  if (missing.length > 0) lines.push(["advise", html`<a href="/explore?view=coverage">${counted(missing.length, "stored report")} with gaps</a>`]);
  return html`<section class="card" aria-label="Needs attention"><h2>Needs attention</h2>
    ${lines.length === 0 ? html`<p>Nothing needs attention.</p>` : html`<ul class="findings">${
    lines.map(([level, text]) => html`<li><${Badge} kind=${level}>${level === "deny" ? "act" : level === "approve" ? "decide" : "look"}<//> ${text}</li>`)
  }</ul>`}
    ${driftLine(drift)}
    ${waiting.length > 0 && html`<h2>Open plans</h2><ul class="findings">${
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
    // Products of one profile that are stored for different days are not summed: each has its own card.
    const isPart = stored.some((/** @type {any} */ other) => other !== one && other.profile_id === one.profile_id);
    const title = isPart ? `${one.country_code} ${one.products.join(", ")}` : one.country_code;
    return html`<section class="card" key=${`${one.profile_id} ${one.products.join()}`}>
      <h2>${title} <span class="under">${visible(name ?? one.profile_id)} · ${one.currency} · ${counted(one.days.length, "day")} in ${one.time_zone}</span></h2>
      <dl class="figures small">
        <div><dt>Spend</dt><dd>${show(cost)}</dd></div><div><dt>Sales</dt><dd>${show(sales)}</dd></div>
        <div><dt>ACOS</dt><dd>${sales > 0 ? percent(cost / sales) : "none"}</dd></div></dl>
      <${Chart} label=${`Spend, sales and ACOS of ${title} by day`} days=${one.days.map((/** @type {any} */ { date }) => date)}
        immatureFrom=${one.immature_from} curves=${[
      { name: `Spend, ${one.currency}`, values: one.days.map((/** @type {any} */ day) => day.cost), show },
      { name: `Sales, ${one.currency}`, values: one.days.map((/** @type {any} */ day) => day.sales), show },
      { name: "ACOS, % (right)", axis: "right", show: (/** @type {number} */ value) => `${value.toFixed(1)} %`,
        values: one.days.map((/** @type {any} */ day) => day.sales > 0 ? day.cost / day.sales * 100 : null) },
    ]} />
    </section>`;
  })}</div>`;
}
