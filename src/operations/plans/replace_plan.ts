import { counted } from "../../base/text/money_text.ts";
import { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { addComment } from "../../plans/store/plan_comments.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import { PlanStateError } from "../../plans/model/plan_errors.ts";
import type { RevisedPlan } from "./check_draft.ts";
import type { RevisionCounts } from "./plan_edits.ts";

interface ReplaceOptions {
  readonly counts: RevisionCounts;
  /** Saves the new plan. */
  readonly save: (plan: ChangePlan) => Promise<unknown>;
  /** Time of the comment on the old plan, in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Closes an open plan and saves the one that replaces it. The old plan is closed first, so that never both can be
 * applied; if saving fails, replacing it again saves the new plan under the same id.
 *
 * @returns the plan as it was saved.
 * @throws {PlanStateError} when the old plan was applied or refused. Nothing is saved then.
 */
export async function replacePlan(
  { plan: old, store }: RevisedPlan,
  made: ChangePlan,
  { counts, save, now }: ReplaceOptions,
): Promise<ChangePlan> {
  const earlier = await unsavedReplacement(old, store);
  if (earlier === undefined) await ensureReplaceable({ plan: old, store });
  const plan = earlier === undefined ? made : new ChangePlan({ ...made, id: earlier });
  await store.refuse(old, { replacedBy: plan.id });
  const status = await store.status(old.id);
  if (status.state !== "refused" || status.replacedBy !== plan.id) {
    throw new PlanStateError(
      `Cannot replace plan ${old.id}: it is ${status.state}. Nothing was saved`,
      "applied",
    );
  }
  await save(plan);
  const { kept, changed, rejected } = counts;
  await addComment(store.path, old.id, {
    at: new Date(now).toISOString(),
    by: "a person",
    text:
      `Closed: plan ${plan.id} replaces it, with ${
        counted(kept, "change")
      } kept, ${changed} given other values, ` +
      `and ${rejected} rejected`,
  });
  return plan;
}

/**
 * Returns when a plan can be replaced.
 *
 * @throws {PlanStateError} when it was applied or refused, or undoes another.
 */
export async function ensureReplaceable({ plan, store }: RevisedPlan): Promise<void> {
  if (plan.reverses !== null) {
    throw new PlanStateError(`Cannot edit plan ${plan.id}: it undoes plan ${plan.reverses}`, "applied");
  }
  if (await unsavedReplacement(plan, store) === undefined) await store.ensureOpen(plan.id);
}

/** Id of a replacement that was announced and not saved. */
async function unsavedReplacement({ id }: ChangePlan, store: PlanStore): Promise<string | undefined> {
  const status = await store.status(id);
  if (status.state !== "refused" || status.replacedBy === undefined) return undefined;
  return await store.find(status.replacedBy) === undefined ? status.replacedBy : undefined;
}
