import type { DrawnProfiles } from "../../account/rollout/rollout_experiment.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import { dayIn } from "../../base/time/calendar.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { unitsText } from "../../plans/model/experiment.ts";
import { EFFECT_FIGURES } from "../../store/figures/experiment_outcome.ts";
import type { PlanPower } from "../../store/figures/plan_power.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { defineOperation } from "../model/operation.ts";

export interface PowerContext {
  readonly plan: ChangePlan;
  readonly store: Pick<Warehouse, "query" | "coverage">;
  /** The profiles that a rollout drew. */
  readonly profiles?: DrawnProfiles | undefined;
  readonly now: number;
}

export const planPower = defineOperation<PowerContext, PlanPower>()({
  name: "plan power",
  effect: "read",
  isForPeople: true,
  title: "Estimate the power of an experiment",
  summary: "Estimate the chance of detecting a plan's effect, before applying it",
  details:
    "Simulates the experiment many times on stored data: chooses a random part as --hold-back does, applies " +
    "the effect to the others, and compares them as plan outcome does. Assumes no distribution. Reads nothing " +
    "from the platform.",
  brief: "Estimates the chance of detecting a plan's effect",
  examples: [],
  library: 'await planPower(store, { plan, today: "2026-11-24", effect: 0.1, weeks: 4 })',
  input: {
    plan_id: {
      type: "text",
      required: true,
      value: "plan",
      help: "the plan file, the id of the plan, or the folder of a rollout that holds profiles back",
    },
    effect: { type: "share", isSigned: true, help: "effect to find", otherwise: "10%" },
    weeks: { type: "whole", min: 1, help: "weeks after applying", otherwise: "the plan's, otherwise 4" },
    hold_back: {
      type: "share",
      help: "share to hold back, if the plan holds nothing back",
      otherwise: "25%",
    },
    figure: {
      type: "choice",
      choices: EFFECT_FIGURES,
      value: "figure",
      help: "figure to compare",
      otherwise: "sales",
    },
  },
  async run({ plan, store, profiles: rollout, now }, { effect, weeks, hold_back: share, figure }) {
    const { planPower } = await import("../../store/figures/plan_power.ts");
    const today = dayIn(timeZoneOf(plan), now);
    return await planPower(store, { plan, today, effect, weeks, figure, share, rollout });
  },
  lines: powerLines,
});

/** Tells the power of a plan's experiment in sentences; too few stored days to simulate it are one as well. */
export async function powerText(context: PowerContext): Promise<readonly string[]> {
  try {
    return powerLines(await planPower.run(context, { plan_id: context.plan.id }));
  } catch (error) {
    if (error instanceof RangeError) return [error.message];
    throw error;
  }
}

function powerLines(power: PlanPower): string[] {
  const { effect, weeks, figure, units, unit, share, days, tries } = power;
  const sign = effect < 0 ? "-" : "+";
  const weeksText = (count: number): string => `${count} ${count === 1 ? "week" : "weeks"}`;
  return [
    `${Math.round(power.power * 100)} % chance to find ${sign}${percent(Math.abs(effect))} ${figure} in ` +
    `${weeksText(weeks)}, with ${percent(share)} of ${units} ${unitsText(unit)} held back`,
    power.weeks_for_80 === null
      ? "More weeks than the stored days can show are needed for a chance of 80 %"
      : `A chance of 80 % takes ${weeksText(power.weeks_for_80)}`,
    power.smallest_effect === null
      ? `Not even +400 % would be found in ${weeksText(weeks)} with a chance of 80 %`
      : `Smallest rise that ${weeksText(weeks)} can show: +${percent(power.smallest_effect)}`,
    `Simulated ${tries} times on ${days.start} to ${days.end}`,
  ];
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
