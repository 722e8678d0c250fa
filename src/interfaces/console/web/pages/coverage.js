// @ts-check
/// <reference lib="dom" />
/** What the store has, day by day, and how figures moved after they were first known. */
import { Chart } from "../chart.js";
import { counted, percent, time, whole } from "../format.js";
import { html, Loading, Notice } from "../ui.js";

const DAY = 86_400_000;

/** @param {any[]} coverage */
export function coverageView(coverage) {
  if (coverage.length === 0) return html`<p>Nothing is stored yet.</p>`;
  return coverage.map((one) => html`<section class="section" key=${`${one.profileId} ${one.report}`}>
    <h2>${one.report} <span class="under">${one.countryCode} ${one.profileId} · ${counted(one.days, "day")}, ${counted(one.rows, "row")} · last sync ${time(one.lastPull)}</span></h2>
    ${calendar(one)}
    ${one.gaps.length > 0 && html`<p class="bad">Gaps: ${one.gaps.map((/** @type {any} */ gap) => gap.start === gap.end ? gap.start : `${gap.start} to ${gap.end}`).join(", ")}</p>`}
    ${one.fetchBy && html`<p class="under">The oldest missing day can be fetched until ${one.fetchBy}.</p>`}
  </section>`);
}

/** @param {any} one */
function calendar({ report, firstDay, lastDay, gaps, lost }) {
  const last = Date.parse(lastDay);
  // Weeks as columns, of the last half year.
  const first = Math.max(Date.parse(firstDay), last - 182 * DAY);
  const monday = first - ((new Date(first).getUTCDay() + 6) % 7) * DAY;
  const within = (/** @type {any[]} */ ranges, /** @type {string} */ day) => ranges.some(({ start, end }) => start <= day && day <= end);
  const cells = [];
  for (let at = monday; at <= last; at += DAY) {
    const day = new Date(at).toISOString().slice(0, 10);
    const kind = day < firstDay ? "none" : within(lost, day) ? "lost" : within(gaps, day) ? "gap" : "stored";
    cells.push(html`<span class=${`day ${kind}`} title=${`${day}: ${kind === "none" ? "before the first stored day" : kind}`}></span>`);
  }
  const missing = gaps.reduce((/** @type {number} */ sum, /** @type {any} */ { start, end }) => sum + (Date.parse(end) - Date.parse(start)) / DAY + 1, 0);
  return html`<div class="calendar" role="img" aria-label=${`${report}: ${firstDay} to ${lastDay}, ${whole(missing)} days missing`}>${cells}</div>
    <p class="under">${firstDay} to ${lastDay}</p>`;
}

/** @param {any[] | undefined} maturity */
export function maturityView(maturity) {
  if (maturity === undefined) return html`<${Loading} />`;
  if (maturity.length === 0) return html`<${Notice}>Nothing to show yet. This view needs days that were stored early and are final now.<//>`;
  const groups = [...Map.groupBy(maturity, ({ report, country_code: country }) => `${report} ${country}`)];
  return groups.map(([name, rows]) => {
    const metrics = [...Map.groupBy(rows, ({ metric }) => metric)].slice(0, 5);
    const ages = rows.filter(({ metric }) => metric === metrics[0]?.[0]).map(({ age }) => age);
    return html`<section class="section" key=${name}><h2>${name} <span class="under">share of the final figure at each age of a day</span></h2>
      <${Chart} label=${`Share of the final figures of ${name} by age`} first="Days after" tick=${(/** @type {string} */ day) => whole((Date.parse(day) - Date.UTC(1999, 11, 31)) / DAY)}
        days=${ages.map((age) => new Date(Date.UTC(2000, 0, age)).toISOString().slice(0, 10))}
        show=${(/** @type {number} */ share) => percent(share, 0)} exact=${percent}
        curves=${metrics.map(([metric, values], at) => ({ name: metric, values: values.map((/** @type {any} */ { share }) => share), class: `s${at + 1}` }))} /></section>`;
  });
}
