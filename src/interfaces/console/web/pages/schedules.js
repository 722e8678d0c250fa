// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { Chart } from "../chart.js";
import { awayWord, counted, money, time, whole } from "../format.js";
import { DAYS, factorClass, Heat, heatClass, placesOf, two } from "../heat.js";
import { pageKeys } from "../keys.js";
import { query, setQuery } from "../router.js";
import { Sheet } from "../save_csv.js";
import { pacingView } from "./schedule_pacing.js";
import { adsctl } from "../shell.js";
import { Badge, Command, CommandWords, html, Loading, Notice, pageEffect, Select, signal, untracked, visible } from "../ui.js";

const FEW = 75;

/** @param {string[]} params */
export function schedulesPage([name]) {
  const data = signal(/** @type {any} */ (undefined));
  const profiles = signal(/** @type {any[]} */ ([]));
  const isWaiting = signal(true);
  const standing = signal(/** @type {any} */ (undefined));
  const pacing = signal(/** @type {any} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const done = signal("");
  const edited = signal(/** @type {number[][] | undefined} */ (undefined));
  const chosen = signal({ from: { day: 0, hour: 8 }, to: { day: 0, hour: 8 } });
  const failed = (/** @type {unknown} */ error) => (problem.value = error);

  const load = () => api("/api/schedules").then((found) => (data.value = found), failed);
  void load();
  void api("/api/profiles").then((found) => {
    profiles.value = found.profiles;
    isWaiting.value = profile() !== undefined;
  }, failed);
  const profile = () => query.value["profile"] ?? profiles.value[0]?.profile_id;
  const readStanding = () => {
    const id = profile();
    if (id === undefined) return;
    pacing.value = undefined;
    void api(`/api/pacing?profile=${id}`).then((found) => profile() === id && (pacing.value = found), failed);
    if (name === undefined) return;
    standing.value = undefined;
    void api(`/api/schedules/${name}?profile=${id}`).then((found) => profile() === id && (standing.value = found), failed);
  };
  let read = "";
  pageEffect(() => {
    const id = profile();
    if (id === undefined || read === id) return;
    read = id;
    untracked(readStanding);
  });
  const schedule = () => data.value?.schedules.find((/** @type {any} */ one) => one.name === name);
  const factors = () => edited.value ?? schedule()?.factors;
  const change = (/** @type {(factor: number) => number} */ next) => {
    if (!schedule()?.whole_hours) {
      problem.value = new Error("This grid uses quarter hours: edit the file instead");
      return;
    }
    const rows = factors().map((/** @type {number[]} */ row) => [...row]);
    for (const { day, hour } of placesOf(chosen.value)) {
      const row = rows[day];
      if (row !== undefined) row[hour] = Math.max(schedule().move === "state" ? 0 : 0.05, Math.min(10, Number(next(row[hour] ?? 1).toFixed(2))));
    }
    edited.value = rows;
    done.value = "";
  };
  const onKey = (/** @type {string} */ key) => {
    const isState = schedule()?.move === "state";
    if (key === "+" || key === "=") change((factor) => isState ? 1 : factor + 0.05);
    else if (key === "-" || key === "−") change((factor) => isState ? 0 : factor - 0.05);
    else if (key === "0") change(() => 1);
    else if (key === "s") void propose();
    else return false;
    return true;
  };
  const act = async (/** @type {string} */ path, /** @type {Record<string, unknown>} */ body, /** @type {string} */ word) => {
    problem.value = undefined;
    try {
      await api(path, { body });
      edited.value = undefined;
      done.value = word;
      await load();
      readStanding();
    } catch (error) {
      failed(error);
    }
  };
  const propose = () => edited.value === undefined ? undefined
    : act(`/api/schedules/${name}/grid`, { fingerprint: data.value.fingerprint, factors: edited.value }, "The proposal is saved. Review and accept it below.");
  const decide = (/** @type {boolean} */ take) => act("/api/schedule-proposal", { fingerprint: data.value.fingerprint, proposal: data.value.proposal.fingerprint, take },
    take ? "The file is changed. The next tick uses it." : "The proposal was discarded.");
  if (name !== undefined) {
    pageKeys([
      { key: "s", does: "save a proposal", run: () => void propose() },
      { key: "g", does: "go to the grid", run: () => /** @type {any} */ (document.querySelector(".heat td[tabindex='0']"))?.focus() },
    ]);
  }

  /** Name of the profile for use in a command. */
  const market = () => {
    const own = profiles.value.find((/** @type {any} */ one) => one.profile_id === profile());
    return profiles.value.filter((/** @type {any} */ one) => one.country_code === own?.country_code).length > 1 ? own?.profile_id : own?.country_code;
  };
  const pacingPart = () => pacing.value ? pacingView(pacing.value, market()) : isWaiting.value && !problem.value && html`<${Loading} />`;

  const view = () => {
    if (data.value === undefined) return html`<h1>Schedules</h1>${problem.value ? html`<${Notice} error=${problem.value} again=${load} />` : html`<${Loading} />`}`;
    const { file, schedules, proposal } = data.value;
    const parts = html`${problem.value && html`<${Notice} error=${problem.value} />`}${done.value && html`<${Notice}>${done.value}<//>`}${proposal && proposalView(file, proposal, decide)}`;
    if (name === undefined) return html`<div class="head"><h1>Schedules</h1>${profiles.value.length > 1 && profileChoice(profiles.value, profile())}</div>${parts}${listView(file, schedules)}${pacingPart()}`;
    if (schedule() === undefined) return html`<p class="crumbs"><a href="/schedules">Schedules</a></p><h1>${name}</h1><p>${visible(file)} has no schedule with this name.</p>`;
    return html`<p class="crumbs"><a href="/schedules">Schedules</a> / ${name}</p>${parts}
      ${one({ schedule: schedule(), factors: factors(), edited: edited.value, chosen, onKey, propose, undo: () => (edited.value = undefined), standing: standing.value, profiles: profiles.value, profile: profile() })}
      ${standing.value === undefined ? !problem.value && html`<${Loading} />` : standingView(standing.value, (id, adopt) => act(`/api/profiles/${profile()}/auto/base`, { id, schedule: name, adopt }, adopt ? "The live value, divided by the factor, is the new base." : "The next tick overwrites it with the scheduled value."))}${pacingPart()}`;
  };
  return { title: () => name ?? "Schedules", view };
}

/**
 * @param {any[]} profiles
 * @param {string} profile
 */
function profileChoice(profiles, profile) {
  return html`<${Select} label="Profile" value=${profile} options=${profiles.map((one) => [one.profile_id, `${one.country_code} · ${visible(one.name ?? "").slice(0, 60)} · ${one.profile_id}`])} onChange=${(/** @type {string} */ value) => setQuery({ profile: value })} />`;
}

/**
 * @param {string} file
 * @param {any[]} schedules
 */
function listView(file, schedules) {
  if (schedules.length === 0) {
    return html`<p>There are no schedules in <code>${visible(file)}</code>. A schedule changes bids, budgets, placements or states by hour of the week. To start, write an example file:</p>
      <${Command} text=${adsctl("auto init schedules")} />`;
  }
  return html`<${Sheet} name="schedules"><table class="plain cards"><thead><tr><th scope="col">Schedule</th><th scope="col">Changes</th><th scope="col">Runs</th><th scope="col">Time zone</th><th scope="col" class="number">Factors</th></tr></thead>
    <tbody>${schedules.map((one) => {
    const all = one.factors.flat();
    return html`<tr key=${one.name}><td><a class="strong" href=${`/schedules/${one.name}`}>${one.name}</a><div class="under">${selectText(one.select)}</div></td><td>${one.move.replace("_", " ")}</td>
      <td>${one.on === "platform" ? "by platform rules" : "by ticks"}</td><td>${one.zone ?? "the profile's"}</td><td class="number">×${Math.min(...all)} to ×${Math.max(...all)}</td></tr>`;
  })}</tbody></table><//>`;
}

/** @param {any} select */
function selectText(select) {
  if (select === undefined) return "all Sponsored Products campaigns";
  return Object.entries(select).map(([name, value]) => `${name}: ${visible(Array.isArray(value) ? value.join(", ") : value)}`).join(" · ");
}

/**
 * @param {string} file
 * @param {any} proposal
 * @param {(take: boolean) => void} decide
 */
function proposalView(file, { path, lines, maker }, decide) {
  return html`<section class="section" aria-label="Proposed change"><div class="section-head"><h2>${maker === "agent" ? "An agent proposes a change" : "Proposed change"} to ${visible(file)}</h2>
    <span class="under">saved in ${visible(path)}; the schedule runs unchanged until you accept it</span></div>
    <pre tabindex="0" aria-label="Lines that differ">${lines.map((/** @type {any} */ { sign, text }) => sign === " " ? `  ${visible(text)}\n` : sign === "+" ? html`<ins>+ ${visible(text)}</ins>` : html`<del>− ${visible(text)}</del>`)}</pre>
    <div class="buttons" style=${{ marginTop: "8px" }}><button type="button" class="primary" onClick=${() => decide(true)}>Accept</button><button type="button" onClick=${() => decide(false)}>Discard</button></div></section>`;
}

/** @param {any} parts */
function one({ schedule, factors, edited, chosen, onKey, propose, undo, standing, profiles, profile }) {
  const changed = edited === undefined ? 0 : edited.flat().filter((/** @type {number} */ factor, /** @type {number} */ at) => factor !== schedule.factors.flat()[at]).length;
  const now = standing?.now;
  return html`<div class="head"><h1>${schedule.name}</h1>${standing?.run && html`<${Badge} kind=${standing.run.state === "stopped" ? "muted" : "good"}>${standing.run.state}<//>`}
      <span class="grow"></span>${profileChoice(profiles, profile)}</div>
    <p class="under">Changes the ${schedule.move.replace("_", " ")} of ${selectText(schedule.select)} · ${schedule.on === "platform" ? "by platform rules" : "by ticks"} · time zone: ${standing?.time_zone ?? schedule.zone ?? "the profile's"} · changes by others: ${schedule.foreignEdits ?? "keep"}</p>
    ${standing && tiles(standing)}
    <div class="section-head" style=${{ marginTop: "12px" }}><h2>Factors</h2><span class="under">multiply the base; 1 leaves it unchanged. Grey lowers, blue raises.</span>
      ${changed > 0 && html`<span class="push buttons"><button type="button" onClick=${undo}>Undo ${counted(changed, "change")}</button><button type="button" class="primary" onClick=${propose}>Propose ${counted(changed, "change")} …</button></span>`}</div>
    <${Heat} label=${`Factors of ${schedule.name}`} chosen=${chosen.value} onChoose=${(/** @type {any} */ next) => (chosen.value = next)} onKey=${onKey}
      now=${now && { day: now.day, hour: now.hour }} show=${(/** @type {any} */ { day, hour }) => factors[day][hour].toFixed(2)} speak=${(/** @type {any} */ { day, hour }) => `factor ${factors[day][hour].toFixed(2)}`}
      shade=${(/** @type {any} */ { day, hour }) => `${factorClass(factors[day][hour])}${factors[day][hour] === schedule.factors[day][hour] ? "" : " changed"}`} />
    ${!schedule.whole_hours && html`<p class="under warn">The grid uses quarter hours, and each cell shows the first quarter. Edit the file to change it.</p>`}
    <div class="buttons" role="group" aria-label="Change the selected hours" style=${{ marginTop: "8px" }}><span class="under" style=${{ alignSelf: "center" }}>${counted(placesOf(chosen.value).length, "hour")} selected:</span>
      <button type="button" aria-label="Lower by 0.05" onClick=${() => onKey("-")}>− 0.05</button><button type="button" aria-label="Raise by 0.05" onClick=${() => onKey("+")}>+ 0.05</button><button type="button" onClick=${() => onKey("0")}>1.00</button></div>
    <ul class="keys" style=${{ margin: "8px 0 0" }}><li><kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd> move</li><li><kbd>Shift</kbd> with arrows: select</li><li><kbd>+</kbd> <kbd>−</kbd> by 0.05</li><li><kbd>0</kbd> to 1.00</li><li><kbd>s</kbd> save a proposal</li></ul>`;
}

/** @param {any} standing */
function tiles({ now, next, moved, kept, run, effective, decimals, currency, time_zone: zone, schedule }) {
  const highest = effective && Math.max(...effective.map((/** @type {any} */ { high }) => high));
  const lowest = effective && Math.min(...effective.map((/** @type {any} */ { low }) => low));
  const placement = schedule.move.startsWith("placement");
  return html`<dl class="tiles"><div><dt>Now, ${DAYS[now.day]?.slice(0, 3)} ${two(now.hour)}:00</dt><dd class="figure">×${now.factor.toFixed(2)}</dd></div>
    <div><dt>Next change</dt><dd class="figure">${next[0] === undefined ? "none" : awayWord(Date.parse(next[0].at), Date.parse(now.at))}</dd><dd class="under">${next[0] && `×${next[0].to.toFixed(2)}`}</dd></div>
    <div><dt>Last tick</dt><dd class="figure">${run === null ? "never" : awayWord(Date.parse(run.at), Date.parse(now.at))}</dd><dd class="under">${run && visible(run.note ?? run.state)}</dd></div>
    <div><dt>Scheduled values</dt><dd class="figure">${whole(moved)}</dd></div>
    <div><dt>Left alone</dt><dd class="figure">${whole(kept.length)}</dd><dd class="under">${kept.length > 0 && "changed by others"}</dd></div>
    ${effective && html`<div><dt>Today, lowest to highest</dt><dd class="figure">${placement ? `${lowest} to ${highest} %` : `${money(lowest, decimals)} to ${money(highest, decimals)}`}</dd><dd class="under">${placement ? "" : currency}, time in ${zone.replace(/^.*\//, "").replaceAll("_", " ")}</dd></div>`}</dl>`;
}

/**
 * @param {any} standing
 * @param {(id: string, adopt: boolean) => void} decide
 */
function standingView({ next, kept, rules, hours, effective, decimals, currency, time_zone: zone, now, moved, schedule }, decide) {
  return html`${hours ? salesByHour(hours, currency, decimals) : html`<p class="under" style=${{ marginTop: "12px" }}>No hourly figures are stored. After <${CommandWords} text=${adsctl("store stream run --once", { store: true })} />, they appear here.</p>`}
    ${effective && html`<section class="section" aria-label="Amounts today"><h2>Amounts on ${DAYS[now.day]}</h2><span class="under">lowest, median and highest of ${whole(moved)} values</span>
      <${Chart} label=${`Amounts by hour on ${DAYS[now.day]}`} days=${effective.map((/** @type {any} */ _, /** @type {number} */ hour) => two(hour))} first="Hour" tick=${(/** @type {string} */ hour) => `${hour}:00`} height=${110} stepped
        show=${(/** @type {number} */ value) => money(value, schedule.move.startsWith("placement") ? 0 : decimals)} band=${{ name: "lowest to highest", low: effective.map((/** @type {any} */ { low }) => low), high: effective.map((/** @type {any} */ { high }) => high) }}
        curves=${[{ name: "median", values: effective.map((/** @type {any} */ { middle }) => middle) }]} /></section>`}
    <div class="columns section"><section aria-label="Next changes"><h2>Next changes</h2>${next.length === 0 ? html`<p class="muted">The factor does not change in the next eight days.</p>` : html`<${Sheet} name="next changes"><table class="plain"><thead><tr><th scope="col">When</th><th scope="col" class="number">Factor</th></tr></thead>
      <tbody>${next.map((/** @type {any} */ { at, from, to }) => html`<tr><td>${time(at, zone)}</td><td class="number">${from.toFixed(2)} → <strong>${to.toFixed(2)}</strong></td></tr>`)}</tbody></table><//>`}</section>
    <section aria-label="Left alone"><h2>Left alone <span class="count">${whole(kept.length)}</span></h2>${kept.length === 0 ? html`<p class="muted">No scheduled value was changed by others.</p>` : html`<${Sheet} name="left alone"><table class="plain cards"><thead><tr><th scope="col">Entity</th><th scope="col" class="number">Base</th><th scope="col">Why</th><th scope="col"><span class="hidden">Decide</span></th></tr></thead>
      <tbody>${kept.slice(0, 200).map((/** @type {any} */ one) => html`<tr key=${one.id}><td class="wide"><bdi>${visible(one.label)}</bdi></td><td class="number" data-label="Base">${money(one.base, decimals)}</td><td class="under">${visible(one.why)}</td>
        <td class="nowrap"><button type="button" onClick=${() => decide(one.id, true)}>Adopt</button> <button type="button" onClick=${() => decide(one.id, false)}>Overwrite</button></td></tr>`)}</tbody></table><//>`}</section></div>${rules.length > 0 && rulesView(rules)}`;
}

/** @type {Readonly<Record<string, string>>} */
const RULE_SIGNS = { as_wanted: "good", paused: "muted", changed: "bad", missing: "bad", not_tied: "bad" };

/** @param {any[]} rules */
function rulesView(rules) {
  const sorted = rules.toSorted((a, b) => Number(a.state === "as_wanted") - Number(b.state === "as_wanted"));
  return html`<section class="section" aria-label="Platform rules"><h2>Platform rules <span class="count">${whole(rules.length)}</span></h2>
    <${Sheet} name="rules"><table class="plain cards"><thead><tr><th scope="col">Rule</th><th scope="col">State</th><th scope="col">Wanted</th><th scope="col">Live</th></tr></thead>
      <tbody>${sorted.slice(0, 200).map(({ name, state, word, wanted, live }) => {
    return html`<tr key=${name}><td class="wide"><bdi>${visible(name)}</bdi></td><td class="nowrap"><${Badge} kind=${RULE_SIGNS[state] ?? "wait"}>${word}<//></td><td data-label="Wanted">${visible(wanted ?? "none")}</td><td data-label="Live">${visible(live ?? "none")}</td></tr>`;
  })}</tbody></table><//></section>`;
}

/**
 * Sales of a click by hour of the week, as far as the stream is stored.
 *
 * @param {any} hours
 * @param {string} currency
 * @param {number} decimals
 */
export function salesByHour({ cells, from, to, mature }, currency, decimals) {
  const value = (/** @type {any} */ { day, hour }) => {
    const { clicks, sales } = cells[day][hour];
    return clicks > 0 ? sales / clicks : undefined;
  };
  const known = cells.flatMap((/** @type {any[]} */ row, /** @type {number} */ day) => row.flatMap((_, hour) => value({ day, hour }) ?? []));
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const text = (/** @type {any} */ place) => value(place) === undefined ? "" : money(value(place), decimals);
  return html`<section class="section" aria-label="Sales per click by hour"><div class="section-head"><h2>Sales per click by hour, ${currency}</h2>
    <span class="under">${from} to ${to}${mature ? ", complete days only" : ", orders are still incomplete"} · ◥ fewer than ${FEW} clicks</span></div>
    <${Heat} label="Sales per click by hour" show=${text} speak=${(/** @type {any} */ place) => `${text(place) || "no clicks"}, ${whole(cells[place.day][place.hour].clicks)} clicks`}
      shade=${(/** @type {any} */ place) => `${value(place) === undefined ? "h0" : heatClass(value(place) ?? 0, least, most)}${cells[place.day][place.hour].clicks < FEW ? " few" : ""}`} /></section>`;
}
