import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { GoalsFile } from "./goals_file.ts";

/** Number of days after which the figures of an open plan are too old. */
const OPEN_DAYS = 7;
const DAY = 86_400_000;

/** Returns the default note of a plan of goals. */
export function goalsNote({ goals }: Pick<GoalsFile, "goals">): string {
  return `Goals: ${goals.map(({ name }) => name).join(", ")}`;
}

/**
 * Finds the newest unapplied plan that was made in the last seven days for a goal of the file, and returns its id and
 * time. The plan is recognized by the goals in its changes, which survive edits to the plan.
 */
export async function openGoalsPlan(
  { goals }: Pick<GoalsFile, "goals">,
  { plans, profileId, now }: {
    readonly plans: PlanStore;
    readonly profileId: string;
    /** Milliseconds since the epoch. */
    readonly now: number;
  },
): Promise<{ readonly id: string; readonly createdAt: string } | undefined> {
  const names = new Set(goals.map(({ name }) => name));
  for (const found of await plans.list()) {
    if (!("plan" in found) || found.plan.profileId !== profileId) continue;
    const { id, changes, createdAt, reverses } = found.plan;
    // An undo plan keeps the goals of the changes that it takes back.
    if (reverses !== null) continue;
    const isClosed = found.status.state === "applied" || found.status.state === "refused";
    if (isClosed || now - Date.parse(createdAt) >= OPEN_DAYS * DAY) continue;
    if (changes.some(({ evidence }) => names.has(evidence?.goal ?? ""))) return { id, createdAt };
  }
  return undefined;
}
