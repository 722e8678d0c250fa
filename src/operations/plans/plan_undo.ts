import type { AppliedPlan } from "../../plans/store/write_result.ts";
import type { ChangePlan, PlanResult } from "../../plans/change_plan/change_plan.ts";
import { approve, defineSend, send, SEND_FIELDS, type SendContext, sendOptions } from "./send_operation.ts";

export const planUndo = defineSend({
  name: "plan undo",
  isForPeople: true,
  title: "Undo a plan",
  summary: "Undo a plan, after showing the changes and asking",
  details:
    "Restores the values from before the plan, archives entities it created, and lists what cannot be undone. " +
    "If an entity has changed since, nothing is sent; --skip-drifted undoes the rest. Run the command again " +
    "to retry failed items or a refused undo. An interrupted plan can be undone too; its rest is never sent. A rollout folder " +
    "is undone in stages; after a stop, the same command continues. A queued rollout is removed from the " +
    "queue first. Plans that a worker is still applying are listed; wait for them. --only-plan reads nothing: " +
    "it saves the undo of an applied plan, or of all changes of one not applied.",
  brief: "Undoes the applied part of a plan",
  examples: [],
  library: "await PlanStore.open(folder).rollBack(plan, profile)",
  input: {
    ...SEND_FIELDS,
    plan_id: {
      ...SEND_FIELDS.plan_id,
      help:
        "the plan file, the id of the plan, or the folder of a rollout; with --only-plan also - for standard input",
    },
    check_drift: {
      ...SEND_FIELDS.check_drift,
      help: "undo even entities changed since the plan was applied",
    },
    skip_drifted: {
      ...SEND_FIELDS.skip_drifted,
      help: "skip entities changed since the plan was applied, and undo the rest",
    },
  },
  async run(context, input): Promise<AppliedPlan | undefined> {
    const { plan, store, profile, signal, isUnattended, onWait, onWarnings } = context;
    await store.ensureNotUndone(plan, { orInPart: true });
    // A person is asked before the rest is given up, which cannot be taken back.
    const shown = isUnattended ? undefined : (await undoPreview(context)).undo;
    const answer = shown && await approve(shown, context, input);
    const { rollback, rollbackWarnings } = await store.abandon(plan, profile, { signal, onWait });
    await onWarnings?.(rollbackWarnings);
    if (rollback === undefined) return undefined;
    // What was done may have become more since; then it is shown again.
    const consent = answer !== undefined && rollback.fingerprint === shown?.fingerprint
      ? answer
      : await approve(rollback, context, input);
    return await send(
      { plan: rollback, consent },
      context,
      (options) => store.apply(rollback, profile, { ...sendOptions(input, context), ...options }),
    );
  },
});

/** Finds the plan that would undo what was done, and what is known of a plan whose rest is not given up yet. */
export async function undoPreview(
  { plan, store, profile, signal }: Pick<SendContext, "plan" | "store" | "profile" | "signal">,
): Promise<{ readonly undo: ChangePlan; readonly found?: PlanResult }> {
  const rest = await store.restOfUndo(plan);
  if (rest !== undefined) return { undo: rest };
  const found = await store.look(plan, profile, { signal });
  return { undo: found.rollbackPlan(), found };
}
