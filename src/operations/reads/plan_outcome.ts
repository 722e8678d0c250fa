import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { AppliedRecord } from "../../plans/store/applied_record.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import { EFFECT_FIGURES } from "../../store/figures/experiment_outcome.ts";
import type { PlanOutcome } from "../../store/figures/plan_outcome.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { defineOperation } from "../model/operation.ts";
import { comparisonLines, outcomeLines } from "./outcome_lines.ts";

export interface OutcomeContext {
  readonly plan: ChangePlan;
  readonly applied: AppliedRecord;
  readonly store: Warehouse;
  readonly plans: readonly PlanStore[];
  readonly now: number;
}

export const planOutcome = defineOperation<OutcomeContext, PlanOutcome>()({
  name: "plan outcome",
  effect: "read",
  title: "Measure a plan's effect",
  summary: "Measure a plan's effect against its held-back entities",
  details:
    "Compares changed entities with held-back ones (--hold-back), over equal periods before and after " +
    "with complete orders, and gives a 95 % interval. The verdict is more, less, no difference found, too " +
    "small to tell, too early, or not known (nothing held back). Also shows spend, clicks, orders and ACOS of " +
    "the changed entities before and after, next to entities that no plan changed, and compares the change in " +
    "spend with the estimate. Marks days whose orders may still grow. Sync the store first; nothing is read " +
    "from the platform. For a rollout folder, prints a row per account and compares changed with held-back " +
    "profiles. --expect predicts clicks and spend from how earlier bid changes turned out; it needs at least " +
    "30 of them.",
  brief:
    "Compares an applied plan with what it held back, from stored reports: verdict, and spend, clicks and " +
    "orders before and after. Sends nothing. Call sync_reports first.",
  examples: [],
  library: "await planOutcome(store, { plan, applied: await plans.applied(plan.id) })",
  input: {
    plan_id: {
      type: "text",
      required: true,
      value: "plan",
      help: "the plan file, the id of the plan, or the folder of a rollout",
    },
    days: { type: "whole", min: 1, help: "maximum days on each side", otherwise: "14" },
    figure: {
      type: "choice",
      choices: EFFECT_FIGURES,
      value: "figure",
      help: "figure for the verdict",
      otherwise: "sales",
    },
    margin: {
      type: "share",
      help: "margin before advertising, as a share of sales",
      brief: "0.3 or 30%",
    },
  },
  check({ margin }, { field }) {
    if (margin === undefined || (margin > 0 && margin <= 1)) return;
    throw new RangeError(`Cannot use ${margin} as ${field("margin")}: expected a share such as 0.3`);
  },
  async run({ store, plan, applied, plans, now }, { days, figure, margin }) {
    const [{ changesSince }, { planOutcome }] = await Promise.all([
      import("../../account/diff/changes_since.ts"),
      import("../../store/figures/plan_outcome.ts"),
    ]);
    const since = await changesSince(store, plan, { appliedAt: applied.appliedAt, days, plans });
    return await planOutcome(store, { plan, applied, days, figure, margin, ...since, now });
  },
  lines: (outcome) => [...outcomeLines(outcome), ...comparisonLines(outcome.comparison, outcome)],
});
