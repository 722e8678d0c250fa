import { measureEffect } from "../../base/statistics/measure_effect.ts";
import { measureGain } from "../../base/statistics/measure_gain.ts";
import { type Measured, measureMoney } from "../../base/statistics/measure_money.ts";
import { shrinkRates } from "../../base/statistics/shrink_rates.ts";
import { signedPercentText } from "../../base/text/money_text.ts";
import { addDays, countDays, type DayRange } from "../../base/time/calendar.ts";
import {
  type ExperimentGoal,
  type ExperimentUnitKind,
  unitOfChange,
  unitsText,
} from "../../plans/model/experiment.ts";
import type { PlanData } from "../../plans/model/plan_data.ts";
import { ATTRIBUTION_DAYS } from "./immature_note.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { EntityTotals } from "./entity_totals.ts";
import { type OutsideChanges, type TouchedUnits, touchedUnits } from "./touched_units.ts";
import { type UnitsRequest, unitSums } from "./unit_totals.ts";

/** A figure that a verdict is about. */
export type EffectFigure = "cost" | "clicks" | "orders" | "sales";

export const EFFECT_FIGURES: readonly EffectFigure[] = ["cost", "clicks", "orders", "sales"];

/** Verdict on whether a plan worked, by one figure. */
export type OutcomeVerdict = "more" | "less" | "no_difference" | "too_small" | "too_early" | "not_known";

/** An effect with its 95 % interval; 0.2 is +20 %. */
export interface EffectRange {
  /** Best estimate. */
  readonly effect: number;
  /** Low end of the interval. */
  readonly low: number;
  /** High end; `null` if there is none. */
  readonly high: number | null;
}

/** A sum of the changed units, and the sum expected from the held-back units. */
export interface ComparedAmount {
  /** Sum of the changed units. */
  readonly changed: number;
  /** Sum expected without the change; `null` if unknown. */
  readonly expected: number | null;
}

/** Basis of a plan's measured effect. Names are those of `--json`. */
export interface Comparison extends TouchedUnits {
  /** Effect on the figure, by the interval of the estimate. */
  readonly verdict: OutcomeVerdict;
  /** The figure that the verdict is about. */
  readonly figure: EffectFigure;
  /** Reason for the verdict, in one sentence. */
  readonly reason: string;
  /** Days before the application; `null` if nothing was compared. */
  readonly before: DayRange | null;
  /** The same number of days after the application, with complete orders. */
  readonly after: DayRange | null;
  /** Kind of the compared units. */
  readonly unit: ExperimentUnitKind;
  /** Number of changed units that were compared. */
  readonly treated: number;
  /** Number of held-back units that were compared. */
  readonly held: number;
  /** Effects by figure, including `acos` if there were sales; empty without a held-back part. */
  readonly effects: Readonly<Record<string, EffectRange>>;
  /**
   * By figure: the sum of the changed units over the days in `after`, and the sum that the held-back units predict for
   * them. Includes `acos`, and `profit` per day. Empty if nothing is compared, or if amounts are in several
   * currencies.
   */
  readonly amounts: Readonly<Record<string, ComparedAmount>>;
  /**
   * Profit per day beyond the level predicted by the held-back units, in the account's currency; `null` without a
   * margin, or with too few units for an interval.
   */
  readonly profit_per_day: EffectRange | null;
  /** Days that are not stored. */
  readonly missing: readonly string[];
  /**
   * Used without a held-back part: growth of the changed units and of similar unchanged ones, and the expected orders.
   */
  readonly beside: {
    /** After / before - 1; `null` if the value before is 0. */
    readonly changed: number | null;
    readonly others: number | null;
    readonly orders: number;
    /** Orders expected from the later clicks at smoothed rates. */
    readonly orders_expected: number;
  } | null;
  /** Gain of each goal that the plan follows; absent for a plan that follows none. */
  readonly goals?: readonly GoalGain[] | undefined;
}

/** Gain of a goal from one draw, at one evaluation; `adsctl plan goals outcome` combines draws and evaluations. */
export interface GoalGain {
  /** Name of the goal. */
  readonly name: string;
  /** Number of changed units that were compared. */
  readonly treated: number;
  /** Number of held-back units that were compared. */
  readonly held: number;
  /** Orders of both groups after the application. */
  readonly orders: number;
  /** Orders of the held-back units only. */
  readonly orders_held: number;
  /**
   * Worth minus cost, as a share of the larger of the two, with its variance; `null` if a group has nothing to
   * compare.
   */
  readonly gain: {
    /** Effect, 0.1 for 10 %. */
    readonly effect: number;
    /** Variance of the effect. */
    readonly variance: number;
  } | null;
}

export interface ComparisonRequest {
  readonly plan: PlanData;
  readonly day: string;
  readonly today: string;
  readonly days: number;
  readonly figure?: EffectFigure | undefined;
  /** Share of sales left before advertising. */
  readonly margin?: number | undefined;
  readonly isDone?: ((at: number) => boolean) | undefined;
  readonly later?: readonly PlanData[] | undefined;
  readonly outside?: OutsideChanges | undefined;
  /** Day of the undo: only days before it show the effect. */
  readonly undoneOn?: string | undefined;
  readonly rollout?: RolloutFacts | undefined;
}

/** Facts of a rollout that held whole profiles back. */
export interface RolloutFacts {
  /** Currencies of all profiles that were drawn or changed, by profile id. */
  readonly currencies: ReadonlyMap<string, string>;
  /** Resource kinds changed by its plans; they determine the ad products. */
  readonly kinds: readonly string[];
  /** Profiles whose plans were done, and not undone since. */
  readonly changed: ReadonlySet<string>;
  /** Profiles that other plans changed since. */
  readonly touched: ReadonlySet<string>;
  /** Profiles in which somebody else changed something since, outside of plans. */
  readonly changedByOthers: ReadonlySet<string>;
  /** Last day up to which stored entities of all profiles show changes by others; `null` if unknown. */
  readonly othersKnownUntil: string | null;
  /**
   * Day of the last application; between the first application and this day, only some of the profiles had been
   * changed.
   */
  readonly lastDay: string;
}

const FEWEST_DAYS = 7;
const TOO_WIDE = 1.3;

export async function compareOutcome(
  store: Pick<Warehouse, "query" | "coverage">,
  request: ComparisonRequest,
): Promise<Comparison> {
  const { plan, day, today, figure = "sales", margin, later = [], outside, undoneOn, rollout } = request;
  const { experiment } = plan;
  const lastDay = rollout?.lastDay ?? day;
  const unit = experiment?.unit ?? ownUnit(plan);
  const mature = addDays(today, -ATTRIBUTION_DAYS - 1);
  const last = undoneOn !== undefined && undoneOn <= mature ? addDays(undoneOn, -1) : mature;
  const length = Math.min(
    request.days,
    last > lastDay ? countDays({ start: addDays(lastDay, 1), end: last }) : 0,
  );
  const none = {
    figure,
    before: null,
    after: null,
    unit,
    treated: 0,
    held: 0,
    effects: {},
    amounts: {},
    profit_per_day: null,
    ...touchedUnits(plan, { later, outside, unit }),
    ...rollout === undefined ? {} : touchedProfiles(plan, rollout),
    missing: [],
    beside: null,
  };
  if (unit === "profile" && rollout === undefined) {
    const reason = "Whole profiles were held back in a rollout: measure the outcome of its folder";
    return { ...none, verdict: "not_known", reason };
  }
  if (rollout?.changed.size === 0) {
    return { ...none, verdict: "not_known", reason: "All plans of its rollout were undone" };
  }
  if (undoneOn !== undefined && undoneOn <= addDays(lastDay, FEWEST_DAYS)) {
    const reason = `It was undone on ${undoneOn}, before ${FEWEST_DAYS} days had passed`;
    return { ...none, verdict: "not_known", reason };
  }
  if (length < FEWEST_DAYS) {
    const from = addDays(lastDay, FEWEST_DAYS + ATTRIBUTION_DAYS + 1);
    return {
      ...none,
      verdict: experiment === null ? "not_known" : "too_early",
      reason: `${FEWEST_DAYS} days with complete orders are needed on each side: ask again from ${from} on`,
    };
  }
  const before = { start: addDays(day, -length), end: addDays(day, -1) };
  const after = { start: addDays(lastDay, 1), end: addDays(lastDay, length) };
  const { units, campaigns, missing } = await unitSums(store, {
    ...unitsOf(request, before),
    ranges: [before, after],
  });
  const known = {
    ...none,
    ...rollout === undefined ? touchedUnits(plan, { later, outside, unit, campaigns }) : {},
    before,
    after,
    missing,
  };
  if (missing.length > 0) {
    return {
      ...known,
      verdict: "not_known",
      reason: `Days are not stored: ${missing.join("; ")}. Sync them`,
    };
  }
  if (experiment === null) {
    return {
      ...known,
      verdict: "not_known",
      reason: `Nothing was held back for comparison, and ${
        unitsText(unit)
      } chosen by their figures regress to the mean on their own`,
      beside: beside(plan, { units, campaigns, figure, later }),
    };
  }
  const totals = (id: string): { before: EntityTotals; after: EntityTotals; id: string; stratum: number } => {
    const [was = ZERO, is = ZERO] = units.get(id) ?? [];
    return { id, before: was, after: is, stratum: experiment.strata[id]! };
  };
  const ids = comparedUnits(request, known.voided);
  const groups = { treated: ids.treated.map(totals), held: ids.held.map(totals) };
  const effects: Record<string, EffectRange> = {};
  for (const name of EFFECT_FIGURES) {
    const part = (one: ReturnType<typeof totals>) => ({
      ...one,
      before: one.before[name],
      after: one.after[name],
    });
    try {
      const { effect, low, high } = measureEffect({
        treated: groups.treated.map(part),
        held: groups.held.map(part),
        seed: experiment.seed,
      });
      effects[name] = { effect, low, high: Number.isFinite(high) ? high : null };
    } catch (error) {
      // A group with nothing to compare with has no ratio.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  const { acos, profit } = measureMoney({ ...groups, seed: experiment.seed, margin });
  const rangeOf = ({ value, low, high }: Measured): EffectRange => ({
    effect: value,
    low,
    high: Number.isFinite(high) ? high : null,
  });
  if (acos !== undefined) effects["acos"] = rangeOf(acos);
  // Amounts of several currencies have no sum.
  const isSummed = new Set(rollout?.currencies.values()).size < 2;
  const isBounded = profit !== undefined && Number.isFinite(profit.low) && Number.isFinite(profit.high);
  const perDay = !isBounded || !isSummed
    ? null
    : { effect: profit.value / length, low: profit.low / length, high: profit.high / length };
  const sums = groups.treated.map((one) => one.after);
  return {
    ...known,
    ...verdictOf(effects[figure], figure),
    treated: groups.treated.length,
    held: groups.held.length,
    effects,
    ...(experiment.goals === undefined ? {} : { goals: experiment.goals.map(goalGain(groups)) }),
    amounts: isSummed ? amountsOf(sums, { effects, profit: perDay, margin, days: length }) : {},
    profit_per_day: perDay,
  };
}

interface CountedUnit {
  readonly id: string;
  readonly stratum: number;
  readonly before: EntityTotals;
  readonly after: EntityTotals;
}

function goalGain(
  groups: { readonly treated: readonly CountedUnit[]; readonly held: readonly CountedUnit[] },
): (goal: ExperimentGoal) => GoalGain {
  return ({ name, figure, worth }) => {
    const own = (units: readonly CountedUnit[]) => units.filter(({ id }) => Object.hasOwn(worth, id));
    const [treated, held] = [own(groups.treated), own(groups.held)];
    const gainOf = ({ id, stratum, before, after }: CountedUnit) => ({
      stratum,
      before: { cost: before.cost, worth: (worth[id] ?? 0) * before[figure] },
      after: { cost: after.cost, worth: (worth[id] ?? 0) * after[figure] },
    });
    const orders = (units: readonly CountedUnit[]): number =>
      units.reduce((all, one) => all + one.after.orders, 0);
    return {
      name,
      treated: treated.length,
      held: held.length,
      orders: orders(treated) + orders(held),
      orders_held: orders(held),
      gain: measureGain({ treated: treated.map(gainOf), held: held.map(gainOf) }) ?? null,
    };
  };
}

function amountsOf(
  units: readonly EntityTotals[],
  { effects, profit, margin = 0, days }: {
    readonly effects: Readonly<Record<string, EffectRange>>;
    readonly profit: EffectRange | null;
    readonly margin?: number | undefined;
    readonly days: number;
  },
): Record<string, ComparedAmount> {
  const sum = (name: EffectFigure): number => units.reduce((all, one) => all + one[name], 0);
  const [cost, sales] = [sum("cost"), sum("sales")];
  const amounts: Record<string, ComparedAmount> = {};
  for (const [name, { effect }] of Object.entries(effects)) {
    const changed = name === "acos" ? cost / sales : sum(name as EffectFigure);
    amounts[name] = { changed, expected: effect > -1 ? changed / (1 + effect) : null };
  }
  if (profit === null) return amounts;
  const changed = (sales * margin - cost) / days;
  return { ...amounts, profit: { changed, expected: changed - profit.effect } };
}

export function comparedUnits(
  { plan: { experiment, changes }, isDone = () => true, rollout }: Pick<
    ComparisonRequest,
    "plan" | "isDone" | "rollout"
  >,
  voided: readonly string[],
): { readonly treated: readonly string[]; readonly held: readonly string[] } {
  if (experiment === null) return { treated: [], held: [] };
  const out = new Set(voided);
  const held = new Set(experiment.held);
  const ids = Object.keys(experiment.strata).filter((id) => !out.has(id));
  // What a reviewer left out of the plan, or the platform refused, was neither changed nor held back by the draw.
  const names = changes.flatMap((change, at) => isDone(at) ? [unitOfChange(change, experiment.unit)] : []);
  const changed = rollout?.changed ?? (names.includes(undefined) ? undefined : new Set(names));
  return {
    treated: ids.filter((id) => !held.has(id) && (changed?.has(id) ?? true)),
    held: ids.filter((id) => held.has(id)),
  };
}

export function unitsOf(
  { plan: { experiment, changes, profileId }, rollout, plan }: Pick<ComparisonRequest, "plan" | "rollout">,
  scaledBy: DayRange,
): UnitsRequest {
  const unit = experiment?.unit ?? ownUnit(plan);
  return rollout === undefined ? { profileId, unit, kinds: changes.map(({ kind }) => kind) } : {
    profileId,
    unit,
    kinds: rollout.kinds,
    profiles: { currencies: rollout.currencies, scaledBy },
  };
}

const ZERO: EntityTotals = { impressions: 0, clicks: 0, cost: 0, sales: 0, orders: 0 };

export function verdictOf(
  range: EffectRange | undefined,
  figure: EffectFigure,
): Pick<Comparison, "verdict" | "reason"> {
  if (range === undefined) {
    return { verdict: "too_small", reason: `One of the groups had no ${figure} to compare` };
  }
  const { effect, low, high } = range;
  const verdict = rangeVerdict(range);
  const between = `between ${signedPercentText(low, 0)} and ${
    high === null ? "any" : signedPercentText(high, 0)
  }`;
  const reason = verdict === "more" || verdict === "less"
    ? `${signedPercentText(effect, 0)} ${figure}, ${between} with 95 % confidence`
    : `The effect on ${figure} could have been ${between}`;
  return { verdict, reason };
}

/** Says what the interval of an effect shows. */
export function rangeVerdict(
  { low, high }: Pick<EffectRange, "low" | "high">,
): "more" | "less" | "too_small" | "no_difference" {
  if (low > 0) return "more";
  if (high !== null && high < 0) return "less";
  const isWide = high === null || low <= -1 || 1 + high > TOO_WIDE * TOO_WIDE * (1 + low);
  return isWide ? "too_small" : "no_difference";
}

function touchedProfiles(
  { experiment }: PlanData,
  { changed, touched, changedByOthers, othersKnownUntil }: RolloutFacts,
): Pick<Comparison, "voided" | "changed_again" | "changed_by_others" | "others_known_until"> {
  return {
    voided: (experiment?.held ?? []).filter((id) => touched.has(id)).sort(),
    changed_again: [...changed].filter((id) => touched.has(id)).sort(),
    changed_by_others: [...changedByOthers].sort(),
    others_known_until: othersKnownUntil,
  };
}

function ownUnit({ changes }: PlanData): ExperimentUnitKind {
  const name = changes[0]?.kind.split(".")[1] ?? "";
  if (changes[0]?.op === "create") return "search_term";
  if (name === "campaigns" || name === "ad_groups") return name.slice(0, -1) as "campaign" | "ad_group";
  return /ads$/.test(name) ? "ad" : "keyword";
}

function beside(
  { changes }: PlanData,
  { units, campaigns, figure, later }: {
    units: ReadonlyMap<string, readonly EntityTotals[]>;
    campaigns: ReadonlyMap<string, string>;
    figure: EffectFigure;
    later: readonly PlanData[];
  },
): Comparison["beside"] {
  const own = new Set(changes.flatMap(({ id }) => id ?? []));
  const others = new Set(later.flatMap((plan) => plan.changes).flatMap(({ id }) => id ?? []));
  const growth = (wanted: (id: string) => boolean): number | null => {
    const [was, is] = [0, 1].map((at) =>
      [...units].reduce((sum, [id, ranges]) => wanted(id) ? sum + ranges[at]![figure] : sum, 0)
    ) as [number, number];
    return was > 0 ? is / was - 1 : null;
  };
  const counted = [...units].flatMap(([id, [was]]) =>
    was!.clicks > 0
      ? [{
        id,
        parents: [campaigns.get(id) ?? ""],
        successes: Math.min(was!.orders, was!.clicks),
        trials: was!.clicks,
      }]
      : []
  );
  const rates = new Map(counted.length === 0 ? [] : shrinkRates(counted).map(({ id, rate }) => [id, rate]));
  let [orders, expected] = [0, 0];
  for (const [id, [, is]] of units) {
    if (!own.has(id)) continue;
    orders += is!.orders;
    expected += is!.clicks * (rates.get(id) ?? 0);
  }
  return {
    changed: growth((id) => own.has(id)),
    others: growth((id) => !own.has(id) && !others.has(id)),
    orders,
    orders_expected: Number(expected.toFixed(1)),
  };
}
