import type { Rollout } from "../../account/rollout/rollout.ts";
import { ConfigurationError } from "../../errors.ts";
import type { Comparison, ComparisonRequest } from "../../store/figures/experiment_outcome.ts";
import type { PlanOutcome } from "../../store/figures/plan_outcome.ts";
import type { InputOf } from "../model/field.ts";
import { type OutcomeContext, planOutcome } from "./plan_outcome.ts";

export interface RolloutOutcomeContext extends Pick<OutcomeContext, "store" | "plans" | "now"> {
  readonly rollout: Rollout;
}

type OutcomeInput = Omit<InputOf<typeof planOutcome.input>, "plan_id">;

export interface RolloutOutcomes {
  readonly outcomes: readonly PlanOutcome[];
  /** Plans without an outcome, with the reason. */
  readonly without: readonly string[];
}

/** Measures the plans of a rollout, each by what it changed. */
export async function rolloutOutcomes(
  entries: Awaited<ReturnType<Rollout["entries"]>>,
  { rollout, store, plans, now }: RolloutOutcomeContext,
  input: OutcomeInput,
): Promise<RolloutOutcomes> {
  const own = rollout.store;
  const outcomes: PlanOutcome[] = [];
  const without: string[] = [];
  for (const { plan } of entries) {
    const applied = await own.applied(plan.id);
    try {
      if (applied === undefined) throw new ConfigurationError("its plan was not fully applied");
      const context = { store, plan, applied, plans: [own, ...plans], now };
      outcomes.push(await planOutcome.run(context, { ...input, plan_id: plan.id }));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      without.push(`profile ${plan.profileId} (${plan.countryCode}): ${error.message}`);
    }
  }
  return { outcomes, without };
}

/**
 * Compares the changed with the held-back profiles of a rollout.
 *
 * @returns `undefined` if no profiles were drawn, or no plan was applied.
 * @throws {ConfigurationError} for a rollout whose plans do not belong together.
 */
export async function compareRollout(
  { rollout, store, plans, now }: RolloutOutcomeContext,
  { figure, margin }: OutcomeInput,
): Promise<{ readonly request: ComparisonRequest; readonly comparison: Comparison } | undefined> {
  const [{ rolloutComparison }, { compareOutcome }] = await Promise.all([
    import("../../account/rollout/rollout_experiment.ts"),
    import("../../store/figures/experiment_outcome.ts"),
  ]);
  const request = await rolloutComparison(rollout, { stores: plans, warehouse: store, now });
  if (request === undefined) return undefined;
  return { request, comparison: await compareOutcome(store, { ...request, figure, margin }) };
}
