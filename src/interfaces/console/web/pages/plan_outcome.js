// @ts-check
/// <reference lib="dom" />
import { counted, money, signedMoney } from "../format.js";
import { Sheet } from "../save_csv.js";
import { html, Notice, visible } from "../ui.js";

/**
 * @param {any} outcome
 * @param {number} decimals
 * @param {any} shown
 */
export function outcomeView(outcome, decimals, { plan }) {
  if (outcome === undefined) return null;
  if (outcome instanceof Error) return html`<${Notice}>${visible(outcome.message)}<//>`;
  if (outcome.unknown) return html`<${Notice}>${visible(outcome.unknown)}<//>`;
  const { days, before, after, immature, changes, estimate, currency } = outcome;
  const sum = (/** @type {string} */ side, /** @type {string} */ field) =>
    changes.reduce((/** @type {number} */ total, /** @type {any} */ one) => total + (one[side]?.[field] ?? 0), 0);
  const line = (/** @type {string} */ word, /** @type {string} */ field) => {
    const [was, is] = [sum("before", field), sum("after", field)];
    return html`<tr><th scope="row">${word}</th><td class="number">${money(was, decimals)}</td><td class="number">${money(is, decimals)}</td><td class="number">${signedMoney(is - was, decimals)}</td></tr>`;
  };
  return html`<section class="section" aria-label="Outcome"><h2>Outcome <span class="under">${counted(days, "day")} before and after, ${currency ?? ""}</span></h2>
    <div class="scroll"><${Sheet} name="outcome"><table class="plain"><thead><tr><th scope="col">Changed entities</th><th scope="col" class="number">${before.start} to ${before.end}</th>
      <th scope="col" class="number">${after.start} to ${after.end}</th><th scope="col" class="number">Difference</th></tr></thead>
      <tbody>${line("Spend", "cost")}${line("Sales", "sales")}</tbody></table><//></div>
    ${immature.days > 0 && html`<p class="under">Sales of ${counted(immature.days, "day")} may still grow.</p>`}
    ${estimate?.note && html`<p class="under">${visible(estimate.note)}</p>`}
    ${plan.experiment && html`<p><a href=${`/experiments/${plan.id}`}>Did it work? Compare with the held-back part</a></p>`}
    <p class="under">The difference includes everything that happened in these days, not only the effect of the plan.</p></section>`;
}
