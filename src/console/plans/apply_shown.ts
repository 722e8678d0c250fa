import { driftError, findDrift } from "../../plans/apply/drift.ts";
import type { AppliedPlan } from "../../plans/store/write_result.ts";
import type { ApiCall } from "../http/route.ts";
import { ApiProblem } from "../http/api_problem.ts";
import { type FoundPlan, foundPlan, shownPlan } from "./found_plan.ts";
import { ensureAccepted } from "./review_shown.ts";

const APPROVER = "a person in the console";

/** What the API says of a plan that was sent. */
export type AppliedAnswer = Readonly<Record<string, unknown>>;

/** Sends the plan that the page showed, and waits for its end; whoever asked may go away meanwhile. */
export async function applyShown(call: ApiCall): Promise<AppliedAnswer> {
  const { context, body } = call;
  const { plan, store } = await shownPlan(call);
  await store.ensureOpen(plan.id);
  const client = context.ads.profileFrom(plan.profileId, plan.countryCode);
  await store.restores(plan);
  const { findings } = await client.review(plan);
  const skipDrifted = body["skip_drifted"] === true;
  const drift = await findDrift(plan.changes.map((change, at) => ({ at, change })), client);
  if (drift.size > 0 && !skipDrifted) {
    throw driftError(plan.id, [...drift.values()].flatMap(({ fields }) => fields));
  }
  // What has drifted is left out, and needs nobody's word.
  ensureAccepted(findings.filter(({ change }) => !drift.has(change ?? -1)), body["accepted"]);
  return appliedAnswer(
    await context.jobs.run(plan, (watch) =>
      store.apply(plan, client, {
        ...watch,
        checkDrift: true,
        skipDrifted,
        approvedBy: APPROVER,
        accepted: findings,
        stop: context.stop,
      })),
  );
}

/** Finishes a plan whose sending was cut off. */
export async function resumeShown(call: ApiCall): Promise<AppliedAnswer> {
  const { context } = call;
  const { plan, store } = await notRunning(call);
  const client = context.ads.profileFrom(plan.profileId, plan.countryCode);
  return appliedAnswer(
    await context.jobs.run(
      plan,
      (watch) => store.resume(plan, client, { ...watch, approvedBy: APPROVER, stop: context.stop }),
    ),
  );
}

/** The plan that undoes what was done of another, to be read and applied like any plan. */
export async function undoShown(call: ApiCall): Promise<{ plan_id: string }> {
  const { context, signal } = call;
  const { plan, store } = await notRunning(call);
  const status = await store.status(plan.id);
  if (status.state === "applied" && status.rollbackPlanId !== undefined) {
    return { plan_id: status.rollbackPlanId };
  }
  if (status.state === "unfinished") {
    const client = context.ads.profileFrom(plan.profileId, plan.countryCode);
    const { rollback } = await store.abandon(plan, client, { signal });
    if (rollback !== undefined) return { plan_id: rollback.id };
  }
  throw new ApiProblem(409, "NOTHING_TO_UNDO", "Cannot undo this plan: nothing of it was done");
}

async function notRunning(call: ApiCall): Promise<FoundPlan> {
  const found = await foundPlan(call.params["id"] ?? "", call.context);
  if (!call.context.jobs.isRunning(found.plan.id)) return found;
  throw new ApiProblem(409, "RUNNING", "This plan is being sent now: wait for its end");
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
