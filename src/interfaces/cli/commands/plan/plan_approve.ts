import type { Command } from "@commander-js/extra-typings";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { planApprove } from "../../../../operations/plans/plan_approve.ts";
import type { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import { command } from "../../shell/command.ts";
import { showReview, signUnsaved } from "../../shell/connect/command_asker.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { confirm } from "../../shell/context/confirm.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { findPlan, refusing } from "../../shell/find_plan.ts";
import { storeOption } from "../../shell/options/store_option.ts";
import { runApproveRollout } from "./rollout/approve_rollout.ts";

export const planApproveCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      kit.leaf("approve", {
        ...operationDoc(planApprove),
        examples: [
          ["adsctl plan approve 20261120-101500-1a2b3c4d", "show the plan, ask, and sign"],
          ["adsctl plan approve ./rollout", "show all plans of a rollout, ask once, and sign each"],
        ],
      }),
      planApprove.input,
    )
      .option(
        "--folder <path>",
        "folder of the plan (default: the current one, then the tool server's)",
      )
      .addOption(storeOption()) as unknown as Command<[id: string], { readonly folder?: string }>,
  async (id, options, context) => {
    const { io, interruption: { signal } } = context;
    const input = await operationInput(planApprove, options, { plan_id: id });
    if (!io.stdin.isTerminal) {
      throw new UsageError("Cannot approve a plan without a terminal: approvals must come from a person");
    }
    if (options.folder === undefined && await isRollout(id)) return await runApproveRollout(input, context);
    const { plan, store } = await planToApprove(id, options.folder, context);
    await refusing(() => store.ensureOpen(plan.id));
    const profile = (await connectAds(context)).profileFrom(plan.profileId, plan.countryCode);
    const { approval, path } = await planApprove.run({
      ...{ plan, store, profile, signal },
      approver: {
        ask: async (reviews) => {
          for (const review of reviews) await showReview(review, profile, context, { limit: Infinity });
          return await confirm("May exactly this plan be applied?", context);
        },
        sign: (review, { seconds }) => signUnsaved(review, { seconds, context }),
      },
    }, input);
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
