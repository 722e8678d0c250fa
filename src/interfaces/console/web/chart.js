// @ts-check
/// <reference lib="dom" />
import { dayWord } from "./format.js";
import { go } from "./router.js";
import { saveCsv } from "./save_csv.js";
import { html, visible } from "./ui.js";

/**
 * @typedef {{ name: string, values: (number | null)[], class?: string, whole?: boolean }} Curve `whole`: none of its days still changes
 * @typedef {{ low: (number | null)[], high: (number | null)[], name: string }} Band
 */

/**
 * A chart of days with one axis.
 *
 * @param {{
 *   label: string, days: string[], curves: Curve[], show: (value: number) => string, immatureFrom?: string, height?: number,
 *   exact?: (value: number) => string, band?: Band, marks?: { day: string, word: string, title?: string, href?: string }[], from?: number, tick?: (day: string) => string, first?: string, stepped?: boolean,
 * }} props `from`: lowest value of the axis, 0 unless it is an index; `exact` writes a value of the table; a mark with `href` is clicked; `tick` writes a place of the horizontal axis; `stepped` holds each value until the next
 */
export function Chart({ label, days, curves, show, exact = show, immatureFrom, height = 160, band, marks = [], from = 0, tick = dayWord, first = "Day", stepped = false }) {
  const known = [...curves.flatMap(({ values }) => values), ...band?.low ?? [], ...band?.high ?? []]
    .filter((value) => value !== null && Number.isFinite(value)).map(Number);
  const [least, most] = [Math.min(from, ...(from === 0 ? [] : known)), Math.max(...known, from === 0 ? 0 : from + 1)];
  const steps = ticksOf(from === 0 ? 0 : least, most > least ? most : least + 1);
  const [bottom, top] = [steps[0] ?? 0, steps.at(-1) ?? 1];
  const cut = immatureFrom === undefined ? -1 : days.findIndex((day) => day >= immatureFrom);
  const x = (/** @type {number} */ at) => days.length < 2 ? 50 : at / (days.length - 1) * 100;
  const y = (/** @type {number} */ value) => 6 + (height - 8) * (1 - (value - bottom) / (top - bottom));
  const labels = [...new Set([0, 1, 2, 3].map((part) => Math.round(part * (days.length - 1) / 3)))];
  return html`<figure class="chart"><div class="plot" role="img" aria-label=${label}>
      <div class="y-axis axis-text" aria-hidden="true"><span class="widest">${steps.map(show).sort((a, b) => b.length - a.length)[0]}</span>
        ${steps.map((value) => html`<span style=${{ top: `${y(value) - 8}px` }}>${show(value)}</span>`)}</div>
      <div class="canvas"><svg height=${height} viewBox=${`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
        ${steps.map((value) => html`<path class=${value === 0 ? "zero" : "grid-line"} vector-effect="non-scaling-stroke" d=${`M0 ${y(value)}H100`} />`)}
        ${band && html`<path class="band" d=${area(band, x, y, stepped)} />`}
        ${marks.map(({ day }) => days.includes(day) && html`<path class="mark-line" vector-effect="non-scaling-stroke" d=${`M${x(days.indexOf(day))} 0V${height}`} />`)}
        ${[...curves].reverse().map(({ values, class: kind = "", whole }) => lines(values, whole ? -1 : cut, x, y, `curve ${kind}`, stepped))}
      </svg>${cut >= 0 && hatch(x(Math.max(0, cut - 0.5)))}
        ${marks.map(({ day, href, title }) => href && days.includes(day) && html`<div class="mark-hit" title=${title} style=${{ left: `${x(days.indexOf(day))}%` }} onClick=${() => go(href)}></div>`)}</div>
      <div class="x-axis axis-text" aria-hidden="true">${labels.map((at) => html`<span>${tick(days[at] ?? "")}</span>`)}</div></div>
    ${legend(curves, band, cut >= 0, marks)}
    <details><summary>Chart data</summary><div class="scroll" tabindex="0" role="region" aria-label=${`Figures: ${label}`}><table class="plain">
      <thead><tr><th scope="col">${first}</th>${curves.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
      <tbody>${days.map((day, at) => html`<tr><td>${first === "Day" ? day : tick(day)}${cut >= 0 && at >= cut ? " so far" : ""}</td>${
    curves.map(({ values }) => html`<td class="number">${typeof values[at] === "number" ? exact(values[at]) : ""}</td>`)
  }</tr>`)}</tbody></table></div>
      <button type="button" class="link" onClick=${() => saveCsv(label, [first, ...curves.map(({ name }) => name)], days.map((day, at) => [first === "Day" ? day : tick(day), ...curves.map(({ values }) => values[at])]))}>Save as CSV</button></details>
  </figure>`;
}

/**
 * A curve without an axis, beside its figure; the period before lies under it.
 *
 * @param {{ values: (number | null)[], before?: (number | null)[], cut: number }} props `cut`: first place that still changes, -1 for none
 */
export function Spark({ values, before = [], cut }) {
  const known = [...values, ...before].filter((value) => value !== null).map(Number);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (/** @type {number} */ at) => values.length < 2 ? 50 : at / (values.length - 1) * 100;
  const y = (/** @type {number} */ value) => 2 + 24 * (1 - (most === least ? 0.5 : (value - least) / (most - least)));
  return html`<div class="canvas spark"><svg viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true">${lines(before, -1, x, y, "curve before-line")}${lines(values, cut, x, y, "curve")}</svg>${cut >= 0 && hatch(x(Math.max(0, cut - 0.5)))}</div>`;
}

/**
 * A measured effect with its interval on an axis that rows share.
 *
 * @param {{ effect: number, low: number, high: number | null, reach: number }} props `reach`: largest share of the axis to either side
 */
export function Range({ effect, low, high, reach }) {
  const x = (/** @type {number} */ value) => 50 + Math.max(-1, Math.min(1, value / reach)) * 50;
  const kind = low > 0 || (high !== null && high < 0) ? "" : " none";
  return html`<svg width="100%" height="16" aria-hidden="true"><line class="zero" x1="50%" x2="50%" y1="0" y2="16" />
    <line class=${`range${kind}`} x1=${`${x(low)}%`} x2=${`${x(high ?? reach)}%`} y1="8" y2="8" /><circle class=${`dot${kind}`} cx=${`${x(effect)}%`} cy="8" r="4" /></svg>`;
}

/**
 * Hatching over days that still change, for those who see no colours too.
 *
 * @param {number} from percent of the width
 */
function hatch(from) {
  return html`<div class="hatch" style=${{ left: `${from.toFixed(2)}%` }}></div>`;
}

/**
 * A curve with gaps where nothing is known: whole up to the first place that still changes, dashed from there on.
 *
 * @param {(number | null)[]} values
 * @param {number} cut
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 * @param {string} kind
 * @param {boolean} [stepped]
 */
function lines(values, cut, x, y, kind, stepped = false) {
  const path = (/** @type {number} */ from, /** @type {number} */ to) => {
    let text = "";
    let isDown = false;
    for (let at = Math.max(0, from); at < to; at++) {
      const value = values[at];
      if (value === null || value === undefined || !Number.isFinite(value)) {
        isDown = false;
        continue;
      }
      const [left, top] = [x(at).toFixed(2), y(value).toFixed(2)];
      text += isDown && stepped ? `H${left}V${top}` : `${isDown ? "L" : "M"}${left} ${top}`;
      isDown = true;
    }
    return text;
  };
  const whole = cut < 0 ? values.length : cut;
  return html`<path class=${kind} d=${path(0, whole)} />${cut >= 0 && html`<path class=${`${kind} young`} d=${path(whole - 1, values.length)} />`}`;
}

/**
 * @param {Band} band
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 * @param {boolean} stepped
 */
function area({ low, high }, x, y, stepped) {
  const there = low.flatMap((value, at) => value === null || high[at] === null ? [] : [at]);
  const go = (/** @type {number[]} */ places, /** @type {(number | null)[]} */ values) =>
    places.map((at, index) => {
      const [left, top] = [x(at).toFixed(2), y(Number(values[at])).toFixed(2)];
      const before = places[index - 1];
      if (!stepped || before === undefined) return `${left} ${top}`;
      // Forwards a value holds until the next; backwards the next holds until here.
      return before < at ? `${left} ${y(Number(values[before])).toFixed(2)}L${left} ${top}` : `${x(before).toFixed(2)} ${top}L${left} ${top}`;
    }).join("L");
  return there.length < 2 ? "" : `M${go(there, high)}L${go([...there].reverse(), low)}Z`;
}

/**
 * @param {Curve[]} curves
 * @param {Band | undefined} band
 * @param {boolean} isYoung
 * @param {{ word: string }[]} marks
 */
function legend(curves, band, isYoung, marks) {
  const key = (/** @type {unknown} */ drawn, /** @type {string} */ word) => html`<li><svg viewBox="0 0 16 10" aria-hidden="true">${drawn}</svg>${visible(word)}</li>`;
  return html`<ul class="legend">
    ${(curves.length > 1 || band) && curves.map(({ name, class: kind = "" }) => key(html`<path class=${`curve ${kind}`} d="M0 5H16" />`, name))}
    ${band && key(html`<rect class="band" width="16" height="10" />`, band.name)}
    ${isYoung && key(html`<path class="hatch-line" d="M0 10L4 0M4 10L8 0M8 10L12 0M12 10L16 0" />`, "incomplete")}
    ${[...new Set(marks.map(({ word }) => word))].map((word) => key(html`<path class="mark-line" d="M8 0V10" />`, word))}</ul>`;
}

/**
 * Four or so round values that hold the range.
 *
 * @param {number} least
 * @param {number} most
 */
function ticksOf(least, most) {
  const rough = (most - least) / 3;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * size).find((one) => one >= rough * 0.999) ?? rough;
  const from = Math.floor(least / step + 1e-9);
  const to = Math.ceil(most / step - 1e-9);
  return Array.from({ length: to - from + 1 }, (_, at) => Number(((from + at) * step).toPrecision(12)));
}
