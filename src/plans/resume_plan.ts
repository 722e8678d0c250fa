import { BatchResult } from "../batch/batch_result.ts";
import type { BatchError, BatchSuccess } from "../batch/batch_error.ts";
import { failure } from "../batch/item_error.ts";
import { ConfigurationError } from "../errors.ts";
import { ApplyJournal } from "./apply_journal.ts";
import type { ApplyOptions } from "./apply_plan.ts";
import { ChangePlan } from "./change_plan.ts";
import { ensureOwnProfile } from "./ensure_own_profile.ts";
import { realSleep } from "../transport/cool_down.ts";
import { PlanResult } from "./plan_result.ts";
import type { PlanTarget } from "./plan_target.ts";
import { settle, type Settled } from "./settle.ts";

/** How an interrupted application is taken up. */
export interface ResumeOptions extends Omit<ApplyOptions, "journal" | "onVerdicts" | "onSending"> {
  /** Path of the journal that `apply` kept. */
  readonly journal: string;
  /** Only find out what was done; send nothing. @default false */
  readonly lookOnly?: boolean;
  /**
   * Find out what was done and give up the rest, so that the result's `rollbackPlan()` can be applied: nothing more
   * of the plan is ever sent, not even by a process that still works on it. @default false
   */
  readonly abandon?: boolean;
  /**
   * Seconds that the last request may still be under way after it was sent; the account is not read before.
   * @default the client's timeout
   */
  readonly settleAfter?: number;
  /** Told before that wait, in seconds. */
  readonly onWait?: (seconds: number) => void;
}

/**
 * Takes up the application of a plan that was cut off: finds out from its journal what was done, settles what is
 * unknown by reading the account, and sends the rest. Nothing is done twice. The result covers the whole plan, so its
 * `rollbackPlan()` undoes both runs.
 *
 * @throws {ConfigurationError} when there is no journal, plan, journal and profile do not belong together, or the plan
 * was abandoned.
 * @throws {TypeError} for `lookOnly` together with `abandon`. Nothing was done.
 *
 * @example
 * ```ts
 * import { ChangePlan, type ProfileClient, resumePlan } from "@platform/ads";
 *
 * async function takeUp(us: ProfileClient): Promise<void> {
 *   const plan = await ChangePlan.load("raise.json");
 *   const result = await resumePlan(plan, us, { journal: "raise.journal.jsonl" });
 *   console.log(result.summary());
 * }
 * ```
 */
export async function resumePlan(
  plan: ChangePlan,
  client: PlanTarget,
  options: ResumeOptions,
): Promise<PlanResult> {
  ensureOwnProfile(plan, client, "resume");
  const { lookOnly = false, abandon = false, settleAfter: _, onWait: __, ...rest } = options;
  if (lookOnly && abandon) {
    throw new TypeError(`Cannot resume plan ${plan.id} both to look only and to abandon it: choose one`);
  }
  const journal = new ApplyJournal(options.journal, client.transport?.now);
  const reading = lookOnly ? await journal.read(plan) : await journal.takeUp(plan);
  const { statuses, lastSent } = reading;
  if (reading.abandoned && !lookOnly && !abandon) {
    throw new ConfigurationError(
      `Cannot resume plan ${plan.id}: it was abandoned, to be rolled back. Make a new plan`,
    );
  }
  if (statuses.some(({ state }) => state === "unknown")) await letItArrive(lastSent, client, options);
  const settled = await settle(plan.changes, statuses, { client, signal: options.signal });

  const open = settled.flatMap((status, at) => status.state === "not_sent" ? [at] : []);
  let sent = new Map<string, BatchResult>();
  if (!lookOnly) {
    await recordSettled(journal, settled, statuses.map((status) => status.state === "unknown"));
    if (abandon) await journal.abandon();
  }
  if (!lookOnly && !abandon) {
    const remaining = new ChangePlan({
      profileId: plan.profileId,
      countryCode: plan.countryCode,
      changes: open.map((at) => plan.changes[at]!),
    });
    const result = await remaining.apply(client, { ...rest, journal, positions: open });
    sent = new Map(result.results);
  }
  return new PlanResult({
    plan,
    results: joined(plan, settled, { open, sent }),
    newPlan: (fields) => new ChangePlan(fields),
    canArchive: (kind) => client.resource(kind).archivable,
  });
}

/** What the dead process sent last may reach the platform, and be carried out, after its death. */
async function letItArrive(
  lastSent: number | undefined,
  { transport }: PlanTarget,
  { settleAfter, onWait, signal }: ResumeOptions,
): Promise<void> {
  const { now, sleep, timeout } = transport ?? { now: Date.now, sleep: realSleep, timeout: 60 };
  const patience = settleAfter ?? timeout;
  const age = (now() - (lastSent ?? 0)) / 1000;
  // A clock that was put back must not make the wait longer than it ever needs to be.
  const seconds = Math.min(patience, patience - age);
  if (!(seconds > 0)) return;
  onWait?.(seconds);
  await sleep(seconds, signal);
}

async function recordSettled(
  journal: ApplyJournal,
  settled: readonly Settled[],
  was: readonly boolean[],
): Promise<void> {
  const done = settled.flatMap((status, at) =>
    was[at] && status.state === "done" ? [{ at, id: status.id }] : []
  );
  if (done.length === 0) return;
  const successes = done.map(({ id }, index) => ({ index, id, item: undefined, entity: undefined }));
  await journal.answered(new BatchResult(successes, []), done.map(({ at }) => at));
}

/** The verdicts of both runs by group, with the positions that the changes have in the whole plan's groups. */
function joined(
  plan: ChangePlan,
  settled: readonly Settled[],
  { open, sent }: { open: readonly number[]; sent: ReadonlyMap<string, BatchResult> },
): Map<string, BatchResult> {
  const placeOf = new Map<number, { group: string; index: number }>();
  const sizes = new Map<string, number>();
  plan.changes.forEach((change, at) => {
    const group = `${change.op} ${change.kind}`;
    const index = sizes.get(group) ?? 0;
    sizes.set(group, index + 1);
    placeOf.set(at, { group, index });
  });

  const successes = new Map<string, BatchSuccess[]>([...sizes.keys()].map((group) => [group, []]));
  const errors = new Map<string, BatchError[]>([...sizes.keys()].map((group) => [group, []]));
  const isOpen = new Set(open);
  settled.forEach((status, at) => {
    if (isOpen.has(at) && sent.size > 0) return;
    const { group, index } = placeOf.get(at)!;
    const item = plan.changes[at]!.after;
    if (status.state === "done") {
      successes.get(group)!.push({ index, id: status.id, item, entity: undefined });
    } else errors.get(group)!.push(verdictOf(status, { index, item }));
  });

  const openByGroup = Map.groupBy(open, (at) => placeOf.get(at)!.group);
  for (const [group, result] of sent) {
    const positions = openByGroup.get(group)!.map((at) => placeOf.get(at)!.index);
    for (const success of result.successes) {
      successes.get(group)!.push({ ...success, index: positions[success.index]! });
    }
    for (const error of result.errors) errors.get(group)!.push({ ...error, index: positions[error.index]! });
  }
  const stopped = (group: string): Error | undefined => sent.get(group)?.stoppedBy;
  return new Map(
    [...sizes.keys()].map((group) => [
      group,
      new BatchResult(successes.get(group)!, errors.get(group)!, stopped(group)),
    ]),
  );
}

function verdictOf(
  status: Exclude<Settled, { state: "done" }>,
  place: { index: number; item: unknown },
): BatchError {
  switch (status.state) {
    case "refused":
      return failure({ ...place, outcome: "refused" }, { code: status.code, message: status.message });
    case "not_sent":
      return failure({ ...place, outcome: "not_sent" }, { code: "NOT_SENT", message: "It was not done" });
    case "unclear":
      return failure({ ...place, outcome: "unknown" }, {
        code: "UNKNOWN",
        message: `It cannot be told whether it was done: ${status.why}`,
      });
    case "unknown":
      return failure({ ...place, outcome: "unknown" }, {
        code: "UNKNOWN",
        message: "It was sent, and no answer was seen",
      });
  }
}
