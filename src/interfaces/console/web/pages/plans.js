// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { counted, shortTime, time, whole } from "../format.js";
import { pageKeys } from "../keys.js";
import { lastChange, progress } from "../live.js";
import { go, query, setQuery } from "../router.js";
import { Sheet } from "../save_csv.js";
import { adsctl } from "../shell.js";
import { Badge, Command, html, Loading, Notice, pageEffect, Select, Sign, signal, untracked, visible } from "../ui.js";

const SHOWN = 40;

/** @type {[key: string, word: string, states: string[]][]} */
const TABS = [
  ["", "All", []],
  ["waiting", "Waiting", ["waiting"]],
  ["under-way", "Under way", ["queued", "unfinished"]],
  ["applied", "Applied", ["applied"]],
  ["undone", "Undone", ["undone"]],
  ["refused", "Refused", ["refused"]],
  ["failed", "Failed", ["failed", "unusable"]],
];
/** @type {[name: string, states: string[]][]} */
const GROUPS = [
  ["Waiting for you", ["waiting"]],
  ["Under way", ["queued", "unfinished"]],
  ["Done", ["applied", "failed", "undone", "refused", "unusable"]],
];

/** @type {Record<string, [kind: string, word: string]>} */
export const STATES = {
  waiting: ["wait", "Waiting for review"],
  approved: ["good", "Approved for the agent"],
  sending: ["now", "Being sent"],
  queued: ["now", "Queued"],
  unfinished: ["bad", "Interrupted"],
  applied: ["good", "Applied"],
  failed: ["bad", "Partly applied"],
  undone: ["undo", "Undone"],
  refused: ["muted", "Refused"],
  unusable: ["bad", "Unusable"],
};

/** @param {string} state */
export function stateBadge(state) {
  const [kind, word] = STATES[state] ?? ["muted", state];
  return html`<${Badge} kind=${kind}>${word}<//>`;
}

export function plansPage() {
  const data = signal(/** @type {{ plans: any[], rollouts: any[] } | undefined} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const unfolded = signal(/** @type {ReadonlySet<string>} */ (new Set()));
  const all = signal(false);
  const active = signal(0);
  const load = async () => {
    try {
      data.value = await api("/api/plans");
      problem.value = undefined;
    } catch (error) {
      problem.value = error;
    }
  };
  pageEffect(() => {
    lastChange.value;
    untracked(() => void load());
  });
  const fold = (/** @type {string} */ folder) => {
    const next = new Set(unfolded.value);
    if (!next.delete(folder)) next.add(folder);
    unfolded.value = next;
  };
  const lines = () => linesOf(data.value, unfolded.value);
  const move = (/** @type {number} */ by) => {
    active.value = Math.max(0, Math.min(lines().filter(isShown).length - 1, active.value + by));
    document.querySelector("tr.active")?.scrollIntoView({ block: "nearest" });
  };
  const isShown = (/** @type {any} */ line) => all.value || line.at < SHOWN;
  const now = () => lines().filter(isShown)[active.value];
  pageKeys([
    { key: "j", does: "next", run: () => move(1) },
    { key: "k", does: "previous", run: () => move(-1) },
    { key: "Enter", does: "open", run: () => now()?.plan && go(`/plans/${now()?.plan.id}`) },
    { key: "o", does: "expand a rollout", run: () => now()?.rollout && fold(now()?.rollout.folder) },
  ]);
  const view = () => {
    const found = lines();
    const { q = "", market = "", maker = "", state = "" } = query.value;
    const plans = data.value?.plans ?? [];
    const markets = [...new Set(plans.flatMap((/** @type {any} */ { country_code: code }) => code ?? []))].sort();
    const count = (/** @type {string[]} */ states) => plans.filter((/** @type {any} */ plan) => states.length === 0 || states.includes(plan.state)).length;
    return html`
      <div class="head"><h1>Plans</h1></div>
      <div class="toolbar" role="search">
        <label>Find <input type="search" value=${q} placeholder="note, id or market" onInput=${(/** @type {any} */ { target }) => setQuery({ q: target.value })} /></label>
        ${markets.length > 1 && html`<${Select} label="Market" value=${market} options=${[["", "all"], ...markets.map((code) => [code, code])]} onChange=${(/** @type {string} */ value) => setQuery({ market: value })} />`}
        <${Select} label="Made by" value=${maker} options=${[["", "anyone"], ["agent", "agents"], ["person", "people and programs"]]} onChange=${(/** @type {string} */ value) => setQuery({ maker: value })} />
      </div>
      ${problem.value && html`<${Notice} error=${problem.value} again=${load} />`}
      ${data.value !== undefined && plans.length > 0 && html`<div class="tabs" role="group" aria-label="State">${TABS.map(([key, word, states]) => html`
        <button type="button" aria-pressed=${state === key} onClick=${() => setQuery({ state: key })}>${word} ${count(states)}</button>`)}</div>`}
      ${data.value === undefined ? !problem.value && html`<${Loading} />` : plans.length === 0 ? html`<p>There are no plans yet. Commands, programs and agents make plans, and you review them here. For example:</p><${Command} text=${adsctl("plan bids --preset wasters", { market: true, store: true })} />`
      : found.length === 0 ? html`<p>No plans match. <button type="button" class="link" onClick=${() => setQuery({ q: "", market: "", maker: "", state: "" })}>Show all</button></p>`
      : table(found.filter(isShown), active.value, fold, unfolded.value)}
      ${found.some((line) => !isShown(line)) && html`<p><button type="button" class="link" onClick=${() => (all.value = true)}>Show ${whole(found.filter((line) => !isShown(line)).length)} more</button></p>`}
      <ul class="keys"><li><kbd>j</kbd> <kbd>k</kbd> next, previous</li><li><kbd>Enter</kbd> open</li><li><kbd>o</kbd> expand a rollout</li><li><kbd>f</kbd> find</li></ul>`;
  };
  return { title: () => "Plans", view };
}

/**
 * Lines of the table: plans by group, rollouts with theirs, and each undo under what it undoes.
 *
 * @param {{ plans: any[], rollouts: any[] } | undefined} data
 * @param {ReadonlySet<string>} unfolded
 */
function linesOf(data, unfolded) {
  if (data === undefined) return [];
  const { q = "", market = "", maker = "", state = "" } = query.value;
  const wanted = q.toLowerCase();
  const states = TABS.find(([key]) => key === state)?.[2] ?? [];
  const isFound = (/** @type {any} */ plan) =>
    `${plan.id} ${plan.note ?? ""} ${plan.country_code ?? ""} ${plan.profile_id ?? ""}`.toLowerCase().includes(wanted) &&
    (market === "" || plan.country_code === market) && (maker === "" || plan.maker === maker) &&
    (states.length === 0 || states.includes(plan.state));
  const byId = new Map(data.plans.map((plan) => [plan.id, plan]));
  const undoes = Map.groupBy(data.plans.filter(({ reverses }) => byId.has(reverses)), ({ reverses }) => reverses);
  const inRollout = new Map(data.rollouts.flatMap((rollout) => rollout.plans.map((/** @type {any} */ { plan_id: id }) => [id, rollout])));
  /** @type {any[]} */
  const lines = [];
  for (const [name, ofGroup] of GROUPS) {
    /** @type {{ at: string, rows: any[] }[]} */
    const blocks = [];
    for (const rollout of data.rollouts) {
      const own = rollout.plans.flatMap((/** @type {any} */ one) => byId.has(one.plan_id) ? [{ ...byId.get(one.plan_id), account_name: one.account_name }] : []);
      if (groupOf(own) !== name || !own.some(isFound)) continue;
      const isOpen = unfolded.has(rollout.folder);
      blocks.push({ at: rollout.created_at, rows: [{ rollout, own, isOpen }, ...isOpen ? own.flatMap((/** @type {any} */ plan) => [{ plan, isChild: true }, ...(undoes.get(plan.id) ?? []).map((undo) => ({ plan: undo, isUndo: true }))]) : []] });
    }
    for (const plan of data.plans) {
      if (!ofGroup.includes(plan.state) || inRollout.has(plan.id) || byId.has(plan.reverses) || !isFound(plan)) continue;
      blocks.push({ at: plan.created_at ?? "", rows: [{ plan }, ...(undoes.get(plan.id) ?? []).map((undo) => ({ plan: undo, isUndo: true }))] });
    }
    blocks.sort((a, b) => a.at < b.at ? 1 : -1);
    const rows = blocks.flatMap(({ rows: own }) => own);
    rows.forEach((row, at) => lines.push({ ...row, at: lines.length, group: at === 0 ? `${name} · ${whole(blocks.length)}` : undefined }));
  }
  return lines;
}

/** @param {any[]} plans of a rollout */
function groupOf(plans) {
  const has = (/** @type {string[]} */ states) => plans.some(({ state }) => states.includes(state));
  if (has(["queued", "unfinished"]) || (has(["waiting"]) && has(["applied", "failed"]))) return "Under way";
  return has(["waiting"]) ? "Waiting for you" : "Done";
}

/**
 * @param {any[]} lines
 * @param {number} active
 * @param {(folder: string) => void} fold
 * @param {ReadonlySet<string>} unfolded
 */
function table(lines, active, fold, unfolded) {
  return html`<${Sheet} name="plans"><table class="plain cards"><thead><tr><th scope="col">Plan</th><th scope="col">State</th><th scope="col">Market</th>
      <th scope="col" class="number">Changes</th><th scope="col" class="number">Spend a day</th><th scope="col">Made by</th></tr></thead>
    <tbody>${lines.map((line, at) => html`
      ${line.group && html`<tr class="group" key=${line.group}><th colspan="6" scope="rowgroup" class="all">${line.group}</th></tr>`}
      ${line.rollout ? rolloutRow(line, at === active, fold, unfolded) : planRow(line, at === active)}`)}</tbody></table><//>`;
}

/**
 * @param {any} line
 * @param {boolean} isActive
 */
function planRow({ plan, isChild, isUndo }, isActive) {
  const sending = progress.value[plan.id];
  const title = isChild ? `${plan.country_code} · ${plan.account_name ?? plan.profile_id}` : plan.note || `Plan ${plan.id}`;
  return html`<tr key=${plan.id} class=${[isActive ? "active" : "", isChild || isUndo ? "child" : ""].join(" ")}>
    <td class="wide"><a class="strong two-lines" href=${`/plans/${plan.id}`} title=${visible(title)}>${isUndo && html`<${Sign} kind="undo">Undo: <//>`}<bdi>${visible(title)}</bdi></a>
      <div class="under">${plan.id}${plan.reverses && !isUndo ? ` · undoes ${plan.reverses}` : ""}</div>
      ${plan.problem && html`<div class="under bad">${visible(plan.problem)}</div>`}</td>
    <td class="nowrap">${sending ? html`<${Sign} kind="now">Sending ${sending.sent} of ${sending.total}<//>` : stateSign(plan)}</td>
    <td>${plan.country_code}${plan.currency && ` · ${plan.currency}`}<div class="under">${plan.profile_id}</div></td>
    <td class="number" data-label="Changes">${plan.counts && counts(plan.counts)}</td>
    <td class="number" data-label="Spend a day">${spendView(plan.spend)}</td>
    <td data-label="By"><span class="nowrap">${plan.maker === "agent" ? "an agent" : "a person or program"}</span><div class="under nowrap" title=${time(plan.created_at, plan.time_zone)}>${shortTime(plan.created_at, plan.time_zone)}</div></td></tr>`;
}

/** @param {any} plan */
function stateSign(plan) {
  const [kind, word] = STATES[plan.state] ?? ["muted", plan.state];
  if (plan.state === "waiting") {
    if (plan.highest_finding === "deny") return html`<${Sign} kind="deny">denied by the policy<//>`;
    if (plan.highest_finding === "approve") return html`<${Sign} kind="approve">needs approval<//>`;
    return html`<${Sign} kind="wait">${plan.highest_finding === "advise" ? "has findings" : "no findings"}<//>`;
  }
  return html`<${Sign} kind=${kind}>${word}<//>`;
}

/**
 * @param {any} line
 * @param {boolean} isActive
 * @param {(folder: string) => void} fold
 * @param {ReadonlySet<string>} unfolded
 */
function rolloutRow({ rollout, own }, isActive, fold, unfolded) {
  const isOpen = unfolded.has(rollout.folder);
  const states = Map.groupBy(own, (/** @type {any} */ { state }) => state);
  const sums = { create: 0, update: 0, archive: 0 };
  for (const { counts: one } of own) for (const name of /** @type {const} */ (["create", "update", "archive"])) sums[name] += one?.[name] ?? 0;
  const currencies = new Set(own.map((/** @type {any} */ { currency }) => currency));
  const words = [...states].map(([state, members]) => `${members.length} ${(STATES[state]?.[1] ?? state).toLowerCase()}`).join(", ");
  const kind = states.has("failed") || states.has("unfinished") ? "bad" : states.has("waiting") ? "wait" : "good";
  return html`<tr key=${rollout.folder} class=${isActive ? "active" : ""}>
    <td class="wide"><button type="button" class="plain strong" aria-expanded=${isOpen} onClick=${() => fold(rollout.folder)}><span aria-hidden="true">${isOpen ? "▾" : "▸"}</span>
        <bdi>Rollout: ${visible(rollout.note || rollout.folder)}</bdi></button>
      <div class="under">${counted(rollout.plans.length, "profile")}${rollout.failed.length > 0 ? ` · ${rollout.failed.length} not planned` : ""}${rollout.undone_at ? " · undone" : ""}</div>
      <div class="under"><a href=${`/rollout?${new URLSearchParams({ folder: rollout.folder })}`}>${states.has("waiting") || states.has("unfinished") ? "Review and apply in stages" : "Open the rollout"}</a></div>
      ${rollout.problem && html`<div class="under bad">${visible(rollout.problem)}</div>`}</td>
    <td><${Sign} kind=${kind}>${words}<//></td>
    <td>${counted(new Set(own.map((/** @type {any} */ { country_code: code }) => code)).size, "market")}<div class="under">${counted(currencies.size, "currency", "currencies")}</div></td>
    <td class="number" data-label="Changes">${counts(sums)}</td><td class="number muted">by profile</td>
    <td><div class="under nowrap" title=${time(rollout.created_at)}>${shortTime(rollout.created_at)}</div></td></tr>`;
}

/** @param {{ create: number, update: number, archive: number }} counts */
function counts({ create, update, archive }) {
  const parts = [[create, "new"], [update, "changed"], [archive, "archived"]]
    .filter(([count]) => count !== 0).map(([count, word]) => `${whole(count)} ${word}`);
  return parts.join(", ") || counted(0, "change");
}

/** @param {string | null | undefined} text limit of the change in spend */
export function spendView(text) {
  if (!text) return html`<span class="under">not estimated</span>`;
  const [limit, ...open] = text.split("; ");
  return html`${limit}${open.length > 0 && html`<div class="under">${open.join("; ")}</div>`}`;
}
