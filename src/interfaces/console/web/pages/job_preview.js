// @ts-check
/// <reference lib="dom" />
import { counted, kindWord, money, whole } from "../format.js";
import { Sheet } from "../save_csv.js";
import { html, visible } from "../ui.js";

/**
 * The changes that a job would plan, what it leaves out, and targets for ad groups that its map does not name.
 *
 * @param {any} found
 * @param {(map: string) => void} useMap
 * @param {string} map
 */
export function previewView({ changes, campaigns, spend, left_out_counts: leftOut, considered, warnings, suggestions = [], decimals, currency }, useMap, map) {
  const left = Object.entries(leftOut ?? {});
  const rows = campaigns.flatMap((/** @type {any} */ { campaign_name: name, campaign_id: id, changes: own }) => own.map((/** @type {any} */ change) => ({ ...change, campaign: name ?? id ?? "" })));
  const usable = suggestions.filter((/** @type {any} */ { target }) => target !== null);
  const lines = usable.map((/** @type {any} */ { source, target }) => `${source}\t${target}`);
  return html`<section class="section" aria-label="Preview"><div class="section-head"><h2>${changes === 0 ? "Nothing to change" : counted(changes, "change")}</h2>
      <span class="under">${considered !== undefined && `${whole(considered)} looked at. `}${spend && html`Spend a day: ${visible(spend)}. `}Amounts in ${currency}.</span></div>
    ${warnings.map((/** @type {string} */ text) => html`<p class="warn">${visible(text)}</p>`)}
    ${left.length > 0 && html`<p class="under">Left out: ${left.map(([reason, count]) => `${whole(count)} ${reason.replaceAll("_", " ")}`).join(", ")}.</p>`}
    ${suggestions.length > 0 && html`<p>The map does not name ${counted(suggestions.length, "ad group")} with terms that sell. ${usable.length > 0 && html`<button type="button" class="link" onClick=${() => useMap([map, ...lines].filter(Boolean).join("\n"))}>Add ${counted(usable.length, "suggested line")} to the map</button>`}</p>
      <${Sheet} name="targets"><table class="plain cards"><thead><tr><th scope="col">From</th><th scope="col" class="number">Terms</th><th scope="col" class="number">Orders</th><th scope="col">To</th></tr></thead><tbody>${suggestions.map((/** @type {any} */ one) => html`<tr><td class="wide"><bdi>${visible(one.source_name)}</bdi> <span class="under">${one.source}</span></td>
        <td class="number" data-label="Terms">${whole(one.terms)}</td><td class="number" data-label="Orders">${whole(one.orders)}</td><td data-label="To">${one.target === null ? html`<span class="under">no ad group with exact keywords fits</span>` : html`<bdi>${visible(one.target_name)}</bdi> <span class="under">${one.target}</span>`}</td></tr>`)}</tbody></table><//>`}
    ${rows.length > 0 && html`<${Sheet} name="preview"><table class="plain cards"><thead><tr><th scope="col">What</th><th scope="col">Campaign</th><th scope="col" class="number">Before</th><th scope="col" class="number">After</th><th scope="col" class="number">Clicks</th><th scope="col" class="number">Spend</th><th scope="col" class="number">Orders</th></tr></thead>
      <tbody>${rows.map((/** @type {any} */ { change, kind, label, op, campaign, fields, evidence: { clicks, cost, orders } = {} }) => html`<tr key=${change}><td class="wide"><bdi>${visible(label)}</bdi> <span class="under">${op === "create" ? "new " : ""}${kindWord(kind).toLowerCase()}</span></td><td><bdi>${visible(campaign)}</bdi></td>
        <td class="number" data-label="Before">${op === "create" ? "" : amounts(fields, "before", decimals)}</td><td class="number strong" data-label="After">${op === "create" ? amounts(fields.filter((/** @type {any} */ { field }) => /bid$|budget/i.test(field)), "after", decimals) : amounts(fields, "after", decimals)}</td>
        <td class="number" data-label="Clicks">${whole(clicks)}</td><td class="number" data-label="Spend">${money(cost, decimals)}</td><td class="number" data-label="Orders">${whole(orders)}</td></tr>`)}</tbody></table><//>
      ${rows.length < changes && html`<p class="under">The ${whole(rows.length)} most important of ${whole(changes)}; the plan shows all.</p>`}`}
  </section>`;
}

/**
 * @param {any[]} fields
 * @param {"before" | "after"} which
 * @param {number} decimals
 */
function amounts(fields, which, decimals) {
  return fields.map(({ [which]: value, difference }) => typeof value === "number" && difference !== undefined ? money(value, decimals) : value === null || value === undefined ? "none" : visible(typeof value === "object" ? JSON.stringify(value) : value)).join(", ");
}
