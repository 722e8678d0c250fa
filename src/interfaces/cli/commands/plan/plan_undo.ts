import { visibleText } from "../../../../base/text/visible_text.ts";
import type { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import type { PlanStore } from "../../../../plans/store/plan_store.ts";
import { UsageError } from "../../shell/errors/cli_error.ts";
import { command } from "../../shell/command.ts";
import { ask, type Consent } from "../../../../plans/approve/ask.ts";
import { judge } from "../../../../plans/approve/judge.ts";
import { commandAsker } from "../../shell/connect/command_asker.ts";
import { ensureCanAsk } from "../../shell/context/confirm.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";
import { findPlan, refusing } from "../../shell/plans/find_plan.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { sendPlan } from "./plan_apply.ts";
import { runUndoRollout } from "./rollout/apply_rollout.ts";
import { queueOption } from "./rollout/queue_options.ts";
import { refuseStages, serialOption, stopOnFailuresOption } from "./rollout/stage_options.ts";
import { say } from "../../shell/output/write_text.ts";

/** Options of {@linkcode runPlanUndo}. */
interface PlanUndoOptions {
  readonly file: string;
  readonly yes?: true;
  /** Refuse when an entity has changed since it was changed by the plan. */
  readonly checkDrift: boolean;
  /** Leave out what has changed since. */
  readonly skipDrifted?: true;
  /** Send also what the platform would refuse. */
  readonly sendAnyway?: true;
  /** Of a rollout: sizes of the stages. */
  readonly serial?: string;
  /** Of a rollout: how many plans of a stage may fail. */
  readonly stopOnFailures?: string;
  /** Of a rollout on a queue: address of the database. */
  readonly store?: string;
}

export const planUndoCommand = command(
  (kit) =>
    kit.leaf("undo", {
      summary: "Undo what was done of a plan, after showing it and asking",
      details:
        "Updates go back to the values that the plan found, created entities are archived; what was refused is left " +
        "alone, and what cannot be undone is listed. When an entity has changed since, nothing is sent, or with " +
        "--skip-drifted, everything else. What an undo could not put back is tried again by the same command. A plan that was cut off is undone too, and its rest is " +
        "never sent. The folder of a rollout undoes all of its plans, in stages; the same command goes on after a stop. A rollout " +
        "that was left to workers is taken off their queue first: nothing more of it is begun, and plans that a worker is " +
        "applying are named, to be waited for. --only-plan reads nothing: it restores every value of the plan, refused or not.",
      examples: [
        ["adsctl plan undo plan.json", "show, ask, and undo"],
        [
          "adsctl plan undo plan.json --only-plan --out back.json",
          "the way back, before the plan is applied",
        ],
        ["adsctl plan undo plan.json --skip-drifted", "leave alone what somebody changed by hand since"],
        ["adsctl plan undo ./rollout --serial 1,10%,100%", "a whole rollout, in stages"],
        [
          "adsctl plan undo ./rollout --store postgres://ads@db/ads",
          "one that workers apply, as far as they got",
        ],
      ],
      library: "await PlanStore.open(folder).rollBack(plan, profile)",
    })
      .argument(
        "<plan>",
        "the plan file, the id of the plan, or the folder of a rollout; with --only-plan also - for standard input",
      )
      .option("--yes", "do not ask")
      .option("--only-plan", "save the plan that restores what the plan found, and send nothing")
      .option(
        "--out <path>",
        "with --only-plan: file or folder for it; otherwise plan-<id>.json in this folder, <folder>-inverse for a rollout",
      )
      .option("--skip-drifted", "leave out what has changed since the plan was applied, and undo the rest")
      .option("--send-anyway", "send also what the platform would refuse")
      .addOption(serialOption())
      .addOption(stopOnFailuresOption())
      .addOption(queueOption())
      .option("--no-check-drift", "undo even what has changed since the plan was applied"),
  async (file, { onlyPlan, out, ...options }, context) => {
    if (onlyPlan) return await (await import("./plan_inverse.ts")).runPlanInverse({ file, out }, context);
    if (out !== undefined) {
      throw new UsageError("Cannot use --out without --only-plan: an undo is sent at once");
    }
    return await runPlanUndo({ file, ...options }, context);
  },
);

/** Undoes what was done of a plan. */
export async function runPlanUndo(options: PlanUndoOptions, context: CliContext): Promise<number> {
  if (await isRollout(options.file)) return await runUndoRollout(options, context);
  refuseStages(options);
  const { io, globals, interruption } = context;
  const { plan, store } = await findPlan(options.file, context);
  await ensureBegun(plan, store);
  await refusing(() => store.ensureNotUndone(plan, { orInPart: true }));
  ensureCanAsk(options.yes, context, "undoing a plan");
  const ads = await connectAds(context);
  const client = ads.profileFrom(plan.profileId, plan.countryCode);
  const settings = { signal: interruption.signal, onWait: (seconds: number) => tellWait(seconds, context) };
  const approve = async (undo: ChangePlan): Promise<Consent> => {
    const sent = await store.sentBefore(undo);
    const review = await judge(undo, client, { ...options, sent, signal: interruption.signal });
    return await ask(review, commandAsker({ client, store, options, context }));
  };
  let asked: { readonly undo: ChangePlan; readonly consent: Consent } | undefined;
  if (!options.yes) {
    const undo = await store.restOfUndo(plan) ??
      (await refusing(() => store.look(plan, client, settings))).rollbackPlan();
    asked = { undo, consent: await approve(undo) };
  }
  const { rollback, rollbackPath, rollbackWarnings } = await refusing(() =>
    store.abandon(plan, client, settings)
  );
  for (const warning of rollbackWarnings) await io.stderr.write(`warning: ${visibleText(warning)}\n`);
  if (rollback === undefined) {
    await say("There is nothing to undo, and the rest is never sent", { io, globals });
    return EXIT.done;
  }
  // What was shown may have become more since: then it is shown again.
  const consent = asked?.undo.fingerprint === rollback.fingerprint ? asked.consent : await approve(rollback);
  return await sendPlan({ plan: rollback, path: rollbackPath ?? rollback.id, store }, client, {
    ...options,
    consent,
    context,
  });
}

/** @throws {UsageError} for a plan that was never begun. */
export async function ensureBegun(plan: ChangePlan, store: PlanStore): Promise<void> {
  const { state } = await store.status(plan.id);
  if (state === "applied" || state === "unfinished") return;
  throw new UsageError(
    `Cannot resume or undo plan ${plan.id}: it was never begun in this folder. Use plan apply`,
  );
}

/** Says why nothing happens for a while. */
export async function tellWait(seconds: number, { io, globals }: CliContext): Promise<void> {
  if (globals.quiet) return;
  const text = `Waiting ${Math.ceil(seconds)} s: what was sent last may still be on its way\n`;
  await io.stderr.write(text).catch(() => {});
}
