import type { AppliedPlan } from "../../plans/store/write_result.ts";
import { approve, defineSend, send, SEND_FIELDS, sendOptions } from "./send_operation.ts";

/** Undoes what was done of a plan. */
export const planUndo = defineSend({
  name: "plan undo",
  isForPeople: true,
  title: "Undo a plan",
  summary: "Undo what was done of a plan, after showing it and asking",
  details:
    "Updates go back to the values that the plan found, created entities are archived; what was refused is left " +
    "alone, and what cannot be undone is listed. When an entity has changed since, nothing is sent, or with " +
    "--skip-drifted, everything else. What an undo could not put back is tried again by the same command. A plan that was cut off is undone too, and its rest is " +
    "never sent. The folder of a rollout undoes all of its plans, in stages; the same command goes on after a stop. A rollout " +
    "that was left to workers is taken off their queue first: nothing more of it is begun, and plans that a worker is " +
    "applying are named, to be waited for. --only-plan reads nothing: it restores every value of the plan, refused or not.",
  brief: "Undoes what was done of a plan",
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
      help: "undo even what has changed since the plan was applied",
    },
    skip_drifted: {
      ...SEND_FIELDS.skip_drifted,
      help: "leave out what has changed since the plan was applied, and undo the rest",
    },
  },
  /** The undo that was sent; `undefined` where there was nothing to undo. */
  async run(context, input): Promise<AppliedPlan | undefined> {
    const { plan, store, profile, signal, isUnattended, onWait, onWarnings } = context;
    await store.ensureNotUndone(plan, { orInPart: true });
    // A person is asked before the rest is given up, which cannot be taken back.
    const shown = isUnattended ? undefined : await store.restOfUndo(plan) ??
      (await store.look(plan, profile, { signal })).rollbackPlan();
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
