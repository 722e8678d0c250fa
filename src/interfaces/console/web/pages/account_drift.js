// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { counted, kindWord, time } from "../format.js";
import { query, setQuery } from "../router.js";
import { saveCsv, Sheet } from "../save_csv.js";
import { Badge, html, Loading, Notice, pageEffect, signal, untracked, visible } from "../ui.js";

const DAYS = ["1", "3", "7", "14", "30", "60"];
const DEFAULT_DAYS = "7";
const MAX_ROWS = 500;
const CSV = ["at", "kind", "id", "label", "campaign_id", "campaign", "change", "before", "after", "by", "plan_id", "note"];
const FILTERS = [["", "All changes"], ["plan", "By plans"], ["other", "By others"], ["platform", "By the platform"]];

/**
 * The drift of the profile that is chosen, read while its view is open.
 *
 * @param {() => string | undefined} profile
 */
export function driftSection(profile) {
  const data = signal(/** @type {any} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const days = () => query.value["days"] ?? DEFAULT_DAYS;
  let wanted = "";
  let reading = new AbortController();
  pageEffect(() => {
    const id = profile();
    const address = `/api/profiles/${id}/drift?days=${encodeURIComponent(days())}`;
    if (id === undefined || (query.value["view"] ?? "tree") === "tree" || wanted === address) return;
    wanted = address;
    reading.abort();
    const { signal: stop } = reading = new AbortController();
    untracked(() => {
      data.value = problem.value = undefined;
      void api(address, { signal: stop }).then(
        (found) => !stop.aborted && (data.value = found),
        (error) => !stop.aborted && (problem.value = error),
      );
    });
  });
  pageEffect(() => () => reading.abort());
  return () => html`<section aria-label="Changes"><h2 class="hidden">Changes</h2>
    <div class="toolbar">${select("Last", days(), DAYS.map((one) => [one, counted(Number(one), "day")]),
      (value) => setQuery({ days: value === DEFAULT_DAYS ? "" : value }))}
      ${select("Show", query.value["by"] ?? "", FILTERS, (value) => setQuery({ by: value }))}</div>
    ${problem.value ? html`<${Notice} error=${problem.value} />` : data.value === undefined ? html`<${Loading} />` : drift(data.value, profile() ?? "")}</section>`;
}

/**
 * @param {string} word
 * @param {string} value
 * @param {string[][]} options each its value and its word
 * @param {(value: string) => void} chosen
 */
function select(word, value, options, chosen) {
  return html`<label>${word} <select value=${value} onChange=${(/** @type {any} */ { target }) => chosen(target.value)}>
    ${options.map(([one, text]) => html`<option value=${one}>${text}</option>`)}</select></label>`;
}

/**
 * @param {any} data
 * @param {string} profile
 */
function drift({ since, time_zone: zone, counts, entries }, profile) {
  const { by = "", q = "" } = query.value;
  const found = entries.filter((/** @type {any} */ one) =>
    (by === "" || one.by === by) &&
    `${one.label} ${one.campaign ?? ""} ${one.kind} ${one.id} ${one.campaign_id ?? ""} ${one.change} ${one.note ?? ""}`.toLowerCase().includes(q.toLowerCase()));
  return html`<p class="under" role="status">Since ${time(since, zone)}: ${counts.plan} by plans, ${counts.platform} by the platform, ${counts.other} by others
      ${found.length > 0 && html` · <button type="button" class="link" onClick=${() => saveCsv(`changes ${profile}`, CSV, found.map((/** @type {any} */ one) => CSV.map((name) => one[name])))}>Save as CSV</button>`}</p>
    ${found.length === 0 && html`<p>${entries.length === 0 ? "Nothing changed in these days." : "No changes match."}</p>`}
    ${found.length > 0 && html`<${Sheet} name="changes"><table class="plain cards">
    <thead><tr><th scope="col">When</th><th scope="col">Entity</th><th scope="col">Change</th><th scope="col" class="number">Before</th><th scope="col" class="number">After</th><th scope="col">By</th></tr></thead>
    <tbody>${found.slice(0, MAX_ROWS).map((/** @type {any} */ one) => html`<tr><td class="nowrap">${one.at === null ? html`<span class="under">not recorded</span>` : time(one.at, zone)}</td>
      <td class="wide">${entity(one, profile)}</td>
      <td>${visible(one.change).toLowerCase().replaceAll("_", " ")}</td><td class="number" data-label="Before">${valueText(one.before)}</td><td class="number" data-label="After">${valueText(one.after)}</td><td>${maker(one)}${one.held_by && html`<div class="under bad">held back for comparison by ${visible(one.held_by.plan_id)}; this change spoils it</div>`}</td></tr>`)}</tbody></table><//>`}
    ${found.length > MAX_ROWS && html`<p class="under">Showing the newest ${MAX_ROWS} of ${found.length}. Search to find the others.</p>`}`;
}

/**
 * Name of what changed, its campaign, and links to both in the grid.
 *
 * @param {any} entry
 * @param {string} profile
 */
function entity({ label, kind, id, campaign, campaign_id: campaignId }, profile) {
  const name = html`<bdi>${visible(label || campaign || kindWord(kind))}</bdi>`;
  const link = campaignId ? html`<a href=${`/grid?${new URLSearchParams({ profile, campaign: campaignId })}`}>${name}</a>` : name;
  return html`${link} <span class="under">${kindWord(kind)} ${id}</span>${campaign && campaign !== label && html`<div class="under">in <bdi>${visible(campaign)}</bdi></div>`}`;
}

/** @param {any} entry */
function maker({ by, plan_id: plan, note, approved_by: approver }) {
  if (by === "platform") return html`<${Badge} kind="muted">the platform<//>`;
  if (by !== "plan") return html`<${Badge} kind="advise">someone else<//>`;
  return html`<${Badge} kind="good">a plan<//> <a href=${`/plans/${plan}`}><bdi>${visible(note || plan)}</bdi></a>
    ${approver && html`<div class="under">approved by ${visible(approver)}</div>`}`;
}

/** @param {unknown} value */
function valueText(value) {
  return visible(typeof value === "object" && value !== null ? JSON.stringify(value) : value);
}
