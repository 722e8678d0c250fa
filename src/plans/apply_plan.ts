import { BatchResult } from "../batch/batch_result.ts";
import { failure } from "../batch/item_error.ts";
import { ConfigurationError } from "../errors.ts";
import type { ChangePlan, ChangePlanFields } from "./change_plan.ts";
import type { Change } from "./change.ts";
import { driftError, findDrift } from "./drift.ts";
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
  if (client.profileId !== plan.profileId) {
    throw new ConfigurationError(
      `Cannot apply plan ${plan.id}: it was made for profile ${plan.profileId} (${plan.countryCode}), ` +
        `and the client's profile is ${client.profileId} (${client.countryCode})`,
    );
  }
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

  const results = new Map<string, BatchResult>();
  let stoppedBy: Error | undefined;
  for (const [group, changes] of groups) {
    if (stoppedBy !== undefined) {
      results.set(group, notSent(changes, stoppedBy));
      continue;
    }
    try {
      const result = await sendGroup(group, changes, { resource: resources.get(group)!, parts });
      results.set(group, result);
      stoppedBy = result.stoppedBy;
    } catch (error) {
      // Nothing of this group was done; but an earlier group's verdicts must not be lost with the exception.
      if (results.size === 0) {
        parts.release();
        throw error;
      }
      stoppedBy = error as Error;
      results.set(group, notSent(changes, stoppedBy));
    }
  }
  const canArchive = (kind: string): boolean => client.resource(kind).archivable;
  return new PlanResult({ plan, results, newPlan: parts.newPlan, canArchive });
}

function sendGroup(
  group: string,
  changes: readonly Change[],
  { resource, parts }: { resource: PlanResource; parts: ApplyParts },
): Promise<BatchResult> {
  const options: WriteOptions = {
    signal: parts.signal,
    stop: parts.stop,
    onSending: (indexes) => parts.onSending?.(indexes.map((index) => changes[index]!)),
    onVerdicts: (verdicts) => parts.onVerdicts?.(group, verdicts),
  };
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
