// @ts-check
/// <reference lib="dom" />
/** One plan: what it changes, what was found about it, and what a person can decide. */
import { api } from "../api.js";
import { bigTable } from "../big_table.js";
import { counted, money, signedMoney, time, whole } from "../format.js";
import { lastChange } from "../live.js";
import { query, setQuery } from "../router.js";
import { Badge, computed, html, Loading, Notice, pageEffect, signal, untracked, visible } from "../ui.js";
import { actions } from "./plan_actions.js";
import { planCells } from "./plan_cells.js";
import { outcomeView } from "./plan_outcome.js";
import { campaignKey, planRows } from "./plan_rows.js";
import { range, stateBadge } from "./plans.js";

const COLUMNS = [
  { name: "In", class: "tick", width: "44px" },
  { name: "What", width: "38%" },
  { name: "Field", width: "17%" },
  { name: "Before", class: "number", width: "13%" },
  { name: "After", class: "number", width: "13%" },
  { name: "Change", class: "number", width: "19%" },
];
const COLUMNS_WITH_FIGURES = [
  { name: "In", class: "tick", width: "44px" },
  { name: "What", width: "28%" },
  { name: "Field", width: "9%" },
  { name: "Before", class: "number", width: "9%" },
  { name: "After", class: "number", width: "9%" },
  { name: "Change", class: "number", width: "16%" },
  { name: "Figures", width: "29%" },
];

/** @param {string[]} params */
export function planPage([id = ""]) {
  const shown = signal(/** @type {any} */ (undefined));
  const review = signal(/** @type {any} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const outcome = signal(/** @type {any} */ (undefined));
  const reviewProblem = signal(/** @type {unknown} */ (undefined));
  const folded = signal(/** @type {ReadonlySet<string>} */ (new Set()));
  const out = signal(/** @type {ReadonlySet<number>} */ (new Set()));

  const load = async () => {
    try {
      shown.value = reviewed(await api(`/api/plans/${id}`), review.value);
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
    if (isFirst || changed === id) untracked(() => void load());
  });

  const campaigns = computed(() => {
    const names = review.value?.names.campaigns ?? {};
    return (shown.value?.plan.campaigns ?? []).map((/** @type {any} */ campaign) => ({
      ...campaign,
      campaign_name: campaign.campaign_name ?? names[campaign.campaign_id ?? ""] ?? null,
    }));
  });
  const findings = computed(() => findingsOf(shown.value, review.value));
  const filter = computed(() => {
    const { q = "", op = "", only = "", sort = "" } = query.value;
    return { search: q, op, only, sort };
  });
  const rows = computed(() => planRows(campaigns.value, filter.value, folded.value, findings.value.byChange));
  const scales = computed(() => largestDifference(campaigns.value));
  const hasFigures = computed(() =>
    campaigns.value.some((/** @type {any} */ { changes }) =>
      changes.some((/** @type {any} */ { evidence }) => evidence !== undefined)
    )
  );
  const canTick = () => shown.value?.state === "waiting";

  /** @param {number[]} changes */
  const tick = (changes) => {
    if (!canTick()) return;
    const next = new Set(out.value);
    const clear = changes.some((change) => !next.has(change));
    for (const change of changes) clear ? next.add(change) : next.delete(change);
    out.value = next;
  };
  /** @param {string} key */
  const fold = (key) => {
    const next = new Set(folded.value);
    if (!next.delete(key)) next.add(key);
    folded.value = next;
  };
  const table = bigTable({
    name: "Changes of the plan",
    columns: COLUMNS,
    head: () => hasFigures.value ? COLUMNS_WITH_FIGURES : COLUMNS,
    rows: () => rows.value,
    key: ({ key }) => key,
    rowClass: ({ type, change }) => `${type}${out.value.has(change?.change) ? " out" : ""}`,
    cells: (row) =>
      planCells(row, { out: out.value, tick, fold, canTick: canTick(), scales: scales.value, decimals: shown.value.decimals, hasFigures: hasFigures.value }),
    onKey: (key, row) => {
      if (key === " ") tick(row.type === "campaign" ? row.changes.map((/** @type {any} */ one) => one.change) : [row.change.change]);
      else if (row.type === "campaign") {
        const name = campaignKey(row.campaign);
        if (key === "Enter" || (key === "ArrowLeft") !== row.folded) fold(name);
      }
    },
  });
  const bar = actions({ id, shown, review, out, findings, reload: load });

  const view = () => {
    if (problem.value) return html`<h1>Plan ${id}</h1><${Notice} error=${problem.value} />`;
    if (shown.value === undefined) return html`<h1>Plan ${id}</h1><${Loading} />`;
    return html`
      ${heading(id, shown.value)}
      ${summary(shown.value, review.value)}
      ${findingList(shown.value, review.value, findings.value.whole, reviewProblem.value)}
      ${failureList(shown.value)}
      ${outcomeView(outcome.value, shown.value.decimals)}
      ${bar()}
      ${toolbar(campaigns.value, folded)}
      ${table()}
      <p class="under">Fingerprint <code>${shown.value.plan.fingerprint}</code></p>`;
  };
  return { title: () => `Plan ${id}`, view };
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
 */
function heading(id, { plan, state, maker, time_zone: zone, status, rollback_plan_id: undo }) {
  return html`
    <p class="crumbs"><a href="/plans">Plans</a> / ${id}</p>
    <h1>${visible(plan.note || `Plan ${id}`)} ${stateBadge(state)}</h1>
    <p class="under">${plan.country_code} · profile ${plan.profile_id} · amounts in ${plan.currency ?? "an unknown currency"} · made by ${maker === "agent" ? "an agent" : "a person or program"} · ${time(plan.created_at, zone)}
      ${plan.reverses && html` · undoes <a href=${`/plans/${plan.reverses}`}>${plan.reverses}</a>`}
      ${status.at && html` · ${state === "refused" ? "refused" : "sent"} ${time(status.at, zone)}`}
      ${undo && html` · ${state === "rolled_back" ? "undone by" : "can be undone by"} <a href=${`/plans/${undo}`}>${undo}</a>`}</p>
    ${status.summary && html`<p class="notice">${visible(status.summary)}</p>`}`;
}

/**
 * @param {any} shown
 * @param {any} review
 */
function summary({ plan, decimals }, review) {
  const { counts, bids, daily_budgets: budgets } = plan;
  return html`<dl class="figures">
    <div><dt>Changes</dt><dd>${whole(counts.create + counts.update + counts.archive)}</dd>
      <dd class="under">${whole(counts.create)} new, ${whole(counts.update)} changed, ${whole(counts.archive)} archived</dd></div>
    ${amounts("Bids", bids, decimals, bids.raised + bids.lowered)}
    ${amounts("Daily budgets", budgets, decimals, 1)}
    <div><dt>Spend a day</dt><dd>${range(review?.money ?? plan.money, decimals)}</dd>
      <dd class="under">${visible((review?.money ?? plan.money)?.basis[0] ?? "")}</dd></div>
  </dl>`;
}

/**
 * @param {string} name
 * @param {any} amounts
 * @param {number} decimals
 * @param {number} by what the sums are divided by
 */
function amounts(name, { raised, lowered, before, after }, decimals, by) {
  if (raised + lowered === 0) return null;
  return html`<div><dt>${name}${by > 1 ? ", on average" : ""}</dt>
    <dd>${money(before / by, decimals)} → ${money(after / by, decimals)}</dd>
    <dd class="under">${whole(raised)} raised, ${whole(lowered)} lowered, ${signedMoney((after - before) / by, decimals)}</dd></div>`;
}

/**
 * Findings of the review where there is one, else those that the plan was saved with: of the plan, and by change.
 *
 * @param {any} shown
 * @param {any} review
 */
function findingsOf(shown, review) {
  const saved = shown === undefined ? [] : [
    ...shown.plan.findings,
    ...shown.plan.campaigns.flatMap((/** @type {any} */ campaign) =>
      campaign.changes.flatMap((/** @type {any} */ change) => change.findings ?? [])
    ),
  ];
  const drift = (review?.drift ?? []).map((/** @type {any} */ { change, already, fields }) => ({
    change,
    level: "advise",
    code: already ? "ALREADY" : "DRIFTED",
    message: already
      ? "No change: the account already has this value"
      : `The account changed since: ${
        fields.map((/** @type {any} */ { field, expected, actual }) =>
          `${field} is ${JSON.stringify(actual) ?? "gone"}, the plan saw ${JSON.stringify(expected) ?? "nothing"}`
        ).join("; ")
      }`,
  }));
  const all = [...review?.findings ?? saved, ...drift];
  /** @type {Map<number, any[]>} */
  const byChange = new Map();
  for (const finding of all) {
    if (finding.change === undefined) continue;
    byChange.set(finding.change, [...byChange.get(finding.change) ?? [], finding]);
  }
  return { all, byChange, whole: all.filter(({ change }) => change === undefined) };
}

/**
 * @param {any} shown
 * @param {any} review
 * @param {any[]} findings
 * @param {unknown} problem
 */
function findingList({ plan, state }, review, findings, problem) {
  const lines = [
    ...findings,
    ...(plan.experiment === null ? [] : [{ level: "note", message: plan.experiment.text }]),
    ...(plan.rehearsal === null
      ? []
      : [{ level: "note", message: `Made on the copy of the account of ${plan.rehearsal}: its figures are rehearsed` }]),
    ...plan.warnings.map((/** @type {string} */ message) => ({ level: "note", message })),
    ...(plan.missing.length > 0 ? [{ level: "advise", message: `Not found in the account: ${plan.missing.join(", ")}` }] : []),
  ];
  const drifted = review?.drift.length ?? 0;
  return html`
    ${problem && html`<${Notice} error=${problem} />`}
    ${state === "waiting" && !problem && html`<p class="notice" role="status">${
    review === undefined
      ? "Unchecked: names, findings and money are those of the plan file. Looking at the account …"
      : drifted === 0
      ? "The account is as the plan saw it."
      : `${counted(drifted, "change")} no longer fit the account: it changed since the plan was made.`
  }</p>`}
    ${lines.length > 0 && html`<ul class="findings" aria-label="Findings">${
    lines.map(({ level, message, allowed, hint, rule, refused }) => html`<li><${Badge} kind=${level}>${refused ? "not sent" : level}<//> ${visible(message)}
      ${allowed && html` <span class="under">Allowed: ${visible(allowed)}.</span>`}
      ${rule && html` <span class="under">Rule: ${visible(rule)}.</span>`}
      ${hint && html` <span class="under">${visible(hint)}.</span>`}</li>`)
  }</ul>`}`;
}

/** @param {any} shown */
function failureList({ failures, plan }) {
  if (failures.length === 0) return null;
  /** @type {Map<number, any>} */
  const byChange = new Map(plan.campaigns.flatMap((/** @type {any} */ { changes }) =>
    changes.map((/** @type {any} */ change) => [change.change, change])
  ));
  return html`<details class="card" open=${failures.length <= 20}>
    <summary>${counted(failures.length, "change")} not done</summary>
    <ul class="findings">${failures.slice(0, 500).map((/** @type {any} */ { change, outcome, code, message, hint }) => html`
      <li><${Badge} kind="bad">${visible(String(outcome).replace("_", " "))}<//> <bdi>${visible(byChange.get(change)?.label)}</bdi>:
        ${visible(message)} <span class="under">${visible(code)}${hint ? `. ${visible(hint)}` : ""}</span></li>`)}</ul>
  </details>`;
}

/**
 * @param {any[]} campaigns
 * @param {any} folded
 */
function toolbar(campaigns, folded) {
  const { q = "", op = "", only = "", sort = "" } = query.value;
  /** @param {string} name */
  const set = (name) => (/** @type {any} */ { target }) => setQuery({ [name]: target.value });
  const isFolded = folded.value.size > 0;
  return html`<div class="toolbar" role="search">
    <label>Search <input type="search" value=${q} placeholder="name, id or field" onInput=${set("q")} /></label>
    <label>Show <select value=${op} onChange=${set("op")}>
      <option value="">every change</option><option value="create">new</option>
      <option value="update">changed</option><option value="archive">archived</option></select></label>
    <label>With <select value=${only} onChange=${set("only")}>
      <option value="">and without findings</option><option value="findings">findings only</option></select></label>
    <label>Sort <select value=${sort} onChange=${set("sort")}>
      <option value="">important first</option><option value="name">by campaign</option>
      <option value="raise">largest raise</option><option value="cut">largest cut</option></select></label>
    <button type="button" onClick=${() => (folded.value = new Set(isFolded ? [] : campaigns.map(campaignKey)))}>
      ${isFolded ? "Unfold all" : "Fold all"}</button>
  </div>`;
}

/**
 * The largest difference of a field, which the bars are drawn against.
 *
 * @param {any[]} campaigns
 */
function largestDifference(campaigns) {
  let largest = 0;
  for (const { changes } of campaigns) {
    for (const { fields } of changes) {
      for (const { percent = 0 } of fields) largest = Math.max(largest, Math.min(200, Math.abs(percent)));
    }
  }
  return largest || 1;
}
