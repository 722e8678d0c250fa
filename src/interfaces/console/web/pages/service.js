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
/** Milliseconds after which late timers mean that no service runs. */
const PATIENCE = 15 * 60_000;

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

/** @param {any} unit */
function wordOf({ isLate, outcome, startedAt, endedAt }) {
  if (isLate) return ["bad", "late"];
  if (outcome === "failed") return ["bad", "failed"];
  if (startedAt !== null && endedAt === null) return ["now", "running"];
  if (outcome === "stopped") return ["wait", "stopped, will resume"];
  return outcome === null ? ["wait", "not run yet"] : ["good", "done"];
}

/** @param {any} data */
function body({ file, exists, units, now: at }) {
  if (!exists) {
    return html`<p>There is no <code>${visible(file)}</code>. A service syncs every night, checks watch rules, runs schedules and sends alerts. To set it up:</p>
      <${Command} text=${adsctl("auto init")} /><${Command} text=${adsctl("auto run")} />`;
  }
  if (units.length === 0) return html`<p>Nothing has run yet: there is no store.</p><${Command} text=${adsctl(`auto run ${file}`)} />`;
  const now = Date.parse(at);
  const late = units.filter((/** @type {any} */ { isLate }) => isLate);
  const failed = units.filter((/** @type {any} */ { outcome }) => outcome === "failed");
  const only = query.value["only"] ?? "";
  const shown = units.filter((/** @type {any} */ unit) => only === "" || (only === "late" ? unit.isLate : unit.outcome === "failed"));
  const last = Math.max(...units.map((/** @type {any} */ { startedAt }) => startedAt ?? 0));
  const next = Math.min(...units.map((/** @type {any} */ one) => one.retryAt ?? one.next));
  // A service that runs begins what is late at once.
  const isDown = last === 0 || (late.length > 0 && now - last > PATIENCE && units.every((/** @type {any} */ { startedAt, endedAt }) => startedAt === null || endedAt !== null));
  return html`<dl class="tiles"><div><dt>Late</dt><dd class=${`figure ${late.length > 0 ? "bad" : ""}`}>${whole(late.length)}</dd><dd class="under">of ${counted(units.length, "timer")}</dd></div>
      <div><dt>Last run failed</dt><dd class=${`figure ${failed.length > 0 ? "bad" : ""}`}>${whole(failed.length)}</dd></div>
      <div><dt>Last run</dt><dd class="figure">${last === 0 ? "never" : awayWord(last, now)}</dd></div><div><dt>Next</dt><dd class="figure">${next <= now ? "due" : awayWord(next, now)}</dd></div></dl>
    ${isDown && html`<${Notice} error=${last === 0 ? "No service has run yet. To start it:" : `No service seems to run: ${counted(late.length, "timer")} ${late.length === 1 ? "is" : "are"} late, and nothing has started for ${awayWord(last, now).replace(" ago", "")}. To start it:`} /><${Command} text=${adsctl(`auto run ${file}`)} />`}
    <div class="toolbar"><${Switch} label="Show" value=${only} options=${[["", `All ${units.length}`], ["late", `Late ${late.length}`], ["failed", `Failed ${failed.length}`]]} onChange=${(/** @type {string} */ value) => setQuery({ only: value })} /></div>
    <${Sheet} name="timers"><table class="plain cards"><thead><tr><th scope="col">Timer</th><th scope="col">State</th><th scope="col">Last run</th><th scope="col" class="number">Took</th><th scope="col">Next</th><th scope="col">Result</th></tr></thead>
    <tbody>${shown.map((/** @type {any} */ unit) => {
    const [kind, word] = wordOf(unit);
    const { startedAt, endedAt, retryAt, next: due, timeZone: zone } = unit;
    return html`<tr key=${`${unit.profileId} ${unit.timer}`}><td><strong>${visible(unit.timer)}</strong> · ${unit.countryCode}<div class="under">${visible(unit.at)} · ${unit.profileId}</div></td><td class="nowrap"><${Sign} kind=${kind ?? ""}>${word}<//></td>
      <td data-label="Last">${startedAt === null ? "" : html`<span title=${time(new Date(startedAt).toISOString(), zone)}>${awayWord(startedAt, now)}</span>`}</td><td class="number" data-label="Took">${startedAt === null || endedAt === null ? "" : `${((endedAt - startedAt) / 1000).toFixed(1)} s`}</td>
      <td data-label="Next"><span title=${time(new Date(retryAt ?? due).toISOString(), zone)}>${(retryAt ?? due) <= now ? "due" : awayWord(retryAt ?? due, now)}</span>${retryAt ? html`<div class="under">attempt ${unit.attempt}</div>` : ""}</td>
      <td class="wide all">${visible(unit.detail ?? "")}</td></tr>`;
  })}</tbody></table><//>`;
}
