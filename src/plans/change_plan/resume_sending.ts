import { sameValue } from "../../base/json/canonical_json.ts";
import { realSleep } from "../../base/time/clock.ts";
import { ApplyJournal } from "../apply/apply_journal.ts";
import { type ApplyOptions, ensureOwnProfile, sendToEnd } from "../apply/apply_plan.ts";
import type { JournalFile } from "../apply/journal_file.ts";
import type { ChangeStatus, JournalReading } from "../apply/journal_reading.ts";
import { prepareSending } from "../apply/prepare_sending.ts";
import type { Change, EntityFields } from "../model/change.ts";
import { changeGraph, withRefs } from "../model/change_ref.ts";
import { type ChangeResult, doneResult, ownResult, type PlacedChange } from "../model/change_result.ts";
import { PlanStateError } from "../model/plan_errors.ts";
import type { PlanResource, PlanTarget } from "../model/plan_target.ts";
import { plannedCall } from "../model/planned_call.ts";
import { holds } from "../state/drift.ts";
import { type ChangePlan, PlanResult } from "./change_plan.ts";
import { undoableBy } from "./inverse.ts";

export type Settled =
  | ChangeStatus
  /** The account shows neither the old values nor the new ones. */
  | { readonly state: "unclear"; readonly why: string };

export async function settle(
  changes: readonly Change[],
  statuses: readonly ChangeStatus[],
  { client, signal }: { client: PlanTarget; signal?: AbortSignal | undefined },
): Promise<Settled[]> {
  const settled: Settled[] = [...statuses];
  const taken = new Set(
    statuses.map((status) => status.state === "done" || status.state === "partial" ? status.id : undefined),
  );
  const open = changes.flatMap((change, at) => {
    const status = statuses[at];
    return status?.state === "unknown" ? [{ at, change, lookalikes: status.lookalikes }] : [];
  });
  const { positions } = changeGraph(changes);
  // Nothing is sent before what it refers to is known to be done, so the ids are there.
  const idOf = (ref: string): string | undefined => {
    const status = settled[positions.get(ref) ?? -1];
    return status?.state === "done" ? status.id : undefined;
  };
  for (const { at, change } of open) {
    if (change.op === "call") settled[at] = await settleCall(change, { client, signal });
  }
  const entities = open.filter(({ change }) => change.op !== "call");
  for (const [kind, group] of Map.groupBy(entities, ({ change }) => change.kind)) {
    const resource = client.resource(kind);
    const created = group.filter(({ change }) => change.op === "create");
    const others = group.flatMap(({ at, change }) =>
      change.id === null ? [] : [{ at, change, id: change.id }]
    );
    if (created.length > 0) {
      const items = created.map(({ change }) => withRefs(change.after, idOf));
      const found = await resource.findEqual(items, { archived: true, signal });
      created.forEach(({ at, lookalikes }, index) => {
        const id = found[index]?.find((id) => !lookalikes.includes(id) && !taken.has(id));
        taken.add(id);
        settled[at] = id === undefined ? { state: "not_sent" } : { state: "done", id };
      });
    }
    if (others.length > 0) {
      const found = await resource.getMany(others.map(({ id }) => id), { signal });
      for (const { at, change, id } of others) {
        const resolved = { ...change, after: withRefs(change.after, idOf) };
        settled[at] = settleExisting(resolved, { id, entity: found.get(id), resource });
      }
    }
  }
  return settled;
}

async function settleCall(
  change: Change,
  { client, signal }: { client: PlanTarget; signal: AbortSignal | undefined },
): Promise<Settled> {
  const call = plannedCall(change);
  const now = call === undefined ? undefined : await client.calls?.read(call, { signal });
  if (call === undefined || now === undefined) {
    return { state: "unclear", why: "no known operation reads the changed entities" };
  }
  if (now.body !== undefined && sameValue(now.body, call.body)) return { state: "done", id: now.id };
  if (sameValue(now, change.before)) return { state: "not_sent" };
  return { state: "unclear", why: "the account holds neither the old values nor the new ones" };
}

function settleExisting(
  { op, ...change }: Change,
  { id, entity, resource }: { id: string; entity: EntityFields | undefined; resource: PlanResource },
): Settled {
  if (entity === undefined) return { state: "unclear", why: "the platform no longer returns it" };
  const now = resource.comparable(entity);
  const [before, after] = [resource.comparable(change.before), resource.comparable(change.after)];
  if (holds(now, after)) return { state: "done", id };
  // Archiving what is not archived can only be missing; the archive of what a plan created has no old values either.
  if (op === "archive" || holds(now, before, Object.keys(after))) return { state: "not_sent" };
  return { state: "unclear", why: "it holds neither the old values nor the new ones" };
}

/** Options for finishing an interrupted run of a plan. */
export interface ResumeOptions extends Omit<ApplyOptions, "journal"> {
  /** Journal kept by `apply`: its path, or a custom one. */
  readonly journal: string | JournalFile;
  /** Only find out what was done; send nothing. @default false */
  readonly lookOnly?: boolean;
  /**
   * Find out what was done and give up the rest, so that the result's `rollbackPlan()` can be applied: nothing more
   * of the plan is ever sent, not even by a process that still works on it. @default false
   */
  readonly abandon?: boolean;
  /**
   * Seconds that the last request may still be in flight after it was sent. The account is read this long after
   * resuming starts, because clocks may differ by an hour; immediately with `lookOnly`, or if the request is older than
   * both.
   * @default the client's timeout
   */
  readonly settleAfter?: number;
  /** Called before the wait for the last request, with the number of seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

export async function resumeSending(
  plan: ChangePlan,
  client: PlanTarget,
  options: ResumeOptions,
): Promise<PlanResult> {
  ensureOwnProfile(plan, client, "resume");
  const { lookOnly = false, abandon = false } = options;
  if (lookOnly && abandon) {
    throw new TypeError(`Cannot resume plan ${plan.id} with both lookOnly and abandon: choose one`);
  }
  const journal = new ApplyJournal(options.journal, client.transport?.now);
  if (lookOnly) return await goOn(plan, client, { options, journal, reading: await journal.read(plan) });
  const reading = await journal.takeUp(plan);
  try {
    return await goOn(plan, client, { options, journal, reading });
  } catch (error) {
    await journal.stop();
    throw error;
  }
}

async function goOn(
  plan: ChangePlan,
  client: PlanTarget,
  { options, journal, reading }: {
    readonly options: ResumeOptions;
    readonly journal: ApplyJournal;
    readonly reading: JournalReading;
  },
): Promise<PlanResult> {
  const { lookOnly = false, abandon = false } = options;
  const { statuses, lastSent } = reading;
  if (reading.abandoned && !lookOnly && !abandon) {
    throw new PlanStateError(
      `Cannot resume plan ${plan.id}: it was abandoned for a rollback. Make a new plan`,
      "applied",
    );
  }
  const isUnknown = statuses.map(({ state }) => state === "unknown");
  const left = isUnknown.includes(true) ? secondsLeft(lastSent, client, options) : 0;
  if (left > 0 && !lookOnly) await letItArrive(left, client, options);
  const read = await settle(plan.changes, statuses, { client, signal: options.signal });
  // Who only looks does not wait: what is not there yet may still arrive.
  const settled = read.map((status, at) =>
    lookOnly && left > 0 && isUnknown[at] && status.state === "not_sent" ? statuses[at] ?? status : status
  );

  const found = new Map<number, ChangeResult>();
  const open: PlacedChange[] = [];
  plan.changes.forEach((change, at) => {
    const status = settled[at] ?? { state: "not_sent" };
    if (status.state === "not_sent") open.push({ at, change });
    else found.set(at, resultOf(status, { at, change }));
  });
  const undoable = undoableBy(client);
  if (!lookOnly) {
    const done = [...found].filter(([at, { outcome }]) => isUnknown[at] && outcome === "done");
    await journal.answered(new Map(done));
  }
  if (lookOnly || abandon) {
    if (abandon) await journal.abandon();
    for (const placed of open) found.set(placed.at, resultOf({ state: "not_sent" }, placed));
    const changes = plan.changes.flatMap((_, at) => found.get(at) ?? []);
    return new PlanResult(plan, { changes, stoppedBy: undefined, notWritten: [], findings: [] }, undoable);
  }
  const prepared = await prepareSending(plan, client, {
    known: found,
    options,
    resumes: true,
  });
  try {
    await options.begun?.();
    const sent = await sendToEnd(plan, { ...prepared, client, journal, options });
    return new PlanResult(plan, sent, undoable);
  } catch (error) {
    await prepared.judgement.withdraw?.().catch(() => {});
    throw error;
  }
}

/** Assumed maximum clock difference to the dead process, in seconds. */
const CLOCKS_DIFFER = 3600;

/**
 * Seconds in which the dead process's last request may still arrive. Its send time is by the dead process's clock, so
 * only older requests have certainly arrived.
 */
function secondsLeft(
  lastSent: number | undefined,
  { transport }: PlanTarget,
  { settleAfter, lookOnly }: ResumeOptions,
): number {
  const { now, timeout } = transport ?? { now: Date.now, timeout: 60 };
  const delay = settleAfter ?? timeout;
  const age = (now() - (lastSent ?? 0)) / 1000;
  // Whoever only looks writes down nothing, and may look again.
  return age < delay + (lookOnly ? 0 : CLOCKS_DIFFER) ? delay : 0;
}

async function letItArrive(
  seconds: number,
  { transport }: PlanTarget,
  { onWait, signal }: ResumeOptions,
): Promise<void> {
  onWait?.(seconds);
  await (transport?.sleep ?? realSleep)(seconds, signal);
}

function resultOf(status: Settled, placed: PlacedChange): ChangeResult {
  switch (status.state) {
    case "done":
      return doneResult(placed, status);
    case "partial": {
      const { id = placed.change.id ?? undefined, now } = status;
      return {
        ...ownResult(placed, "partial", status),
        ...(id === undefined ? {} : { id }),
        ...(now === undefined ? {} : { now }),
      };
    }
    case "refused":
      return ownResult(placed, "refused", status);
    case "not_sent":
      return ownResult(placed, "not_sent", { code: "NOT_SENT", message: "It was not done" });
    case "unclear":
      return ownResult(placed, "unknown", {
        code: "UNKNOWN",
        message: `It is unknown whether it was done: ${status.why}`,
      });
    case "unknown":
      return ownResult(placed, "unknown", {
        code: "UNKNOWN",
        message: "It was sent, but there was no response. It may still go through: check again in a minute",
      });
  }
}
