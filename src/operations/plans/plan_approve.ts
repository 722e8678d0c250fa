import { APPROVAL_SECONDS, ensureAccepted, ensureJudged } from "../../plans/review/approval.ts";
import type { Review } from "../../plans/review/judge.ts";
import type { Approval } from "../../plans/model/approval.ts";
import { ApprovalError, policyRefusal } from "../../plans/model/plan_errors.ts";
import { judgeStored } from "../../plans/store/judge_stored.ts";
import { defineOperation } from "../model/operation.ts";
import { reviewRollout, type RolloutContext } from "./send_rollout.ts";
import type { SendContext } from "./send_operation.ts";

/** The person who approves. Only the person's own key can sign. */
export interface Approver {
  /** Findings that the person was shown before. @default none, because `ask` shows them */
  readonly accepted?: readonly string[] | undefined;
  /** Shows the reviews and asks once. */
  ask(reviews: readonly Review[]): Promise<boolean>;
  sign(review: Review, options: { readonly seconds: number }): Promise<Approval>;
}

export interface SavedApproval {
  readonly approval: Approval;
  readonly path: string;
}

interface ApproveContext extends Pick<SendContext, "plan" | "store" | "profile" | "signal"> {
  readonly approver: Approver;
}

export const planApprove = defineOperation<ApproveContext, SavedApproval>()({
  name: "plan approve",
  effect: "send",
  // An agent that could approve its own plans would need no approval.
  isForPeople: true,
  title: "Approve a plan",
  summary: "Sign a plan, after reading it yourself",
  details:
    "Reads the account again, so names, findings and money are current. The signed approval lets plan apply " +
    "--yes, workers and agents send changes that need approval under a policy. If platform-ads-mcp runs with " +
    "PLATFORM_ADS_MCP_APPROVAL=terminal, it applies only approved plans. Approvals are signed with your own " +
    "key and expire. The key is created on first use; protect it with a passphrase, so that programs running " +
    "as you cannot approve for you. A plan made under a policy needs that policy (--policy). Needs a terminal. For a rollout folder, signs all its open plans.",
  brief: "Signs an approval, with which an agent may apply the plan within half an hour",
  examples: [],
  library: "await PlanStore.open(folder).saveApproval(approval)",
  input: {
    plan_id: {
      type: "text",
      required: true,
      value: "id",
      help: "id of the plan, its file, or the folder of a rollout",
    },
    minutes: {
      type: "whole",
      min: 1,
      default: APPROVAL_SECONDS / 60,
      help: "how long the approval is valid",
    },
  },
  async run({ plan, store, profile, approver, signal }, { minutes }): Promise<SavedApproval> {
    await store.ensureOpen(plan.id);
    const review = await judgeStored(plan, profile, { store, signal });
    const [saved] = await approveAll([review], { store, approver, minutes });
    return saved!;
  },
});

/**
 * Approves all open plans of a rollout, after asking once.
 *
 * @throws {PolicyError | ApprovalError} where a plan may not be approved. Nothing was signed.
 */
export async function approveRollout(
  { approver, ...context }:
    & Pick<RolloutContext, "rollout" | "clientOf" | "signal">
    & Pick<ApproveContext, "approver">,
  { minutes }: { readonly minutes: number },
): Promise<SavedApproval[]> {
  const reviews = await reviewRollout(context, { verb: "approve" });
  return await approveAll(reviews, { store: context.rollout.store, approver, minutes });
}

async function approveAll(
  reviews: readonly Review[],
  { store, approver, minutes }: Pick<ApproveContext, "store" | "approver"> & { readonly minutes: number },
): Promise<SavedApproval[]> {
  for (const review of reviews) {
    ensureJudged(review);
    if (review.denied.length > 0) throw policyRefusal(review.denied);
    if (approver.accepted !== undefined) ensureAccepted(review, approver.accepted);
  }
  if (!await approver.ask(reviews)) {
    throw new ApprovalError("Not approved: the answer was not yes", "declined");
  }
  const saved: SavedApproval[] = [];
  for (const review of reviews) {
    const approval = await approver.sign(review, { seconds: 60 * minutes });
    saved.push({ approval, path: await store.saveApproval(approval) });
  }
  return saved;
}
