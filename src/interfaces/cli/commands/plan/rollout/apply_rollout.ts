import type { Rollout, RolloutEntry } from "../../../../../account/rollout/rollout.ts";
import { countOf, parsePortions, type Portion } from "../../../../../account/rollout/stages.ts";
import { visibleText } from "../../../../../base/text/visible_text.ts";
import type { PlatformAds } from "../../../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../../../client/profile_client.ts";
import type { ChangePlan } from "../../../../../plans/change_plan/change_plan.ts";
import type { SendOptions } from "../../../shell/connect/send_context.ts";
import { ensureCanAsk } from "../../../shell/context/confirm.ts";
import { connectAds } from "../../../shell/connect/connect.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { rememberPlans } from "../../../shell/plans/plan_folders.ts";
import { RefusedError, UsageError } from "../../../shell/errors/cli_error.ts";
import { EXIT } from "../../../shell/errors/exit_codes.ts";
import { refusing } from "../../../shell/plans/find_plan.ts";
import { openRollout } from "./open_rollout.ts";
import { printJson, wantsData } from "../../../shell/output/print_rows.ts";
import { nextCommand } from "../../../shell/arguments/shell_words.ts";
import { approveRollout } from "./approve_rollout.ts";
import { openRolloutQueue } from "./queue_options.ts";
import { printQueued } from "./queued_rollout.ts";
import { accountNames, printRollout } from "./rollout_rows.ts";

/** Options of {@linkcode runApplyRollout}, with the folder of the rollout. */
type ApplyRolloutCommandOptions = SendOptions & { readonly file: string };

/** Applies a rollout, or goes on with one that stopped: one review, one question, then stage by stage. */
export async function runApplyRollout(
  options: ApplyRolloutCommandOptions,
  context: CliContext,
): Promise<number> {
  const stages = stagesOf(options);
  const rollout = await openRollout(options.file, context);
  await refusing(() => rollout.ensureNotUndone());
  const entries = await refusing(() => rollout.entries());
  const isQueued = entries.some(({ state }) => state === "queued");
  if (options.enqueue || isQueued) {
    return await applyByQueue(rollout, { entries, options, ...stages }, context);
  }
  if (!entries.some(isOpen)) {
    await printRollout(rollout, entries, context);
    return codeOf(entries);
  }
  ensureCanAsk(options.yes, context, "applying a rollout");
  const ads = await connectAds(context);
  return sendRollout(rollout, { verb: "apply", options, ads, ...stages }, context);
}

/** Undoes what was done of a rollout, as a rollout: one review, one question, then stage by stage. */
export async function runUndoRollout(
  options: ApplyRolloutCommandOptions,
  context: CliContext,
): Promise<number> {
  const stages = stagesOf(options);
  const rollout = await openRollout(options.file, context);
  ensureCanAsk(options.yes, context, "undoing a rollout");
  if ((await refusing(() => rollout.entries())).some(({ state }) => state === "queued")) {
    const queue = await openRolloutQueue(options, context);
    await refusing(() => queue.withdraw(rollout));
  }
  const ads = await connectAds(context);
  const { signal } = context.interruption;
  const undo = await refusing(() => rollout.rollback(clientsOf(ads), { signal }));
  const entries = await undo.entries();
  if (entries.some(isOpen)) {
    return await sendRollout(undo, { verb: "undo", options, ads, ...stages }, context);
  }
  await printRollout(undo, entries, context);
  return codeOf(entries);
}

/** Reviews what is open of a rollout, asks once, and sends it stage by stage. */
async function sendRollout(
  rollout: Rollout,
  { verb, options, ads, serial, stopOnFailures }: Stages & {
    verb: "apply" | "undo";
    options: ApplyRolloutCommandOptions;
    ads: PlatformAds;
  },
  context: CliContext,
): Promise<number> {
  const { io, globals, interruption, progress } = context;
  const entries = await rollout.entries();
  const open = entries.filter(isOpen);
  const consents = await approveRollout(rollout, entries, { verb, options, context, ads });
  await rememberPlans(rollout.folder, context);
  const work = progress.work({ noun: "plan", total: open.length });
  const nameOf = ({ countryCode, profileId }: ChangePlan): string => `${countryCode} ${profileId}`;
  const result = await refusing(() =>
    rollout.apply(clientsOf(ads), {
      serial,
      stopOnFailures,
      checkDrift: options.checkDrift,
      skipDrifted: options.skipDrifted,
      sendAnyway: options.sendAnyway,
      signal: interruption.signal,
      stop: interruption.finishFirst(),
      consent: ({ id }) => consents.get(id),
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
    })
  );
  await work.end();
  if (wantsData(context)) {
    const names = accountNames(rollout);
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
  } else await printRollout(rollout, result.entries, context);
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

/** Leaves a rollout to the workers of a queue, or lets one go on there. */
async function applyByQueue(
  rollout: Rollout,
  { entries, options, serial, stopOnFailures }: Stages & {
    entries: readonly RolloutEntry[];
    options: ApplyRolloutCommandOptions;
  },
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
  const consents = await approveRollout(rollout, entries, { verb: "apply", options, context, ads });
  const queued = await refusing(() =>
    queue.enqueue(rollout, {
      serial,
      stopOnFailures,
      checkDrift,
      skipDrifted,
      sendAnyway,
      consent: ({ id }) => consents.get(id),
    })
  );
  return await printQueued(rollout, { queued, file }, context);
}

/** Sizes of stages, and how many failures of one end it. */
interface Stages {
  readonly serial: readonly Portion[];
  readonly stopOnFailures: Portion;
}

function stagesOf({ serial = "100%", stopOnFailures = "0" }: ApplyRolloutCommandOptions): Stages {
  const [most = 0] = portions("--stop-on-failures", stopOnFailures);
  return { serial: portions("--serial", serial), stopOnFailures: most };
}

function clientsOf(ads: PlatformAds): (plan: ChangePlan) => ProfileClient {
  return ({ profileId, countryCode }) => ads.profileFrom(profileId, countryCode);
}

function isOpen({ state }: RolloutEntry): boolean {
  return state === "open" || state === "unfinished";
}

function portions(option: string, text: string): ReturnType<typeof parsePortions> {
  try {
    const found = parsePortions(text);
    for (const portion of found) countOf(portion, 1);
    return found;
  } catch (error) {
    throw new UsageError(`${option}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
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
