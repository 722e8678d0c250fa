import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { existsSync } from "node:fs";
import { ConfigurationError } from "../../../errors.ts";
import { resumePlan } from "../../../plans/resume_plan.ts";
import { CliError, RefusedError, UsageError } from "../../core/cli_error.ts";
import type { CommandKit } from "../../core/command.ts";
import { confirm, ensureCanAsk } from "../../core/confirm.ts";
import { withAds } from "../../core/connect.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/exit_codes.ts";
import { loadPlan, planFiles } from "../../plan_files.ts";
import { outcomeText } from "../../plan_view/outcome_text.ts";
import { stylesFor } from "../../output/styles.ts";
import { finishApply } from "./finish_apply.ts";
import { runPlanApply } from "./plan_apply.ts";
import { refuseSecondRollback, rollBack } from "./roll_back.ts";

/** Options of {@linkcode runPlanResume}. */
export interface PlanResumeOptions {
  /** The plan file. */
  readonly file: string;
  /** Do not ask. */
  readonly yes?: true;
  /** Only tell what was done. */
  readonly look?: true;
  /** Undo what was done instead of finishing. */
  readonly rollBack?: true;
  /** Refuse when an entity that is yet to be sent has changed. */
  readonly checkDrift: boolean;
}

/** `adsctl plan resume`. */
export function planResumeCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("resume", {
    summary: "Finish a plan whose application was cut off",
    details:
      "Its journal tells what was sent and answered; what is unknown is settled by reading the account. Then the rest " +
      "is sent, and nothing twice. The result and the rollback plan cover both runs. With --roll-back, what was done is " +
      "undone instead, and the rest is never sent.",
    examples: [
      ["adsctl plan resume plan.json --look", "only tell what was done and what was not"],
      ["adsctl plan resume plan.json", "tell, ask, and send the rest"],
      ["adsctl plan resume plan.json --roll-back", "tell, ask, and undo what was done"],
    ],
    library: "await resumePlan(plan, profile, { journal })",
  })
    .argument("<file>", "the plan file")
    .option("--yes", "do not ask")
    .option("--look", "only tell what was done; send nothing")
    .option("--roll-back", "undo what was done instead of sending the rest")
    .option("--no-check-drift", "send the rest even if the account has changed since the plan was made")
    .action((file, options, self) =>
      kit.run((context) => runPlanResume({ file, ...options }, context), self)
    );
}

/** Takes up a plan that was cut off. */
export async function runPlanResume(options: PlanResumeOptions, context: CliContext): Promise<number> {
  const { io, interruption } = context;
  if (options.look && options.rollBack) {
    throw new UsageError("Cannot only look and roll back: choose --look or --roll-back");
  }
  const plan = await loadPlan(options.file, io);
  const files = planFiles(options.file);
  if (!existsSync(files.journal)) {
    throw new UsageError(
      `Cannot resume plan ${plan.id}: there is no journal "${files.journal}", so it was never begun. Use plan apply`,
    );
  }
  if (options.rollBack) refuseSecondRollback(plan, files, context);
  if (!options.look) {
    ensureCanAsk(
      options.yes,
      context,
      `${options.rollBack ? "undoing a part" : "sending the rest"} of a plan`,
    );
  }
  let undo: string | undefined;
  const code = await withAds(context, async (ads) => {
    const client = ads.profileFrom(plan.profileId, plan.countryCode);
    const settings = { journal: files.journal, signal: interruption.signal, onWait: tellWait };
    const found = await resumePlan(plan, client, { ...settings, lookOnly: true }).catch(refusedByJournal);
    if (options.look) return await finishLook();
    if (!options.yes) {
      await io.stderr.write(outcomeText(found, { title: "Found", styles: stylesFor(io.stderr, context) }));
      const question = options.rollBack
        ? "Undo what was done, and never send the rest?"
        : "Send what was not done?";
      if (!await confirm(question, context)) {
        throw new CliError("Not resumed: nobody said yes. Nothing was sent", EXIT.failed);
      }
    }
    if (options.rollBack) {
      undo = await rollBack(plan, client, { files, settings, context }).catch(refusedByJournal);
      return EXIT.done;
    }
    const stop = interruption.finishFirst();
    const result = await resumePlan(plan, client, { ...settings, stop, checkDrift: options.checkDrift })
      .catch(refusedByJournal);
    return await finishApply(result, { files, context });

    function tellWait(seconds: number): void {
      if (context.globals.quiet) return;
      const text = `Waiting ${Math.ceil(seconds)} s: what was sent last may still be on its way\n`;
      io.stderr.write(text);
    }

    async function finishLook(): Promise<number> {
      await io.stdout.write(outcomeText(found, { title: "Found", styles: stylesFor(io.stdout, context) }));
      return found.ok ? EXIT.done : EXIT.someFailed;
    }
  });
  if (undo === undefined) return code;
  return await runPlanApply({ file: undo, yes: true, checkDrift: options.checkDrift }, context);
}

/** The journal is another plan's, or another process is still sending. */
function refusedByJournal(error: unknown): never {
  throw error instanceof ConfigurationError ? new RefusedError(error.message, { cause: error }) : error;
}
