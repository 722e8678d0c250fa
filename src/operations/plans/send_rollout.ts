import type {
  ApplyRolloutOptions,
  Rollout,
  RolloutEntry,
  RolloutResult,
} from "../../account/rollout/rollout.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import { ask, type Asker, type Consent } from "../../plans/review/ask.ts";
import type { Review } from "../../plans/review/judge.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { PolicyError } from "../../plans/model/plan_errors.ts";
import { judgeStored } from "../../plans/store/judge_stored.ts";
import { type SendInput, sendOptions } from "./send_operation.ts";
import { stageSizes } from "./rollout_stages.ts";

const CONCURRENCY = 4;

/** Options with which an interface watches and stops the plans of a rollout. */
export type RolloutWatch = Pick<ApplyRolloutOptions, "onBegin" | "onPlan" | "stop">;

/** A rollout to send, with reviews of its open plans: the applied rollout itself, or the rollout that undoes it. */
export interface ReviewedRollout {
  readonly rollout: Rollout;
  /** Reviews of all unfinished plans, in the order in which the plans are applied. */
  readonly reviews: readonly Review[];
}

/** A rollout, the clients of its profiles, and the approver of its plans. */
export interface RolloutContext {
  readonly rollout: Rollout;
  readonly clientOf: (plan: ChangePlan) => ProfileClient;
  /** The approver of each plan, who is shown all of them first; saves no approval that is signed for sending here. */
  readonly asker: (shown: ReviewedRollout) => (review: Review) => Asker;
  /** Runs the sending of the approved plans, so that an interface can watch it. @default it is not watched */
  readonly sending?: (
    shown: ReviewedRollout,
    send: (watch: RolloutWatch) => Promise<RolloutResult>,
  ) => Promise<RolloutResult>;
  /** Ends the checks before anything is sent. */
  readonly stop?: AbortSignal | undefined;
  /** Aborts requests in flight; their outcome is then unknown. */
  readonly signal?: AbortSignal | undefined;
}

/** Action of a person on a rollout. */
export type RolloutVerb = "apply" | "undo" | "approve";

/** True if a plan of a rollout still has to be sent here. */
export function isOpenEntry({ state }: RolloutEntry): boolean {
  return state === "open" || state === "unfinished";
}

/**
 * Throws while plans of a rollout are on a queue, where workers apply it.
 *
 * @throws {ConfigurationError}
 */
export function ensureNotQueued(entries: readonly RolloutEntry[]): void {
  const queued = entries.filter(({ state }) => state === "queued").length;
  if (queued === 0) return;
  throw new ConfigurationError(
    `Cannot apply the rollout here: ${queued} of its ${entries.length} plans are queued; workers apply them`,
  );
}

/**
 * Applies a rollout stage by stage, or continues it: reviews every open plan, asks once, and sends.
 *
 * @throws {PolicyError | ApprovalError} where a plan may not be sent. Nothing was sent.
 * @throws {ConfigurationError} when the rollout cannot be used, its undo was started, or plans of it are on a queue.
 */
export async function applyRollout(context: RolloutContext, input: SendInput): Promise<RolloutResult> {
  context.rollout.ensureNotUndone();
  ensureNotQueued(await context.rollout.entries());
  return await sendOpen(context, input, "apply");
}

/**
 * Undoes the applied part of a rollout stage by stage, or continues undoing it.
 *
 * @throws {PolicyError | ApprovalError} where a plan may not be sent. Nothing was sent.
 * @throws {ConfigurationError} when the rollout cannot be used, or plans of it are on a queue.
 */
export async function undoRollout(context: RolloutContext, input: SendInput): Promise<RolloutResult> {
  const { rollout, clientOf } = context;
  const undo = await untilStopped(context, (signal) => rollout.rollback(clientOf, { signal }));
  return undo === undefined
    ? interrupted(await rollout.entries())
    : await sendOpen({ ...context, rollout: undo }, input, "undo");
}

async function sendOpen(
  context: RolloutContext,
  input: SendInput,
  verb: RolloutVerb,
): Promise<RolloutResult> {
  const { rollout, clientOf, sending, signal } = context;
  const entries = await rollout.entries();
  if (!entries.some(isOpenEntry)) {
    return { entries, ok: entries.every(({ state }) => state === "done"), stopped: undefined };
  }
  const reviews = await untilStopped(
    context,
    (signal) => reviewRollout({ ...context, signal }, { ...input, verb }),
  );
  if (reviews === undefined) return interrupted(entries);
  const consents = await approvalsOf({ rollout, reviews }, context);
  const send = (watch: RolloutWatch): Promise<RolloutResult> =>
    rollout.apply(clientOf, {
      ...stageSizes(input),
      ...sendOptions(input, { signal }),
      consent: ({ id }) => consents.get(id),
      ...watch,
      onBegin: async (plan, stage) => {
        // Only now: the approval of a plan that is never begun must not outlive this run.
        const approval = consents.get(plan.id)?.approval;
        if (approval !== undefined) await rollout.store.saveApproval(approval);
        await watch.onBegin?.(plan, stage);
      },
    });
  return await (sending === undefined ? send({}) : sending({ rollout, reviews }, send));
}

/** Reads accounts before anything is sent; `undefined` once a stop is asked for. */
async function untilStopped<T>(
  { signal, stop }: Pick<RolloutContext, "signal" | "stop">,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  try {
    const found = await read(AbortSignal.any([signal, stop].filter((one) => one !== undefined)));
    return stop?.aborted === true ? undefined : found;
  } catch (error) {
    if (stop?.aborted === true) return undefined;
    throw error;
  }
}

function interrupted(entries: readonly RolloutEntry[]): RolloutResult {
  return { entries, ok: false, stopped: "It was interrupted" };
}

/**
 * Reviews a rollout and gets the approvals of its open plans, by their ids.
 *
 * @throws {PolicyError | ApprovalError} where a plan may not be sent. Nothing was sent.
 */
export async function rolloutConsents(
  context: RolloutContext,
  input: Parameters<typeof reviewRollout>[1],
): Promise<ReadonlyMap<string, Consent>> {
  const { rollout } = context;
  return await approvalsOf({ rollout, reviews: await reviewRollout(context, input) }, context);
}

async function approvalsOf(
  shown: ReviewedRollout,
  { asker }: Pick<RolloutContext, "asker">,
): Promise<Map<string, Consent>> {
  const askerOf = asker(shown);
  const consents = new Map<string, Consent>();
  for (const review of shown.reviews) consents.set(review.plan.id, await ask(review, askerOf(review)));
  return consents;
}

/**
 * Reviews every unfinished plan of a rollout, a few at a time.
 *
 * @throws {PolicyError} when a policy denies one.
 */
export async function reviewRollout(
  { rollout, clientOf, signal }: Pick<RolloutContext, "rollout" | "clientOf" | "signal">,
  { verb, skip_drifted: skipDrifted, send_anyway: sendAnyway }:
    & { readonly verb: RolloutVerb }
    & Partial<Pick<SendInput, "skip_drifted" | "send_anyway">>,
): Promise<Review[]> {
  const { store } = rollout;
  const states = verb === "approve" ? ["open"] : ["open", "queued", "unfinished"];
  const open = (await rollout.entries()).filter(({ state }) => states.includes(state));
  const reviews: Review[] = [];
  for (let from = 0; from < open.length; from += CONCURRENCY) {
    reviews.push(
      ...await Promise.all(
        open.slice(from, from + CONCURRENCY).map(({ plan }) =>
          judgeStored(plan, clientOf(plan), { store, skipDrifted, sendAnyway, signal })
        ),
      ),
    );
  }
  const denied = reviews.filter((review) => review.denied.length > 0);
  if (denied.length > 0) {
    const names = denied.map(({ plan }) => `${plan.id} (profile ${plan.profileId})`).join(", ");
    throw new PolicyError(
      `Cannot ${verb} the rollout: the policy denies plan ${names}. Nothing was sent`,
      denied.flatMap((review) => review.denied),
    );
  }
  return reviews;
}
