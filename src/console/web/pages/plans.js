// @ts-check
/// <reference lib="dom" />
/** The list of plans. */
import { api } from "../api.js";
import { counted, money, signedMoney, time, whole } from "../format.js";
import { lastChange } from "../live.js";
import { query, setQuery } from "../router.js";
import { Badge, html, Loading, Notice, pageEffect, signal, untracked, visible } from "../ui.js";

/** Groups of plans, with the words and signs of their states. */
const GROUPS = [
  { name: "Waiting", states: ["waiting", "queued", "unfinished"] },
  { name: "Applied", states: ["applied"] },
  { name: "Failed", states: ["failed"] },
  { name: "Rolled back", states: ["rolled_back"] },
  { name: "Refused or unusable", states: ["refused", "unusable"] },
];

/** @type {Record<string, [kind: string, word: string]>} */
export const STATES = {
  waiting: ["wait", "Waiting"],
  queued: ["wait", "On the queue"],
  unfinished: ["bad", "Cut off"],
  applied: ["good", "Applied"],
  failed: ["bad", "Failed in part"],
  rolled_back: ["muted", "Rolled back"],
  refused: ["muted", "Refused"],
  unusable: ["bad", "Unusable"],
};

/** @param {string} state */
export function stateBadge(state) {
  const [kind, word] = STATES[state] ?? ["muted", state];
  return html`<${Badge} kind=${kind}>${word}<//>`;
}

export function plansPage() {
  const plans = signal(/** @type {any[] | undefined} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const load = async () => {
    try {
      plans.value = (await api("/api/plans")).plans;
      problem.value = undefined;
    } catch (error) {
      problem.value = error;
    }
  };
  pageEffect(() => {
    lastChange.value;
    untracked(() => void load());
  });
  return { title: () => "Plans", view: () => view(plans.value, problem.value) };
}

/**
 * @param {any[] | undefined} plans
 * @param {unknown} problem
 */
function view(plans, problem) {
  const search = query.value["q"] ?? "";
  const wanted = search.toLowerCase();
  const found = plans?.filter((plan) =>
    `${plan.id} ${plan.note ?? ""} ${plan.country_code ?? ""} ${plan.profile_id ?? ""}`.toLowerCase().includes(wanted)
  );
  return html`
    <h1>Plans</h1>
    <div class="toolbar">
      <label>Search <input type="search" value=${search} placeholder="note, id or market"
        onInput=${(/** @type {any} */ { target }) => setQuery({ q: target.value })} /></label>
    </div>
    ${problem && html`<${Notice} error=${problem} />`}
    ${found === undefined ? !problem && html`<${Loading} />` : found.length === 0
      ? html`<${Notice}>There are no plans${search === "" ? " yet. adsctl plan and the tool server make them" : " like this"}<//>`
      : GROUPS.map(({ name, states }) => {
        const members = found.filter(({ state }) => states.includes(state));
        return members.length > 0 && group(name, members);
      })}`;
}

/**
 * @param {string} name
 * @param {any[]} plans
 */
function group(name, plans) {
  return html`<section class="card" key=${name} aria-label=${name}>
    <h2>${name} <span class="count">${whole(plans.length)}</span></h2>
    <div class="scroll"><table class="plain">
      <thead><tr><th scope="col">Plan</th><th scope="col">State</th><th scope="col">Market</th>
        <th scope="col">Made by</th><th scope="col" class="number">Changes</th>
        <th scope="col" class="number">Spend a day</th><th scope="col">Made</th></tr></thead>
      <tbody>${plans.map((plan) => html`<tr key=${plan.id}>
        <td class="wide"><a href=${`/plans/${plan.id}`}>${visible(plan.note || `Plan ${plan.id}`)}</a>
          <div class="under">${plan.id}${plan.reverses ? ` · undoes ${plan.reverses}` : ""}</div>
          ${plan.problem && html`<div class="under bad">${visible(plan.problem)}</div>`}</td>
        <td>${stateBadge(plan.state)} ${finding(plan.highest_finding)}</td>
        <td>${plan.country_code}<div class="under">${plan.profile_id}</div></td>
        <td>${plan.maker === "agent" ? "An agent" : "A person or program"}</td>
        <td class="number">${plan.counts && counts(plan.counts)}</td>
        <td class="number">${range(plan.money, plan.decimals)}</td>
        <td class="nowrap">${time(plan.created_at, plan.time_zone)}</td>
      </tr>`)}</tbody>
    </table></div>
  </section>`;
}

/** @param {string | null} level */
function finding(level) {
  if (level === "approve") return html`<${Badge} kind="approve">asks for a person<//>`;
  if (level === "deny") return html`<${Badge} kind="deny">denied<//>`;
  return level === "advise" && html`<${Badge} kind="advise">worth a look<//>`;
}

/** @param {{ create: number, update: number, archive: number }} counts */
function counts({ create, update, archive }) {
  const parts = [[create, "new"], [update, "changed"], [archive, "archived"]]
    .filter(([count]) => count !== 0).map(([count, word]) => `${whole(count)} ${word}`);
  return parts.join(", ") || counted(0, "change");
}

/**
 * @param {any} risk
 * @param {number} [decimals]
 */
export function range(risk, decimals) {
  if (!risk) return html`<span class="under">not estimated</span>`;
  if (risk.known === 0 && risk.unknown > 0) return html`<span class="under">unknown</span>`;
  const { low, high } = risk.perDay;
  const text = low === high
    ? low === 0 ? money(0, decimals) : signedMoney(low, decimals)
    : `${signedMoney(low, decimals)} to ${signedMoney(high, decimals)}`;
  return html`${text} <span class="unit">${risk.currency}</span>${
    risk.unknown > 0 && html`<div class="under">${counted(risk.unknown, "change")} unknown</div>`
  }`;
}
