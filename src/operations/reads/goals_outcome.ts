import type { GoalOutcome } from "../../account/goals/goal_outcome.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { goalsOf } from "../jobs/plan_goals.ts";
import { defineOperation } from "../model/operation.ts";

export interface GoalsOutcomeContext {
  readonly profileId: string;
  readonly store: Warehouse;
  readonly plans: readonly PlanStore[];
  readonly now: number;
}

export interface GoalsOutcome {
  readonly outcomes: readonly GoalOutcome[];
  readonly lines: readonly string[];
}

export const goalsOutcome = defineOperation<GoalsOutcomeContext, GoalsOutcome>()({
  name: "plan goals outcome",
  effect: "read",
  // Agents get it with goals_show.
  isForPeople: true,
  title: "Measure goals",
  summary: "Measure the effect of goals against the bids that their plans held back",
  details:
    "Compares gain (value of sales or orders at the price that the plan was made with, less cost) of changed and " +
    "held-back bids, over all applied plans of a goal. Prints one word per goal: better, worse, no difference found, too " +
    "small to tell, too early (with the number of orders missing) or not known, and an interval. The interval holds " +
    "however often you look. Orders count once they are complete, after 15 days. Sync the store first; nothing is read " +
    "from the platform. A goal that does worse is not planned further unless you pass --despite-harm to adsctl plan " +
    "goals.",
  brief:
    "Measures goals (the text of goals.yaml) against bids held back: a verdict and an interval. Call sync_reports first.",
  examples: [
    {
      input: { goals: "version: 1\ngoals: { all: { aim: sales, acos: 25% } }\n" },
      about: "the result of each goal so far",
    },
  ],
  input: {
    goals: {
      type: "document",
      required: true,
      value: "file",
      help: "goals.yaml",
      brief: "YAML",
    },
  },
  async check({ goals }) {
    await goalsOf(goals);
  },
  async run(context, { goals }): Promise<GoalsOutcome> {
    const { goalOutcomes, outcomeLine } = await import("../../account/goals/goal_outcome.ts");
    const { goals: own, holdBack: share } = await goalsOf(goals);
    const names = own.map(({ name }) => name);
    const outcomes = await goalOutcomes(context.store, { ...context, names, share });
    return { outcomes, lines: outcomes.map(outcomeLine) };
  },
  lines: ({ lines }) => lines,
  data: ({ outcomes }) => ({ goals: outcomes }),
});
