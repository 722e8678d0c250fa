import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { GoalsFile } from "./goals_file.ts";

/** After this many days the figures of an open plan are too old. */
const OPEN_DAYS = 7;
const DAY = 86_400_000;

/** Note of a plan of goals without one of its own. */
export function goalsNote({ goals }: Pick<GoalsFile, "goals">): string {
  return `Goals: ${goals.map(({ name }) => name).join(", ")}`;
}

/**
 * Id and time of an unapplied plan, made in the last seven days for one of the goals of a file; the newest one. It is known
 * by the goals of its changes, which an edited plan keeps, too.
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
