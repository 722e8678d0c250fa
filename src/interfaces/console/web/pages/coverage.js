// @ts-check
/// <reference lib="dom" />
import { Chart } from "../chart.js";
import { counted, dayWord, percent, time, whole } from "../format.js";
import { Sheet } from "../save_csv.js";
import { html, Loading, Notice } from "../ui.js";

const DAY = 86_400_000;

const MONTHS = 15;

/** @param {{ coverage: any[] }} store */
export function coverageView({ coverage }) {
  if (coverage.length === 0) return html`<p>Nothing is stored yet.</p>`;
  const months = monthsOf(coverage);
  return html`<div class="section-head section"><h2>${counted(coverage.length, "report")}</h2><span class="under">One strip per month; red days are missing. The table says which can still be fetched.</span></div>
    <${Sheet} name="stored days"><table class="plain cards"><thead><tr><th scope="col">Market</th><th scope="col">Report</th><th scope="col">Stored days</th><th scope="col">Missing</th><th scope="col" class="number">Rows</th><th scope="col">Last sync</th></tr></thead>
    <tbody>${coverage.map((one) => html`<tr key=${`${one.profileId} ${one.report}`}><td>${one.countryCode}<div class="under">${one.profileId}</div></td>
      <td>${one.report.replaceAll("_", " ")}</td>
      <td class="wide all"><div class="months">${months.map((month) => strip(one, month))}</div></td>
      <td data-label="Missing">${missing(one)}</td><td class="number" data-label="Rows">${whole(one.rows)}</td><td data-label="Last sync">${time(one.lastPull)}</td></tr>`)}</tbody></table><//>`;
}

/**
 * Months of the stored days, the oldest first.
 *
 * @param {any[]} coverage
 */
function monthsOf(coverage) {
  const last = coverage.map(({ lastDay }) => lastDay).sort().at(-1);
  const first = coverage.map(({ firstDay }) => firstDay).sort()[0];
  const months = [];
  for (let month = last.slice(0, 7); month >= first.slice(0, 7) && months.length < MONTHS; month = dayAfter(`${month}-01`, -1).slice(0, 7)) months.unshift(month);
  return months;
}

/**
 * @param {string} day
 * @param {number} by
 */
function dayAfter(day, by) {
  return new Date(Date.parse(day) + by * DAY).toISOString().slice(0, 10);
}

/**
 * A month of a report as one strip, its days in order.
 *
 * @param {any} report
 * @param {string} month
 */
function strip({ firstDay, lastDay, gaps, lost }, month) {
  const within = (/** @type {any[]} */ ranges, /** @type {string} */ day) => ranges.some(({ start, end }) => start <= day && day <= end);
  /** @type {{ kind: string, count: number }[]} */
  const runs = [];
  for (let day = `${month}-01`; day.startsWith(month); day = dayAfter(day, 1)) {
    const kind = within(lost, day) ? "lost" : within(gaps, day) ? "gap" : day < firstDay || day > lastDay ? "none" : "stored";
    const run = runs.at(-1);
    if (run?.kind === kind) run.count++;
    else runs.push({ kind, count: 1 });
  }
  const count = (/** @type {string} */ kind) => runs.filter((run) => run.kind === kind).reduce((sum, run) => sum + run.count, 0);
  const word = new Date(`${month}-01`).toLocaleDateString("en-GB", { month: "short", year: "2-digit", timeZone: "UTC" });
  const about = `${word}: ${counted(count("stored"), "day")} stored${count("gap") + count("lost") > 0 ? `, ${count("gap") + count("lost")} missing` : ""}`;
  return html`<span class="month" title=${about}><span class="strip" role="img" aria-label=${about}>${runs.map(({ kind, count: days }) => html`<i class=${kind} style=${{ flexGrow: days }}></i>`)}</span><span aria-hidden="true">${word}</span></span>`;
}

/** @param {any} report */
function missing({ gaps, lost, fetchBy }) {
  const words = (/** @type {any[]} */ ranges) => ranges.map(({ start, end }) => start === end ? dayWord(start) : `${dayWord(start)} to ${dayWord(end)}`).join(", ");
  if (gaps.length === 0 && lost.length === 0) return html`<span class="muted">none</span>`;
  return html`${gaps.length > 0 && html`<span class="bad">${words(gaps)}</span>`}${fetchBy && html`<div class="under">can be fetched until ${dayWord(fetchBy)}</div>`}${lost.length > 0 && html`<div class="under">gone for good: ${words(lost)}</div>`}`;
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
