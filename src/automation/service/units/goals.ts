import { counted } from "../../../base/text/money_text.ts";
import type { Unit } from "./unit.ts";

/** Plans for goals, for a person to approve. */
export const goals = {
  usual: { at: "weekly mon 06:00" },
  file: {
    name: "goals.yaml",
    what: "goals file",
    key: "goals",
    library: 'await loadGoals("goals.yaml")',
    read: async (text, source) => {
      const { readGoalsText } = await import("../../../account/goals/goals_file.ts");
      const { goals } = await readGoalsText(text, source);
      const names = goals.map(({ name, aim }) => `${name}: ${aim}`).join(", ");
      return { holds: `${counted(goals.length, "goal")} (${names})`, channels: [] };
    },
  },
  after: ["sync", "entities", "pacing"],
  run: async ({ profile, timer, now, signal }, { place, store, plans, poll }) => {
    const { loadGoals } = await import("../../../account/goals/goals_file.ts");
    const { managedIn } = await import("../../pacing/managed_ids.ts");
    const { openGoalsPlan } = await import("../../../account/goals/open_plan.ts");
    const { planDecidedGoals } = await import("../../../account/goals/plan_goals.ts");
    const file = await loadGoals(timer.file!);
    const open = await openGoalsPlan(file, { plans, profileId: profile.profileId, now });
    if (open !== undefined) {
      return `No second plan: plan ${open.id} of ${open.createdAt.slice(0, 10)} waits for approval`;
    }
    const { plan, goals, outcomes } = await planDecidedGoals(profile, {
      file,
      store,
      sync: { poll, maxPoll: poll, signal },
      ...managedIn(place),
      plans: () => Promise.resolve([plans]),
      signal,
    });
    const harmful = outcomes.filter(({ verdict }) => verdict === "less").map(({ name }) => name);
    const stopped = goals.flatMap(({ goal, decision }) =>
      decision.stopped === null ? [] : `${goal.name} stopped: ${decision.stopped}`
    );
    const notes = [...stopped, ...(harmful.length === 0 ? [] : [`does harm: ${harmful.join(", ")}`])];
    const more = notes.length === 0 ? "" : `; ${notes.join("; ")}`;
    if (plan.changes.length === 0) return `Nothing to change${more}`;
    await plans.save(plan);
    return `Plan ${plan.id} of ${counted(plan.changes.length, "change")} waits for approval${more}`;
  },
} satisfies Unit;
