import { valueAt } from "../../internal/field_path.ts";
import { marketOf } from "../../markets.ts";
import type { Change, ChangeOperation } from "../change.ts";
import { MONEY_FIELDS } from "../money_fields.ts";
import { isChangeRef } from "../graph/change_ref.ts";
import type { PlanData } from "../plan_data.ts";
import { changeRows } from "./change_rows.ts";
import { amountsView, exact } from "./amounts_view.ts";
import { importance } from "./importance.ts";
import type { CampaignView, ChangeView, FieldView, PlanView } from "./view_types.ts";

/** What a reader sees of a plan, in the one order that every text about it has. */
export function planView(plan: PlanData): PlanView {
  const views = plan.changes.map((change, at) => ({
    campaign: campaignOf(change),
    view: changeView(plan, change, at),
  }));
  const sorted = views.sort((a, b) => importance(b.view) - importance(a.view));
  const campaigns = [...Map.groupBy(sorted, ({ campaign }) => campaign.key).values()].map(
    (changes): CampaignView => {
      const { id = null, ref } = changes[0]?.campaign ?? {};
      const name = id === null
        ? plan.changes.find((change) => ref !== undefined && change.ref === ref)?.label
        : ownName(id, plan.changes) ?? named(plan.names.campaigns, id);
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
    counts: countsOf(plan.changes),
    bids: amountsView(plan.changes, ["bid", "defaultBid"]),
    daily_budgets: amountsView(plan.changes.filter(isDaily), ["budget.budget", "budget"]),
  };
}

/** How many entities are created, changed and archived. */
export function countsOf(changes: readonly Change[]): PlanView["counts"] {
  const count = (op: ChangeOperation): number => changes.filter((change) => change.op === op).length;
  return {
    create: count("create"),
    update: count("update"),
    archive: count("archive"),
    call: count("call"),
  };
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

/** The campaign that a change is in: one that exists, one that the plan creates, or none. */
function campaignOf(change: Change): { readonly key: string; readonly id?: string; readonly ref?: string } {
  const id = change.campaignId ?? (isCampaign(change) ? change.id : null);
  if (id !== null) return { key: `id ${id}`, id };
  const parent = change.after["campaignId"];
  const ref = isChangeRef(parent) ? parent.ref : isCampaign(change) ? change.ref : undefined;
  return ref === undefined ? { key: "" } : { key: `ref ${ref}`, ref };
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
