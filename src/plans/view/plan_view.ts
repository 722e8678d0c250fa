import { valueAt } from "../../base/json/field_path.ts";
import { marketOf } from "../../base/markets/markets.ts";
import { counted, moneyText } from "../../base/text/money_text.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import type { Change, ChangeOperation, Evidence } from "../model/change.ts";
import { isChangeRef } from "../model/change_ref.ts";
import { heldText } from "../model/experiment.ts";
import { type Finding, unsentChanges } from "../model/finding.ts";
import type { PlanData } from "../model/plan_data.ts";
import { isAdGroupKind, isCampaignKind } from "../model/prior_state.ts";
import { isMoneyField } from "../state/amounts.ts";
import { shownFields } from "../model/differences.ts";
import type {
  AmountsView,
  CampaignView,
  ChangeView,
  EvidenceDays,
  FieldView,
  PlanView,
} from "./view_types.ts";

export function planView(
  plan: PlanData,
  { limit = Infinity, open }: { limit?: number; open?: ReadonlySet<number> | undefined } = {},
): PlanView {
  const left = [...plan.changes.keys()].filter((at) => open === undefined || open.has(at));
  const settled = plan.changes.length - left.length;
  const unsent = unsentChanges(plan.findings);
  const sent = left.filter((at) => !unsent.has(at)).map((at) => plan.changes[at]!);
  const findings = Map.groupBy(plan.findings, ({ change }) => change);
  const ownNames = campaignNames(plan.changes);
  const shown = left.length <= limit ? undefined : topPlaces(left.map((at) => plan.changes[at]!), {
    count: limit,
    view: (change) => ({ ...change, fields: shownFields(change) }),
  });
  const places = shown === undefined ? left : [...shown].sort((a, b) => a - b).map((place) => left[place]!);
  const views = places.map((at) => {
    const change = plan.changes[at]!;
    const view = changeView(plan, { change, at, findings: findings.get(at) });
    return { campaign: campaignOf(change), view, importance: importance(view) };
  });
  const sorted = views.sort((a, b) => b.importance - a.importance);
  const campaigns = [...Map.groupBy(sorted, ({ campaign }) => campaign.key).values()].map(
    (changes): CampaignView => {
      const { id = null, ref } = changes[0]?.campaign ?? {};
      const name = id === null
        ? plan.changes.find((change) => ref !== undefined && change.ref === ref)?.label
        : ownNames.get(id) ?? named(plan.names.campaigns, id);
      return {
        campaign_id: id,
        ...(ref === undefined ? {} : { campaign_ref: ref }),
        campaign_name: name ?? null,
        changes: changes.map(({ view }) => view),
      };
    },
  );
  return {
    id: plan.id,
    created_at: plan.createdAt,
    profile_id: plan.profileId,
    country_code: plan.countryCode,
    currency: marketOf(plan.countryCode)?.currency ?? null,
    note: plan.note,
    reverses: plan.reverses,
    fingerprint: plan.fingerprint,
    campaigns,
    missing: plan.missing,
    warnings: plan.warnings,
    findings: plan.findings.filter(({ change }) => change === undefined),
    money: plan.money,
    experiment: experimentView(plan.experiment),
    rehearsal: plan.rehearsal,
    counts: {
      ...countsOf(sent),
      ...(sent.length === left.length ? {} : { not_sent: left.length - sent.length }),
      ...(settled === 0 ? {} : { settled }),
    },
    evidence_days: sharedDays(plan.changes.values().map(({ evidence }) => evidence)) ?? null,
    bids: amountsView(sent, ["bid", "defaultBid"]),
    daily_budgets: amountsView(sent, ["budget.budget", "budget"], isDaily),
  };
}

function experimentView(experiment: PlanData["experiment"]): PlanView["experiment"] {
  if (experiment === null) return null;
  const { strata, changes: _, goals: _goals, ...shown } = experiment;
  const of = Object.keys(strata).length;
  return { ...shown, of, text: heldText({ ...shown, held: shown.held.length, of }) };
}

export function countsOf(changes: readonly Change[]): PlanView["counts"] {
  const counts: Record<ChangeOperation, number> = { create: 0, update: 0, archive: 0, call: 0 };
  for (const { op } of changes) counts[op] += 1;
  const { call, ...others } = counts;
  return { ...others, ...(call === 0 ? {} : { call }) };
}

function changeView(
  plan: PlanData,
  { change, at, findings = [] }: { change: Change; at: number; findings: readonly Finding[] | undefined },
): ChangeView {
  const { kind, op, id, label } = change;
  const fields = shownFields(change).map(({ field, before, after }) => ({
    field,
    before: before ?? null,
    after: after ?? null,
    ...difference(field, before, after),
  }));
  const adGroup = op === "create" ? named(plan.names.ad_groups, change.after["adGroupId"]) : undefined;
  return {
    change: at,
    kind,
    op,
    id,
    label,
    ...(adGroup === undefined ? {} : { ad_group_name: adGroup }),
    fields,
    ...(change.evidence === undefined ? {} : { evidence: change.evidence }),
    ...(findings.length === 0 ? {} : { findings }),
  };
}

function campaignOf(change: Change): { readonly key: string; readonly id?: string; readonly ref?: string } {
  const id = change.campaignId ?? (isCampaign(change) ? change.id : null);
  if (id !== null) return { key: `id ${id}`, id };
  const parent = change.after["campaignId"];
  const ref = isChangeRef(parent) ? parent.ref : isCampaign(change) ? change.ref : undefined;
  return ref === undefined ? { key: "" } : { key: `ref ${ref}`, ref };
}

function isCampaign({ kind }: Change): boolean {
  return isCampaignKind(kind);
}

function campaignNames(changes: readonly Change[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const change of changes) {
    const { id, label } = change;
    if (id !== null && isCampaign(change) && !names.has(id)) names.set(id, label);
  }
  return names;
}

function named(names: Readonly<Record<string, string>>, id: unknown): string | undefined {
  return typeof id === "string" && Object.hasOwn(names, id) ? names[id] : undefined;
}

function difference(
  field: string,
  before: unknown,
  after: unknown,
): Pick<FieldView, "difference" | "percent"> {
  if (!isMoneyField(field) || typeof before !== "number" || typeof after !== "number") return {};
  const change = exact(after - before);
  return { difference: change, ...(before > 0 ? { percent: exact(change / before * 100) } : {}) };
}

function isDaily(change: Change): boolean {
  if (!isCampaign(change)) return false;
  // Products campaigns have it inside of the budget, Brands campaigns beside it.
  const type = ["budget.budgetType", "budgetType"]
    .flatMap((field) => [valueAt(change.after, field), valueAt(change.before, field)])
    .find((value) => value !== undefined);
  return type === undefined || type === "DAILY";
}

function amountsView(
  changes: Iterable<Change>,
  fields: readonly string[],
  isCounted: (change: Change) => boolean = () => true,
): AmountsView {
  const sums = { raised: 0, lowered: 0, before: 0, after: 0 };
  for (const change of changes) {
    if (!isCounted(change)) continue;
    for (const field of fields) {
      const [from, to] = [valueAt(change.before, field), valueAt(change.after, field)];
      if (typeof from !== "number" || typeof to !== "number" || from === to) continue;
      if (to > from) sums.raised += 1;
      else sums.lowered += 1;
      sums.before += from;
      sums.after += to;
    }
  }
  const [before, after] = [exact(sums.before), exact(sums.after)];
  return { ...sums, before, after, difference: exact(after - before) };
}

/** Removes binary rounding errors: 0.1 + 0.2 is 0.3. */
export function exact(value: number): number {
  return Number(value.toPrecision(12));
}

interface Ranked {
  readonly at: number;
  readonly importance: number;
}

interface Shown extends Pick<ChangeView, "op" | "kind" | "label"> {
  readonly fields: readonly Pick<FieldView, "field" | "before" | "after">[];
}

/**
 * Includes at least one change of each sort if possible, so that many small changes cannot hide a large one. Single
 * pass with bounded memory.
 */
export function topPlaces<Item>(
  changes: Iterable<Item>,
  { count, view }: { count: number; view: (change: Item) => Shown },
): Set<number> {
  const firstOfSorts = new Map<string, Ranked>();
  let top: Ranked[] = [];
  let least = -Infinity;
  let at = 0;
  for (const change of changes) {
    const shown = view(change);
    const ranked = { at, importance: importance(shown) };
    for (const sort of sortsOf(shown)) {
      const first = firstOfSorts.get(sort);
      if (first === undefined || ranked.importance > first.importance) firstOfSorts.set(sort, ranked);
    }
    if (ranked.importance > least || top.length < count) {
      top.push(ranked);
      if (top.length >= 2 * count) {
        top = top.sort(byImportance).slice(0, count);
        least = top.at(-1)?.importance ?? -Infinity;
      }
    }
    at += 1;
  }
  const firsts = [...new Set(firstOfSorts.values())].sort(byImportance);
  const places = new Set(firsts.slice(0, count).map((ranked) => ranked.at));
  for (const ranked of top.sort(byImportance)) if (places.size < count) places.add(ranked.at);
  return places;
}

export function topChanges(campaigns: readonly CampaignView[], count: number): CampaignView[] {
  const all = campaigns.flatMap(({ changes }) => changes);
  const places = topPlaces(all, { count, view: (change) => change });
  const shown = new Set(all.filter((_, at) => places.has(at)));
  return campaigns
    .map((campaign) => ({ ...campaign, changes: campaign.changes.filter((change) => shown.has(change)) }))
    .filter(({ changes }) => changes.length > 0);
}

export function countedSorts(campaigns: readonly CampaignView[]): string {
  const counts = new Map<string, number>();
  for (const { changes } of campaigns) {
    for (const change of changes) {
      for (const sort of sortsOf(change)) counts.set(sort, (counts.get(sort) ?? 0) + 1);
    }
  }
  return [...counts].map(([what, count]) => `${count} ${what}`).join(", ");
}

function byImportance(a: Ranked, b: Ranked): number {
  return b.importance - a.importance;
}

function sortsOf({ op, kind, fields, label }: Shown): string[] {
  if (op === "create") return [`${kind} created`];
  if (op === "call") return [`call of ${label}`];
  return fields.map((field) =>
    `${kind} ${field.field}${
      fieldImportance(field) === Infinity || field.field === "state" ? ` to ${field.after}` : ""
    }`
  );
}

type Valued = Pick<FieldView, "field" | "before" | "after">;

const GROWN = 2;

/**
 * Descending: archives, calls and portfolio caps, amounts that more than double, new entities from the top down, other
 * fields, other amounts by relative change.
 */
export function importance(
  { op, kind, fields }: Pick<ChangeView, "op" | "kind"> & { readonly fields: readonly Valued[] },
): number {
  if (op === "archive" || op === "call") return Infinity;
  if (kind === "portfolios" && fields.some(({ field }) => /^budget\b/.test(field))) return Infinity;
  if (op === "create") return 1e6 + (isCampaignKind(kind) ? 2 : isAdGroupKind(kind) ? 1 : 0);
  return fields.reduce((most, field) => Math.max(most, fieldImportance(field)), 0);
}

export function fieldImportance({ field, before, after }: Valued): number {
  if (field === "state" && /^archived$/i.test(String(after))) return Infinity;
  if (typeof after !== "number") return 1e3;
  if (typeof before !== "number" || before <= 0) return after > 0 ? 1e7 : 1;
  const factor = after / before;
  // Below 1000: a value that falls comes after everything that is not an amount.
  return factor > GROWN
    ? 1e7 * Math.min(factor, 1e9)
    : Math.min(999, Math.max(factor, 1 / Math.max(factor, 1e-9)));
}

/**
 * One line such as `ACOS 23.4 %, estimated 26 % (17 to 43), 41 clicks, 12.30 spent, 3 orders`; the estimate is
 * optional. Empty without evidence.
 *
 * @param options `decimals`: of the currency. `days`: days shown elsewhere, which are not repeated.
 */
export function evidenceText(
  evidence: Evidence | undefined,
  { decimals, days }: { readonly decimals: number; readonly days?: EvidenceDays | undefined },
): string {
  if (evidence === undefined) return "";
  const { from, to, clicks, cost, orders, acos, estimate, reason } = evidence;
  const parts: string[] = [];
  if (acos !== undefined) parts.push(`ACOS ${percent(acos)} %`);
  if (estimate !== undefined) {
    const [likely, low, high] = [estimate.acos, estimate.low, estimate.high].map((one) =>
      Number((one * 100).toFixed(one < 0.1 ? 1 : 0))
    );
    parts.push(`estimated ${likely} % (${low} to ${high})`);
  }
  if (clicks !== undefined) parts.push(counted(clicks, "click"));
  if (cost !== undefined) parts.push(`${moneyText(cost, decimals)} spent`);
  if (orders !== undefined) parts.push(orders === 0 ? "no orders" : counted(orders, "order"));
  const isKnown = days !== undefined && days.from === from && days.to === to;
  const range = isKnown || from === undefined || to === undefined || parts.length === 0
    ? ""
    : ` (${from} to ${to})`;
  return [
    ...(parts.length === 0 ? [] : [`${parts.join(", ")}${range}`]),
    ...(reason ? [visibleText(reason)] : []),
  ]
    .join("; ");
}

function sharedDays(evidence: Iterable<Evidence | undefined>): EvidenceDays | undefined {
  let shared: EvidenceDays | undefined;
  for (const one of evidence) {
    if (one?.from === undefined || one.to === undefined) continue;
    if (shared === undefined) shared = { from: one.from, to: one.to };
    else if (shared.from !== one.from || shared.to !== one.to) return undefined;
  }
  return shared;
}

function percent(share: number): string {
  return String(Number((share * 100).toFixed(1)));
}
