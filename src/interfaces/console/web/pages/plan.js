// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { bigTable } from "../big_table.js";
import { counted, time, whole } from "../format.js";
import { pageKeys } from "../keys.js";
import { lastChange, progress } from "../live.js";
import { query, setQuery } from "../router.js";
import { saveCsv } from "../save_csv.js";
import { computed, html, Icon, Loading, Notice, pageEffect, phone, Select, signal, SIGNS, Switch, untracked, visible } from "../ui.js";
import { planActions } from "./plan_actions.js";
import { planCells, planColumns, rowHeight } from "./plan_cells.js";
import { commentsView } from "./plan_comments.js";
import { findingGroups, findingsOf, unsendable } from "./plan_findings.js";
import { outcomeView } from "./plan_outcome.js";
import { campaignKey, planRows } from "./plan_rows.js";
import { stateBadge } from "./plans.js";

/** @param {string[]} params */
export function planPage([id = ""]) {
  const shown = signal(/** @type {any} */ (undefined));
  const review = signal(/** @type {any} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const outcome = signal(/** @type {any} */ (undefined));
  const reviewProblem = signal(/** @type {unknown} */ (undefined));
  const folded = signal(/** @type {ReadonlySet<string>} */ (new Set()));
  const unfolded = signal(/** @type {ReadonlySet<number>} */ (new Set()));
  const unticked = signal(/** @type {ReadonlySet<number>} */ (new Set()));

  const load = async () => {
    try {
      const isFirst = shown.value === undefined;
      shown.value = reviewed(await api(`/api/plans/${id}`), review.value);
      // On a phone a campaign is many cards: all but the first begin folded.
      if (isFirst && phone.value) folded.value = new Set(shown.value.plan.campaigns.slice(1).map(campaignKey));
      if (["applied", "failed"].includes(shown.value.state) && outcome.value === undefined) {
        void api(`/api/plans/${id}/outcome`).then((found) => (outcome.value = found), (error) => (outcome.value = error));
      }
      if (["waiting", "unfinished"].includes(shown.value.state) && review.value === undefined) void look();
    } catch (error) {
      problem.value = error;
    }
  };
  const look = async () => {
    try {
      reviewProblem.value = undefined;
      review.value = await api(`/api/plans/${id}/review`);
      shown.value = reviewed(shown.value, review.value);
    } catch (error) {
      reviewProblem.value = error;
    }
  };
  let seen = -1;
  pageEffect(() => {
    const { id: changed, number } = lastChange.value;
    const isFirst = seen === -1;
    if (number === seen) return;
    seen = number;
    if (isFirst || changed === id || changed === "*") untracked(() => void load());
  });

  const campaigns = computed(() => {
    const names = review.value?.names.campaigns ?? {};
    return (shown.value?.plan.campaigns ?? []).map((/** @type {any} */ campaign) => ({
      ...campaign,
      campaign_name: campaign.campaign_name ?? names[campaign.campaign_id ?? ""] ?? null,
    }));
  });
  const changes = computed(() => campaigns.value.flatMap((/** @type {any} */ campaign) => campaign.changes));
  const findings = computed(() => findingsOf(shown.value, review.value));
  const groups = computed(() => findingGroups(findings.value));
  const canTick = () => shown.value?.state === "waiting";
  const fixed = computed(() => canTick() ? unsendable(findings.value) : new Set());
  const out = computed(() => new Set([...fixed.value, ...unticked.value]));
  const rows = computed(() => {
    const { q = "", op = "", only = "", sort = "" } = query.value;
    const group = groups.value.find((/** @type {any} */ { key }) => key === only);
    return planRows(campaigns.value, { search: q, op, only, sort }, {
      folded: folded.value, unfolded: unfolded.value, findings: findings.value.byChange, out: out.value,
      group: group === undefined ? undefined : new Set(group.changes),
    });
  });
  const field = computed(() => {
    const names = new Set(changes.value.flatMap((/** @type {any} */ { fields }) => fields.map((/** @type {any} */ one) => one.field)));
    return names.size === 1 ? String([...names][0]) : undefined;
  });
  const hasFigures = computed(() => changes.value.some((/** @type {any} */ { evidence }) => evidence?.clicks !== undefined || evidence?.cost !== undefined));

  /** @param {number[]} positions */
  const tick = (positions) => {
    if (!canTick()) return;
    const free = positions.filter((at) => !fixed.value.has(at));
    const next = new Set(unticked.value);
    const clear = free.some((at) => !next.has(at));
    for (const at of free) clear ? next.add(at) : next.delete(at);
    unticked.value = next;
  };
  const fold = (/** @type {string} */ key) => (folded.value = toggled(folded.value, key));
  const unfold = (/** @type {number} */ change) => (unfolded.value = toggled(unfolded.value, change));
  const options = computed(() => ({
    out: out.value, fixed: fixed.value, tick, fold, unfold, canTick: canTick(), decimals: shown.value?.decimals ?? 2,
    hasFigures: hasFigures.value, field: field.value, findings: findings.value.byChange,
  }));
  const onKey = (/** @type {string} */ key, /** @type {any} */ row) => {
    if (key === " ") tick(row.type === "campaign" ? row.changes.map((/** @type {any} */ one) => one.change) : [row.change.change]);
    else if (row.type === "campaign") {
      if (key === "Enter" || (key === "ArrowLeft") !== row.folded) fold(campaignKey(row.campaign));
    } else if (key === "Enter") unfold(row.change.change);
  };
  const table = bigTable({
    name: "Changes of the plan",
    columns: () => planColumns(options.value),
    rows: () => rows.value,
    key: ({ key }) => key,
    height: (row) => rowHeight(row, options.value),
    rowClass: ({ type, change }) => `${type}${type === "field" && out.value.has(change.change) ? " out" : ""}`,
    cells: (row) => planCells(row, options.value),
    onKey,
  });
  const bar = planActions({ id, shown, review, unticked, fixed, changes, findings, reload: load });
  const onRow = (/** @type {(row: any) => void} */ run) => () => {
    const row = table.row();
    if (row !== undefined) run(row);
  };
  pageKeys([
    { key: "j", does: "next change", run: () => table.move(1) },
    { key: "k", does: "previous change", run: () => table.move(-1) },
    { key: "x", does: "leave out, or include", run: onRow((row) => onKey(" ", row)) },
    { key: "o", does: "collapse a campaign, expand a change", run: onRow((row) => onKey("Enter", row)) },
    { key: "n", does: "next finding", run: () => table.next((row) => row.type === "field" && row.first && findings.value.byChange.has(row.change.change)) },
    { key: "c", does: "write a comment", run: () => document.getElementById("comment")?.focus() },
    { key: "a", does: "approve or apply (opens the dialog)", run: () => bar.decide() },
  ]);

  const view = () => {
    if (problem.value) return html`<h1>Plan ${id}</h1><${Notice} error=${problem.value} again=${() => { problem.value = undefined; void load(); }} />`;
    if (shown.value === undefined) return html`<h1>Plan ${id}</h1><${Loading} />`;
    const { state, decimals, comments } = shown.value;
    return html`<div class=${["waiting", "unfinished"].includes(state) ? "with-bar" : ""}>
      ${heading(id, shown.value, review.value?.account)}
      ${bar.draw()}
      <div class="review">${why(shown.value, review.value)}
        ${findingList(shown.value, { groups: groups.value, whole: findings.value.whole, review: review.value, problem: reviewProblem.value, again: look, drop: bar.drop })}</div>
      ${failureList(shown.value, changes.value)}
      ${outcomeView(outcome.value, decimals, shown.value)}
      ${toolbar({ campaigns: campaigns.value, total: changes.value.length, out: out.value, asks: groups.value.find((/** @type {any} */ { key }) => key === "approve")?.changes.length ?? 0, folded, canTick: canTick(), id, isRevisable: !shown.value.plan.reverses && !shown.value.in_rollout })}
      ${rows.value.length === 0 ? html`<p role="status">No changes match. <button type="button" class="link" onClick=${() => setQuery({ q: "", op: "", only: "" })}>Show all ${whole(changes.value.length)}</button></p>` : table.draw()}
      ${commentsView({ id, comments, maker: shown.value.maker, reload: load })}
      <p class="under">Profile <code>${shown.value.plan.profile_id}</code> · Fingerprint <code>${shown.value.plan.fingerprint}</code></p>
      <ul class="keys"><li><kbd>j</kbd> <kbd>k</kbd> next, previous</li><li><kbd>x</kbd> leave out or include</li><li><kbd>o</kbd> collapse, expand</li><li><kbd>n</kbd> next finding</li>
        <li><kbd>c</kbd> comment</li><li><kbd>a</kbd> approve</li><li><kbd>?</kbd> all shortcuts</li></ul></div>`;
  };
  return { title: () => `Plan ${id}`, view };
}

/**
 * @template Value
 * @param {ReadonlySet<Value>} set
 * @param {Value} value
 */
function toggled(set, value) {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

/**
 * A plan as the account shows it now, and not as its file does.
 *
 * @param {any} shown
 * @param {any} review
 */
function reviewed(shown, review) {
  return review?.plan.fingerprint === shown.plan.fingerprint ? { ...shown, plan: review.plan } : shown;
}

/**
 * @param {string} id
 * @param {any} shown
 * @param {string | undefined} account Name of the account, where it is known by now.
 */
function heading(id, { plan, state, running, approved_until: until, maker, time_zone: zone, status, rollback_plan_id: undo, undoes }, account) {
  // An undo that was refused can be made again, under another id.
  const undoing = status.undone?.by ?? undo;
  return html`
    <p class="crumbs"><a href="/plans">Plans</a> / ${id}</p>
    <div class="head"><h1><bdi>${visible(plan.note || `Plan ${id}`)}</bdi></h1>${stateBadge(running || progress.value[id] ? "sending" : state === "waiting" && until ? "approved" : state)}</div>
    <p class="under">${account && html`<bdi>${visible(account)}</bdi>, `}${plan.country_code} · amounts in ${plan.currency ?? "an unknown currency"} · made by ${maker === "agent" ? "an agent" : "a person or program"} · ${time(plan.created_at, zone)}
      ${status.at && html` · ${status.replacedBy ? "replaced" : state === "refused" ? "refused" : "sent"} ${time(status.at, zone)}`}
      ${status.replacedBy && html` by <a href=${`/plans/${status.replacedBy}`}>${status.replacedBy}</a>`}
      ${undoing && html` · ${status.undone?.isPart ? "undone in part by" : status.undone ? "undone by" : "can be undone by"} <a href=${`/plans/${undoing}`}>${undoing}</a>`}</p>
    ${plan.reverses && html`<p class="notice">This plan undoes <a href=${`/plans/${plan.reverses}`}><bdi>${visible(undoes?.note || plan.reverses)}</bdi></a>${
    undoes && html`: it reverts ${whole(plan.campaigns.reduce((/** @type {number} */ sum, /** @type {any} */ { changes }) => sum + changes.length, 0))} of ${counted(undoes.changes, "change")}`}.</p>`}
    ${status.summary && html`<p class="notice">${visible(status.summary)}</p>`}`;
}

/**
 * @param {any} shown
 * @param {any} review
 */
function why({ plan }, review) {
  const risk = review?.money ?? plan.money;
  const days = plan.evidence_days;
  const { counts } = plan;
  return html`<section aria-label="Why"><h2>Why</h2>
    <p><bdi>${visible(plan.note || "No reason was given.")}</bdi></p>
    <dl class="facts">
      ${days && html`<dt>Figures of</dt><dd>${days.from} to ${days.to}</dd>`}
      <dt>Changes</dt><dd>${[[counts.update, "changed"], [counts.create, "new"], [counts.archive, "archived"], [counts.call ?? 0, "calls"]].filter(([count]) => count).map(([count, word]) => `${whole(count)} ${word}`).join(", ") || "none"}</dd>
      ${risk?.basis?.length > 0 && html`<dt>Estimate</dt><dd>${risk.basis.map((/** @type {string} */ ground) => html`<div>${visible(ground)}</div>`)}</dd>`}
      ${plan.experiment && html`<dt>Held back</dt><dd>${visible(plan.experiment.text)}</dd>`}
      ${plan.rehearsal && html`<dt>Rehearsal</dt><dd>made on a copy of the account from ${plan.rehearsal}</dd>`}
      ${plan.warnings.length > 0 && html`<dt>Remarks</dt><dd>${plan.warnings.map((/** @type {string} */ text) => html`<div>${visible(text)}</div>`)}</dd>`}
      ${plan.missing.length > 0 && html`<dt>Not found</dt><dd>${plan.missing.map(visible).join(", ")}</dd>`}
    </dl></section>`;
}

/**
 * @param {any} shown
 * @param {{ groups: import("./plan_findings.js").FindingGroup[], whole: any[], review: any, problem: unknown, again: () => void, drop: (positions: number[]) => void }} parts
 */
function findingList({ state }, { groups, whole: ofPlan, review, problem, again, drop }) {
  const { only = "" } = query.value;
  return html`<section aria-label="Findings"><h2>Findings</h2>
    ${problem && html`<${Notice} error=${problem} again=${again} /><p>Nothing was sent. Names, findings and estimates below come from the plan file and are unchecked.</p>`}
    ${state === "waiting" && !problem && review === undefined && html`<p class="muted" role="status">Unchecked: reading the account …</p>`}
    <ul class="rows tight">${ofPlan.map(({ level, message, allowed, hint, rule, refused }) => html`<li><span class=${level === "deny" ? "bad" : level === "note" ? "muted" : "warn"}><${Icon} name=${SIGNS[level] ?? "info"} /></span>
        <div>${refused && "Not sent. "}${visible(message)}${allowed && html` <span class="under">Allowed: ${visible(allowed)}.</span>`}${rule && html` <span class="under">Rule: ${visible(rule)}.</span>`}${hint && html` <span class="under">${visible(hint)}.</span>`}</div></li>`)}
      ${groups.map(({ key, kind, words, changes, verb }) => html`<li key=${key}><span class=${kind === "deny" ? "bad" : kind === "note" ? "muted" : "warn"}><${Icon} name=${SIGNS[kind] ?? "info"} /></span>
        <span>${words}</span><span class="end nowrap"><button type="button" class="link" aria-pressed=${only === key} onClick=${() => setQuery({ only: only === key ? "" : key })}>${only === key ? "Show all" : "Show"}</button>${
    state === "waiting" && review !== undefined && verb !== undefined && html` · <button type="button" class="link strong" onClick=${() => drop(changes)}>Drop ${whole(changes.length)}</button>`}</span></li>`)}</ul>
    ${state === "waiting" && review !== undefined && html`<p class=${groups.length + ofPlan.length === 0 ? "" : "under"} role="status">${
    review.drift.length === 0 ? "The account has not changed since the plan was made." : "Changes that no longer fit or cannot be sent are left out."}${groups.length > 0 ? " Dropping changes makes a new plan with a new fingerprint." : ""}</p>`}
    ${state !== "waiting" && groups.length + ofPlan.length === 0 && html`<p class="muted">No findings.</p>`}</section>`;
}

/**
 * @param {any} shown
 * @param {any[]} changes
 */
function failureList({ failures }, changes) {
  if (failures.length === 0) return null;
  const byChange = new Map(changes.map((change) => [change.change, change]));
  return html`<details class="section" open=${failures.length <= 20}>
    <summary>${counted(failures.length, "change")} not done</summary>
    <ul class="rows tight">${failures.slice(0, 500).map((/** @type {any} */ { change, outcome, code, message, hint }) => html`
      <li><span class="bad"><${Icon} name="cross" /></span><span><bdi>${visible(byChange.get(change)?.label)}</bdi>: ${visible(String(outcome).replace("_", " "))}. ${visible(message)}
        <span class="under">${visible(code)}${hint ? `. ${visible(hint)}` : ""}</span></span></li>`)}</ul>
  </details>`;
}

/**
 * Saves the changes of a plan, a row for each field.
 *
 * @param {string} id
 * @param {any[]} campaigns
 */
function savePlan(id, campaigns) {
  const text = (/** @type {unknown} */ value) => value !== null && typeof value === "object" ? JSON.stringify(value) : value;
  saveCsv(`plan ${id}`, ["campaign", "entity", "id", "kind", "operation", "field", "before", "after"], campaigns.flatMap(({ campaign_name: name, changes }) => changes.flatMap((/** @type {any} */ one) =>
    (one.fields.length > 0 ? one.fields : [{}]).map((/** @type {any} */ { field, before, after }) => [name, one.label, one.id, one.kind, one.op, field, text(before), text(after)]))));
}

/** @param {{ campaigns: any[], total: number, out: ReadonlySet<number>, asks: number, folded: any, canTick: boolean, id: string, isRevisable: boolean }} parts */
function toolbar({ campaigns, total, out, asks, folded, canTick, id, isRevisable }) {
  const { q = "", op = "", only = "", sort = "" } = query.value;
  const isFolded = folded.value.size > 0;
  /** @type {[string, string][]} */
  const shows = [["", `All ${whole(total)}`], ...canTick ? /** @type {[string, string][]} */ ([["sent", `To be sent ${whole(total - out.size)}`]]) : [], ...asks > 0 ? /** @type {[string, string][]} */ ([["approve", `Need approval ${whole(asks)}`]]) : [],
    ...canTick && out.size > 0 ? /** @type {[string, string][]} */ ([["out", `Left out ${whole(out.size)}`]]) : [], ["findings", "With findings"]];
  return html`<div class="toolbar" role="search">
    <input type="search" aria-label="Find a change" value=${q} placeholder="Find keyword or campaign" onInput=${(/** @type {any} */ { target }) => setQuery({ q: target.value })} />
    <${Switch} label="Show" value=${only} options=${shows} onChange=${(/** @type {string} */ value) => setQuery({ only: value })} />
    <span class="grow"></span>
    <${Select} label="Kind" value=${op} options=${[["", "all"], ["create", "new"], ["update", "changed"], ["archive", "archived"]]} onChange=${(/** @type {string} */ value) => setQuery({ op: value })} />
    <${Select} label="Sort" value=${sort} options=${[["", "important first"], ["name", "by campaign"], ["raise", "largest raise"], ["cut", "largest cut"], ["cost", "highest cost"]]} onChange=${(/** @type {string} */ value) => setQuery({ sort: value })} />
    ${canTick && isRevisable && html`<a href=${`/grid?plan=${id}`}>Edit in the grid</a>`}
    <button type="button" class="link" onClick=${() => savePlan(id, campaigns)}>Save as CSV</button>
    <button type="button" class="link" onClick=${() => (folded.value = new Set(isFolded ? [] : campaigns.map(campaignKey)))}>${isFolded ? "Expand all" : "Collapse all"}</button>
  </div>`;
}
