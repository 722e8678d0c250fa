import { ConfigurationError } from "../../../errors.ts";
import { ApprovalError } from "../../../plans/model/plan_errors.ts";
import { APPROVAL_SECONDS, approvePlan } from "../../../plans/review/approval.ts";
import type { Approver } from "../../../operations/plans/plan_approve.ts";
import type { Approval } from "../../../plans/model/approval.ts";
import {
  type ApprovalKeyFiles,
  approvalKeyNeedsPassphrase,
  createApprovalKey,
} from "../../../plans/review/approval_key.ts";
import type { Asker } from "../../../plans/review/ask.ts";
import type { Review, ReviewTarget } from "../../../plans/review/judge.ts";
import type { ApiCall } from "../http/route.ts";
import { titledFinding, totalLines } from "../../../plans/view/plan_lines.ts";
import { planView } from "../../../plans/view/plan_view.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import type { FoundPlan } from "./found_plan.ts";
import { spendOf } from "./plan_summary.ts";
import { readIfThere } from "../../../base/runtime/read_named_file.ts";
import { ApiProblem } from "../http/responses.ts";

export async function keyState(key: ApprovalKeyFiles): Promise<"none" | "open" | "passphrase"> {
  if (await readIfThere(key.secret) === undefined) return "none";
  return await approvalKeyNeedsPassphrase(key) ? "passphrase" : "open";
}

export function clientOf({ plan }: FoundPlan, { ads }: Pick<ConsoleContext, "ads">): ReviewTarget {
  return ads.profileFrom(plan.profileId, plan.countryCode);
}

export function reviewData(review: Review, account: string | undefined): Record<string, unknown> {
  const plan = planView(review.shown);
  return {
    // A change that drifted stands in a list of its own.
    findings: review.findings.filter(({ code }) => code !== "DRIFTED")
      .map((finding) => titledFinding(finding, review.shown.changes)),
    money: review.money,
    names: review.names,
    drift: [...review.drift].map(([change, { already, fields }]) => ({ change, already, fields })),
    plan,
    facts: totalLines(planView(review.shown, { open: review.open })),
    spend: spendOf(review.shown),
    account: account ?? null,
    shown: shownOf(review),
  };
}

/** Asks the person at the page. The request contains what the person was shown. */
export function pageAsker(
  { body, context }: Pick<ApiCall, "body" | "context">,
  { store, isSavedLater = false }: Pick<FoundPlan, "store"> & {
    /** True where the sender saves the approval once the plan is begun. @default false */
    readonly isSavedLater?: boolean;
  },
): Asker {
  const { accepted, ask, sign } = pageApprover({ body, context });
  return {
    by: "a person in the console",
    may: "policy",
    accepted,
    given: (review) => store.ensureApproved(review, { publicKey: context.key.public }),
    ask: (review) => ask([review]),
    sign: async (review) => {
      const approval = await sign(review, { seconds: APPROVAL_SECONDS });
      if (!isSavedLater) await store.saveApproval(approval);
      return approval;
    },
  };
}

/** The person at the page, who has answered already. */
export function pageApprover(
  { body: { passphrase, accepted, shown }, context: { key, now } }: Pick<ApiCall, "body" | "context">,
): Approver {
  return {
    accepted: Array.isArray(accepted) ? accepted.map(String) : [],
    ask: (reviews) => {
      if (shown === undefined || reviews.every((review) => shown === shownOf(review))) {
        return Promise.resolve(true);
      }
      const message =
        "Names or labels in the account changed since this page was loaded. Reload the page and review the plan";
      return Promise.reject(new ApprovalError(message, "outdated"));
    },
    sign: (review, { seconds }) =>
      signShown(review, {
        ...{ key, now, seconds },
        passphrase: typeof passphrase === "string" ? passphrase : undefined,
      }),
  };
}

/**
 * Parts of a review that must be the same when a person reads them and when they decide; amounts may change in
 * between.
 */
export function shownOf({ parts }: Review): string {
  return Object.values(parts).join(" ");
}

/**
 * Creates the key if there is none. The passphrase is not kept.
 *
 * @throws {ApiProblem} when the passphrase is missing or wrong.
 */
async function signShown(
  review: Review,
  { key, passphrase, ...options }: {
    key: ApprovalKeyFiles;
    passphrase: string | undefined;
    now: () => number;
    seconds: number;
  },
): Promise<Approval> {
  const state = await keyState(key);
  if (passphrase === undefined && state !== "open") {
    throw new ApiProblem(409, "PASSPHRASE_NEEDED", "Cannot sign the approval: the passphrase is missing");
  }
  const given = passphrase === undefined || passphrase === "" ? {} : { passphrase };
  try {
    if (state === "none") await createApprovalKey(key, given);
    return await approvePlan(review, { key, ...options, ...given });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ApiProblem(409, "NOT_SIGNED", error.message);
  }
}
