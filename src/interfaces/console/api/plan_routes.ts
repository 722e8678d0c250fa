import { readAccountTitle } from "../../../client/account_title.ts";
import { ConfigurationError } from "../../../errors.ts";
import { inputFrom } from "../../../operations/model/field.ts";
import { jsonInput } from "../../../operations/model/field_schema.ts";
import { planApprove } from "../../../operations/plans/plan_approve.ts";
import { planPart, PlanPartError } from "../../../operations/plans/plan_part.ts";
import { planOutcome } from "../../../operations/reads/plan_outcome.ts";
import { judgeStored } from "../../../plans/store/judge_stored.ts";
import { addComment, MAX_COMMENT, readComments } from "../../../plans/store/plan_comments.ts";
import { ApiProblem, refusingBadInput } from "../http/responses.ts";
import { type ApiCall, type Route, textOf } from "../http/route.ts";
import { applyShown, resumeShown, undoShown } from "../plans/apply_shown.ts";
import { clientOf, keyState, pageApprover, reviewData } from "../plans/approve_shown.ts";
import { foundPlan, shownPlan } from "../plans/found_plan.ts";
import { plansAndRollouts } from "../plans/list_plans.ts";
import { planPage } from "../plans/plan_page.ts";
import { savePlan } from "../plans/save_plan.ts";
import { hasStore, withStore } from "../http/open_store.ts";

const FINGERPRINT = "of the plan that was shown; refused with PLAN_CHANGED if the plan has changed since";

export const PLAN_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/plans",
    about:
      "Lists the plans of all folders, newest first; open undo plans are only named in the plans that they undo",
    gives:
      "`plans`, each with its `state` (waiting for an open one, failed for one applied in part) and what is `next`; `rollouts` with the ids of their plans",
    run: ({ context }) => plansAndRollouts(context),
  },
  {
    method: "GET",
    path: "/api/plans/:id",
    about: "Reads one plan, without reading the account",
    gives:
      "`plan` as `adsctl plan show --json` prints it, `state`, `status`, `failures`, `approved_until`, `comments`, `undoes`, `spend`",
    run: async ({ context, params }) => await planPage(await foundPlan(params["id"] ?? "", context), context),
  },
  {
    method: "GET",
    path: "/api/plans/:id/review",
    about: "Checks a plan against the policy and the live account",
    gives:
      "`findings`, `money`, `names`, `drift`, `plan` with current values, `facts` as adsctl shows them, `spend`, `account`, `shown`, which identifies this review",
    run: async ({ context, params, signal }) => {
      const found = await foundPlan(params["id"] ?? "", context);
      const review = await judgeStored(found.plan, clientOf(found, context), { store: found.store, signal });
      const { profileId, countryCode } = found.plan;
      return reviewData(review, await readAccountTitle(context.ads.profileFrom(profileId, countryCode)));
    },
  },
  {
    method: "GET",
    path: "/api/plans/:id/outcome",
    about:
      "Compares the days after a plan was applied with the same number of days before, from stored figures",
    gives: "as `adsctl plan outcome --json` prints it, or why it is `unknown` so far",
    run: outcome,
  },
  {
    method: "POST",
    path: "/api/plans/:id/approve",
    about: "Signs an approval, with which an agent may apply the plan within half an hour",
    takes: {
      fingerprint: FINGERPRINT,
      passphrase:
        "of the approval key; the first approval creates the key, without a passphrase if this is empty",
      accepted:
        "findings of level approve that were shown, each as its code, the position of its change and, for POLICY_RULE, its rule",
      shown: "as review returned it; if the review would differ now, nothing is done",
    },
    gives: "`approved_until`",
    changes: true,
    run: approve,
  },
  {
    method: "POST",
    path: "/api/plans/:id/refuse",
    about: "Refuses a plan permanently; it can never be applied",
    takes: { fingerprint: FINGERPRINT },
    gives: "`refused`",
    changes: true,
    run: refuse,
  },
  {
    method: "POST",
    path: "/api/plans/:id/part",
    about: "Saves a new plan of an open one, without some of the changes",
    takes: {
      fingerprint: FINGERPRINT,
      leave_out: planPart.input.leave_out.help,
      leave_out_ids: planPart.input.leave_out_ids.help,
    },
    gives: "`plan_id` and `fingerprint` of the new plan",
    changes: true,
    run: part,
  },
  {
    method: "POST",
    path: "/api/plans/:id/comment",
    about: "Adds a comment to a plan, which agents read with it",
    takes: { text: `the comment, at most ${MAX_COMMENT} characters` },
    gives: "`comments`",
    changes: true,
    run: comment,
  },
  {
    method: "POST",
    path: "/api/plans/:id/apply",
    about: "Sends a plan, and responds when it is done; events report each request",
    takes: {
      fingerprint: FINGERPRINT,
      accepted: "as in approve",
      shown: "as in approve",
      passphrase: "as in approve, if the policy needs a person's approval and none was signed before",
      skip_drifted: "true to leave out changes whose entities have changed since the plan was made",
    },
    gives: "`ok`, `summary`, `failed`, `rollback_plan_id`",
    changes: true,
    run: applyShown,
  },
  {
    method: "POST",
    path: "/api/plans/:id/resume",
    about: "Finishes an interrupted plan",
    takes: { accepted: "as in approve", passphrase: "as in apply" },
    gives: "as in apply",
    changes: true,
    run: resumeShown,
  },
  {
    method: "POST",
    path: "/api/plans/:id/undo",
    about: "Returns the plan that undoes this one; review and apply it like any other",
    takes: {
      give_up:
        "true to give up the rest of an interrupted plan; without it, refused with GIVES_UP and how many changes are `not_sent`, `unknown` and would be `undone`",
    },
    gives: "`plan_id`",
    changes: true,
    run: undoShown,
  },
];

async function outcome({ context, params }: ApiCall): Promise<unknown> {
  const { plan, store } = await foundPlan(params["id"] ?? "", context);
  const applied = await store.applied(plan.id);
  if (applied === undefined) throw new ApiProblem(409, "NOT_APPLIED", "This plan was not applied");
  const plans = context.folders.map((one) => one.store);
  if (!hasStore(context)) return { unknown: "No figures are stored yet, so there is no outcome to compare" };
  try {
    return await withStore(
      context,
      (warehouse) =>
        planOutcome.run({ store: warehouse, plan, applied, plans, now: context.now() }, { plan_id: plan.id }),
    );
  } catch (error) {
    // Right after a plan was applied this is how things are, and no failure.
    if (error instanceof ConfigurationError) return { unknown: error.message };
    throw error;
  }
}

async function approve(call: ApiCall): Promise<unknown> {
  const { context, signal } = call;
  const found = await shownPlan(call);
  const { plan, store } = found;
  const { approval } = await planApprove.run({
    ...{ plan, store, profile: clientOf(found, context), signal },
    approver: pageApprover(call),
  }, inputFrom(planApprove.input, { plan_id: plan.id }));
  context.events.send({ event: "plan", data: { id: plan.id } });
  return { approved_until: approval.expires_at, key: await keyState(context.key) };
}

async function refuse(call: ApiCall): Promise<unknown> {
  const { plan, store } = await shownPlan(call);
  await store.ensureOpen(plan.id);
  await store.refuse(plan);
  call.context.events.send({ event: "plan", data: { id: plan.id } });
  return { refused: true };
}

async function comment({ context, params, body }: ApiCall): Promise<unknown> {
  const { plan, store } = await foundPlan(params["id"] ?? "", context);
  const text = textOf(body, "text").trim();
  if (text === "" || text.length > MAX_COMMENT) {
    throw new ApiProblem(400, "BAD_REQUEST", `Cannot add this comment: write 1 to ${MAX_COMMENT} characters`);
  }
  await addComment(store.path, plan.id, {
    at: new Date(context.now()).toISOString(),
    by: "a person in the console",
    text,
  });
  context.events.send({ event: "plan", data: { id: plan.id } });
  return { comments: await readComments(store.path, plan.id) };
}

async function part(call: ApiCall): Promise<unknown> {
  const { context, params, body: { fingerprint: _, ...body }, signal } = call;
  const input = await refusingBadInput(() => jsonInput(planPart, { ...body, plan_id: params["id"] ?? "" }));
  const { plan, store } = await shownPlan(call);
  const profile = context.ads.profileFrom(plan.profileId, plan.countryCode);
  const made = await refusingBadInput(async () => {
    try {
      return await planPart.run({ plan, store, profile, signal }, input);
    } catch (error) {
      throw error instanceof PlanPartError ? new ApiProblem(422, error.reason, error.message) : error;
    }
  });
  await savePlan(made, context, store);
  return { plan_id: made.id, fingerprint: made.fingerprint };
}
