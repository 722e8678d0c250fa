import { ConfigurationError } from "../../errors.ts";
import { approvePlan } from "../../plans/store/approval.ts";
import type { Approval } from "../../plans/approval.ts";
import {
  type ApprovalKeyFiles,
  approvalKeyNeedsPassphrase,
  createApprovalKey,
} from "../../plans/store/approval_key.ts";
import type { ChangePlan } from "../../plans/change_plan.ts";
import { readIfThere } from "../../plans/store/plan_places.ts";
import { ApiProblem } from "../http/api_problem.ts";

/** Whether there is an approval key, and whether it wants a passphrase. */
export async function keyState(key: ApprovalKeyFiles): Promise<"none" | "open" | "passphrase"> {
  if (await readIfThere(key.secret) === undefined) return "none";
  return await approvalKeyNeedsPassphrase(key) ? "passphrase" : "open";
}

/**
 * Signs the approval of a plan with the person's key, which is made when there is none. The passphrase is used for this
 * and kept nowhere.
 *
 * @throws {ApiProblem} when the passphrase is missing or wrong.
 */
export async function approveShown(
  plan: ChangePlan,
  { key, passphrase, now }: { key: ApprovalKeyFiles; passphrase: string | undefined; now: () => number },
): Promise<Approval> {
  const state = await keyState(key);
  if (passphrase === undefined && state !== "open") {
    throw new ApiProblem(409, "PASSPHRASE_NEEDED", "Cannot sign the approval: the passphrase is missing");
  }
  const given = passphrase === undefined || passphrase === "" ? {} : { passphrase };
  try {
    if (state === "none") await createApprovalKey(key, given);
    return await approvePlan(plan, { key, now, ...given });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ApiProblem(409, "NOT_SIGNED", error.message);
  }
}
