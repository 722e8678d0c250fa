import { Rollout, type RolloutEntry } from "../../../../account/rollout/rollout.ts";
import { countOf, parsePortions, type Portion } from "../../../../account/rollout/stages.ts";
import { visibleText } from "../../../../internal/visible_text.ts";
import type { PlatformAds } from "../../../../client/platform_ads.ts";
import { ask, type Asker, type Consent } from "../../../../plans/approve/ask.ts";
import { judge, type Review } from "../../../../plans/approve/judge.ts";
import { findingText } from "../../../../plans/view/plan_lines.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import {
  commandAsker,
  passphraseFor,
  type RiskOptions,
  signReview,
} from "../../../core/policy/command_asker.ts";
import { confirm, confirmByWord, ensureCanAsk } from "../../../core/confirm.ts";
import { withAds } from "../../../core/connect.ts";
import type { CliContext } from "../../../core/context.ts";
import { RefusedError, UsageError } from "../../../core/errors/cli_error.ts";
import { EXIT } from "../../../core/errors/exit_codes.ts";
import { refusing } from "../../../core/find_plan.ts";
import { printJson, wantsData } from "../../../output/print_rows.ts";
import { nextCommand } from "../../../text/shell_words.ts";
import { type RolloutQueueOptions, withRolloutQueue } from "./queue_options.ts";
import { printQueued } from "./queued_rollout.ts";
import { printRollout, totalsText } from "./rollout_rows.ts";

/** Plans that are reviewed at the same time. */
const CONCURRENCY = 4;
/** Findings of a plan that the question shows. */
const MAX_ASKS = 10;

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
  return await withAds(context, async (ads) => {
    const consents = await approve(rollout, entries, { options, context, ads });
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
        consent: ({ id }) => consents.get(id),
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
    return await withAds(context, async (ads) => {
      const consents = await approve(rollout, entries, { options, context, ads });
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
    });
  });
}

/** Reviews every open plan, shows what each of them asks, and asks once for all. */
async function approve(
  rollout: Rollout,
  entries: readonly RolloutEntry[],
  { options, context, ads }: { options: ApplyRolloutCommandOptions; context: CliContext; ads: PlatformAds },
): Promise<Map<string, Consent>> {
  const open = entries.filter(({ state }) => ["open", "queued", "unfinished"].includes(state));
  const store = PlanStore.open(rollout.folder, { now: context.io.now });
  const { skipDrifted, sendAnyway } = options;
  const { signal } = context.interruption;
  const reviews: Review[] = [];
  for (let from = 0; from < open.length; from += CONCURRENCY) {
    reviews.push(
      ...await Promise.all(
        open.slice(from, from + CONCURRENCY).map(async ({ plan, state }) => {
          const client = ads.profileFrom(plan.profileId, plan.countryCode);
          const found = state === "unfinished" ? await store.look(plan, client, { signal }) : undefined;
          return await judge(plan, client, { found, skipDrifted, sendAnyway, signal });
        }),
      ),
    );
  }
  const denied = reviews.filter((review) => review.denied.length > 0);
  if (denied.length > 0) {
    const names = denied.map(({ plan }) => `${plan.id} (profile ${plan.profileId})`).join(", ");
    throw new RefusedError(`Cannot apply the rollout: the policy denies plan ${names}. Nothing was sent`);
  }
  let answer: Promise<boolean> | undefined;
  let passphrase: Promise<string | undefined> | undefined;
  const asker = commandAsker({ store, options, context });
  const shared: Asker = options.yes ? asker : {
    ...asker,
    ask: () => answer ??= askOnce(rollout, { reviews, context }),
    sign: async (review) => {
      const secret = { passphrase: await (passphrase ??= passphraseFor(context)) };
      return (await signReview(review, { store, context, secret })).approval;
    },
  };
  const consents = new Map<string, Consent>();
  for (const review of reviews) consents.set(review.plan.id, await ask(review, shared));
  return consents;
}

/** The one question about a rollout: its totals, and what each plan asks a person about. */
async function askOnce(
  rollout: Rollout,
  { reviews, context }: { reviews: readonly Review[]; context: CliContext },
): Promise<boolean> {
  const entries = reviews.map(({ shown }) => ({ plan: shown, state: "open" as const }));
  const lines = [totalsText(rollout, entries)];
  const asking = reviews.filter(({ asks }) => asks.length > 0);
  for (const { plan, asks } of asking) {
    lines.push(`Plan ${plan.id} for profile ${plan.profileId} (${plan.countryCode}) asks for a person:`);
    lines.push(...asks.slice(0, MAX_ASKS).map((finding) => `  ${findingText(finding)}`));
    if (asks.length > MAX_ASKS) lines.push(`  and ${asks.length - MAX_ASKS} more`);
  }
  await context.io.stderr.write(`${lines.join("\n")}\n`);
  const question = `Apply ${reviews.length} plans in ${reviews.length} profiles?`;
  return asking.length > 0
    ? await confirmByWord(question, "apply", context)
    : await confirm(question, context);
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
