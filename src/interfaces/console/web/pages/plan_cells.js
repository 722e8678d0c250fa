// @ts-check
/// <reference lib="dom" />
import { counted, money, percent, whole } from "../format.js";
import { html, phone, Sign, visible } from "../ui.js";
import { shortFinding } from "./plan_findings.js";
import { campaignKey } from "./plan_rows.js";

/**
 * @typedef {{
 *   out: ReadonlySet<number>, fixed: ReadonlySet<number>, tick: (changes: number[]) => void, fold: (key: string) => void,
 *   unfold: (change: number) => void, canTick: boolean, decimals: number, hasFigures: boolean, field: string | undefined,
 *   findings: ReadonlyMap<number, any[]>,
 * }} CellOptions `fixed`: changes that are left out whatever is ticked; `field`: the one that every change has, which the head names
 */

/**
 * @param {CellOptions} options
 * @returns {import("../big_table.js").Column[]}
 */
export function planColumns({ hasFigures, field }) {
  return [
    { name: "In", class: "tick", width: "36px" },
    { name: "Entity", width: hasFigures ? "34%" : "42%" },
    { name: field === undefined ? "Value" : word(field), class: "number", width: !hasFigures ? "22%" : innerWidth < 1000 ? "124px" : "15%" },
    { name: "Change", class: "number", width: "78px" },
    ...hasFigures ? [{ name: "ACOS", class: "number", width: "84px" }, { name: "Clicks", class: "number", width: "66px" },
      { name: "Cost", class: "number", width: "86px" }, { name: "Orders", class: "number", width: "60px" }] : [],
    { name: "Finding", width: hasFigures ? "20%" : "30%" },
  ];
}

/**
 * @param {any} row
 * @param {CellOptions} options
 */
export function rowHeight({ type, change, findings }, { hasFigures }) {
  if (type === "detail") {
    const perLine = Math.max(30, Math.floor((phone.value ? innerWidth - 80 : Math.min(innerWidth - 320, 900)) / 6.6));
    const lines = detailLines(change, findings).reduce((sum, { text }) => sum + Math.max(1, Math.ceil(text.length / perLine)), 0);
    return 20 + 20 * lines;
  }
  if (!phone.value) return type === "campaign" ? 32 : 28;
  return type === "campaign" ? 52 : hasFigures ? 112 : 76;
}

/**
 * @param {any} row
 * @param {CellOptions} options
 */
export function planCells(row, options) {
  if (row.type === "campaign") return campaignCells(row, options);
  if (row.type === "detail") return detailCells(row, options);
  return fieldCells(row, options);
}

/**
 * @param {any} row
 * @param {CellOptions} options
 */
function campaignCells({ campaign, changes, folded, sums }, { out, fixed, tick, fold, canTick, hasFigures, decimals }) {
  const positions = changes.map((/** @type {any} */ { change }) => change);
  const kept = positions.filter((/** @type {number} */ at) => !out.has(at)).length;
  const name = campaignName(campaign);
  const left = positions.length - kept;
  return html`
    <td class="tick">${canTick && box(`All changes of ${name}`, kept > 0, () => tick(positions.filter((/** @type {number} */ at) => !fixed.has(at))), kept > 0 && left > 0, positions.every((/** @type {number} */ at) => fixed.has(at)))}</td>
    <td class="name" colspan="3" title=${name}><button type="button" class="plain strong cut" tabindex="-1" aria-expanded=${!folded}
      onClick=${() => fold(campaignKey(campaign))}><span aria-hidden="true">${folded ? "▸" : "▾"}</span> <bdi class="cut">${name}</bdi></button>
      ${" "}<span class="under">${directions(changes)}</span></td>
    ${hasFigures && figures(sums, decimals)}
    <td class="under finding" title=${left > 0 ? `${left} left out` : ""}>${left > 0 && `${left} left out`}</td>`;
}

/** @param {any[]} changes */
function directions(changes) {
  const [up, down] = [1, -1].map((sign) => changes.filter(({ fields }) => fields.some((/** @type {any} */ { difference = 0 }) => Math.sign(difference) === sign)).length);
  const parts = [down && `${down} lowered`, up && `${up} raised`].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : counted(changes.length, "change");
}

/** @param {any} campaign */
function campaignName({ campaign_id: id, campaign_ref: ref, campaign_name: name }) {
  if (ref !== undefined) return `New campaign ${visible(name ?? ref)}`;
  if (id === null) return "No campaign, or a new one";
  return name ? visible(name) : `Campaign ${id}`;
}

/** @type {Record<string, string>} */
const OPS = { create: "new", archive: "archived", call: "call" };

/**
 * @param {any} row
 * @param {CellOptions} options
 */
function fieldCells({ change, field, first }, { out, fixed, tick, unfold, canTick, decimals, hasFigures, field: only, findings }) {
  const { kind, op, label, id } = change;
  const what = visible(label) || id || "(new)";
  const { difference, percent: part } = field;
  const short = first ? shortFinding(findings.get(change.change)) : undefined;
  const [name, more] = labelParts(what);
  return html`
    <td class="tick">${canTick && first && box(`${what}, ${kind}`, !out.has(change.change), () => tick([change.change]), false, fixed.has(change.change))}</td>
    <td class="name" title=${`${what} · ${kindWord(kind)} ${id ?? ""}`}>${first ? html`<bdi>${name}</bdi> <span class="under">${[OPS[op], more || kindWord(kind)].filter(Boolean).join(" · ")}</span>` : html`<span class="hidden">${what}</span>`}${
    only === undefined && field.field !== "" && html` <span class="under">${word(visible(field.field))}</span>`}</td>
    <td class="number value">${field.before !== null && field.before !== undefined && html`<span class="before">${value(field.before, field, decimals)} <span aria-hidden="true">→</span><span class="hidden">to</span> </span>`}<span class="after">${value(field.after, field, decimals)}</span></td>
    <td class="number by">${part !== undefined ? `${part < 0 ? "−" : "+"}${Math.abs(part).toFixed(1)} %` : difference !== undefined ? "new" : ""}</td>
    ${hasFigures && (first ? figures(change.evidence ?? {}, decimals) : [0, 1, 2, 3].map(() => html`<td class="fig"></td>`))}
    <td class="finding">${first && (short || change.evidence?.reason) && html`<button type="button" class="plain" tabindex="-1" title=${short?.words ?? visible(change.evidence.reason)} onClick=${() => unfold(change.change)}>${
    short ? html`<${Sign} kind=${short.kind}>${visible(short.words)}<//>` : html`<span class="under cut">${visible(change.evidence.reason)}</span>`}</button>`}</td>`;
}

/**
 * @param {any} evidence
 * @param {number} decimals
 */
function figures({ acos, clicks, cost, orders, estimate }, decimals) {
  return html`<td class="number fig" data-label="ACOS">${acos === undefined ? orders === 0 && clicks > 0 ? html`<span class="under">no sales</span>` : "" : percent(acos)}${estimate && html`<div class="under" title="smoothed with the rates of ad group and campaign; 95 % interval">estimated ${percent(estimate.acos)} (${percent(estimate.low)} to ${percent(estimate.high)})</div>`}</td><td class="number fig" data-label="Clicks">${whole(clicks)}</td>
    <td class="number fig" data-label="Cost">${money(cost, decimals)}</td><td class="number fig" data-label="Orders">${whole(orders)}</td>`;
}

/**
 * What is unfolded below a change: findings in full, the reason, the days of its figures.
 *
 * @param {any} change
 * @param {any[]} findings
 */
function detailLines({ evidence = {}, id, kind }, findings) {
  const { from, to, reason } = evidence;
  return [
    ...findings.map(({ level, message, allowed, hint, rule, refused }) => ({
      kind: refused ? "deny" : level,
      text: visible([refused ? "Cannot be sent" : undefined, message, allowed && `Allowed: ${allowed}`, rule && `Rule: ${rule}`, hint].filter(Boolean).join(". ")),
    })),
    ...reason ? [{ kind: "muted", text: visible(reason) }] : [],
    { kind: "muted", text: `${kindWord(kind)} ${id ?? "(new)"}${from === undefined ? "" : ` · figures from ${from} to ${to}`}` },
  ];
}

/**
 * @param {any} row
 * @param {CellOptions} options
 */
function detailCells({ change, findings }, { hasFigures }) {
  const lines = detailLines(change, findings);
  return html`<td class="tick"></td><td class="name" colspan=${hasFigures ? 8 : 4}><div class=${`say ${lines[0]?.kind ?? ""}`}>${
    lines.map(({ kind, text }) => html`<div class=${kind === "muted" ? "muted" : ""}>${text}</div>`)}</div></td>`;
}

/**
 * The name and the match type of a label such as `"cast iron" (EXACT)`.
 *
 * @param {string} label
 */
function labelParts(label) {
  const [, name, more] = /^"(.*)" \(([A-Z_]+)\)$/.exec(label) ?? [];
  return name === undefined ? [label, ""] : [name, more?.toLowerCase().replaceAll("_", " ")];
}

/** @param {string} field `budget.budget` */
function word(field) {
  const last = field.split(".").at(-1) ?? field;
  const words = last.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
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
  if (shown === null || shown === undefined) return "none";
  if (typeof shown === "number" && field.difference !== undefined) return money(shown, decimals);
  return visible(typeof shown === "object" ? JSON.stringify(shown) : shown);
}

/**
 * @param {string} label
 * @param {boolean} checked
 * @param {() => void} onChange
 * @param {boolean} mixed
 * @param {boolean} disabled
 */
function box(label, checked, onChange, mixed, disabled) {
  return html`<input type="checkbox" tabindex="-1" aria-label=${label} checked=${checked} indeterminate=${mixed} disabled=${disabled} onChange=${onChange} />`;
}
