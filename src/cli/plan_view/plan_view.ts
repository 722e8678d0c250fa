import type { ChangePlan } from "../../plans/change_plan.ts";
import type { Change } from "../../plans/change.ts";
import { changeRows } from "../../plans/change_rows.ts";
import { MONEY_FIELDS } from "../../resources/fields/money_fields.ts";
import { currencyOf } from "../text/money.ts";
import { valueAt } from "../output/field_path.ts";

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
  /** Resource kind. */
  readonly kind: string;
  /** `create`, `update` or `archive`. */
  readonly op: string;
  /** Id; `null` for a new entity. */
  readonly id: string | null;
  /** What a person calls it. */
  readonly label: string;
  /** The fields that change. */
  readonly fields: readonly FieldView[];
}

/** The changes of one campaign. */
export interface CampaignView {
  /** Id of the campaign; `null` for what belongs to none, or to one that is new. */
  readonly campaign_id: string | null;
  /** Its name, where that was read. */
  readonly campaign_name: string | null;
  /** Its changes, in the order of the plan. */
  readonly changes: readonly ChangeView[];
}

/** What a plan does to amounts of one kind. */
export interface MoneyView {
  /** How many go up. */
  readonly raised: number;
  /** How many go down. */
  readonly lowered: number;
  /** Their sum before. */
  readonly before: number;
  /** Their sum after. */
  readonly after: number;
  /** After less before. */
  readonly difference: number;
}

/** A plan as data for a reader: what `--json` prints and what the text is made from. */
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
  /** The changes by campaign. */
  readonly campaigns: readonly CampaignView[];
  /** Ids that the platform did not return. */
  readonly missing: readonly string[];
  /** What the reader should know. */
  readonly warnings: readonly string[];
  /** How many entities are created, changed and archived. */
  readonly counts: { readonly create: number; readonly update: number; readonly archive: number };
  /** Bids that change from one amount to another. */
  readonly bids: MoneyView;
  /** Daily budgets that change from one amount to another. */
  readonly daily_budgets: MoneyView;
}

/**
 * Makes the view of a plan.
 *
 * @param campaignNames Names of campaigns by id, where they are known.
 */
export function planView(plan: ChangePlan, campaignNames: ReadonlyMap<string, string> = new Map()): PlanView {
  const campaigns = [...Map.groupBy(plan.changes, campaignOf)].map(([id, changes]): CampaignView => ({
    campaign_id: id,
    campaign_name: id === null ? null : nameOf(id, changes) ?? campaignNames.get(id) ?? null,
    changes: changes.map(changeView),
  }));
  const count = (op: string): number => plan.changes.filter((change) => change.op === op).length;
  return {
    id: plan.id,
    created_at: plan.createdAt,
    profile_id: plan.profileId,
    country_code: plan.countryCode,
    currency: currencyOf(plan.countryCode)?.code ?? null,
    note: plan.note,
    reverses: plan.reverses,
    fingerprint: plan.fingerprint,
    campaigns,
    missing: plan.missing,
    warnings: plan.warnings,
    counts: { create: count("create"), update: count("update"), archive: count("archive") },
    bids: moneyView(plan.changes, ["bid", "defaultBid"]),
    daily_budgets: moneyView(plan.changes.filter(isDaily), ["budget.budget", "budget"]),
  };
}

function campaignOf(change: Change): string | null {
  return change.campaignId ?? (isCampaign(change) ? change.id : null);
}

function isCampaign({ kind }: Change): boolean {
  return kind.endsWith(".campaigns");
}

function nameOf(id: string, changes: readonly Change[]): string | undefined {
  return changes.find((change) => isCampaign(change) && change.id === id)?.label;
}

function changeView(change: Change): ChangeView {
  const { kind, op, id, label } = change;
  const fields = changeRows([change]).map(({ field, before, after }) => ({
    field,
    before: before ?? null,
    after: after ?? null,
    ...difference(field, before, after),
  }));
  return { kind, op, id, label, fields };
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

function moneyView(changes: readonly Change[], fields: readonly string[]): MoneyView {
  const pairs = changes.flatMap(({ before, after }) =>
    fields.flatMap((field) => {
      const [from, to] = [valueAt(before, field), valueAt(after, field)];
      return typeof from === "number" && typeof to === "number" && from !== to ? [{ from, to }] : [];
    })
  );
  const before = exact(pairs.reduce((sum, { from }) => sum + from, 0));
  const after = exact(pairs.reduce((sum, { to }) => sum + to, 0));
  return {
    raised: pairs.filter(({ from, to }) => to > from).length,
    lowered: pairs.filter(({ from, to }) => to < from).length,
    before,
    after,
    difference: exact(after - before),
  };
}

/** Takes off what binary fractions add: 0.1 + 0.2 is 0.3. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}
