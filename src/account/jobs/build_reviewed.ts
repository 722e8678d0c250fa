import type { ProfileClient } from "../../client/profile_client.ts";
import { ChangePlan } from "../../plans/change_plan.ts";
import type { FiguresSource } from "../../plans/review/figures_source.ts";
import { withReview } from "../../plans/review/review_plan.ts";
import type { PlanDraft } from "../../resources/plan_draft.ts";
import type { PlanOptions } from "../../resources/plan_writes.ts";
import { entityFigures } from "../../store/figures/entity_figures.ts";
import type { Warehouse } from "../../store/warehouse.ts";

/** The plan of a draft, judged and weighed as one by the figures of a store. */
export async function buildReviewed(
  profile: ProfileClient,
  draft: PlanDraft,
  { store, warnings = [], ...options }: PlanOptions & {
    readonly store?: Warehouse | undefined;
    readonly warnings?: readonly string[];
  },
): Promise<ChangePlan> {
  const built = await draft.build(options);
  if (built.changes.length === 0) return built;
  const plan = { ...built, warnings: [...built.warnings, ...warnings] };
  const figures: FiguresSource | undefined = store && ((request) => entityFigures(store, request));
  const { signal } = options;
  return new ChangePlan(
    withReview(plan, await profile.review(plan, { signal, ...(figures === undefined ? {} : { figures }) })),
  );
}
