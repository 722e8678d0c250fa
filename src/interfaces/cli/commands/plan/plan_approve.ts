import { ApprovalError } from "../../../../plans/model/plan_errors.ts";
import { APPROVAL_SECONDS, ensureJudged } from "../../../../plans/approve/approval.ts";
import { judgeStored } from "../../../../plans/store/judge_stored.ts";
import type { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import { policyRefusal } from "../../../../plans/model/policy_error.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import { UsageError } from "../../shell/errors/cli_error.ts";
import { command } from "../../shell/command.ts";
import { confirm } from "../../shell/context/confirm.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { showReview, signReview } from "../../shell/connect/command_asker.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { findPlan, refusing } from "../../shell/plans/find_plan.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { storeOption } from "../../shell/store/store_option.ts";
import { positiveInteger } from "../../shell/arguments/parse_values.ts";
import { runApproveRollout } from "./rollout/approve_rollout.ts";

export const planApproveCommand = command(
  (kit) =>
    kit.leaf("approve", {
      summary: "Sign a plan, after reading it yourself",
      details:
        "Reads the account again, so names, findings and money are current. The signed approval lets plan apply " +
        "--yes, workers and agents send changes that need approval under a policy. If platform-ads-mcp runs with " +
        "PLATFORM_ADS_MCP_APPROVAL=terminal, it applies only approved plans. Approvals are signed with your own " +
        "key and expire. The key is created on first use; protect it with a passphrase, so that programs running " +
        "as you cannot approve for you. A plan made under a policy needs that policy (--policy). Needs a terminal. For a rollout folder, signs all its open plans.",
      examples: [
        ["adsctl plan approve 20261120-101500-1a2b3c4d", "show the plan, ask, and sign"],
        ["adsctl plan approve ./rollout", "show all plans of a rollout, ask once, and sign each"],
      ],
      library: "await PlanStore.open(folder).saveApproval(approval)",
    })
      .argument("<id>", "id of the plan, its file, or the folder of a rollout")
      .option(
        "--folder <path>",
        "folder of the plan (default: the current one, then the tool server's)",
      )
      .option(
        "--minutes <n>",
        `how long the approval is valid (default: ${APPROVAL_SECONDS / 60})`,
        positiveInteger,
      )
      .addOption(storeOption()),
  async (id, options, context) => {
    const { io } = context;
    if (!io.stdin.isTerminal) {
      throw new UsageError("Cannot approve a plan without a terminal: approvals must come from a person");
    }
    if (options.folder === undefined && await isRollout(id)) {
      return await runApproveRollout({ folder: id, minutes: options.minutes }, context);
    }
    const { plan, store } = await planToApprove(id, options.folder, context);
    await refusing(() => store.ensureOpen(plan.id));
    const ads = await connectAds(context);
    const client = ads.profileFrom(plan.profileId, plan.countryCode);
    const { signal } = context.interruption;
    const review = await judgeStored(plan, client, { store, signal });
    ensureJudged(review);
    if (review.denied.length > 0) throw policyRefusal(review.denied);
    await showReview(review, client, context, { limit: Infinity });
    if (!await confirm("May exactly this plan be applied?", context)) {
      throw new ApprovalError("Not approved: the answer was not yes", "declined");
    }
    const { approval, path } = await signReview(review, { store, minutes: options.minutes, context });
    await io.stderr.write(`Approved until ${approval.expires_at}: ${path}\n`);
    return EXIT.done;
  },
);

async function planToApprove(
  id: string,
  folder: string | undefined,
  context: CliContext,
): Promise<{ plan: ChangePlan; store: PlanStore }> {
  if (folder === undefined) return await findPlan(id, context);
  const store = PlanStore.open(folder, { now: context.io.now });
  return { plan: await refusing(() => store.get(id)), store };
}
