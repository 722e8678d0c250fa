import type { PlatformAds } from "../../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import type { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import { RefusedError } from "../../shell/errors/cli_error.ts";
import { command } from "../../shell/command.ts";
import { ask, type Consent } from "../../../../plans/approve/ask.ts";
import { judge } from "../../../../plans/approve/judge.ts";
import { commandAsker } from "../../shell/connect/command_asker.ts";
import { ensureCanAsk } from "../../shell/context/confirm.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { findPlan, type FoundPlan, refusing } from "../../shell/plans/find_plan.ts";
import { chosenProfile } from "../../shell/options/market_options.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { runApplyRollout } from "./rollout/apply_rollout.ts";
import { enqueueOption, queueOption } from "./rollout/queue_options.ts";
import { refuseStages, serialOption, stopOnFailuresOption } from "./rollout/stage_options.ts";
import { finishApply } from "../../shell/plans/finish_apply.ts";
import { marketOption } from "../../shell/options/profile_options.ts";

/** How a plan is sent. */
interface SendPlanOptions {
  /** Read every entity first, and refuse when one has changed since the plan was made. */
  readonly checkDrift: boolean;
  /** Leave out what has changed since the plan was made. */
  readonly skipDrifted?: true;
  /** Send also what the platform would refuse. */
  readonly sendAnyway?: true;
  /** The approver, and the text they saw. */
  readonly consent: Consent;
  /** The world of the command. */
  readonly context: CliContext;
}

export const planApplyCommand = command(
  (kit) =>
    kit.leaf("apply", {
      summary: "Send a plan, after showing it and asking",
      details:
        "Every entity is read first; when one has changed since the plan was made, nothing is sent, or with " +
        "--skip-drifted, everything else. The result, the plan that undoes it and a journal of every request are kept in " +
        "the folder .plans beside the plan file. Ctrl-C lets the request in flight finish and sends no further one; a " +
        "second Ctrl-C ends that too, and what it did is then unknown.",
      examples: [
        ["adsctl plan apply plan-20261120-101500-1a2b3c4d.json", "show, ask, send"],
        ["adsctl plan apply ./rollout --serial 1,10%,100% --stop-on-failures 5%", "many profiles, in stages"],
        ["adsctl plan apply plan.json --yes --json", "send without asking, and print the result as data"],
      ],
      library: "const result = await plan.apply(profile, { checkDrift: true })",
    })
      .argument("<plan>", "the plan file, the id of the plan, or the folder of a rollout")
      .addOption(marketOption())
      .option("--yes", "do not ask")
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
      .option("--no-check-drift", "send even if the account has changed since the plan was made"),
  async (file, options, context) => {
    if (await isRollout(file)) return await runApplyRollout({ file, ...options }, context);
    refuseStages(options);
    const found = await findPlan(file, context);
    const { plan, store } = found;
    if (plan.changes.length === 0) {
      await context.io.stderr.write("The plan changes nothing, so nothing was sent\n");
      return EXIT.done;
    }
    await refusing(() => store.ensureOpen(plan.id));
    ensureCanAsk(options.yes, context, "applying a plan");
    const ads = await connectAds(context);
    const client = await planProfile(ads, plan, { market: options.market, context });
    const { signal } = context.interruption;
    const review = await judge(plan, client, { ...options, sent: await store.sentBefore(plan), signal });
    const consent = await ask(review, commandAsker({ client, store, options, context }));
    return await sendPlan(found, client, { ...options, consent, context });
  },
);

/** The client of the plan's own profile; with `-m` it must be the one that was named. */
async function planProfile(
  ads: PlatformAds,
  plan: ChangePlan,
  { market, context }: { market: string | undefined; context: CliContext },
): Promise<ProfileClient> {
  if (market === undefined) return ads.profileFrom(plan.profileId, plan.countryCode);
  const client = await chosenProfile(ads, { market }, context);
  if (client.profileId === plan.profileId) return client;
  throw new RefusedError(
    `Cannot apply plan ${plan.id}: it is for profile ${plan.profileId} (${plan.countryCode}), ` +
      `and -m ${market} means ${client.profileId} (${client.countryCode})`,
  );
}

/** Sends a plan and reports what was done. */
export async function sendPlan(
  { plan, path, store }: FoundPlan,
  client: ProfileClient,
  { checkDrift, skipDrifted, sendAnyway, consent, context }: SendPlanOptions,
): Promise<number> {
  const { interruption, progress } = context;
  const total = plan.changes.length;
  let answered = 0;
  const applied = await refusing(() =>
    store.apply(plan, client, {
      checkDrift,
      skipDrifted,
      sendAnyway,
      ...consent,
      signal: interruption.signal,
      stop: interruption.finishFirst(),
      // A closed stderr must not end the sending in the middle.
      onSending: (changes) =>
        progress.show([`Sending ${Math.min(total, answered + changes.length)} of ${total}`]).catch(() => {}),
      onResults: (results) => {
        answered += results.length;
      },
    })
  );
  await progress.clear().catch(() => {});
  return await finishApply(applied, { path, context });
}
