import { BatchResult } from "../batch/batch_result.ts";
import { failure } from "../batch/item_error.ts";
import { ConfigurationError } from "../errors.ts";
import { ApplyJournal } from "./apply_journal.ts";
import type { ChangePlan, ChangePlanFields } from "./change_plan.ts";
import type { Change } from "./change.ts";
import { driftError, findDrift } from "./drift.ts";
import { ensureOwnProfile } from "./ensure_own_profile.ts";
import { PlanResult } from "./plan_result.ts";
import type { PlanResource, PlanTarget, WriteOptions } from "./plan_target.ts";

/** How a plan is applied. */
export interface ApplyOptions {
  /** Re-read every entity first and refuse when one no longer holds its `before` value. @default false */
  readonly checkDrift?: boolean;
  /** Ends the request in flight; what it did is then unknown. */
  readonly signal?: AbortSignal | undefined;
  /** Lets the request in flight finish and sends no further one. */
  readonly stop?: AbortSignal | undefined;
  /**
   * Path of a write-ahead journal. With one, every request is on the disk before it leaves, and
   * {@linkcode resumePlan} can take up an application that was cut off. Must not exist yet.
   */
  readonly journal?: string | ApplyJournal | undefined;
  /** For a journal that covers a longer plan: where this plan's changes stand in it. */
  readonly positions?: readonly number[] | undefined;
  /** Told before each request which changes it will carry; awaited. */
  readonly onSending?: (changes: readonly Change[]) => void | Promise<void>;
  /** Told after each request what came of them; awaited. Indexes are positions inside the group. */
  readonly onVerdicts?: (group: string, verdicts: BatchResult) => void | Promise<void>;
}

/** What {@linkcode applyPlan} needs of the plan beside its public face. */
export interface ApplyParts extends ApplyOptions {
  /** Marks the plan as applied; false when it already was. */
  readonly claim: () => boolean;
  /** Takes the mark back, because nothing was done after all. */
  readonly release: () => void;
  /** Makes a plan. */
  readonly newPlan: (fields: ChangePlanFields) => ChangePlan;
}

/** Sends a plan group by group; see {@linkcode ChangePlan.apply}. */
export async function applyPlan(
  plan: ChangePlan,
  client: PlanTarget,
  parts: ApplyParts,
): Promise<PlanResult> {
  ensureOwnProfile(plan, client, "apply");
  const groups = [...plan.grouped()];
  const resources = new Map(groups.map(([group, changes]) => [group, client.resource(changes[0]!.kind)]));
  if (parts.checkDrift) {
    const drifted = await findDrift(plan.changes, client, { signal: parts.signal });
    if (drifted.length > 0) throw driftError(plan.id, drifted);
  }
  parts.signal?.throwIfAborted();
  if (!parts.claim()) {
    throw new ConfigurationError(
      `Cannot apply plan ${plan.id} again: it was applied before. Make a new plan`,
    );
  }
  const journal = await openJournal(plan, { parts, now: client.transport?.now });

  const results = new Map<string, BatchResult>();
  let stoppedBy: Error | undefined;
  for (const [group, changes] of groups) {
    const log = journal === undefined
      ? undefined
      : { journal, positions: positionsOf(plan, group, parts.positions) };
    if (stoppedBy !== undefined) {
      results.set(group, notSent(changes, stoppedBy));
      continue;
    }
    try {
      const result = await sendGroup(group, changes, { resource: resources.get(group)!, parts, log });
      results.set(group, result);
      stoppedBy = result.stoppedBy;
    } catch (error) {
      // Nothing of this group was done; but an earlier group's verdicts must not be lost with the exception.
      if (results.size === 0) {
        parts.release();
        if (typeof parts.journal === "string") await journal?.discard();
        throw error;
      }
      stoppedBy = error as Error;
      results.set(group, notSent(changes, stoppedBy));
    }
  }
  if (stoppedBy === undefined) await journal?.end();
  const canArchive = (kind: string): boolean => client.resource(kind).archivable;
  return new PlanResult({ plan, results, newPlan: parts.newPlan, canArchive });
}

interface GroupLog {
  readonly journal: ApplyJournal;
  /** Where each change of the group stands in the journal. */
  readonly positions: readonly number[];
}

function sendGroup(
  group: string,
  changes: readonly Change[],
  { resource, parts, log }: { resource: PlanResource; parts: ApplyParts; log: GroupLog | undefined },
): Promise<BatchResult> {
  const options: WriteOptions = {
    signal: parts.signal,
    stop: parts.stop,
    onSending: async (indexes) => {
      await log?.journal.sending(indexes.map((index) => log.positions[index]!), await lookalikes(indexes));
      await parts.onSending?.(indexes.map((index) => changes[index]!));
    },
    onAttempt: () => log?.journal.leaving(),
    onVerdicts: async (verdicts) => {
      await log?.journal.answered(verdicts, log.positions);
      await parts.onVerdicts?.(group, verdicts);
    },
  };
  // A created entity can be told from one that was there before only by knowing the latter.
  async function lookalikes(indexes: readonly number[]): Promise<Map<number, readonly string[]>> {
    if (log === undefined || changes[0]!.op !== "create") return new Map();
    const items = indexes.map((index) => changes[index]!.after);
    const found = await resource.findEqual(items, { archived: true, signal: parts.signal });
    const known = indexes.map((index, at) => [log.positions[index]!, found[at]!] as const);
    return new Map(known.filter(([, ids]) => ids.length > 0));
  }
  switch (changes[0]!.op) {
    case "create":
      return resource.create(changes.map((change) => change.after), options);
    case "update":
      return resource.update(
        changes.map((change) => ({ ...change.after, [resource.idField]: change.id })),
        options,
      );
    case "archive":
      return resource.delete(changes.map((change) => change.id!), options);
  }
}

async function openJournal(
  plan: ChangePlan,
  { parts, now }: { parts: ApplyParts; now: (() => number) | undefined },
): Promise<ApplyJournal | undefined> {
  if (typeof parts.journal !== "string") return parts.journal;
  const journal = new ApplyJournal(parts.journal, now);
  try {
    await journal.begin(plan);
  } catch (error) {
    parts.release();
    throw error;
  }
  return journal;
}

function positionsOf(plan: ChangePlan, group: string, positions: readonly number[] | undefined): number[] {
  return plan.changes.flatMap((change, at) =>
    `${change.op} ${change.kind}` === group ? [positions?.[at] ?? at] : []
  );
}

function notSent(changes: readonly Change[], cause: Error): BatchResult {
  const errors = changes.map((change, index) =>
    failure({ index, item: change.after, outcome: "not_sent" }, {
      code: "NOT_SENT",
      message: `Never sent, because an earlier request failed: ${cause.message}`,
      raw: cause,
    })
  );
  return new BatchResult([], errors, cause);
}
