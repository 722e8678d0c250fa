import type { Rollout, RolloutEntry } from "../../../../../account/rollout/rollout.ts";
import { visibleText } from "../../../../../base/text/visible_text.ts";
import { planApply } from "../../../../../operations/plans/plan_apply.ts";
import { planUndo } from "../../../../../operations/plans/plan_undo.ts";
import { stageSizes } from "../../../../../operations/plans/rollout_stages.ts";
import type { SendInput } from "../../../../../operations/plans/send_operation.ts";
import {
  applyRollout,
  isOpenEntry,
  rolloutConsents,
  type RolloutContext,
  undoRollout,
} from "../../../../../operations/plans/send_rollout.ts";
import type { ChangePlan } from "../../../../../plans/change_plan/change_plan.ts";
import type { SendOptions } from "../../../shell/connect/send_context.ts";
import { ensureCanAsk } from "../../../shell/context/confirm.ts";
import { connectAds } from "../../../shell/connect/connect.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { operationInput } from "../../../shell/options/operation_input.ts";
import { rememberPlans } from "../../../shell/connect/plan_folders.ts";
import { EXIT, RefusedError } from "../../../shell/io/cli_error.ts";
import { refusing } from "../../../shell/find_plan.ts";
import { openRollout } from "./open_rollout.ts";
import { printJson, wantsData } from "../../../shell/output/print_rows.ts";
import { nextCommand } from "../../../shell/context/shell_words.ts";
import { clientsOf, rolloutAsker } from "./approve_rollout.ts";
import { openRolloutQueue } from "./rollout_options.ts";
import { printQueued } from "./queued_rollout.ts";
import { accountNames, printRollout } from "./rollout_rows.ts";

type ApplyRolloutCommandOptions = SendOptions & { readonly file: string };

export async function runApplyRollout(
  options: ApplyRolloutCommandOptions,
  context: CliContext,
): Promise<number> {
  const input = await operationInput(planApply, options, { plan_id: options.file });
  const rollout = await openRollout(options.file, context);
  await refusing(() => rollout.ensureNotUndone());
  const entries = await refusing(() => rollout.entries());
  const isQueued = entries.some(({ state }) => state === "queued");
  if (options.enqueue || isQueued) {
    return await applyByQueue(rollout, { input, options }, context);
  }
  if (!entries.some(isOpenEntry)) {
    await printRollout(rollout, entries, context);
    return codeOf(entries);
  }
  ensureCanAsk(options.yes, context, "applying a rollout");
  return await sendRollout(rollout, { verb: "apply", input, options }, context);
}

export async function runUndoRollout(
  options: ApplyRolloutCommandOptions,
  context: CliContext,
): Promise<number> {
  const input = await operationInput(planUndo, options, { plan_id: options.file });
  const rollout = await openRollout(options.file, context);
  ensureCanAsk(options.yes, context, "undoing a rollout");
  if ((await refusing(() => rollout.entries())).some(({ state }) => state === "queued")) {
    const queue = await openRolloutQueue(options, context);
    await refusing(() => queue.withdraw(rollout));
  }
  return await sendRollout(rollout, { verb: "undo", input, options }, context);
}

/** Sends the remaining plans of a rollout, and shows progress and the final result. */
async function sendRollout(
  rollout: Rollout,
  { verb, input, options }: {
    verb: "apply" | "undo";
    input: SendInput;
    options: ApplyRolloutCommandOptions;
  },
  context: CliContext,
): Promise<number> {
  const { io, globals, interruption, progress } = context;
  const ads = await connectAds(context);
  const nameOf = ({ countryCode, profileId }: ChangePlan): string => `${countryCode} ${profileId}`;
  let sent = rollout;
  const sending: RolloutContext["sending"] = async ({ rollout: shown, reviews }, send) => {
    sent = shown;
    await rememberPlans(rollout.folder, context);
    const work = progress.work({ noun: "plan", total: reviews.length });
    const result = await send({
      stop: interruption.finishFirst(),
      onBegin: (plan, stage) =>
        work.part(plan.id, { name: nameOf(plan), state: "running", step: `stage ${stage}` }),
      onPlan: async ({ plan, state, summary }, stage) => {
        work.part(plan.id, { name: nameOf(plan), state: state === "done" ? "done" : "failed" });
        if (state === "done") return;
        const why = visibleText(summary ?? "");
        await io.stderr.write(
          `Stage ${stage}: profile ${plan.profileId} (${plan.countryCode}) ${state}: ${why}\n`,
        );
      },
    });
    await work.end();
    return result;
  };
  const run = verb === "apply" ? applyRollout : undoRollout;
  const result = await refusing(() =>
    run({
      rollout,
      clientOf: clientsOf(ads),
      asker: (shown) => {
        const asker = rolloutAsker(shown, { verb, options, context, ads, isSavedLater: true });
        return () => asker;
      },
      sending,
      signal: interruption.signal,
    }, input)
  );
  if (wantsData(context)) {
    const names = accountNames(sent);
    const data = result.entries.map(({ plan: { id, profileId, countryCode }, state, summary }) => ({
      plan_id: id,
      profile_id: profileId,
      country_code: countryCode,
      account_name: names.get(profileId) ?? null,
      state,
      summary: summary ?? null,
    }));
    await printJson(
      { folder: options.file, ok: result.ok, stopped: result.stopped ?? null, plans: data },
      context,
    );
  } else await printRollout(sent, result.entries, context);
  if (!globals.quiet && result.stopped !== undefined) {
    const words = [verb === "apply" ? "resume" : "undo", options.file, ...sameStages(options)];
    const next = nextCommand(["plan", ...words], globals);
    await io.stderr.write(
      `Stopped: ${result.stopped}. No more plans were started. To continue:\n  ${next}\n`,
    );
  }
  if (!globals.quiet && verb === "apply" && result.entries.some(({ state }) => state !== "open")) {
    await io.stderr.write(`To undo it:\n  ${nextCommand(["plan", "undo", options.file], globals)}\n`);
  }
  return interruption.happened ? EXIT.interrupted : codeOf(result.entries);
}

async function applyByQueue(
  rollout: Rollout,
  { input, options }: { input: SendInput; options: ApplyRolloutCommandOptions },
  context: CliContext,
): Promise<number> {
  const { file, enqueue, checkDrift, skipDrifted, sendAnyway } = options;
  if (!enqueue) {
    throw new RefusedError(
      `Cannot apply the rollout here: it is on a queue; workers there apply it. "adsctl plan show ${file}" shows how far ` +
        "they are; --enqueue continues it after a stop",
    );
  }
  const queue = await openRolloutQueue(options, context);
  ensureCanAsk(options.yes, context, "applying a rollout");
  const ads = await connectAds(context);
  const { signal } = context.interruption;
  const consents = await rolloutConsents({
    rollout,
    clientOf: clientsOf(ads),
    asker: (shown) => {
      const asker = rolloutAsker(shown, { verb: "apply", options, context, ads });
      return () => asker;
    },
    signal,
  }, { ...input, verb: "apply" });
  const queued = await refusing(() =>
    queue.enqueue(rollout, {
      ...stageSizes(input),
      checkDrift,
      skipDrifted,
      sendAnyway,
      consent: ({ id }) => consents.get(id),
    })
  );
  return await printQueued(rollout, { queued, file }, context);
}

function sameStages({ serial, stopOnFailures }: ApplyRolloutCommandOptions): string[] {
  return [
    ...(serial === undefined ? [] : ["--serial", serial]),
    ...(stopOnFailures === undefined ? [] : ["--stop-on-failures", stopOnFailures]),
  ];
}

function codeOf(entries: readonly RolloutEntry[]): number {
  return entries.every(({ state }) => state === "done") ? EXIT.done : EXIT.someFailed;
}
