import type { GoalStanding } from "../../account/goals/show_goals.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { goalsOf } from "../jobs/plan_goals.ts";
import { defineOperation } from "../model/operation.ts";
import type { GoalsOutcomeContext } from "./goals_outcome.ts";

/** A profile with its stored data, and with the schedules and pacing that also change its amounts. */
export interface GoalsShowContext extends Omit<GoalsOutcomeContext, "profileId"> {
  readonly profile: ProfileClient;
  /** Ids of entities that schedules change. */
  readonly scheduled: (profileId: string) => Promise<ReadonlySet<string>>;
  /** Campaigns with an amount controlled by pacing, and the name of that amount. */
  readonly paced: (profileId: string, today: string) => Promise<ReadonlyMap<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** How each goal is interpreted and where it stands, as data and as text lines for display. */
export interface ShownGoals {
  readonly goals: readonly GoalStanding[];
  readonly lines: readonly string[];
}

/** Shows how goals are understood, and their progress. */
export const goalsShow = defineOperation<GoalsShowContext, ShownGoals>()({
  name: "plan goals show",
  effect: "read",
  tool: "goals_show",
  title: "Show goals",
  summary: "Show goals as understood, with the account's own figures, and how far they are",
  details:
    "Prints for each goal of a file: the selected campaigns and bids, cost and sales of the last 30 days and of the month, who " +
    "decides each bid and daily budget (the goal, a schedule, pacing, a rule of the platform, limits.never, a comparison), " +
    "the last plan and its state, trials, and the result so far. Reads the account and the store; sends nothing.",
  brief:
    "Shows goals (the text of goals.yaml): campaigns, figures, who decides what, last plan, result. Sends nothing.",
  examples: [
    {
      input: { goals: "version: 1\ngoals: { all: { aim: sales, acos: 25%, limits: { month: 3000 } } }\n" },
      about: "what this file means for the account",
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
  async run({ profile, scheduled, paced, ...context }, { goals }): Promise<ShownGoals> {
    const { showGoals, standingLines } = await import("../../account/goals/show_goals.ts");
    const standings = await showGoals(profile, await goalsOf(goals), {
      ...context,
      scheduled: await scheduled(profile.profileId),
      paced: await paced(profile.profileId, profile.reports.today),
    });
    return { goals: standings, lines: standings.flatMap((one) => standingLines(profile, one)) };
  },
  lines: ({ lines }) => lines,
  data: ({ goals }) => ({ goals }),
});
