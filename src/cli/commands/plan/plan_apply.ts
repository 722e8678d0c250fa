import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { existsSync } from "node:fs";
import type { PlatformAds } from "../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { ConfigurationError } from "../../../errors.ts";
import type { ChangePlan, PlanResult } from "../../../plans/change_plan.ts";
import { CliError, RefusedError, UsageError } from "../../core/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import { confirm, ensureCanAsk } from "../../core/confirm.ts";
import { withAds } from "../../core/connect.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/exit_codes.ts";
import { chosenProfile, marketOption } from "../../options/market_options.ts";
import { stylesFor } from "../../output/styles.ts";
import { campaignNames } from "../../plan_view/campaign_names.ts";
import { planView } from "../../plan_view/plan_view.ts";
import { renderPlan } from "../../plan_view/render_plan.ts";
import { loadPlan, type PlanFiles, planFiles } from "../../plan_files.ts";
import { nextCommand } from "../../text/shell_words.ts";
import { finishApply } from "./finish_apply.ts";

/** Options of {@linkcode runPlanApply}. */
export interface PlanApplyOptions {
  /** The plan file. */
  readonly file: string;
  /** The profile that the plan must be for; otherwise the plan's own. */
  readonly market?: string;
  /** Do not ask. */
  readonly yes?: true;
  /** Read every entity first, and refuse when one has changed since the plan was made. */
  readonly checkDrift: boolean;
}

const SHOWN = 40;

/** `adsctl plan apply`. */
export function planApplyCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("apply", {
    summary: "Send a plan, after showing it and asking",
    details:
      "Every entity is read first; when one has changed since the plan was made, nothing is sent. The result and the " +
      "plan that undoes it are written beside the plan file, and so is a journal of every request. Ctrl-C lets the " +
      "request in flight finish and sends no further one; a second Ctrl-C ends that too, and what it did is then unknown.",
    examples: [
      ["adsctl plan apply plan-20261120-101500-1a2b3c4d.json", "show, ask, send"],
      ["adsctl plan apply plan.json --yes --json", "send without asking, and print the result as data"],
    ],
    library: "const result = await plan.apply(profile, { checkDrift: true })",
  })
    .argument("<file>", "the plan file")
    .addOption(marketOption())
    .option("--yes", "do not ask")
    .option("--no-check-drift", "send even if the account has changed since the plan was made")
    .action((file, options, self) => kit.run((context) => runPlanApply({ file, ...options }, context), self));
}

/** Applies a plan. */
export async function runPlanApply(options: PlanApplyOptions, context: CliContext): Promise<number> {
  const { io } = context;
  if (options.file === "-") throw new UsageError("Cannot apply a plan from standard input: name a file");
  const plan = await loadPlan(options.file, io);
  const files = planFiles(options.file);
  if (plan.changes.length === 0) {
    await io.stderr.write("The plan changes nothing, so nothing was sent\n");
    return EXIT.done;
  }
  refuseSecondTime(plan, files, context);
  ensureCanAsk(options.yes, context, "applying a plan");
  return await withAds(context, async (ads) => {
    const client = await planProfile(ads, plan, { market: options.market, context });
    if (!options.yes) await showAndAsk(plan, client, context);
    const result = await send(plan, client, { files, checkDrift: options.checkDrift, context });
    return await finishApply(result, { files, context });
  });
}

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

async function showAndAsk(plan: ChangePlan, client: ProfileClient, context: CliContext): Promise<void> {
  const { io, interruption } = context;
  const names = await campaignNames(plan.changes, client, { signal: interruption.signal });
  const styles = stylesFor(io.stderr, context);
  await io.stderr.write(renderPlan(planView(plan, names), { styles, limit: SHOWN }));
  if (await confirm(`Apply these changes to profile ${plan.profileId}?`, context)) return;
  throw new CliError("Not applied: nobody said yes. Nothing was sent", EXIT.failed);
}

async function send(
  plan: ChangePlan,
  client: ProfileClient,
  { files, checkDrift, context }: { files: PlanFiles; checkDrift: boolean; context: CliContext },
): Promise<PlanResult> {
  const { interruption, progress } = context;
  const total = plan.changes.length;
  let answered = 0;
  try {
    return await plan.apply(client, {
      checkDrift,
      journal: files.journal,
      signal: interruption.signal,
      stop: interruption.finishFirst(),
      onSending: (changes) => progress.show([`Sending ${answered + changes.length} of ${total}`]),
      onResults: (results) => {
        answered += results.length;
      },
    });
  } catch (error) {
    // Somebody else began to apply it since the check above.
    if (error instanceof ConfigurationError) throw new RefusedError(error.message, { cause: error });
    throw error;
  } finally {
    await progress.clear();
  }
}

function refuseSecondTime(plan: ChangePlan, files: PlanFiles, { globals }: CliContext): void {
  if (existsSync(files.result)) {
    throw new RefusedError(
      `Cannot apply plan ${plan.id}: it was applied before, and "${files.result}" tells what came of it`,
    );
  }
  if (existsSync(files.refused)) {
    throw new RefusedError(
      `Cannot apply plan ${plan.id}: a person refused it, which is final. Make a new plan`,
    );
  }
  if (existsSync(files.journal)) {
    throw new RefusedError(
      `Cannot apply plan ${plan.id}: another run of it is under way or was cut off. See what it did, and finish it ` +
        "once it has ended, with\n  " +
        nextCommand(["plan", "resume", files.plan], globals),
    );
  }
}
