// @ts-check
/// <reference lib="dom" />
/** The cells of a row of a plan's table. */
import { counted, money, percent, signedMoney } from "../format.js";
import { Badge, html, visible } from "../ui.js";
import { campaignKey } from "./plan_rows.js";

/**
 * @typedef {{
 *   out: ReadonlySet<number>, tick: (changes: number[]) => void, fold: (key: string) => void,
 *   canTick: boolean, scales: number, decimals: number, hasFigures: boolean,
 * }} CellOptions
 */

/**
 * @param {any} row
 * @param {CellOptions} options
 */
export function planCells(row, options) {
  if (row.type === "campaign") return campaignCells(row, options);
  if (row.type === "finding") return findingCells(row, options);
  return fieldCells(row, options);
}

/**
 * @param {any} row
 * @param {CellOptions} options
 */
function campaignCells({ campaign, changes, folded }, { out, tick, fold, canTick, hasFigures }) {
  const positions = changes.map((/** @type {any} */ { change }) => change);
  const kept = positions.filter((/** @type {number} */ at) => !out.has(at)).length;
  const name = campaignName(campaign);
  return html`
    <td class="tick">${canTick && box(`All changes of ${name}`, kept > 0, () => tick(positions), kept > 0 && kept < positions.length)}</td>
    <td colspan=${hasFigures ? 6 : 5}><button type="button" class="fold" tabindex="-1" aria-expanded=${!folded}
      onClick=${() => fold(campaignKey(campaign))}><span aria-hidden="true">${folded ? "▸" : "▾"}</span> <bdi>${name}</bdi></button>
      <span class="under">${campaign.campaign_id ?? ""} · ${counted(changes.length, "change")}</span></td>`;
}

/** @param {any} campaign */
function campaignName({ campaign_id: id, campaign_ref: ref, campaign_name: name }) {
  if (ref !== undefined) return `New campaign ${visible(name ?? ref)}`;
  if (id === null) return "No campaign, or a new one";
  return name ? visible(name) : `Campaign ${id}`;
}

/**
 * @param {any} row
 * @param {CellOptions} options
 */
function findingCells({ finding: { level, message, allowed, hint, refused } }, { hasFigures }) {
  const text = [message, allowed && `Allowed: ${allowed}`, hint].filter(Boolean).map(visible).join(". ");
  return html`<td></td><td colspan=${hasFigures ? 6 : 5} class="finding-text" title=${text}><${Badge} kind=${level}>${refused ? "not sent" : level}<//> ${text}</td>`;
}

/** @type {Record<string, string>} */
const SIGNS = { create: "+", update: "~", archive: "−" };
/** @type {Record<string, string>} */
const WORDS = { create: "new", update: "changed", archive: "archived" };

/**
 * @param {any} row
 * @param {CellOptions} options
 */
function fieldCells({ change, field, first }, { out, tick, canTick, scales, decimals, hasFigures }) {
  const { kind, op, label, id } = change;
  const what = visible(label) || id || "(new)";
  return html`
    <td class="tick">${canTick && first && box(`${what}, ${kind}`, !out.has(change.change), () => tick([change.change]))}</td>
    <td title=${`${kind} ${id ?? ""} ${what}`}>${first
      ? html`<span class=${`op ${op}`} title=${WORDS[op]}><span aria-hidden="true">${SIGNS[op]}</span><span class="hidden">${WORDS[op]}</span></span>
        <bdi>${what}</bdi> <span class="under">${kindWord(kind)}</span>`
      : html`<span class="hidden">${what}</span>`}</td>
    <td>${visible(field.field)}</td>
    <td class="number before">${value(field.before, field, decimals)}</td>
    <td class="number">${value(field.after, field, decimals)}</td>
    <td class="number">${difference(field, scales, decimals)}</td>
    ${hasFigures && figures(first ? change.evidence : undefined, decimals)}`;
}

/**
 * The figures that a change rests on; what else is known of it, and the days, when it is pointed at.
 *
 * @param {any} evidence
 * @param {number} decimals
 */
function figures(evidence, decimals) {
  if (evidence === undefined) return html`<td></td>`;
  const { from, to, acos, clicks, cost, orders, reason } = evidence;
  const parts = [
    acos !== undefined && `ACOS ${percent(acos)}`,
    clicks !== undefined && counted(clicks, "click"),
    cost !== undefined && `${money(cost, decimals)} spent`,
    orders !== undefined && (orders === 0 ? "no orders" : counted(orders, "order")),
    reason && visible(reason),
  ].filter(Boolean).join(" · ");
  return html`<td class="under" title=${from === undefined ? parts : `${parts} (${from} to ${to})`}>${parts}</td>`;
}

/** @param {string} kind */
function kindWord(kind) {
  return kind.replace(/^\w+\./, "").replaceAll("_", " ").replace(/s$/, "");
}

/**
 * @param {unknown} shown
 * @param {any} field
 * @param {number} decimals
 */
function value(shown, field, decimals) {
  if (shown === null || shown === undefined) return html`<span class="under">none</span>`;
  if (typeof shown === "number" && field.difference !== undefined) return money(shown, decimals);
  return visible(typeof shown === "object" ? JSON.stringify(shown) : shown);
}

/**
 * The difference as a text and as a bar to the left (less) or right (more) of a middle line.
 *
 * @param {any} field
 * @param {number} scale percent of a whole bar
 * @param {number} decimals
 */
function difference({ difference: by, percent: part }, scale, decimals) {
  if (by === undefined) return null;
  const share = Math.min(1, Math.abs(part ?? scale) / scale) * 50;
  const style = by < 0 ? { right: "50%", width: `${share}%` } : { left: "50%", width: `${share}%` };
  return html`<span class="bar" aria-hidden="true"><span class=${by < 0 ? "less" : "more"} style=${style}></span></span>
    ${signedMoney(by, decimals)}${part === undefined ? "" : ` (${part < 0 ? "−" : "+"}${Math.abs(part).toFixed(1)} %)`}`;
}

/**
 * @param {string} label
 * @param {boolean} checked
 * @param {() => void} onChange
 * @param {boolean} [mixed]
 */
function box(label, checked, onChange, mixed = false) {
  return html`<input type="checkbox" tabindex="-1" aria-label=${label} checked=${checked} indeterminate=${mixed} onChange=${onChange} />`;
}
