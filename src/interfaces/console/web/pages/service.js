// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { awayWord, counted, time, whole } from "../format.js";
import { query, setQuery } from "../router.js";
import { Sheet } from "../save_csv.js";
import { adsctl } from "../shell.js";
import { Command, html, Loading, Notice, pageEffect, Sign, signal, Switch, visible } from "../ui.js";

/** Milliseconds between two checks. */
const EVERY = 15_000;

export function servicePage() {
  const data = signal(/** @type {any} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const load = async () => {
    try {
      data.value = await api("/api/service");
      problem.value = undefined;
    } catch (error) {
      problem.value = error;
    }
  };
  pageEffect(() => {
    void load();
    const timer = setInterval(() => document.hidden || load(), EVERY);
    return () => clearInterval(timer);
  });
  const view = () => html`<div class="head"><h1>Service</h1></div>
    ${problem.value && html`<${Notice} error=${problem.value} again=${load} />`}
    ${data.value === undefined ? !problem.value && html`<${Loading} />` : body(data.value)}`;
  return { title: () => "Service", view };
}

/** @type {Readonly<Record<string, string>>} */
const SIGNS = { late: "bad", failed: "bad", runs: "now", due: "wait", waits: "wait", stopped: "wait", done: "good" };

/** @param {any} data */
function body({ file, exists, units, lines, unreachable = [], is_down: isDown, now: at }) {
  if (!exists) {
    return html`<p>There is no <code>${visible(file)}</code>. A service syncs every night, checks watch rules, runs schedules and sends alerts. To set it up:</p>
      <${Command} text=${adsctl("auto init")} /><${Command} text=${adsctl("auto run")} />`;
  }
  const missing = unreachable.map((/** @type {string} */ line) => html`<${Notice} error=${line} />`);
  if (units.length === 0 && unreachable.length > 0) return missing;
  if (units.length === 0) return html`<p>Nothing has run yet: there is no store.</p><${Command} text=${adsctl(`auto run ${file}`)} />`;
  const now = Date.parse(at);
  const late = units.filter((/** @type {any} */ unit) => unit.is_late);
  const failed = units.filter((/** @type {any} */ { outcome }) => outcome === "failed");
  const only = query.value["only"] ?? "";
  const shown = units.filter((/** @type {any} */ unit) => only === "" || (only === "late" ? unit.is_late : unit.outcome === "failed"));
  const last = Math.max(...units.map((/** @type {any} */ unit) => unit.started_at === null ? 0 : Date.parse(unit.started_at)));
  const next = Math.min(...units.map((/** @type {any} */ unit) => Date.parse(unit.retry_at ?? unit.next)));
  return html`<dl class="tiles"><div><dt>Late</dt><dd class=${`figure ${late.length > 0 ? "bad" : ""}`}>${whole(late.length)}</dd><dd class="under">of ${counted(units.length, "timer")}</dd></div>
      <div><dt>Last run failed</dt><dd class=${`figure ${failed.length > 0 ? "bad" : ""}`}>${whole(failed.length)}</dd></div>
      <div><dt>Last run</dt><dd class="figure">${last === 0 ? "never" : awayWord(last, now)}</dd></div><div><dt>Next</dt><dd class="figure">${next <= now ? "due" : awayWord(next, now)}</dd></div></dl>
    ${missing}
    ${isDown && html`<${Notice} error=${`${lines.slice(unreachable.length).join(". ")}. To start it:`} /><${Command} text=${adsctl(`auto run ${file}`)} />`}
    <div class="toolbar"><${Switch} label="Show" value=${only} options=${[["", `All ${units.length}`], ["late", `Late ${late.length}`], ["failed", `Failed ${failed.length}`]]} onChange=${(/** @type {string} */ value) => setQuery({ only: value })} /></div>
    <${Sheet} name="timers"><table class="plain cards"><thead><tr><th scope="col">Timer</th><th scope="col">State</th><th scope="col">Last run</th><th scope="col" class="number">Took</th><th scope="col">Next</th><th scope="col">Result</th></tr></thead>
    <tbody>${shown.map((/** @type {any} */ unit) => {
    const { state, started_at: startedAt, ended_at: endedAt, retry_at: retryAt, time_zone: zone } = unit;
    const due = retryAt ?? unit.next;
    return html`<tr key=${`${unit.profile_id} ${unit.timer}`}><td><strong>${visible(unit.timer)}</strong> · ${unit.country_code}<div class="under">${visible(unit.at)} · ${unit.profile_id}</div></td><td class="nowrap"><${Sign} kind=${SIGNS[state] ?? ""}>${state}<//></td>
      <td data-label="Last">${startedAt === null ? "" : html`<span title=${time(startedAt, zone)}>${awayWord(Date.parse(startedAt), now)}</span>`}</td><td class="number" data-label="Took">${startedAt === null || endedAt === null ? "" : `${((Date.parse(endedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`}</td>
      <td data-label="Next"><span title=${time(due, zone)}>${Date.parse(due) <= now ? "due" : awayWord(Date.parse(due), now)}</span>${retryAt ? html`<div class="under">attempt ${unit.attempt}</div>` : ""}</td>
      <td class="wide all">${visible(unit.detail ?? "")}</td></tr>`;
  })}</tbody></table><//>`;
}
