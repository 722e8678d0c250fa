import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { AppliedRecord } from "../../plans/store/applied_record.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import { EFFECT_FIGURES } from "../../store/figures/experiment_outcome.ts";
import type { PlanOutcome } from "../../store/figures/plan_outcome.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { Fields } from "../model/field.ts";
import type { Operation } from "../model/operation.ts";
import { comparisonLines, outcomeLines } from "./outcome_lines.ts";

/** An applied plan, and what its outcome is read from. */
export interface OutcomeContext {
  readonly plan: ChangePlan;
  readonly applied: AppliedRecord;
  readonly store: Warehouse;
  /** Own plans: a later one voids a comparison. */
  readonly plans: readonly PlanStore[];
  readonly now: number;
}

/** Tells what an applied plan did. */
export const planOutcome = defineOutcome({
  name: "plan outcome",
  title: "Tell what a plan did",
  summary: "Tell what a plan did, by comparison with what it held back",
  details:
    "The last lines begin with the answer: more, less, no difference found, too small to tell, too early, or not known. It rests on " +
    "what the plan held back (--hold-back when it was made): the two groups are compared over as many days before and " +
    "after whose orders are all in, with an interval of 95 %. Without a part held back it is not known, and before and " +
    "after stand beside those that no plan changed. Below: spend, clicks, orders and ACOS of everything that the plan changed, from the store: as many complete days after " +
    "the day of the application as before it. The change in spend is compared with the plan's estimate. Days whose " +
    "orders may still grow are marked. Sync the store first; nothing is read from the platform. Of the folder of a " +
    "rollout, a row for each account: sums in which nothing is counted twice, and the profiles that it changed against those that it held " +
    "back. --expect looks ahead instead: what its bids let " +
    "expect by how clicks and their cost answered to the bids that own plans changed, or unknown with fewer than 30 of these.",
  brief:
    "Whether an applied plan worked: its verdict against what it held back, spend, clicks and orders before and " +
    "after, by stored reports. Sends nothing; sync_reports first.",
  examples: [],
  library: "await planOutcome(store, { plan, applied: await plans.applied(plan.id) })",
  input: {
    plan_id: {
      type: "text",
      required: true,
      value: "plan",
      help: "the plan file, the id of the plan, or the folder of a rollout",
    },
    days: { type: "whole", min: 1, help: "days on each side at most", otherwise: "14" },
    figure: {
      type: "choice",
      choices: EFFECT_FIGURES,
      value: "figure",
      help: "figure that the first word is about",
      otherwise: "sales",
    },
    margin: {
      type: "share",
      help: "share of sales that is left before advertising",
      brief: "0.3 for 30 %",
    },
  },
  async run({ store, plan, applied, plans, now }, { days, figure, margin }) {
    const [{ changesSince }, { planOutcome }] = await Promise.all([
      import("../../account/drift/changes_since.ts"),
      import("../../store/figures/plan_outcome.ts"),
    ]);
    const since = await changesSince(store, plan, { appliedAt: applied.appliedAt, days, plans });
    return await planOutcome(store, { plan, applied, days, figure, margin, ...since, now });
  },
  lines: (outcome) => [...outcomeLines(outcome), ...comparisonLines(outcome.comparison, outcome)],
});

function defineOutcome<const Of extends Fields>(
  operation: Omit<Operation<Of, OutcomeContext, PlanOutcome>, "effect">,
): Operation<Of, OutcomeContext, PlanOutcome> & { readonly effect: "read" } {
  return { ...operation, effect: "read" };
}
