import type { Command } from "@commander-js/extra-typings";
import type { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import type { PlanStore } from "../../../../plans/store/plan_store.ts";
import { planUndo } from "../../../../operations/plans/plan_undo.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { ensureCanAsk } from "../../shell/context/confirm.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { findPlan, refusing } from "../../shell/find_plan.ts";
import { finishApply } from "../../shell/finish_apply.ts";
import { sendContext, type SendOptions } from "../../shell/connect/send_context.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { runUndoRollout } from "./rollout/apply_rollout.ts";
import { queueOption, refuseStages } from "./rollout/rollout_options.ts";
import { say } from "../../shell/output/write_text.ts";

type UndoOptions = SendOptions & { readonly onlyPlan?: true; readonly out?: string };

export const planUndoCommand = command(
  (kit) =>
    addFields(
      kit.leaf("undo", {
        ...operationDoc(planUndo),
        examples: [
          ["adsctl plan undo plan.json", "show, ask, and undo"],
          [
            "adsctl plan undo plan.json --only-plan --out back.json",
            "save the plan that undoes it, before applying",
          ],
          ["adsctl plan undo plan.json --skip-drifted", "keep changes made by hand since then"],
          ["adsctl plan undo ./rollout --serial 1,10%,100%", "undo a rollout in stages"],
          [
            "adsctl plan undo ./rollout --store postgres://ads@db/ads",
            "undo a rollout that workers are applying",
          ],
        ],
      }),
      planUndo.input,
    )
      .option("--yes", "do not ask")
      .option("--only-plan", "save a plan that restores the earlier values; send nothing")
      .option(
        "--out <path>",
        "with --only-plan, file or folder (default: plan-<id>.json, or <folder>-inverse for a rollout)",
      )
      // The types of commander cannot know arguments and options that are declared elsewhere.
      .addOption(queueOption()) as unknown as Command<[plan: string], UndoOptions>,
  async (file, { onlyPlan, out, ...options }, context) => {
    if (onlyPlan) return await (await import("./plan_inverse.ts")).runPlanInverse({ file, out }, context);
    if (out !== undefined) {
      throw new UsageError("Cannot use --out without --only-plan: an undo is sent at once");
    }
    return await runPlanUndo({ file, ...options }, context);
  },
);

export async function runPlanUndo(
  options: SendOptions & { readonly file: string },
  context: CliContext,
): Promise<number> {
  const { file } = options;
  if (await isRollout(file)) return await runUndoRollout(options, context);
  refuseStages(options);
  const input = await operationInput(planUndo, options, { plan_id: file });
  const { plan, store } = await findPlan(file, context);
  await ensureBegun(plan, store);
  await refusing(() => store.ensureNotUndone(plan, { orInPart: true }));
  ensureCanAsk(options.yes, context, "undoing a plan");
  const ads = await connectAds(context);
  const profile = ads.profileFrom(plan.profileId, plan.countryCode);
  const sending = sendContext({ plan, store, profile }, { options, context });
  const applied = await refusing(() => planUndo.run(sending, input));
  if (applied === undefined) {
    await say("There is nothing to undo, and the rest is never sent", context);
    return EXIT.done;
  }
  const { id } = applied.result.plan;
  return await finishApply(applied, { path: (await store.find(id))?.path ?? id, context });
}

export async function ensureBegun(plan: ChangePlan, store: PlanStore): Promise<void> {
  const { state } = await store.status(plan.id);
  if (state === "applied" || state === "unfinished") return;
  throw new UsageError(
    `Cannot resume or undo plan ${plan.id}: it was never begun in this folder. Use plan apply`,
  );
}
