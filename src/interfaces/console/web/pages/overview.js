// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { Chart, Spark } from "../chart.js";
import { changeWord, counted, dayWord, money, percent, shortTime, whole } from "../format.js";
import { lastChange } from "../live.js";
import { Sheet } from "../save_csv.js";
import { Sync } from "../sync.js";
import { query, setQuery } from "../router.js";
import { adsctl } from "../shell.js";
import { CommandWords, html, Icon, Loading, Notice, pageEffect, signal, SIGNS, Switch, untracked, visible } from "../ui.js";

/** @type {{ name: string, field: string, so?: boolean, better?: "more" | "less", points?: boolean }[]} */
const MEASURES = [
  { name: "Spend", field: "cost" },
  { name: "Sales", field: "sales", so: true, better: "more" },
  { name: "Orders", field: "orders", so: true, better: "more" },
  { name: "ACOS", field: "acos", so: true, better: "less", points: true },
];

export function overviewPage() {
  const data = signal(/** @type {any} */ (undefined));
  const profiles = signal(/** @type {any[] | undefined} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const drift = signal(/** @type {{ read: any[], total: number } | undefined} */ (undefined));
  const load = () => {
    problem.value = undefined;
    void api("/api/overview").then((found) => (data.value = found), (error) => (problem.value = error));
  };
  pageEffect(() => {
    lastChange.value;
    untracked(load);
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
    untracked(() => void driftOf(profiles.value ?? [], (found) => {
      if (location.pathname !== "/") return false;
      drift.value = found;
      return true;
    }));
  });
  const view = () => html`
    <div class="head"><h1>Overview</h1></div>
    ${problem.value && html`<${Notice} error=${problem.value} again=${load} />`}
    ${data.value === undefined ? !problem.value && html`<${Loading} />` : html`
      ${data.value.markets_problem && html`<${Notice}>${visible(data.value.markets_problem)}<//>`}
      ${data.value.markets.length === 0 && noFigures(data.value, profiles.value)}
      <div class=${`columns two${data.value.markets.length === 0 ? " section" : ""}`}>${attention(data.value, drift.value)}${happened(data.value)}</div>
      ${data.value.markets.length > 0 && markets(data.value.markets, profiles.value ?? [])}
      ${data.value.markets.length > 0 && charts(data.value.markets)}`}`;
  return { title: () => "Overview", view };
}

/**
 * Counts the changes made outside plans, one profile after another: the stored ones, or all where none is stored.
 *
 * @param {any[]} profiles
 * @param {(found: { read: any[], total: number }) => boolean} show false ends the reading
 */
async function driftOf(profiles, show) {
  const stored = profiles.filter(({ stored: isStored }) => isStored);
  const chosen = stored.length > 0 ? stored : profiles;
  /** @type {any[]} */
  let read = [];
  for (const { profile_id: id, country_code: market } of chosen) {
    if (!show({ read, total: chosen.length })) return;
    read = [...read, await api(`/api/profiles/${id}/drift?counts=true`).then(({ counts }) => ({ id, market, count: counts.other }),
      (error) => ({ id, market, error }))];
  }
  show({ read, total: chosen.length });
}

/**
 * @param {any} data
 * @param {any[] | undefined} profiles
 */
function noFigures({ store }, profiles) {
  const count = profiles?.length ?? 0;
  return html`<section aria-label="Figures"><p>${store ? "No campaign reports are stored yet." : "No figures are stored yet."} A sync fetches all days that the platform still has${
    count > 0 ? ` for ${count === 1 ? "the profile" : `all ${count} profiles`}` : ""}.</p>
    <${Sync} word="Fetch all figures" first=${true} />
    ${count > 0 && html`<details><summary>${counted(count, "profile")}</summary><${Sheet} name="profiles"><table class="plain cards">
      <thead><tr><th scope="col">Market</th><th scope="col">Account</th><th scope="col">Currency</th><th scope="col">Profile</th></tr></thead>
      <tbody>${profiles?.map((one) => html`<tr><td>${one.country_code}</td><td class="wide"><bdi>${visible(one.name)}</bdi> <span class="under">${one.type}</span></td>
        <td>${one.currency}</td><td>${one.profile_id}</td></tr>`)}</tbody></table><//></details>`}</section>`;
}

/** @param {any} one figures of some products */
function productsOf({ products }) {
  return products.map((/** @type {string} */ name) => name.replace("SPONSORED_", "").toLowerCase()).join(", ");
}

/**
 * @param {any[]} all
 * @param {any[]} profiles
 */
function markets(all, profiles) {
  return html`<section class="section" aria-label="Figures"><div class="section-head"><h2>Last 7 days</h2>
      <span class="under">compared with the 7 days before. Curves show 30 days; grey is the 30 days before, hatched days are incomplete. Currencies are not added up.</span></div>
    <div class="markets">${all.map((one) => {
    const name = profiles.find(({ profile_id: id }) => id === one.profile_id)?.name;
    return html`<div class="market" key=${one.profile_id}>
      <div><h3><a href=${`/explore?profile=${one.profile_id}`}>${one.country_code}</a> <span class="count">${one.currency}</span></h3>
        <div class="two-lines under" title=${visible(name ?? one.profile_id)}><bdi>${visible(name ?? one.profile_id)}</bdi></div>
        <div class="under">Days in ${one.time_zone.replace(/^.*\//, "").replaceAll("_", " ")}</div>
        ${one.apart.length > 0 && html`<div class="under">Only ${productsOf(one)}; <a href=${`/explore?profile=${one.profile_id}&by=product`}>${one.apart.map(productsOf).join(", ")}</a>: different days</div>`}</div>
      ${MEASURES.map((measure) => tile(one, measure))}</div>`;
  })}</div></section>`;
}

/**
 * @param {any} market
 * @param {typeof MEASURES[number]} measure
 */
function tile({ days, days_before: earlier, week, month, immature_from: young, decimals, currency }, { name, field, so, better, points }) {
  const show = (/** @type {any} */ sums) => valueText(sums?.[field], field, decimals);
  const cut = days.findIndex((/** @type {any} */ { date }) => date >= (field === "cost" ? young.cost : young.sales));
  const of = (/** @type {any[]} */ list) => list.map(({ sums }) => sums?.[field] ?? null);
  const change = (/** @type {any} */ period) => {
    // Days that are complete are no measure for days that still count up.
    if (so && !period.equal_age) return period.before && html`<span class="muted" title="these days are incomplete, those before are complete">not comparable yet</span>`;
    const word = changeWord(period.now?.[field], period.before?.[field], { points, better });
    return word && html`<span class=${`change ${word.kind}`} title=${so ? "compared at the same age" : "compared with as many days before"}>${word.text}</span>`;
  };
  const range = (/** @type {any} */ one) => one.start === one.end ? dayWord(one.start) : `${dayWord(one.start)} to ${dayWord(one.end)}`;
  return html`<dl class="tile"><dt>${name}${field === "acos" ? "" : field === "orders" ? "" : html`<span class="hidden">, ${currency}</span>`}${so && " so far"}</dt>
    <dd><span class="figure">${week.now === null ? "–" : show(week.now)}</span> ${change(week)}</dd>
    ${week.now === null && html`<dd class="under warn">${range(week.missing.at(-1))} not stored</dd>`}
    <dd><${Spark} values=${of(days)} before=${of(earlier)} cut=${cut} /></dd>
    <dd class="under number-line">30 days ${month.now === null ? html`<span title=${month.missing.map(range).join(", ")}>incomplete</span>` : html`<span>${show(month.now)} ${change(month)}</span>`}</dd></dl>`;
}

/**
 * @param {unknown} value
 * @param {string} field
 * @param {number} decimals
 */
function valueText(value, field, decimals) {
  if (typeof value !== "number") return "no sales";
  return field === "acos" ? percent(value) : field === "orders" ? whole(value) : money(value, decimals);
}

/** Signs of lines, most urgent first; lines with the same sign are sorted by money. */
const RANKS = ["deny", "approve", "advise", "drift", "note"];

/**
 * @param {any} data
 * @param {{ read: any[], total: number } | undefined} drift
 */
function attention(data, drift) {
  const { asking, plans, waiting, consent_days: consent, gaps, expiring, alerts, kept, experiments, out_of_budget: full } = data;
  /** @type {{ kind: string, title: unknown, under?: unknown, href?: string, verb?: string, weight?: number }[]} */
  const lines = [];
  const costs = (/** @type {any} */ { cost_a_day: cost, currency, decimals }) => cost === null ? "" : ` · costs ${money(cost, decimals)} ${currency} a day`;
  for (const alert of alerts.first) {
    lines.push({ kind: alert.severity === "note" ? "note" : alert.severity === "urgent" ? "deny" : "advise", title: html`<bdi>${visible(alert.title)}</bdi>`,
      under: `rule ${visible(alert.rule)} · since ${dayWord(alert.since)}${costs(alert)}`, weight: alert.weight, href: `/inbox?alert=${alert.id}`, verb: "Open alert" });
  }
  if (alerts.count > alerts.first.length) lines.push({ kind: "note", title: counted(alerts.count - alerts.first.length, "more alert"), href: "/inbox", verb: "Open the inbox" });
  const openPlans = plans.waiting ?? 0;
  if (openPlans > 0) {
    lines.push({ kind: "approve", title: `${counted(openPlans, "plan")} ${openPlans === 1 ? "waits" : "wait"} for your decision`,
      under: html`${asking > 0 ? `${counted(asking, "plan")} with findings that need approval · ` : ""}<bdi>${visible(waiting.find((/** @type {any} */ one) => one.state === "waiting")?.note ?? "")}</bdi>`,
      href: openPlans === 1 ? `/plans/${waiting.find((/** @type {any} */ one) => one.state === "waiting")?.id}` : "/plans?state=waiting", verb: "Review" });
  }
  if (plans.unfinished) lines.push({ kind: "deny", title: `${counted(plans.unfinished, "plan")} interrupted while being sent`, href: "/plans?state=unfinished", verb: "Finish or undo" });
  if (plans.failed) lines.push({ kind: "advise", title: `${counted(plans.failed, "plan")} with changes that failed`, href: "/plans?state=failed", verb: "See why" });
  for (const { id, market, count, error } of drift?.read ?? []) {
    if (error) lines.push({ kind: "advise", title: `${market}: the change history could not be read`, href: `/account?view=drift&by=other&profile=${id}`, verb: "Show changes" });
    else if (count > 0) lines.push({ kind: "drift", title: `${counted(count, "change")} by others in the last 7 days`, under: `${market} · not made by a plan or the platform`, href: `/account?view=drift&by=other&profile=${id}`, verb: "Show changes" });
  }
  for (const one of full) {
    lines.push({ kind: "advise", title: `${counted(one.campaigns, "campaign")} ${one.campaigns === 1 ? "runs" : "run"} out of budget`, under: `${one.country_code} · on up to ${one.full_days} of the last 7 days${costs(one).replace("costs", "spend")}`, weight: one.weight, href: `/account?profile=${one.profile_id}&sort=cost30d`, verb: "Show campaigns" });
  }
  for (const [fetchBy, own] of Map.groupBy(expiring, (/** @type {any} */ one) => one.fetchBy)) {
    lines.push({ kind: "deny", title: `Missing days of ${counted(own.length, "report")} can be fetched only until ${dayWord(fetchBy)}`, under: html`<${CommandWords} text=${adsctl("sync --all-profiles", { store: true })} />`, href: "/explore?view=coverage", verb: "Show gaps" });
  }
  const missing = gaps.length - expiring.filter((/** @type {any} */ one) => one.gaps.length > 0).length;
  if (missing > 0) lines.push({ kind: "note", title: `${counted(missing, "stored report")} with gaps`, href: "/explore?view=coverage", verb: "Show gaps" });
  for (const one of kept) {
    lines.push({ kind: "advise", title: `${counted(one.count, "amount")} left alone by the schedule "${visible(one.schedule)}"`, under: `${one.country_code} · changed by others since its last run`, href: `/schedules/${one.schedule}?profile=${one.profile_id}`, verb: "Decide" });
  }
  for (const one of experiments) {
    lines.push({ kind: "note", title: "An experiment ended", under: html`${one.country_code ?? "all"} · <bdi>${visible(one.note ?? one.plan_id)}</bdi> · until ${dayWord(one.until)}`, href: `/experiments/${one.plan_id}`, verb: "Open the result" });
  }
  if (consent !== null && consent <= 30) lines.push({ kind: "approve", title: `The consent expires in ${counted(consent, "day")}`, under: html`<${CommandWords} text=${adsctl("auth url")} />` });
  lines.sort((a, b) => RANKS.indexOf(a.kind) - RANKS.indexOf(b.kind) || (b.weight ?? 0) - (a.weight ?? 0));
  const reading = drift === undefined || drift.read.length < drift.total;
  return html`<section aria-label="Needs attention"><div class="section-head"><h2>Needs attention <span class="count">${lines.length}</span></h2>
      <a class="push" href="/inbox">All alerts</a></div>
    ${lines.length === 0 ? html`<p>Nothing needs attention.</p>` : html`<ul class="rows short">${lines.map(({ kind, title, under, href, verb }) => html`
      <li><span class=${kind === "deny" ? "bad" : kind === "note" ? "muted" : "warn"}><${Icon} name=${SIGNS[kind] ?? "info"} /></span>
        <div class="low"><div class="strong two-lines">${title}</div>${under && html`<div class="under">${under}</div>`}</div>
        ${href && html`<a class="end" href=${href}>${verb}</a>`}</li>`)}</ul>`}
    <p class="under" role="status">${drift === undefined || reading ? `Looking for changes by others: ${drift?.read.length ?? 0} of ${drift?.total ?? "…"} profiles …`
    : drift.read.every(({ count }) => count === 0) && drift.total > 0 ? `No changes by others in the last 7 days in ${drift.read.map(({ market }) => market).join(", ")}.` : ""}</p></section>`;
}

/** @type {Record<string, string>} */
const WORDS = { applied: "applied", failed: "partly applied", undone: "undone", refused: "refused", unfinished: "interrupted", queued: "queued" };

/** @param {any} data */
function happened({ events }) {
  return html`<section aria-label="Recent events"><div class="section-head"><h2>Recent events</h2></div>
    ${events.length === 0 ? html`<p class="under">No plans or alerts yet.</p>` : html`<ol class="times short">${events.map((/** @type {any} */ one) => html`
      <li><span class="under">${shortTime(one.at, one.time_zone)}</span><span>${one.what === "alert"
    ? html`<a href=${`/inbox?alert=${one.id}`}>Alert</a>: <bdi>${visible(one.title)}</bdi>`
    : html`<a href=${`/plans/${one.id}`}><bdi>${visible(one.title)}</bdi></a> ${one.what === "made"
      ? `made by ${one.maker === "agent" ? "an agent" : "a person or program"}, ${counted(one.changes ?? 0, "change")}`
      : WORDS[one.what] ?? one.what}${one.country_code ? ` · ${one.country_code}` : ""}`}</span></li>`)}</ol>`}</section>`;
}

/** @param {any[]} all */
function charts(all) {
  const chosen = all.find((one) => one.profile_id === query.value["market"]) ?? all[0];
  const word = (/** @type {any} */ one) => all.some((other) => other !== one && other.country_code === one.country_code) ? `${one.country_code} ${one.profile_id}` : one.country_code;
  const days = chosen.days.map((/** @type {any} */ { date }) => date);
  const of = (/** @type {any[]} */ list, /** @type {string} */ field) => list.map(({ sums }) => sums?.[field] ?? null);
  return html`<section class="section" aria-label="By day"><div class="section-head"><h2>By day, 30 days</h2>
    ${all.length > 1 && html`<${Switch} label="Market" value=${chosen.profile_id} options=${all.map((one) => [one.profile_id, word(one)])}
      onChange=${(/** @type {string} */ market) => setQuery({ market })} />`}
    <a class="push" href=${`/explore?profile=${chosen.profile_id}`}>Open in Explore</a></div>
    <div class="columns">${MEASURES.filter(({ field }) => field !== "orders").map(({ name, field, so }) => html`<div><h3>${name}${so ? " so far" : ""}${field === "acos" ? "" : `, ${chosen.currency} a day`}</h3>
      <${Chart} label=${`${name} of ${word(chosen)} by day`} days=${days} immatureFrom=${field === "cost" ? chosen.immature_from.cost : chosen.immature_from.sales}
        show=${(/** @type {number} */ value) => field === "acos" ? percent(value, 0) : money(value, value >= 100 || Number.isInteger(value) ? 0 : chosen.decimals)}
        exact=${(/** @type {number} */ value) => valueText(value, field, chosen.decimals)}
        curves=${[{ name: "last 30 days", values: of(chosen.days, field) }, { name: "30 days before", values: of(chosen.days_before, field), class: "s2", whole: true }]} /></div>`)}</div></section>`;
}
