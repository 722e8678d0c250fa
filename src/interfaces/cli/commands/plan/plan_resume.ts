import { UsageError } from "../../shell/errors/cli_error.ts";
import { command } from "../../shell/command.ts";
import { ask, type Consent } from "../../../../plans/approve/ask.ts";
import { judge } from "../../../../plans/approve/judge.ts";
import { commandAsker } from "../../shell/connect/command_asker.ts";
import { ensureCanAsk } from "../../shell/context/confirm.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { findPlan, refusing } from "../../shell/plans/find_plan.ts";
import { outcomeText } from "../../../../plans/change_plan/outcome_text.ts";
import { stylesFor } from "../../shell/terminal/styles.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { runPlanShow } from "./plan_show.ts";
import { runApplyRollout } from "./rollout/apply_rollout.ts";
import { enqueueOption, queueOption } from "./rollout/queue_options.ts";
import { refuseStages, serialOption, stopOnFailuresOption } from "./rollout/stage_options.ts";
import { finishApply } from "../../shell/plans/finish_apply.ts";
import { ensureBegun, runPlanUndo, tellWait } from "./plan_undo.ts";

export const planResumeCommand = command(
  (kit) =>
    kit.leaf("resume", {
      summary: "Finish a plan whose application was cut off",
      details:
        "Its journal holds what was sent and accepted; what is unknown is settled by reading the account. Then the rest " +
        "is sent, and nothing twice. The result covers both runs. With --roll-back, what was done is undone instead, as " +
        "plan undo does, and the rest is never sent.",
      examples: [
        ["adsctl plan resume plan.json --look", "only show what was done and what was not"],
        ["adsctl plan resume plan.json", "show, ask, and send the rest"],
        ["adsctl plan resume plan.json --roll-back", "show, ask, and undo what was done"],
      ],
      library: "await PlanStore.open(folder).resume(plan, profile)",
    })
      .argument("<plan>", "the plan file, the id of the plan, or the folder of a rollout")
      .option("--yes", "do not ask")
      .option("--look", "only show what was done; send nothing")
      .option("--roll-back", "undo what was done instead of sending the rest")
      .option(
        "--accept-risk",
        "with --yes: send also what is out of proportion, such as a bid that is more than tripled",
      )
      .option("--send-anyway", "send also what the platform would refuse")
      .option("--skip-drifted", "leave out what has changed since the plan was made, and send the rest")
      .addOption(serialOption())
      .addOption(stopOnFailuresOption())
      .addOption(enqueueOption())
      .addOption(queueOption())
      .option("--no-check-drift", "send the rest even if the account has changed since the plan was made"),
  async (file, options, context) => {
    const { io, interruption } = context;
    if (options.look && options.rollBack) {
      throw new UsageError("Cannot only look and roll back: choose --look or --roll-back");
    }
    if (await isRollout(file)) {
      if (options.rollBack) return await runPlanUndo({ file, ...options }, context);
      return options.look
        ? await runPlanShow({ file, ...options }, context)
        : await runApplyRollout({ file, ...options }, context);
    }
    refuseStages(options);
    if (options.rollBack) return await runPlanUndo({ file, ...options }, context);
    const { plan, path, store } = await findPlan(file, context);
    await ensureBegun(plan, store);
    if (!options.look) ensureCanAsk(options.yes, context, "sending the rest of a plan");
    const ads = await connectAds(context);
    const client = ads.profileFrom(plan.profileId, plan.countryCode);
    const settings = {
      signal: interruption.signal,
      onWait: (seconds: number) => tellWait(seconds, context),
    };
    const finish = async (consent: Partial<Consent>): Promise<number> => {
      const { checkDrift, skipDrifted, sendAnyway } = options;
      const stop = interruption.finishFirst();
      const applied = await refusing(() =>
        store.resume(plan, client, { ...settings, ...consent, stop, checkDrift, skipDrifted, sendAnyway })
      );
      return await finishApply(applied, { path, context });
    };
    const found = await refusing(() => store.look(plan, client, settings));
    if (options.look) {
      await io.stdout.write(outcomeText(found, { title: "Found", styles: stylesFor(io.stdout, context) }));
      return found.ok ? EXIT.done : EXIT.someFailed;
    }
    if (found.ok) return await finish({});
    const sent = await store.sentBefore(plan);
    const review = await judge(plan, client, { ...options, found, sent, signal: interruption.signal });
    const question = (account: string): string => `Send the rest to ${account}?`;
    const consent = await ask(
      review,
      commandAsker({ client, store, options, context, question, word: "resume" }),
    );
    return await finish(consent);
  },
);
