import { Rollout, type RolloutEntry } from "../../../../account/rollout/rollout.ts";
import { countOf, parsePortions, type Portion } from "../../../../account/rollout/stages.ts";
import { visibleText } from "../../../../internal/visible_text.ts";
import type { ChangePlan } from "../../../../plans/change_plan.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import { acceptedBy, type RiskOptions } from "../../../core/policy/accept_risk.ts";
import { asksByPolicy } from "../../../../plans/review/asks_by_policy.ts";
import { signApproval } from "../../../core/policy/sign_approval.ts";
import { confirm, confirmByWord, ensureCanAsk } from "../../../core/confirm.ts";
import { withAds } from "../../../core/connect.ts";
import type { CliContext } from "../../../core/context.ts";
import { CliError, RefusedError, UsageError } from "../../../core/errors/cli_error.ts";
import { EXIT } from "../../../core/errors/exit_codes.ts";
import { refusing } from "../../../core/find_plan.ts";
import { printJson, wantsData } from "../../../output/print_rows.ts";
import { nextCommand } from "../../../text/shell_words.ts";
import { type RolloutQueueOptions, withRolloutQueue } from "./queue_options.ts";
import { printQueued } from "./queued_rollout.ts";
import { printRollout, totalsText } from "./rollout_rows.ts";

/** Options of {@linkcode runApplyRollout}. */
export interface ApplyRolloutCommandOptions extends RiskOptions, RolloutQueueOptions {
  /** Folder of the rollout. */
  readonly file: string;
  /** Sizes of the stages. */
  readonly serial?: string;
  /** How many plans of a stage may fail. */
  readonly stopOnFailures?: string;
  /** Refuse a plan when an entity has changed since it was made. */
  readonly checkDrift: boolean;
  /** Leave out what has changed since the plans were made. */
  readonly skipDrifted?: true;
  /** Send also what the platform would refuse. */
  readonly sendAnyway?: true;
}

/** Applies a rollout, or goes on with one that stopped: one review, one question, then stage by stage. */
export async function runApplyRollout(
  options: ApplyRolloutCommandOptions,
  context: CliContext,
): Promise<number> {
  const { io, globals, interruption, progress } = context;
  const serial = portions("--serial", options.serial ?? "100%");
  const [stopOnFailures = 0] = portions("--stop-on-failures", options.stopOnFailures ?? "0");
  const rollout = await refusing(() => Rollout.open(options.file, { now: io.now }));
  const entries = await refusing(() => rollout.entries());
  const open = entries.filter(({ state }) => state === "open" || state === "unfinished");
  const isQueued = entries.some(({ state }) => state === "queued");
  if (options.enqueue || isQueued) {
    return await applyByQueue(rollout, { entries, options, serial, stopOnFailures }, context);
  }
  if (open.length === 0) {
    await printRollout(rollout, entries, context);
    return codeOf(entries);
  }
  ensureCanAsk(options.yes, context, "applying a rollout");
  const approvals = await approve(rollout, entries, { options, context });
  return await withAds(context, async (ads) => {
    let done = 0;
    const result = await refusing(() =>
      rollout.apply(({ profileId, countryCode }) => ads.profileFrom(profileId, countryCode), {
        serial,
        stopOnFailures,
        checkDrift: options.checkDrift,
        skipDrifted: options.skipDrifted,
        sendAnyway: options.sendAnyway,
        signal: interruption.signal,
        stop: interruption.finishFirst(),
        approvedBy: ({ id }) => approvals.get(id),
        onPlan: async ({ plan, state, summary }, stage) => {
          done++;
          if (state === "done") {
            await progress.show([`Stage ${stage}: ${done} of ${open.length} plans`]).catch(() => {});
            return;
          }
          const why = visibleText(summary ?? "");
          await io.stderr.write(
            `Stage ${stage}: profile ${plan.profileId} (${plan.countryCode}) ${state}: ${why}\n`,
          );
        },
      })
    );
    await progress.clear().catch(() => {});
    if (wantsData(context)) {
      const data = result.entries.map(({ plan: { id, profileId, countryCode }, state, summary }) => ({
        plan_id: id,
        profile_id: profileId,
        country_code: countryCode,
        state,
        summary: summary ?? null,
      }));
      await printJson(
        { folder: options.file, ok: result.ok, stopped: result.stopped ?? null, plans: data },
        context,
      );
    } else await printRollout(rollout, result.entries, context);
    if (!globals.quiet && result.stopped !== undefined) {
      const next = nextCommand(["plan", "resume", options.file, ...sameStages(options)], globals);
      await io.stderr.write(`Stopped: ${result.stopped}. Nothing more was begun. To go on:\n  ${next}\n`);
    }
    return interruption.happened ? EXIT.interrupted : codeOf(result.entries);
  });
}

/** Leaves a rollout to the workers of a queue, or lets one go on there. */
async function applyByQueue(
  rollout: Rollout,
  { entries, options, serial, stopOnFailures }: {
    entries: readonly RolloutEntry[];
    options: ApplyRolloutCommandOptions;
    serial: readonly Portion[];
    stopOnFailures: Portion;
  },
  context: CliContext,
): Promise<number> {
  const { file, enqueue, checkDrift, skipDrifted, sendAnyway } = options;
  if (!enqueue) {
    throw new RefusedError(
      `Cannot apply the rollout here: it is on a queue, whose workers apply it. "adsctl plan show ${file}" shows how far ` +
        "they are, --enqueue lets it go on after a stop",
    );
  }
  return await withRolloutQueue(options, context, async (queue) => {
    ensureCanAsk(options.yes, context, "applying a rollout");
    const approvals = await approve(rollout, entries, { options, context });
    const queued = await refusing(() =>
      queue.enqueue(rollout, {
        serial,
        stopOnFailures,
        checkDrift,
        skipDrifted,
        sendAnyway,
        approvedBy: ({ id }) => approvals.get(id),
      })
    );
    return await printQueued(rollout, { queued, file }, context);
  });
}

/** Who approved each plan: the person who is asked once for all, or what stands for one. */
async function approve(
  rollout: Rollout,
  entries: readonly RolloutEntry[],
  { options, context }: { options: ApplyRolloutCommandOptions; context: CliContext },
): Promise<Map<string, string>> {
  const open = entries.filter(({ state }) => ["open", "queued", "unfinished"].includes(state)).map((
    { plan },
  ) => plan);
  const denied = open.filter(({ findings }) => findings.some(({ level }) => level === "deny"));
  if (denied.length > 0) {
    const names = denied.map(({ id, profileId }) => `${id} (profile ${profileId})`).join(", ");
    throw new RefusedError(`Cannot apply the rollout: the policy denies plan ${names}. Nothing was sent`);
  }
  const store = PlanStore.open(rollout.folder, { now: context.io.now });
  const asks = (plan: ChangePlan): boolean => plan.findings.some(({ level }) => level === "approve");
  if (!options.yes) {
    await context.io.stderr.write(`${totalsText(rollout, entries)}\n`);
    const question = `Apply ${open.length} plans in ${open.length} profiles?`;
    const isSure = open.some(asks)
      ? await confirmByWord(question, "apply", context)
      : await confirm(question, context);
    if (!isSure) throw new CliError("Not applied: the answer was not yes. Nothing was sent", EXIT.failed);
    for (const plan of open) {
      if (asksByPolicy(plan.findings.filter(({ level }) => level === "approve"))) {
        await signApproval(plan, { store, context });
      }
    }
    return new Map(open.map(({ id }) => [id, "a person at a terminal"]));
  }
  const approvals = new Map<string, string>();
  for (const plan of open.filter(asks)) {
    const findings = plan.findings.filter(({ level }) => level === "approve");
    approvals.set(plan.id, await acceptedBy(findings, { plan, store, options, context }));
  }
  return approvals;
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
