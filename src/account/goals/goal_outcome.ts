import { ConfigurationError } from "../../errors.ts";
import { informationFor, ordersFor, sequentialEstimate } from "../../base/statistics/confidence_sequence.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import { type BegunExperiment, experimentsIn } from "../../plans/store/running_experiments.ts";
import type { EffectRange, GoalGain, OutcomeVerdict } from "../../store/figures/experiment_outcome.ts";
import { planOutcome } from "../../store/figures/plan_outcome.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { changesSince } from "../drift/changes_since.ts";

/** Effect that a goal's held-back part must be able to show. */
export const SHOWN_EFFECT = 0.1;
/**
 * Effect for which the interval is narrowest: half the precision of {@linkcode SHOWN_EFFECT}, so that great harm shows
 * early; at the full number of orders the interval is 4 % wider for it.
 */
const TUNED_EFFECT = 2 * SHOWN_EFFECT;
/** Orders of the held-back part below which no interval is given: its distribution is not normal yet. */
const FEWEST_ORDERS = 50;

/** One applied plan of a goal that held a part back. */
export interface GoalDraw extends GoalGain {
  readonly plan_id: string;
  readonly applied_at: string;
}

/** Result of a goal by the parts that its plans held back. Names are those of `--json`. */
export interface GoalOutcome {
  /** Name of the goal. */
  readonly name: string;
  readonly verdict: OutcomeVerdict;
  readonly reason: string;
  /** Effect on gain, worth of sales or orders less cost, as a share of the larger one; `null` with too few orders. */
  readonly effect: EffectRange | null;
  /** Orders that were compared, of both groups. */
  readonly orders: number;
  /** Orders until a difference of 10 % shows; 0 when there are enough. */
  readonly orders_missing: number;
  /** Plans with a draw, oldest first. */
  readonly draws: readonly GoalDraw[];
}

/** Reads what held-back parts say of goals, from stored reports and applied plans. Sends nothing. */
export async function goalOutcomes(
  store: Pick<Warehouse, "query" | "coverage">,
  { names, share, profileId, plans, now }: {
    readonly names: readonly string[];
    /** Share that new plans hold back. */
    readonly share: number;
    readonly profileId: string;
    /** Folders with the applied plans. */
    readonly plans: readonly PlanStore[];
    readonly now: number;
  },
): Promise<GoalOutcome[]> {
  const draws = new Map<string, GoalDraw[]>(names.map((name) => [name, []]));
  const waiting = new Set<string>();
  const missing = new Map<string, string>();
  const shares = new Map<string, number>();
  for (const { planId, appliedAt, plan, folder } of await goalPlans(plans, { profileId, now })) {
    const own = (plan.experiment?.goals ?? []).filter(({ name }) => draws.has(name));
    const applied = own.length === 0 ? undefined : await folder.applied(planId);
    if (applied === undefined) continue;
    for (const { name } of own) {
      waiting.add(name);
      shares.set(name, plan.experiment?.share ?? share);
    }
    const comparison = await comparisonOf(store, { plan, applied, plans, now });
    for (const gain of comparison?.goals ?? []) {
      draws.get(gain.name)?.push({ ...gain, plan_id: planId, applied_at: appliedAt });
    }
    // Missing days make this look wait, whatever earlier draws say.
    if (comparison?.verdict === "not_known") {
      for (const { name } of own) missing.set(name, comparison.reason);
    }
  }
  return names.map((name): GoalOutcome => {
    const own = draws.get(name) ?? [];
    if (own.length === 0) {
      const orders_missing = ordersFor(SHOWN_EFFECT, shares.get(name) ?? (share > 0 ? share : 0.2));
      const none = { name, effect: null, orders: 0, orders_missing, draws: [] };
      const gap = missing.get(name);
      if (gap !== undefined) return { ...none, verdict: "not_known", reason: gap };
      return waiting.has(name)
        ? {
          ...none,
          verdict: "too_early",
          reason: `First, 7 days with complete orders are needed, then about ${orders_missing} orders`,
        }
        : { ...none, verdict: "not_known", reason: "No applied plan of this goal held a part back" };
    }
    return judgeGoal(name, own, shares.get(name) ?? share);
  });
}

/** Judges a goal by its draws; the interval holds at every look. */
export function judgeGoal(name: string, draws: readonly GoalDraw[], share: number): GoalOutcome {
  const sum = (figure: "orders" | "orders_held"): number =>
    draws.reduce((total, one) => total + one[figure], 0);
  const orders = sum("orders");
  const wanted = ordersFor(SHOWN_EFFECT, share);
  const known = { name, orders, orders_missing: Math.max(0, wanted - orders), draws };
  const estimates = draws.flatMap(({ gain }) => gain ?? []);
  const early =
    `${orders} of about ${wanted} orders needed to show a difference of 10 %; ${known.orders_missing} to go`;
  if (estimates.length === 0 || sum("orders_held") < FEWEST_ORDERS) {
    const reason = known.orders_missing > 0 ? early : "The held-back part has too few orders to compare";
    return { ...known, effect: null, verdict: known.orders_missing > 0 ? "too_early" : "too_small", reason };
  }
  const effect = sequentialEstimate(estimates, { planned: informationFor(TUNED_EFFECT) });
  const between = `between ${percent(effect.low)} and ${percent(effect.high)}`;
  if (effect.low > 0 || effect.high < 0) {
    const verdict = effect.low > 0 ? "more" : "less";
    return {
      ...known,
      effect,
      verdict,
      reason: `${percent(effect.effect)} gain, ${between} (95 % interval)`,
    };
  }
  if (known.orders_missing > 0) {
    return { ...known, effect, verdict: "too_early", reason: `${early}; the gain is ${between} so far` };
  }
  const isNarrow = effect.high - effect.low <= 2 * SHOWN_EFFECT;
  const verdict = isNarrow ? "no_difference" : "too_small";
  return { ...known, effect, verdict, reason: `The effect on gain is ${between}` };
}

function percent(share: number): string {
  return `${share < 0 ? "-" : "+"}${Math.abs(100 * share).toFixed(1)} %`;
}

type FoundPlan = Pick<BegunExperiment, "planId" | "appliedAt"> & {
  readonly plan: ChangePlan;
  readonly folder: PlanStore;
};

/** Applied plans of a profile that hold a part back, oldest first. */
async function goalPlans(
  plans: readonly PlanStore[],
  { profileId, now }: { readonly profileId: string; readonly now: number },
): Promise<FoundPlan[]> {
  const found = new Map<string, FoundPlan>();
  for (const folder of plans) {
    for (const { planId, profileId: of, appliedAt } of await experimentsIn(folder.path, now)) {
      if (of !== profileId || found.has(planId)) continue;
      const plan = (await folder.find(planId))?.plan;
      if (plan !== undefined) found.set(planId, { planId, appliedAt, plan, folder });
    }
  }
  return [...found.values()].sort((a, b) => a.appliedAt < b.appliedAt ? -1 : 1);
}

async function comparisonOf(
  store: Pick<Warehouse, "query" | "coverage">,
  { plan, applied, plans, now }: {
    readonly plan: ChangePlan;
    readonly applied: NonNullable<Awaited<ReturnType<PlanStore["applied"]>>>;
    readonly plans: readonly PlanStore[];
    readonly now: number;
  },
) {
  const since = await changesSince(store, plan, { appliedAt: applied.appliedAt, plans });
  try {
    return (await planOutcome(store, { plan, applied, ...since, now })).comparison;
  } catch (error) {
    // No complete day has passed.
    if (!(error instanceof ConfigurationError)) throw error;
    return undefined;
  }
}
