import { ConfigurationError } from "../../errors.ts";
import { informationFor, ordersFor, sequentialEstimate } from "../../base/statistics/confidence_sequence.ts";
import { signedPercentText } from "../../base/text/money_text.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import { type BegunExperiment, experimentsIn } from "../../plans/store/running_experiments.ts";
import type { EffectRange, GoalGain, OutcomeVerdict } from "../../store/figures/experiment_outcome.ts";
import { planOutcome } from "../../store/figures/plan_outcome.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { changesSince } from "../diff/changes_since.ts";

export const SHOWN_EFFECT = 0.1;
/**
 * Effect at which the interval is narrowest. Half the precision shows large harm early, and the interval is only 4 %
 * wider at the full number of orders.
 */
const TUNED_EFFECT = 2 * SHOWN_EFFECT;
/** With fewer held-back orders the distribution is not normal, so no interval is given. */
const FEWEST_ORDERS = 50;

export interface GoalDraw extends GoalGain {
  readonly plan_id: string;
  readonly applied_at: string;
}

export interface GoalOutcome {
  readonly name: string;
  readonly verdict: OutcomeVerdict;
  readonly reason: string;
  /**
   * Effect on gain (worth of sales or orders minus cost) as a fraction of the larger group; `null` with too few
   * orders.
   */
  readonly effect: EffectRange | null;
  readonly orders: number;
  /** Orders needed to show a difference of 10 %; 0 if there are enough. */
  readonly orders_missing: number;
  readonly draws: readonly GoalDraw[];
}

export async function goalOutcomes(
  store: Pick<Warehouse, "query" | "coverage">,
  { names, share, profileId, plans, now }: {
    readonly names: readonly string[];
    readonly share: number;
    readonly profileId: string;
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

const VERDICT_WORDS: Readonly<Record<GoalOutcome["verdict"], string>> = {
  more: "Better",
  less: "Worse",
  no_difference: "No difference found",
  too_small: "Too small to tell",
  too_early: "Too early",
  not_known: "Not known",
};

export function outcomeLine({ name, verdict, reason }: GoalOutcome): string {
  return `${name}: ${VERDICT_WORDS[verdict]}: ${reason}`;
}

/** Compares the two groups of a goal. The interval remains valid under repeated looks. */
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
  const between = `between ${signedPercentText(effect.low)} and ${signedPercentText(effect.high)}`;
  if (effect.low > 0 || effect.high < 0) {
    const verdict = effect.low > 0 ? "more" : "less";
    return {
      ...known,
      effect,
      verdict,
      reason: `${signedPercentText(effect.effect)} gain, ${between} (95 % interval)`,
    };
  }
  if (known.orders_missing > 0) {
    return { ...known, effect, verdict: "too_early", reason: `${early}; the gain is ${between} so far` };
  }
  const isNarrow = effect.high - effect.low <= 2 * SHOWN_EFFECT;
  const verdict = isNarrow ? "no_difference" : "too_small";
  return { ...known, effect, verdict, reason: `The effect on gain is ${between}` };
}

type FoundPlan = Pick<BegunExperiment, "planId" | "appliedAt"> & {
  readonly plan: ChangePlan;
  readonly folder: PlanStore;
};

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
