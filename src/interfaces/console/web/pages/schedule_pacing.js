// @ts-check
/// <reference lib="dom" />
import { Chart } from "../chart.js";
import { counted, money } from "../format.js";
import { adsctl } from "../shell.js";
import { Command, html, visible } from "../ui.js";

/**
 * @param {any} pacing
 * @param {string} market the profile as a command names it
 */
export function pacingView({ file, decimals, amounts }, market) {
  if (amounts === null) {
    return html`<section class="section" aria-label="Pacing"><h2>Pacing</h2><p class="under">No pacing yet: <code>${visible(file)}</code> or the store is missing. To spend a monthly amount evenly, start with:</p><${Command} text=${adsctl("auto init pacing")} /></section>`;
  }
  return amounts.map((/** @type {any} */ amount) => amount.period === null
    ? html`<section class="section" aria-label=${`Pacing of ${amount.name}`}><h2>Pacing of ${amount.name}</h2><p class="under">Today is outside its dates.</p></section>`
    : paceView(amount, market, (/** @type {number} */ value) => money(value, decimals)));
}

/**
 * @param {any} amount
 * @param {string} market
 * @param {(value: number) => string} text
 */
function paceView({ name, currency, amount, over, period, spent, ideal, pace, days_left: left, needed_today: needed, forecast, missing_days: missing, immature_days: immature, line, weights_from: weights, notes }, market, text) {
  const days = line.map((/** @type {any} */ { day }) => day);
  const last = line.findLastIndex((/** @type {any} */ { actual }) => actual !== null);
  const reached = line[last]?.actual ?? 0;
  const ahead = (/** @type {number} */ end) => line.map((/** @type {unknown} */ _, /** @type {number} */ at) => at < last || last < 0 ? null : reached + (end - reached) * (at - last) / Math.max(1, line.length - 1 - last));
  const off = pace === null ? 0 : Math.round((pace - 1) * 100);
  const above = forecast && forecast.low > amount ? forecast.low - amount : 0;
  return html`<section class="section" aria-label=${`Pacing of ${name}`}><div class="section-head"><h2>Pacing of ${name}</h2><span class="under">${text(amount)} ${currency}, ${period.start} to ${period.end} · when over: ${over} · weekdays: ${visible(weights)}</span></div>
    <dl class="tiles"><div><dt>Spent</dt><dd class="figure">${text(spent)}</dd><dd class="under">${Math.round(100 * spent / amount)} %</dd></div>
      <div><dt>Ideal by yesterday</dt><dd class="figure">${text(ideal)}</dd><dd class="under">${off === 0 ? "on pace" : `${Math.abs(off)} % ${off > 0 ? "above" : "below"} the line`}</dd></div>
      <div><dt>Needed today</dt><dd class="figure">${text(needed)}</dd><dd class="under">${counted(left, "day")} left</dd></div>
      <div><dt>Forecast</dt><dd class=${`figure ${above > 0 ? "bad" : ""}`}>${forecast ? text(forecast.expected) : "unknown"}</dd><dd class="under">${forecast ? `${text(forecast.low)} to ${text(forecast.high)}${above > 0 ? `, at least ${text(above)} above the amount` : ""}` : "fewer than three days are stored"}</dd></div>
      <div><dt>Incomplete</dt><dd class="figure">${counted(immature.length, "day")}</dd><dd class="under">${missing.length > 0 ? `${counted(missing.length, "day")} not stored` : ""}</dd></div></dl>
    <${Chart} label=${`Spend of ${name} against its ideal line`} days=${days} height=${150} show=${(/** @type {number} */ value) => text(value).replace(/[.,]00$/, "")} exact=${text} ...${immature[0] === undefined ? {} : { immatureFrom: immature[0] }}
      curves=${[{ name: "spent", values: line.map((/** @type {any} */ one) => one.actual) }, { name: "ideal", values: line.map((/** @type {any} */ one) => one.ideal), class: "before-line", whole: true }]}
      marks=${last + 1 < line.length ? [{ day: line[last + 1].day, word: "today" }] : []}
      ...${forecast ? { band: { name: "forecast", low: ahead(forecast.low), high: ahead(forecast.high) } } : {}} />
    ${notes.map((/** @type {string} */ note) => html`<p class="under">${visible(note)}</p>`)}<${Command} text=${adsctl(`auto plan pacing -m ${market}`, { store: true })} /></section>`;
}
