import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { GoalsFile } from "./goals_file.ts";

/** Days for which an open plan of the same goals stands for the next one; its figures are too old after that. */
const OPEN_DAYS = 7;
const DAY = 86_400_000;
const NOTE = "Goals: ";

/** Note of a plan of goals. */
export function goalsNote({ goals }: Pick<GoalsFile, "goals">): string {
  return NOTE + goals.map(({ name }) => name).join(", ");
}

/** Id and time of an unapplied plan, made in the last seven days for one of the goals of a file; the newest one. */
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
    const { id, note, createdAt } = found.plan;
    const isClosed = found.status.state === "applied" || found.status.state === "refused";
    // A plan that was edited by a person has the note of the one that it replaces at its end.
    const planned = /(?:^|: )Goals: (.*)$/s.exec(note ?? "")?.[1]?.replace(/\)$/, "");
    if (isClosed || now - Date.parse(createdAt) >= OPEN_DAYS * DAY || planned === undefined) continue;
    if (planned.split(", ").some((name) => names.has(name))) return { id, createdAt };
  }
  return undefined;
}
