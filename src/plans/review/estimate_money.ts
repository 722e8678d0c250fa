import type { AccountReading } from "./account_reading.ts";
import type { Change, EntityFields } from "../change.ts";
import { bidField } from "../bid_field.ts";
import { campaignIdOf } from "./campaign_id_of.ts";
import { isChangeRef } from "../graph/change_ref.ts";
import { valuesNow } from "./values_now.ts";
import type { MoneyAtRisk } from "../money_at_risk.ts";

/** Figures of an entity over complete days, such as `cost30d`, in the account's currency; absent names are unknown. */
export type EntityFigures = Readonly<Record<string, number>>;

/** What an estimate rests on. */
export interface MoneySources {
  /** ISO 4217 code of the account's currency. */
  readonly currency: string;
  /** The account as it is now. */
  readonly account: AccountReading;
  /** `cost30d`, `clicks30d` and `sales30d` by entity id. Without them bids cannot be weighed. */
  readonly figures?: ReadonlyMap<string, EntityFigures> | undefined;
}

/** The effect of one change on spend a day; `undefined` where it is unknown. */
type Effect = { readonly low: number; readonly high: number; readonly ground: string } | undefined;

const NONE: Effect = { low: 0, high: 0, ground: "" };

/** Fields that move no money by themselves. */
const FREE: ReadonlySet<string> = new Set(["name", "tags", "portfolioId"]);

/** Share by which the spend of a week may differ from the average of a month. */
const WEEKS_DIFFER = 0.25;
/** The same of a day: a budget above the average binds on some days. */
const DAYS_DIFFER = 0.5;
/** Share of a lowered budget that stays unspent, for the next click does not fit in. */
const LEFT_OVER = 0.05;
/** Share of a campaign's spend that moves between what is in it when a bid changes. */
const MOVED = 0.02;

const BUDGETS =
  "Budgets by their difference, a ceiling; lowered ones by what days of half as much again spend above 95 % of the " +
  "new one, for the last click of a day does not fit in";
const BIDS =
  "Bids by clicks and cost of 30 days: between no effect and the square of the bid's ratio, for both the " +
  "cost of a click and the number of clicks follow the bid; a quarter more, for weeks differ";
const PAUSES =
  "Pauses and archives by the cost of 30 days, given up; a quarter more or less, for weeks differ";
const CREATES = "Creates and what is enabled by the budget of their campaign, a ceiling";
const NEGATIVES = "Negatives lower spend by an amount that is not estimated, so they count as 0";

/** Estimates what changes may do to spend a day. Pure: reads nothing itself. */
export function estimateMoney(changes: readonly Change[], sources: MoneySources): MoneyAtRisk {
  const byCampaign = new Map<
    string,
    { low: number; high: number; room: number | undefined; bids: boolean }
  >();
  const budgets = plannedBudgets(changes);
  const grounds = new Set<string>();
  let unknown = 0;
  for (const change of changes) {
    const effect = effectOf(change, sources);
    if (effect === undefined) {
      unknown += 1;
      continue;
    }
    if (effect.ground !== "") grounds.add(effect.ground);
    const id = countedUnder(change, sources);
    let sum = byCampaign.get(id);
    if (sum === undefined) byCampaign.set(id, sum = { low: 0, high: 0, room: undefined, bids: false });
    sum.low += effect.low;
    sum.high += effect.high;
    sum.room ??= roomOf(change, { sources, budget: budgets.get(id) });
    sum.bids ||= effect.ground === BIDS;
  }
  let low = 0;
  let high = 0;
  for (const [id, sum] of byCampaign) {
    const moved = sum.bids ? (costOf(id, sources.figures) ?? 0) * MOVED : 0;
    low += sum.low - moved;
    // Whatever the bids inside do, a campaign spends no more than its budget.
    high += Math.min(sum.high + moved, sum.room ?? Infinity);
  }
  return {
    currency: sources.currency,
    perDay: { low, high },
    known: changes.length - unknown,
    unknown,
    basis: [...grounds],
  };
}

function effectOf(change: Change, sources: MoneySources): Effect {
  if (change.op === "call") return undefined;
  // The budget of a campaign that the plan creates is counted with that campaign.
  if (isChangeRef(change.after["campaignId"])) return NONE;
  if (/negative/.test(change.kind)) return { low: 0, high: 0, ground: NEGATIVES };
  const now = valuesNow(change, sources.account);
  const next = { ...now, ...change.after };
  const isCampaign = change.kind.endsWith(".campaigns");
  const campaign = isCampaign ? now : campaignOf(change, sources);
  if (!isCampaign && campaign !== undefined && stateOf(campaign) !== "ENABLED") return NONE;
  if (change.kind === "portfolios") {
    return Object.keys(change.after).every((field) => FREE.has(field)) ? NONE : undefined;
  }
  if (change.op === "create") {
    if (stateOf(next) === "PAUSED") return NONE;
    const ceiling = budgetOf(isCampaign ? next : campaign);
    return ceiling === undefined ? undefined : { low: 0, high: ceiling, ground: CREATES };
  }
  const [from, to] = [stateOf(now), stateOf(next)];
  if (to !== "ENABLED") return from === "ENABLED" ? givenUp(change, sources) : NONE;
  if (from !== "ENABLED") {
    const ceiling = budgetOf(isCampaign ? next : campaign);
    return ceiling === undefined ? undefined : { low: 0, high: ceiling, ground: CREATES };
  }
  return isCampaign
    ? campaignEffect(change, { now, next, sources })
    : bidEffect(change, { now, next, sources });
}

function givenUp({ id }: Change, { figures }: MoneySources): Effect {
  const cost = costOf(id, figures);
  return cost === undefined
    ? undefined
    : { low: -cost * (1 + WEEKS_DIFFER), high: -cost * (1 - WEEKS_DIFFER), ground: PAUSES };
}

interface Move {
  readonly now: EntityFields;
  readonly next: EntityFields;
  readonly sources: MoneySources;
}

function campaignEffect(change: Change, { now, next, sources }: Move): Effect {
  let effect = { low: 0, high: 0 };
  let ground = "";
  for (const field of Object.keys(change.after)) {
    if (FREE.has(field) || field === "state") continue;
    if (field !== "budget") return undefined;
    const [from, to] = [budgetOf(now), budgetOf(next)];
    if (from === undefined || to === undefined) return undefined;
    const spent = costOf(change.id, sources.figures) ?? from;
    ground = BUDGETS;
    effect = to >= from
      ? { low: 0, high: to - from }
      : { low: Math.min(0, to * (1 - LEFT_OVER) - Math.min(from, spent * (1 + DAYS_DIFFER))), high: 0 };
  }
  return { ...effect, ground };
}

function bidEffect(change: Change, { now, next, sources }: Move): Effect {
  const fields = Object.keys(change.after).filter((field) => !FREE.has(field) && field !== "state");
  if (fields.length === 0) return NONE;
  const bid = bidField(change.kind);
  if (fields.some((field) => field !== bid)) return undefined;
  const [from, to] = [now[bid], next[bid]];
  const cost = costOf(change.id, sources.figures);
  if (typeof from !== "number" || typeof to !== "number" || cost === undefined || from <= 0) return undefined;
  const swing = cost * ((to / from) ** 2 - 1) * (1 + WEEKS_DIFFER);
  return { low: Math.min(0, swing), high: Math.max(0, swing), ground: BIDS };
}

/** The daily budgets that changes set, by campaign. */
function plannedBudgets(changes: readonly Change[]): Map<string, number> {
  const budgets = new Map<string, number>();
  for (const { kind, id, after } of changes) {
    const budget = kind.endsWith(".campaigns") ? budgetOf(after) : undefined;
    if (budget !== undefined && id !== null) budgets.set(id, budget);
  }
  return budgets;
}

/** What a campaign's budget, as the plan leaves it, is above what the campaign spends a day now. */
function roomOf(
  change: Change,
  { sources, budget: planned }: { sources: MoneySources; budget: number | undefined },
): number | undefined {
  // A campaign's own changes move its budget, which bounds them already.
  if (change.kind.endsWith(".campaigns")) return undefined;
  const budget = planned ?? budgetOf(campaignOf(change, sources));
  if (budget === undefined) return undefined;
  const spent = costOf(countedUnder(change, sources), sources.figures) ?? 0;
  return Math.max(0, budget - spent);
}

function campaignOf(change: Change, sources: MoneySources): EntityFields | undefined {
  return sources.account.campaign(change.kind, countedUnder(change, sources));
}

/** Id of the campaign whose budget bounds a change; of one that is created, its label. */
function countedUnder(change: Change, { account }: MoneySources): string {
  if (change.kind.endsWith(".campaigns")) return change.id ?? change.label;
  return campaignIdOf(change, account.entity(change.kind, change.id)) ?? "";
}

function costOf(id: string | null, figures: MoneySources["figures"]): number | undefined {
  const cost = id === null || !figures?.size ? undefined : figures.get(id)?.["cost30d"];
  return cost === undefined ? undefined : cost / 30;
}

/** The daily budget; `undefined` for one for life, which says nothing about a day. */
function budgetOf(entity: EntityFields | undefined): number | undefined {
  const budget = entity?.["budget"];
  const type = typeof budget === "object" && budget !== null && "budgetType" in budget
    ? budget.budgetType
    : entity?.["budgetType"];
  if (typeof type === "string" && type.toUpperCase() === "LIFETIME") return undefined;
  const amount = typeof budget === "object" && budget !== null && "budget" in budget ? budget.budget : budget;
  return typeof amount === "number" ? amount : undefined;
}

function stateOf(entity: EntityFields): string {
  return String(entity["state"] ?? "ENABLED").toUpperCase();
}
