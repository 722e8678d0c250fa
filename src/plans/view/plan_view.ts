import { valueAt } from "../../internal/field_path.ts";
import { marketOf } from "../../markets.ts";
import type { Change, ChangeOperation } from "../change.ts";
import type { Finding } from "../finding.ts";
import type { MoneyAtRisk } from "../money_at_risk.ts";
import { MONEY_FIELDS } from "../money_fields.ts";
import type { PlanData } from "../plan_data.ts";
import { changeRows } from "./change_rows.ts";
import { type AmountsView, amountsView, exact } from "./amounts_view.ts";
import { importance } from "./importance.ts";

/** One field of a change. Names are those of `--json`. */
export interface FieldView {
  /** Path of the field. */
  readonly field: string;
  /** Value now; `null` for none. */
  readonly before: unknown;
  /** Value after. */
  readonly after: unknown;
  /** For amounts of money: after less before. */
  readonly difference?: number;
  /** For amounts of money above 0: the difference in percent of before. */
  readonly percent?: number;
}

/** One change. */
export interface ChangeView {
  /** Position in the plan. */
  readonly change: number;
  /** Resource kind. */
  readonly kind: string;
  /** What is done. */
  readonly op: ChangeOperation;
  /** Id; `null` for a new entity. */
  readonly id: string | null;
  /** What a person calls it. */
  readonly label: string;
  /** Name of the ad group that a new entity is in, where it is known. */
  readonly ad_group_name?: string;
  /** The fields that change. */
  readonly fields: readonly FieldView[];
  /** What was found about it. */
  readonly findings?: readonly Finding[];
}

/** The changes of one campaign. */
export interface CampaignView {
  /** Id of the campaign; `null` for what belongs to none, or to one that is new. */
  readonly campaign_id: string | null;
  /** Its name, where it is known. */
  readonly campaign_name: string | null;
  /** Its changes, the most important first. */
  readonly changes: readonly ChangeView[];
}

/** A plan as data for a reader: what `--json` prints, and what every text about it is made from. */
export interface PlanView {
  /** Id of the plan. */
  readonly id: string;
  /** When it was made. */
  readonly created_at: string;
  /** Profile. */
  readonly profile_id: string;
  /** Country of the profile. */
  readonly country_code: string;
  /** Currency of its amounts; `null` for an unknown market. */
  readonly currency: string | null;
  /** Why it was made. */
  readonly note: string | null;
  /** Id of the plan it undoes. */
  readonly reverses: string | null;
  /** Fingerprint. */
  readonly fingerprint: string;
  /** The changes by campaign, the most important first. */
  readonly campaigns: readonly CampaignView[];
  /** Ids that the platform did not return. */
  readonly missing: readonly string[];
  /** What the reader should know. */
  readonly warnings: readonly string[];
  /** What was found about the plan, and not about one change. */
  readonly findings: readonly Finding[];
  /** What it may change in spend a day; `null` when nobody estimated it. */
  readonly money: MoneyAtRisk | null;
  /** How many entities are created, changed and archived. */
  readonly counts: { readonly create: number; readonly update: number; readonly archive: number };
  /** Bids that change from one amount to another. */
  readonly bids: AmountsView;
  /** Daily budgets that change from one amount to another. */
  readonly daily_budgets: AmountsView;
}

/** What a reader sees of a plan, in the one order that every text about it has. */
export function planView(plan: PlanData): PlanView {
  const views = plan.changes.map((change, at) => ({
    campaign: campaignOf(change),
    view: changeView(plan, change, at),
  }));
  const sorted = views.sort((a, b) => importance(b.view) - importance(a.view));
  const campaigns = [...Map.groupBy(sorted, ({ campaign }) => campaign)].map((
    [id, changes],
  ): CampaignView => ({
    campaign_id: id,
    campaign_name: id === null ? null : ownName(id, plan.changes) ?? named(plan.names.campaigns, id) ?? null,
    changes: changes.map(({ view }) => view),
  }));
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
    counts: countsOf(plan.changes),
    bids: amountsView(plan.changes, ["bid", "defaultBid"]),
    daily_budgets: amountsView(plan.changes.filter(isDaily), ["budget.budget", "budget"]),
  };
}

/** How many entities are created, changed and archived. */
export function countsOf(changes: readonly Change[]): PlanView["counts"] {
  const count = (op: ChangeOperation): number => changes.filter((change) => change.op === op).length;
  return { create: count("create"), update: count("update"), archive: count("archive") };
}

function changeView(plan: PlanData, change: Change, at: number): ChangeView {
  const { kind, op, id, label } = change;
  const fields = changeRows([change]).map(({ field, before, after }) => ({
    field,
    before: before ?? null,
    after: after ?? null,
    ...difference(field, before, after),
  }));
  const adGroup = op === "create" ? named(plan.names.ad_groups, change.after["adGroupId"]) : undefined;
  const findings = plan.findings.filter((finding) => finding.change === at);
  return {
    change: at,
    kind,
    op,
    id,
    label,
    ...(adGroup === undefined ? {} : { ad_group_name: adGroup }),
    fields,
    ...(findings.length === 0 ? {} : { findings }),
  };
}

function campaignOf(change: Change): string | null {
  return change.campaignId ?? (isCampaign(change) ? change.id : null);
}

function isCampaign({ kind }: Change): boolean {
  return kind.endsWith(".campaigns");
}

function ownName(id: string, changes: readonly Change[]): string | undefined {
  return changes.find((change) => isCampaign(change) && change.id === id)?.label;
}

function named(names: Readonly<Record<string, string>>, id: unknown): string | undefined {
  return typeof id === "string" && Object.hasOwn(names, id) ? names[id] : undefined;
}

function difference(
  field: string,
  before: unknown,
  after: unknown,
): Pick<FieldView, "difference" | "percent"> {
  if (!MONEY_FIELDS.has(field) || typeof before !== "number" || typeof after !== "number") return {};
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
