import { sha256 } from "../../base/text/sha256.ts";
import type { PlanData } from "../model/plan_data.ts";
import type { PlanPlaces } from "./plan_places.ts";

export const EXPERIMENT_ENDING = "experiment.json";

export function experimentRecord(plan: PlanData, appliedAt: string): string {
  const { id, profileId, countryCode, note } = plan;
  // What would have been changed stands in the plan alone.
  const { changes: _, goals: _goals, ...experiment } = plan.experiment ?? {};
  return JSON.stringify(
    {
      plan_id: id,
      profile_id: profileId,
      country_code: countryCode,
      note,
      applied_at: appliedAt,
      experiment,
      digest: digestOf(experiment),
    },
    null,
    2,
  ) + "\n";
}

/** Reveals edits, because the plan's fingerprint does not cover the record. */
export function digestOf(experiment: unknown): string {
  return sha256(JSON.stringify(experiment));
}

export function experimentPath(places: PlanPlaces, id: string): string {
  return places.hidden(id, EXPERIMENT_ENDING);
}
