import { counted } from "../../../base/text/money_text.ts";
import { inputFrom } from "../../../operations/model/field.ts";
import { planApply } from "../../../operations/plans/plan_apply.ts";
import { undoPreview } from "../../../operations/plans/plan_undo.ts";
import { planResume } from "../../../operations/plans/plan_resume.ts";
import type { SendContext } from "../../../operations/plans/send_operation.ts";
import type { ChangeOutcome } from "../../../plans/model/change_result.ts";
import type { AppliedPlan } from "../../../plans/store/write_result.ts";
import type { ApiCall } from "../http/route.ts";
import { ApiProblem } from "../http/responses.ts";
import { type FoundPlan, foundPlan, shownPlan } from "./found_plan.ts";
import { shownStatus } from "./list_plans.ts";
import { planToUndo } from "../../../plans/store/undone_plans.ts";
import { clientOf, pageAsker } from "./approve_shown.ts";

type AppliedAnswer = Readonly<Record<string, unknown>>;

/** Waits for the end even if the page is closed meanwhile. */
export async function applyShown(call: ApiCall): Promise<AppliedAnswer> {
  const input = inputFrom(planApply.input, { skip_drifted: call.body["skip_drifted"] === true });
  return appliedAnswer(await planApply.run(sendContext(await shownPlan(call), call), input));
}

export async function resumeShown(call: ApiCall): Promise<AppliedAnswer> {
  const input = inputFrom(planResume.input, {});
  return appliedAnswer(await planResume.run(sendContext(await notRunning(call), call), input));
}

function sendContext(found: FoundPlan, call: ApiCall): SendContext {
  const { plan, store } = found;
  const { context } = call;
  return {
    plan,
    store,
    profile: clientOf(found, context),
    asker: () => pageAsker(call, found),
    sending: ({ plan }, send) => context.jobs.run(plan, (watch) => send({ ...watch, stop: context.stop })),
  };
}

export async function undoShown(call: ApiCall): Promise<{ plan_id: string }> {
  const { context, signal } = call;
  const found = await notRunning(call);
  const { plan, store } = found;
  const status = await store.status(plan.id);
  if (status.state === "applied") {
    // An undone plan leads to the plan that undid it, one that was undone in part to what is left.
    const isWhole = status.undone !== undefined && await store.restOfUndo(plan) === undefined;
    const id = isWhole && await undoingNow(found, context) || (await store.openUndo(plan))?.id;
    if (id !== undefined) return { plan_id: id };
  }
  if (status.state === "unfinished") {
    const profile = clientOf(found, context);
    if (call.body["give_up"] !== true) await askToGiveUp({ plan, store, profile, signal });
    const { rollback } = await store.abandon(plan, profile, { signal });
    if (rollback !== undefined) return { plan_id: rollback.id };
  }
  throw new ApiProblem(409, "NOTHING_TO_UNDO", "Cannot undo this plan: none of its changes were made");
}

/** Finds the plan that undid a plan, or the open one that undoes it now that it is applied again. */
async function undoingNow(found: FoundPlan, context: ApiCall["context"]): Promise<string | undefined> {
  const shown = await shownStatus(found, context);
  if (shown.state !== "applied") return undefined;
  const id = await planToUndo(found.plan.id, shown, (undo) => foundPlan(undo, context));
  if (id === found.plan.id) return shown.undone?.by;
  const { store, plan } = await foundPlan(id, context);
  return (await store.openUndo(plan))?.id;
}

/** @throws {ApiProblem} when a part of the plan would be given up. */
async function askToGiveUp(context: Parameters<typeof undoPreview>[0]): Promise<void> {
  const { undo, found } = await undoPreview(context);
  const countOf = (of: ChangeOutcome) => found?.changes.filter(({ outcome }) => outcome === of).length ?? 0;
  const [unsent, unknown] = [countOf("not_sent"), countOf("unknown")];
  if (unsent + unknown === 0) return;
  const made = unknown === 0 ? "" : `, and it is unknown whether ${counted(unknown, "change")} arrived`;
  throw new ApiProblem(
    409,
    "GIVES_UP",
    `Undoing this plan gives up its rest, which cannot be taken back: ${counted(unsent, "change")} not sent` +
      `${made}. What would be undone: ${counted(undo.changes.length, "change")}, after a review`,
    { not_sent: unsent, unknown, undone: undo.changes.length },
  );
}

async function notRunning(call: ApiCall): Promise<FoundPlan> {
  const { jobs, rollouts } = call.context;
  const found = await foundPlan(call.params["id"] ?? "", call.context);
  if (!jobs.isRunning(found.plan.id) && !rollouts.isRunning(found.plan.id)) return found;
  throw new ApiProblem(409, "RUNNING", "This plan is being sent now: wait until it is done");
}

function appliedAnswer({ result, rollback, rollbackWarnings, notWritten }: AppliedPlan): AppliedAnswer {
  return {
    plan_id: result.plan.id,
    ok: result.ok,
    summary: result.summary(),
    failed: result.failures.length,
    rollback_plan_id: rollback?.id ?? null,
    rollback_warnings: rollbackWarnings,
    not_written: notWritten.map(({ message }) => message),
  };
}
