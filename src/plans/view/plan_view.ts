import { valueAt } from "../../base/json/field_path.ts";
import { marketOf } from "../../base/markets/markets.ts";
import type { Change, ChangeOperation } from "../model/change.ts";
import { heldText } from "../model/experiment.ts";
import { type Finding, unsentChanges } from "../model/finding.ts";
import { isCampaignKind } from "../model/prior_state.ts";
import { isMoneyField } from "../state/amounts.ts";
import { isChangeRef } from "../model/change_ref.ts";
import type { PlanData } from "../model/plan_data.ts";
import { shownFields } from "./change_rows.ts";
import { amountsView, exact } from "./amounts_view.ts";
import { sharedDays } from "./evidence_text.ts";
import { importance } from "./importance.ts";
import { topPlaces } from "./top_changes.ts";
import type { CampaignView, ChangeView, FieldView, PlanView } from "./view_types.ts";

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
