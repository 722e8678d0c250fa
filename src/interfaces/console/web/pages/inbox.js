// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { Chart } from "../chart.js";
import { counted, dayWord, money, time, whole } from "../format.js";
import { actionsOf, groupOf, placeOf, shownAlerts } from "../inbox_list.js";
import { pageKeys } from "../keys.js";
import { lastChange } from "../live.js";
import { go, query, setQuery } from "../router.js";
import { about, adsctl, showModal } from "../shell.js";
import { Command, html, Icon, Loading, Notice, pageEffect, phone, Select, signal, SIGNS, Switch, untracked, visible } from "../ui.js";

/** @type {Record<string, string>} */
const KINDS = { urgent: "deny", warning: "advise", note: "note" };
/** @type {[state: string, word: string][]} */
const STATES = [["open", "Open"], ["notes", "Notes"], ["snoozed", "Snoozed"], ["closed", "Closed"]];

export function inboxPage() {
  const list = signal(/** @type {any} */ (undefined));
  const detail = signal(/** @type {any} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const dialog = signal("");
  const ticks = signal(/** @type {ReadonlySet<string>} */ (new Set()));
  const load = async () => {
    try {
      problem.value = undefined;
      list.value = await api("/api/alerts");
    } catch (error) {
      problem.value = error;
    }
  };
  pageEffect(() => {
    lastChange.value;
    untracked(() => void load());
  });
  const state = () => query.value["state"] ?? "open";
  const alerts = () => shownAlerts(list.value?.alerts ?? [], { ...query.value, state: state() });
  const ticked = () => alerts().filter((/** @type {any} */ { id }) => ticks.value.has(id)).map((/** @type {any} */ { id }) => id);
  const tick = (/** @type {string[]} */ ids) => {
    const next = new Set(ticks.value);
    const clear = ids.every((id) => next.has(id));
    for (const id of ids) clear ? next.delete(id) : next.add(id);
    ticks.value = next;
  };
  const chosen = () => query.value["alert"] ?? (phone.value ? undefined : alerts()[0]?.id);
  let read = "";
  pageEffect(() => {
    const id = chosen();
    const wanted = id === undefined ? "" : `${id} ${lastChange.value.number}`;
    if (wanted === read) return;
    read = wanted;
    untracked(() => {
      if (detail.value?.alert.id !== id) detail.value = undefined;
      if (id !== undefined) void api(`/api/alerts/${id}`).then((found) => {
        if (chosen() !== id) return;
        detail.value = found;
        // Opened by a person, and not by the page itself, it is seen.
        if (found.alert.mark.state === "new" && query.value["alert"] === id && about.value?.["read_only"] === false) {
          void api("/api/alerts/mark", { body: { ids: [id], seen: true } }).catch(() => {});
        }
      }, (error) => (problem.value = error));
    });
  });
  const move = (/** @type {number} */ by) => {
    const all = alerts();
    const at = all.findIndex((/** @type {any} */ { id }) => id === chosen());
    const next = all[Math.max(0, Math.min(all.length - 1, at + by))];
    if (next !== undefined) setQuery({ alert: next.id });
  };
  const mark = async (/** @type {Record<string, unknown>} */ body) => {
    const ids = ticked().length > 0 ? ticked() : [chosen()];
    dialog.value = "";
    try {
      await api("/api/alerts/mark", { body: { ...body, ids } });
      ticks.value = new Set();
      setQuery({ alert: "" });
    } catch (error) {
      problem.value = error;
    }
  };
  // Buttons of the alert that is shown are about it alone.
  const alone = (/** @type {() => void} */ act) => {
    ticks.value = new Set();
    act();
  };
  const isThere = () => detail.value !== undefined && chosen() !== undefined;
  pageKeys([
    { key: "j", does: "next alert", run: () => move(1) },
    { key: "k", does: "previous alert", run: () => move(-1) },
    { key: "Enter", does: "review the proposed plan", run: () => detail.value?.alert.planId && go(`/plans/${detail.value.alert.planId}`) },
    { key: "s", does: "snooze", run: () => (isThere() || ticked().length > 0) && (dialog.value = "snooze") },
    { key: "x", does: "tick", run: () => chosen() !== undefined && tick([chosen()]) },
    { key: "e", does: "close", run: () => (isThere() || ticked().length > 0) && (dialog.value = "close") },
  ]);

  const view = () => {
    const all = list.value?.alerts ?? [];
    const count = (/** @type {string} */ one) => all.filter((/** @type {any} */ each) => placeOf(each) === one).length;
    const own = alerts();
    const isOne = query.value["alert"] !== undefined;
    return html`
      ${isOne && phone.value ? html`<h1 class="hidden">Inbox</h1>` : html`<div class="head"><h1>Inbox</h1>
        <${Switch} label="State" value=${state()} options=${STATES.map(([one, word]) => [one, `${word} ${count(one)}`])} onChange=${(/** @type {string} */ value) => setQuery({ state: value === "open" ? "" : value, alert: "" })} />
        <ul class="keys push" style=${{ margin: 0, padding: 0 }}><li><kbd>j</kbd> <kbd>k</kbd> next, previous</li><li><kbd>x</kbd> tick</li><li><kbd>s</kbd> snooze</li><li><kbd>e</kbd> close</li></ul></div>`}
      ${problem.value && html`<${Notice} error=${problem.value} again=${load} />`}
      ${list.value === undefined ? !problem.value && html`<${Loading} />` : all.length === 0 ? html`<p>No alerts yet.</p>
        <p class="muted">Rules check stored figures, drift, plans and late reports. To start, run two commands:</p><${Command} text=${adsctl("auto init watch")} /><${Command} text=${adsctl("auto run watch", { market: true, store: true })} />`
      : html`${isOne && phone.value ? "" : filters(all.filter((/** @type {any} */ one) => placeOf(one) === state()))}
      ${list.value?.notes.map((/** @type {string} */ note) => html`<p class="under">${note}</p>`)}<div class=${`inbox ${isOne ? "one" : "list"}`}><div>${own.length === 0 ? html`<p style=${{ padding: "12px" }}>${query.value["rule"] || query.value["profile"] || query.value["cost"] ? "No alerts match." : "No alerts here."}</p>` : html`
        ${ticked().length > 0 && html`<div class="buttons ticked" role="status"><span class="strong">${counted(ticked().length, "alert")} ticked</span>${isOpenList(state()) ? html`<button type="button" onClick=${() => (dialog.value = "snooze")}>Snooze …</button><button type="button" onClick=${() => (dialog.value = "close")}>Close …</button>`
          : html`<button type="button" onClick=${() => mark({ new: true })}>Open again</button>`}</div>`}
        ${groups(own, { chosen: chosen(), ticks: ticks.value, tick: about.value?.["read_only"] === false ? tick : undefined })}`}</div>
        <div>${isOne && html`<p class="crumbs"><a href=${`/inbox${state() === "open" ? "" : `?state=${state()}`}`}>← Inbox</a></p>`}${
        chosen() === undefined ? "" : detail.value === undefined ? html`<${Loading} />` : alertView(detail.value, (/** @type {string} */ name) => alone(() => (dialog.value = name)), (body) => alone(() => void mark(body)))}</div></div>`}
      ${dialog.value !== "" && markDialog(dialog.value, { count: Math.max(1, ticked().length), close: () => (dialog.value = ""), mark })}`;
  };
  return { title: () => "Inbox", view };
}

/** @param {string} state */
function isOpenList(state) {
  return state === "open" || state === "notes";
}

/**
 * @param {any[]} all
 */
function filters(all) {
  const { rule = "", profile = "", by = "", cost = "" } = query.value;
  const currencies = [...new Set(all.map((one) => one.currency))];
  const rules = [...new Set(all.map((one) => one.rule))].sort();
  const profiles = [...new Map(all.map((one) => [one.profileId, `${one.countryCode} · ${one.profileId}`]))];
  return html`<div class="toolbar"><${Select} label="Group by" value=${by} options=${[["", "day"], ["rule", "rule"], ["campaign", "campaign"], ["cost", "cost"]]} onChange=${(/** @type {string} */ value) => setQuery({ by: value })} />
    ${(rules.length > 1 || rule !== "") && html`<${Select} label="Rule" value=${rule} options=${[["", "all"], ...rules.map((one) => [one, visible(one)])]} onChange=${(/** @type {string} */ value) => setQuery({ rule: value, alert: "" })} />`}
    ${(profiles.length > 1 || profile !== "") && html`<${Select} label="Profile" value=${profile} options=${[["", "all"], ...profiles]} onChange=${(/** @type {string} */ value) => setQuery({ profile: value, alert: "" })} />`}
    <label class="choice">Minimum daily cost <input type="number" min="0" step="any" size="6" value=${cost} onInput=${(/** @type {any} */ { target }) => setQuery({ cost: target.value, alert: "" })} />${currencies.length === 1 ? ` ${currencies[0]}` : ""}</label></div>`;
}

/**
 * @param {any[]} alerts in groups that belong together
 * @param {{ chosen: string | undefined, ticks: ReadonlySet<string>, tick: ((ids: string[]) => void) | undefined }} parts `tick`: absent where nothing can be changed
 */
function groups(alerts, { chosen, ticks, tick }) {
  const { by = "" } = query.value;
  const box = (/** @type {string[]} */ ids, /** @type {string} */ label) => tick && html`<input type="checkbox" aria-label=${label} checked=${ids.every((id) => ticks.has(id))} onChange=${() => tick(ids)} />`;
  return [...Map.groupBy(alerts, (one) => groupOf(one, by))].map(([name, own]) => html`<div key=${name}><div class="group">${own.length > 1 && box(own.map(({ id }) => id), `Tick all of ${by === "" ? dayWord(name) : visible(name)}`)} <bdi>${by === "" ? dayWord(name) : visible(name)}</bdi> · ${own.length}</div>
    <ol>${own.map((/** @type {any} */ one) => html`<li key=${one.id} class=${tick ? "can-tick" : ""}>${box([one.id], `Tick ${visible(one.title)}`)}<a href=${`/inbox?${new URLSearchParams({ ...query.value, alert: one.id })}`} aria-current=${one.id === chosen ? "true" : undefined}>
      <span class=${KINDS[one.severity] === "deny" ? "bad" : KINDS[one.severity] === "note" ? "muted" : "warn"}><${Icon} name=${SIGNS[KINDS[one.severity] ?? "note"] ?? "info"} /><span class="hidden">${one.severity} ${" "}</span></span>
      <span class=${`${one.mark.state === "seen" ? "" : "strong "}two-lines`}><bdi>${visible(one.title)}</bdi></span>
      <span class="under">${by === "" ? "" : `${dayWord(one.day)} · `}rule ${visible(one.rule)}${one.subject ? html` · <bdi>${visible(one.subject)}</bdi>` : ""}${one.cost_a_day === null ? "" : ` · costs ${money(one.cost_a_day, one.decimals)} ${one.currency} a day`}${one.planId ? " · proposes a plan" : ""}</span></a></li>`)}</ol></div>`);
}

/**
 * @param {any} detail
 * @param {(name: string) => void} ask
 * @param {(body: Record<string, unknown>) => void} mark
 */
function alertView({ alert, time_zone: zone, days, immature_from: young }, ask, mark) {
  const { currency, decimals } = alert;
  const { seen, changed, todo } = partsOf(alert.text);
  const { until, at, reason, by } = alert.mark;
  const state = placeOf(alert);
  const dates = (days ?? []).map((/** @type {any} */ { date }) => date);
  const chart = (/** @type {string} */ field, /** @type {string} */ word, /** @type {(value: number) => string} */ show) => html`<div><h3>${word}</h3>
    <${Chart} label=${`${word}, four weeks`} days=${dates} height=${110} show=${show} immatureFrom=${field === "orders" ? young : undefined} marks=${[{ day: alert.since, word: "since" }]}
      curves=${[{ name: word, values: days.map((/** @type {any} */ day) => day[field]) }]} /></div>`;
  return html`<article aria-label="Alert">
    <div class="head"><h2 style=${{ fontSize: "18px", lineHeight: "24px" }} class="grow"><bdi>${visible(alert.title)}</bdi></h2>
      <div class="buttons">${isOpenList(state) ? html`<button type="button" onClick=${() => ask("snooze")}>Snooze …</button><button type="button" onClick=${() => ask("close")}>Close …</button>`
    : html`<button type="button" onClick=${() => mark({ new: true })}>Open again</button>`}</div></div>
    <p class="under">${alert.countryCode} · rule <strong>${visible(alert.rule)}</strong> · ${alert.severity} · raised ${time(alert.at, zone)} · since ${dayWord(alert.since)} · alert ${alert.id}</p>
    ${!isOpenList(state) && html`<p class="notice">${state === "closed" ? "Closed" : `Snoozed until ${time(until, zone)}`}${by ? ` by ${visible(by)}` : " by the service"}${at ? `, ${time(at, zone)}` : ""}${reason ? `: ${visible(reason)}` : ""}</p>`}
    <div class="message">${seen.map((line) => html`<div>${visible(line)}</div>`)}</div>
    ${dates.length > 1 && html`<section class="section" aria-label="Last four weeks"><h2>Last four weeks</h2><div class="columns three" style=${{ marginTop: "8px" }}>
      ${chart("clicks", "Clicks a day", whole)}${chart("orders", "Orders a day, so far", whole)}${chart("cost", `Spend a day, ${currency}`, (value) => money(value, decimals))}</div></section>`}
    ${changed.length > 0 && html`<section class="section" aria-label="Changes before the alert"><h2>Changes before the alert</h2><ul class="rows tight">${changed.map((line) => html`<li><span class="muted"><${Icon} name="swap" /></span><bdi>${visible(line)}</bdi></li>`)}</ul>
      <p><a href=${`/account?view=drift&profile=${alert.profileId}`}>Show all changes</a></p></section>`}
    ${actionsOf(alert).length > 0 && html`<section class="section" aria-label="Related"><h2>Related</h2><p class="buttons">${actionsOf(alert).map(({ href, word }) => html`<a class="button" href=${href}>${word}</a>`)}</p></section>`}
    ${alert.planId && html`<section class="section" aria-label="Proposed plan"><h2>Proposed plan</h2><p>A plan was made for this alert. Nothing was sent.</p><a class="button primary" href=${`/plans/${alert.planId}`}>Review the plan</a></section>`}
    ${todo.length > 0 && html`<section class="section" aria-label="To do"><h2>To do</h2>${todo.map((line) => html`<p>${visible(line)}</p>`)}</section>`}
    <section class="section" aria-label="Delivery"><h2>Delivered</h2><p class="muted">${alert.delivered.length > 0 ? `To ${alert.delivered.map(visible).join(", ")}.` : "To no channel; it is only listed here."}
      ${alert.waiting.map((/** @type {any} */ one) => html` Waiting for ${visible(one.channel)}, ${counted(one.attempts, "attempt")}${one.problem ? `: ${visible(one.problem)}` : ""}.`)}</p></section>
  </article>`;
}

/**
 * The parts of an alert's text, as they are written line by line.
 *
 * @param {string} text
 */
function partsOf(text) {
  /** @type {{ seen: string[], changed: string[], todo: string[] }} */
  const parts = { seen: [], changed: [], todo: [] };
  for (const line of text.split("\n")) {
    if (line.startsWith("  ")) parts.changed.push(line.trim());
    else if (line.startsWith("To do: ")) parts.todo.push(line.slice(7));
    else if (!line.startsWith("Changed in the three days before")) parts.seen.push(line);
  }
  return parts;
}

/**
 * @param {string} name
 * @param {{ count: number, close: () => void, mark: (body: Record<string, unknown>) => void }} parts
 */
function markDialog(name, { count, close, mark }) {
  const what = count === 1 ? "this alert" : counted(count, "alert");
  const isSnooze = name === "snooze";
  return html`<dialog aria-labelledby="mark-title" ref=${showModal} onClose=${close}><form onSubmit=${(/** @type {any} */ event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mark({ ...(isSnooze ? { snooze: form.get("snooze") } : { closed: true }), reason: form.get("reason") });
  }}><h2 id="mark-title">${isSnooze ? "Snooze" : "Close"} ${what}</h2>
    ${isSnooze && html`<label class="line">For <select name="snooze"><option value="1d">a day</option><option value="3d">3 days</option><option value="7d">a week</option><option value="30d">30 days</option></select></label>`}
    <label class="line">Reason (saved with the alert) <input name="reason" maxlength="500" autocomplete="off" /></label>
    <p class="under">The rule keeps running. If it matches on another day, you get a new alert.</p>
    <div class="buttons"><button type="button" onClick=${close}>Cancel</button><button type="submit" class="primary">${isSnooze ? "Snooze" : "Close"}</button></div></form></dialog>`;
}
