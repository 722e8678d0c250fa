import { isRollout, readRollout } from "../../account/rollout/rollout_file.ts";
import { counted } from "../../base/text/money_text.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { PlanStateError } from "../../plans/model/plan_errors.ts";
import { withDraft } from "../../plans/store/edit_draft.ts";
import { addComment } from "../../plans/store/plan_comments.ts";
import { saveReplacement } from "../../plans/store/save_replacement.ts";
import type { RevisedPlan } from "./check_draft.ts";
import type { RevisionCounts } from "./plan_edits.ts";

interface ReplaceOptions {
  /** Revision of the old plan's draft that the new plan was made from. */
  readonly revision: number;
  readonly counts: RevisionCounts;
  readonly now: number;
}

/**
 * Saves a plan beside the open one that it replaces, and closes that.
 *
 * @returns false when the folder holds a draft of the old plan with another revision. Nothing is saved then.
 * @throws {PlanStateError} when the old plan was applied or refused. Nothing is saved then.
 */
export async function replacePlan(
  { plan: old, store }: RevisedPlan,
  made: ChangePlan,
  { revision, counts, now }: ReplaceOptions,
): Promise<boolean> {
  await ensureReplaceable({ plan: old, store });
  const place = { folder: store.path, profileId: old.profileId, revises: { planId: old.id, edits: [] } };
  // The draft is deleted with the old plan: edits that were made meanwhile must not go with it.
  const isSaved = await withDraft(place, async (draft) => {
    // Without a draft in its place, none is lost: the new plan may be made from a copy elsewhere.
    if (draft.revision > 0 && draft.revision !== revision) return false;
    await saveReplacement(store, old, made);
    return true;
  });
  if (!isSaved) return false;
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
  return true;
}

export async function ensureReplaceable({ plan, store }: RevisedPlan): Promise<void> {
  if (plan.reverses !== null) {
    throw new PlanStateError(`Cannot edit plan ${plan.id}: it undoes plan ${plan.reverses}`, "applied");
  }
  if (await isOfRollout(store.path, plan.id)) {
    throw new PlanStateError(
      `Cannot edit plan ${plan.id}: it belongs to a rollout, which would lose the profile. Make the rollout again with ` +
        "other values",
      "applied",
    );
  }
  await store.ensureOpen(plan.id);
}

/** True for a plan of the rollout in a folder, if the folder has one. */
export async function isOfRollout(folder: string, planId: string): Promise<boolean> {
  return await isRollout(folder) &&
    (await readRollout(folder)).plans.some(({ plan_id: id }) => id === planId);
}
