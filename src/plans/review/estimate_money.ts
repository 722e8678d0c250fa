import { addDays, countDays } from "../../base/time/calendar.ts";
import type { EntityFields } from "../model/change.ts";
import type { MoneyAtRisk } from "../model/plan_data.ts";
import { bidField, dailyBudget, ownBid } from "../state/amounts.ts";
import { isEnabled, type Step } from "../state/plan_state.ts";
import { isCampaignKind, known, Unread } from "../model/prior_state.ts";
import { type BidResponse, responseGround } from "./bid_response.ts";

/** Figures of an entity over complete days, such as `cost30d`, in the account's currency; absent names are unknown. */
export type EntityFigures = Readonly<Record<string, number>>;

export interface MoneySources {
  readonly currency: string;
  /** `cost30d`, `clicks30d` and `sales30d` by entity id; required to estimate bids. */
  readonly figures?: ReadonlyMap<string, EntityFigures> | undefined;
  /** The current day in the profile's time zone. Without it the estimate does not name its days. */
  readonly today?: string | undefined;
  /** How spend responded to earlier bid changes. Without it a formula bounds the effect. */
  readonly response?: BidResponse | undefined;
  /**
   * Reason why the account's earlier changes are unknown. Figures are then ignored, since they may result from other
   * amounts.
   */
  readonly unread?: string | undefined;
}

/** Effect of one change on daily spend; `undefined` if unknown. */
type Effect =
  | {
    readonly low: number;
    readonly high: number;
    readonly ground: string;
    readonly isBid?: true;
    /** Largest part of its campaign's spend that a new negative can stop. */
    readonly stopped?: number;
  }
  | undefined;

const NONE: Effect = { low: 0, high: 0, ground: "" };

const FREE: ReadonlySet<string> = new Set(["name", "tags", "portfolioId"]);

/** Weekly variation of spend around the monthly average. */
const WEEKS_DIFFER = 0.25;
/** Daily variation of spend; a budget above the average still limits some days. */
const DAYS_DIFFER = 0.5;
/** Unspent share of a lowered budget, because the next click no longer fits. */
const LEFT_OVER = 0.05;
const MOVED = 0.02;

const BUDGETS = "budgets by their difference (lowered ones by past spend above the new budget)";
const BIDS = "bids between no effect and the squared bid ratio plus a quarter";
const OWN_RESPONSE = "bids by the account's own response";
const ROOM = "raised bids at most by the unspent part of their campaigns' budgets";
const PAUSES = "pauses and archives by past spend, plus or minus a quarter";
const CREATES = "new and enabled entities by their campaign's budget";
const NEGATIVES =
  "negatives between no effect and the past cost of their terms, or else the spend of their campaign";
const NEGATIVES_GONE = "removed negatives between no effect and the unspent part of their campaign's budget";

const BY_FIGURES: ReadonlySet<string> = new Set([BUDGETS, BIDS, PAUSES]);

/** Estimates the effect of a plan on daily spend. Pure. */
export function estimateMoney(steps: readonly Step[], sources: MoneySources): MoneyAtRisk {
  const sum = new MoneySum(sources);
  sum.add(steps, sources);
  return sum.result();
}

export class MoneySum {
  readonly #sources: Pick<MoneySources, "currency" | "today">;
  readonly #byCampaign = new Map<
    string,
    {
      low: number;
      high: number;
      stopped: number;
      spent: number | undefined;
      moved: number;
      room: number | undefined;
      raises: boolean;
      lowers: boolean;
    }
  >();
  readonly #grounds = new Set<string>();
  #known = 0;
  #unknown = 0;
  #last: { readonly at: number; readonly isKnown: boolean } | undefined;
  readonly #reasons = new Map<string, Set<number>>();
  #daysBack = 0;

  constructor(sources: Pick<MoneySources, "currency" | "today">) {
    this.#sources = sources;
  }

  add(
    steps: readonly Step[],
    { figures: all, response, unread }: Pick<MoneySources, "figures" | "response" | "unread">,
  ): void {
    const figures = unread === undefined ? all : undefined;
    const sources = { ...this.#sources, figures, response };
    for (const one of figures?.values() ?? []) {
      this.#daysBack = Math.max(this.#daysBack, one["daysBack30d"] ?? 0);
    }
    for (const step of steps) {
      const effect = inCurrency(step, effectOf(step, sources));
      this.#count(step, effect !== undefined);
      if (effect === undefined) {
        const reason = reasonOf(step, { ...sources, figures: all, unread });
        if (reason !== undefined) {
          this.#reasons.set(reason, (this.#reasons.get(reason) ?? new Set()).add(step.at));
        }
        continue;
      }
      if (effect.ground !== "") this.#grounds.add(effect.ground);
      const id = countedUnder(step);
      let sum = this.#byCampaign.get(id);
      if (sum === undefined) {
        sum = {
          low: 0,
          high: 0,
          stopped: 0,
          spent: undefined,
          moved: 0,
          room: undefined,
          raises: false,
          lowers: false,
        };
        this.#byCampaign.set(id, sum);
      }
      sum.low += effect.low;
      sum.high += effect.high;
      sum.stopped += effect.stopped ?? 0;
      sum.spent ??= costOf(id, figures) ?? dailyBudget(campaignOf(step)?.after);
      sum.room ??= roomOf(step, sources);
      sum.moved = (costOf(id, figures) ?? 0) * MOVED;
      if (effect.isBid !== true) continue;
      if (response?.spend === null) this.#grounds.add(responseGround(response));
      sum.raises ||= effect.high > 0;
      sum.lowers ||= effect.low < 0;
    }
  }

  #count({ at, market }: Step, isKnown: boolean): void {
    const last = market !== undefined && this.#last?.at === at ? this.#last : undefined;
    this.#last = { at, isKnown: isKnown && (last?.isKnown ?? true) };
    if (last === undefined) {
      if (isKnown) this.#known += 1;
      else this.#unknown += 1;
    } else if (last.isKnown && !isKnown) {
      this.#known -= 1;
      this.#unknown += 1;
    }
  }

  result(): MoneyAtRisk {
    const grounds = new Set(this.#grounds);
    let low = 0;
    let high = 0;
    for (const sum of this.#byCampaign.values()) {
      // Several negatives stop no more than their campaign spends.
      low += sum.low - (sum.lowers ? sum.moved : 0) -
        Math.min(sum.stopped, sum.spent ?? 0) * (1 + WEEKS_DIFFER);
      const wanted = sum.high + (sum.raises ? sum.moved : 0);
      // Whatever the bids inside do, a campaign spends no more than its budget.
      high += Math.min(wanted, sum.room ?? Infinity);
      if (sum.raises && wanted > (sum.room ?? Infinity)) grounds.add(ROOM);
    }
    const { currency, today } = this.#sources;
    return {
      currency,
      perDay: { low, high },
      known: this.#known,
      unknown: this.#unknown,
      basis: [
        ...grounds.size === 0 ? [] : [groundLine([...grounds], { daysBack: this.#daysBack, today })],
        ...[...this.#reasons].map(([reason, { size }]) => `${size} unknown: ${reason}`),
      ],
    };
  }
}

function groundLine(
  grounds: readonly string[],
  { daysBack, today }: { readonly daysBack: number; readonly today: string | undefined },
): string {
  const text = grounds.join("; ");
  if (
    today === undefined ||
    !grounds.some((ground) => BY_FIGURES.has(ground) || ground.startsWith(OWN_RESPONSE))
  ) {
    return `${text[0]?.toUpperCase()}${text.slice(1)}`;
  }
  const end = addDays(today, -1 - daysBack);
  const missing = daysBack === 0
    ? ""
    : ` (${daysBack === 1 ? "the next day is" : `the next ${daysBack} days are`} not stored)`;
  return `Based on spend from ${addDays(end, -29)} to ${end}${missing}: ${text}`;
}

/** Unknown for other currencies, because there is no exchange rate. */
function inCurrency({ market }: Step, effect: Effect): Effect {
  return market?.isForeign && (effect?.low !== 0 || effect.high !== 0) ? undefined : effect;
}

function effectOf(step: Step, sources: MoneySources): Effect {
  const { change, op, before, after } = step;
  if (op === "call" || before instanceof Unread) return undefined;
  const campaign = campaignOf(step);
  const isCampaign = isCampaignKind(change.kind);
  // The budget of a campaign that the plan creates is counted with that campaign.
  if (!isCampaign && campaign !== undefined && campaign.before === undefined) return NONE;
  if (/negative/.test(change.kind)) {
    if (op === "create" || isEnabled(after) && op !== "archive") {
      return { low: 0, high: 0, ground: NEGATIVES, stopped: costOfTerm(change) };
    }
    return ceiling(campaign?.after, NEGATIVES_GONE);
  }
  if (change.kind === "portfolios") {
    return Object.keys(change.after).every((field) => FREE.has(field)) ? NONE : undefined;
  }
  if (!isCampaign && campaign !== undefined && !isEnabled(campaign.after)) return NONE;
  const runsNow = before !== undefined && isEnabled(before);
  if (op === "archive" || !isEnabled(after)) return runsNow ? givenUp(step, sources) : NONE;
  if (op === "create" || !runsNow) return ceiling(isCampaign ? after : campaign?.after, CREATES);
  return isCampaign ? campaignEffect(step, sources) : bidEffect(step, sources);
}

/**
 * Daily cost of the search term that a new negative stops, from its evidence. Without evidence, the whole spend of its
 * campaign.
 */
function costOfTerm({ evidence: { from, to, cost } = {} }: Step["change"]): number {
  return from === undefined || to === undefined || cost === undefined
    ? Infinity
    : cost / countDays({ start: from, end: to });
}

function ceiling(campaign: EntityFields | undefined, ground: string): Effect {
  const budget = dailyBudget(campaign);
  return budget === undefined ? undefined : { low: 0, high: budget, ground };
}

function givenUp({ change: { id } }: Step, { figures }: MoneySources): Effect {
  const cost = costOf(id, figures);
  return cost === undefined
    ? undefined
    : { low: -cost * (1 + WEEKS_DIFFER), high: -cost * (1 - WEEKS_DIFFER), ground: PAUSES };
}

function campaignEffect({ change, before, after, wakes }: Step, { figures }: MoneySources): Effect {
  let effect = { low: 0, high: 0 };
  let ground = "";
  // What runs longer spends on days on which it would not have.
  if (wakes) return ceiling(after, CREATES);
  for (const field of Object.keys(change.after)) {
    if (FREE.has(field) || field === "state") continue;
    if (field !== "budget") return undefined;
    const [from, to] = [dailyBudget(known(before)), dailyBudget(after)];
    if (from === undefined || to === undefined) return undefined;
    const spent = costOf(change.id, figures) ?? from;
    ground = BUDGETS;
    effect = to >= from
      ? { low: 0, high: to - from }
      : { low: Math.min(0, to * (1 - LEFT_OVER) - Math.min(from, spent * (1 + DAYS_DIFFER))), high: 0 };
  }
  return { ...effect, ground };
}

function bidEffect({ change, before, after }: Step, { figures, response }: MoneySources): Effect {
  const fields = Object.keys(change.after).filter((field) => !FREE.has(field) && field !== "state");
  if (fields.length === 0) return NONE;
  if (fields.some((field) => field !== bidField(change.kind))) return undefined;
  const [from, to] = [ownBid(change.kind, known(before)), ownBid(change.kind, after)];
  const cost = costOf(change.id, figures);
  if (from === undefined || to === undefined || cost === undefined || from <= 0) return undefined;
  if (response !== undefined && response.spend !== null) {
    const { low, high } = response.spend;
    const ends = [low, high].flatMap((power) => {
      const swing = cost * ((to / from) ** power - 1);
      return [swing * (1 - WEEKS_DIFFER), swing * (1 + WEEKS_DIFFER)];
    });
    return { low: Math.min(...ends), high: Math.max(...ends), ground: responseGround(response), isBid: true };
  }
  const swing = cost * ((to / from) ** 2 - 1) * (1 + WEEKS_DIFFER);
  return { low: Math.min(0, swing), high: Math.max(0, swing), ground: BIDS, isBid: true };
}

function roomOf(step: Step, { figures }: MoneySources): number | undefined {
  // A campaign's own changes move its budget, which bounds them already.
  if (isCampaignKind(step.change.kind)) return undefined;
  const budget = dailyBudget(campaignOf(step)?.after);
  if (budget === undefined) return undefined;
  return Math.max(0, budget - (costOf(countedUnder(step), figures) ?? 0));
}

function campaignOf({ campaign }: Step): Exclude<Step["campaign"], Unread> {
  return campaign instanceof Unread ? undefined : campaign;
}

function countedUnder(step: Step): string {
  const { change } = step;
  if (isCampaignKind(change.kind)) return change.id ?? change.label;
  return campaignOf(step)?.id ?? "";
}

function reasonOf(step: Step, sources: MoneySources): string | undefined {
  const { figures, unread } = sources;
  const { id } = step.change;
  const found = id === null ? undefined : figures?.get(id);
  if (id === null || found === undefined) return undefined;
  if (effectOf(step, { ...sources, figures: new Map([[id, { cost30d: 0 }]]) }) === undefined) {
    return undefined;
  }
  if (unread !== undefined) return `the change history could not be read (${unread})`;
  return found["daysSinceChange"] === 0 ? "no stored day since the last change" : undefined;
}

function costOf(id: string | null, figures: MoneySources["figures"]): number | undefined {
  const known = id === null ? undefined : figures?.get(id);
  const { daysSinceChange: days, costSinceChange: since, cost30d: cost } = known ?? {};
  if (days !== undefined) return days === 0 || since === undefined ? undefined : since / days;
  return cost === undefined ? undefined : cost / 30;
}
