import type { Command } from "@commander-js/extra-typings";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { ensureCanAsk } from "../../shell/context/confirm.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { findPlan, refusing } from "../../shell/find_plan.ts";
import { ACCEPT_RISK, sendContext, type SendOptions } from "../../shell/connect/send_context.ts";
import { planResume } from "../../../../operations/plans/plan_resume.ts";
import { outcomeText } from "../../../../plans/change_plan/outcome_text.ts";
import { stylesFor } from "../../shell/output/styles.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { runPlanShow } from "./plan_show.ts";
import { runApplyRollout } from "./rollout/apply_rollout.ts";
import { enqueueOption, queueOption, refuseStages } from "./rollout/rollout_options.ts";
import { finishApply } from "../../shell/finish_apply.ts";
import { ensureBegun, runPlanUndo } from "./plan_undo.ts";

type ResumeOptions = SendOptions & { readonly look?: true; readonly rollBack?: true };

export const planResumeCommand = command(
  (kit) =>
    addFields(
      kit.leaf("resume", {
        ...operationDoc(planResume),
        examples: [
          ["adsctl plan resume plan.json --look", "show which changes went through"],
          ["adsctl plan resume plan.json", "show, ask, and send the rest"],
          ["adsctl plan resume plan.json --roll-back", "show, ask, and undo the finished changes"],
        ],
      }),
      planResume.input,
    )
      .option("--yes", "do not ask")
      .option("--look", "show which changes went through; send nothing")
      .option("--roll-back", "undo the finished changes instead of sending the rest")
      .option(...ACCEPT_RISK)
      .addOption(enqueueOption())
      // The types of commander cannot know arguments and options that are declared elsewhere.
      .addOption(queueOption()) as unknown as Command<[plan: string], ResumeOptions>,
  async (file, options, context) => {
    const { io, interruption } = context;
    if (options.look && options.rollBack) {
      throw new UsageError("Cannot use --look with --roll-back: choose one of them");
    }
    if (await isRollout(file)) {
      if (options.rollBack) return await runPlanUndo({ file, ...options }, context);
      return options.look
        ? await runPlanShow({ file, ...options }, context)
        : await runApplyRollout({ file, ...options }, context);
    }
    refuseStages(options);
    if (options.rollBack) return await runPlanUndo({ file, ...options }, context);
    const input = await operationInput(planResume, options, { plan_id: file });
    const { plan, path, store } = await findPlan(file, context);
    await ensureBegun(plan, store);
    if (!options.look) ensureCanAsk(options.yes, context, "sending the rest of a plan");
    const ads = await connectAds(context);
    const profile = ads.profileFrom(plan.profileId, plan.countryCode);
    if (options.look) {
      const found = await refusing(() => store.look(plan, profile, { signal: interruption.signal }));
      await io.stdout.write(outcomeText(found, { title: "Found", styles: stylesFor(io.stdout, context) }));
      return found.ok ? EXIT.done : EXIT.someFailed;
    }
    const question = (account: string): string => `Send the rest to ${account}?`;
    const sending = sendContext({ plan, store, profile }, { options, context, question, word: "resume" });
    return await finishApply(await refusing(() => planResume.run(sending, input)), { path, context });
  },
);
