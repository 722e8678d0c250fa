import { counted } from "../../base/text/money_text.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { PlanStateError } from "../../plans/model/plan_errors.ts";
import { addComment } from "../../plans/store/plan_comments.ts";
import { saveReplacement } from "../../plans/store/save_replacement.ts";
import type { RevisedPlan } from "./check_draft.ts";
import type { RevisionCounts } from "./plan_edits.ts";

interface ReplaceOptions {
  readonly counts: RevisionCounts;
  readonly now: number;
}

/**
 * Saves a plan beside the open one that it replaces, and closes that.
 *
 * @throws {PlanStateError} when the old plan was applied or refused. Nothing is saved then.
 */
export async function replacePlan(
  { plan: old, store }: RevisedPlan,
  made: ChangePlan,
  { counts, now }: ReplaceOptions,
): Promise<void> {
  await ensureReplaceable({ plan: old, store });
  await saveReplacement(store, old, made);
  const { kept, changed, rejected } = counts;
  await addComment(store.path, old.id, {
    at: new Date(now).toISOString(),
    by: "a person",
    text:
      `Closed: plan ${made.id} replaces it, with ${
        counted(kept, "change")
      } kept, ${changed} given other values, ` +
      `and ${rejected} rejected`,
  });
}

export async function ensureReplaceable({ plan, store }: RevisedPlan): Promise<void> {
  if (plan.reverses !== null) {
    throw new PlanStateError(`Cannot edit plan ${plan.id}: it undoes plan ${plan.reverses}`, "applied");
  }
  await store.ensureOpen(plan.id);
}
