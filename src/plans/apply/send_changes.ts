import { quotedName } from "../../base/text/visible_text.ts";
import type { BatchResult } from "../../platform/batch/batch_result.ts";
import { ApiError, ThrottledError } from "../../errors.ts";
import type { ApplyJournal } from "./apply_journal.ts";
import type { Change, EntityFields } from "../model/change.ts";
import {
  type ChangeOutcome,
  type ChangeResult,
  doneResult,
  failedResult,
  ownResult,
  type PlacedChange,
} from "../model/change_result.ts";
import { changeGraph, refsIn, sendingOrder, withRefs } from "../model/change_ref.ts";
import { plannedCall } from "../model/planned_call.ts";
import type { PlanResource, PlanTarget, WriteOptions } from "../model/plan_target.ts";

/** Options for observing and stopping the sending of changes. */
export interface SendChangesOptions {
  /** Aborts the request in flight; its outcome is then unknown. */
  readonly signal?: AbortSignal | undefined;
  /** Lets the request in flight finish and sends no further one. */
  readonly stop?: AbortSignal | undefined;
  /** Awaited before each request, with the changes it will carry. */
  readonly onSending?: ((changes: readonly Change[]) => void | Promise<void>) | undefined;
  /** Awaited after each request, with its verdicts. */
  readonly onResults?: ((results: readonly ChangeResult[]) => void | Promise<void>) | undefined;
}

interface SentChanges {
  readonly changes: readonly ChangeResult[];
  readonly stoppedBy: Error | undefined;
}

export interface SendParts {
  readonly client: PlanTarget;
  readonly known: ReadonlyMap<number, ChangeResult>;
  /** Judged bodies by position; sent instead of those in the plan. */
  readonly bodies: ReadonlyMap<number, Change>;
  readonly journal: ApplyJournal | undefined;
  readonly options: SendChangesOptions;
}

const IDLE: ReadonlySet<ChangeOutcome> = new Set(["not_sent", "already"]);

/**
 * Changes that depend on a failed one are not sent.
 *
 * @throws the error of the first request, when nothing was done.
 */
export async function sendChanges(changes: readonly Change[], parts: SendParts): Promise<SentChanges> {
  const graph = changeGraph(changes);
  const results = new Map(parts.known);
  const idOf = (ref: string): string | undefined => results.get(graph.positions.get(ref) ?? -1)?.id;
  let stoppedBy: Error | undefined;
  const open = (at: number): PlacedChange[] => {
    const change = changes[at];
    return change === undefined || results.has(at) ? [] : [{ at, change }];
  };
  for (const groups of sendingOrder(changes, graph)) {
    for (const placed of groups.flatMap(({ places }) => places).flatMap(open)) {
      const blocked = blockedResult(placed, { needs: graph.needs[placed.at] ?? [], changes, results, idOf });
      if (blocked !== undefined) results.set(placed.at, blocked);
    }
    for (const { kind, op, places } of groups) {
      const placed = places.flatMap(open).map((one): ReadyChange => ({
        ...one,
        fields: withRefs((parts.bodies.get(one.at) ?? one.change).after, idOf),
      }));
      if (placed.length === 0) continue;
      const group: ChangeGroup = { kind, op, placed };
      if (stoppedBy !== undefined) break;
      const lastRequest: ReadyChange[] = [];
      try {
        const sent = await sendGroup(group, { ...parts, lastRequest });
        for (const [at, result] of resultsOf(sent, group)) results.set(at, result);
        stoppedBy = sent.stoppedBy;
      } catch (error) {
        // Nothing of this group was done; but earlier verdicts must not be lost with the exception.
        if ([...results.values()].every(({ outcome }) => IDLE.has(outcome))) throw error;
        stoppedBy = error instanceof Error ? error : new Error(String(error));
        // The platform got this request and refused it whole: its changes did leave.
        if (!(error instanceof ApiError) || error instanceof ThrottledError) continue;
        const refused = new Map(lastRequest.map((one) => [one.at, refusedWhole(one, error)]));
        for (const [at, result] of refused) results.set(at, result);
        await parts.journal?.answered(refused);
        await parts.options.onResults?.([...refused.values()]);
      }
    }
  }
  return {
    changes: changes.map((change, at) => results.get(at) ?? notSent({ at, change }, stoppedBy)),
    stoppedBy,
  };
}

interface ReadyChange extends PlacedChange {
  readonly fields: EntityFields;
}

interface ChangeGroup {
  readonly kind: string;
  readonly op: Change["op"];
  readonly placed: readonly ReadyChange[];
}

function sendGroup(
  { kind, op, placed }: ChangeGroup,
  parts: SendParts & {
    readonly lastRequest: ReadyChange[];
  },
): Promise<BatchResult> {
  const { journal, lastRequest, options: { signal, stop, onSending, onResults } } = parts;
  const { client } = parts;
  const at = (indexes: readonly number[]): ReadyChange[] => indexes.flatMap((index) => placed[index] ?? []);
  const options: WriteOptions = {
    signal,
    stop,
    onSending: async (indexes) => {
      const sending = at(indexes);
      lastRequest.splice(0, Infinity, ...sending);
      if (journal !== undefined) {
        const known = op === "create"
          ? await lookalikes(sending, { resource: client.resource(kind), signal })
          : undefined;
        await journal.sending(sending.map((one) => one.at), known);
      }
      await onSending?.(sending.map(({ change }) => change));
    },
    onAttempt: (request) => journal?.leaving(request),
    onVerdicts: async (verdicts) => {
      const results = resultsOf(verdicts, { placed });
      await journal?.answered(results);
      await onResults?.([...results.values()]);
    },
  };
  if (op === "call") return sendCalls(placed, client, options);
  const resource = client.resource(kind);
  switch (op) {
    case "create":
      return resource.create(placed.map(({ fields }) => fields), options);
    case "update":
      return resource.update(
        placed.map(({ change, fields }) => ({ ...fields, [resource.idField]: change.id })),
        { ...options, whole: new Set(placed.keys().filter((index) => parts.bodies.has(placed[index]!.at))) },
      );
    case "archive":
      return resource.delete(placed.flatMap(({ change }) => change.id ?? []), options);
  }
}

function sendCalls(
  placed: readonly ReadyChange[],
  { calls }: PlanTarget,
  options: WriteOptions,
): Promise<BatchResult> {
  if (calls === undefined) throw new TypeError("Cannot send a call: this client cannot call operations");
  return calls.send(
    placed.flatMap(({ change, fields }) => plannedCall({ op: change.op, after: fields }) ?? []),
    options,
  );
}

/** Existing lookalikes are needed to recognize a created entity later. */
async function lookalikes(
  creates: readonly ReadyChange[],
  { resource, signal }: { resource: PlanResource; signal: AbortSignal | undefined },
): Promise<Map<number, readonly string[]>> {
  const items = creates.map(({ fields }) => fields);
  const found = await resource.findEqual(items, { archived: true, signal });
  const known = creates.map(({ at }, index) => [at, found[index] ?? []] as const);
  return new Map(known.filter(([, ids]) => ids.length > 0));
}

function resultsOf(
  { successes, errors }: BatchResult,
  { placed }: Pick<ChangeGroup, "placed">,
): Map<number, ChangeResult> {
  const results = new Map<number, ChangeResult>();
  for (const success of successes) {
    const one = placed[success.index];
    if (one !== undefined) results.set(one.at, doneResult(one, success));
  }
  for (const error of errors) {
    const one = placed[error.index];
    if (one !== undefined) results.set(one.at, failedResult(one, error));
  }
  return results;
}

function blockedResult(
  placed: PlacedChange,
  { needs, changes, results, idOf }: {
    needs: readonly number[];
    changes: readonly Change[];
    results: ReadonlyMap<number, ChangeResult>;
    idOf: (ref: string) => string | undefined;
  },
): ChangeResult | undefined {
  for (const need of needs) {
    const result = results.get(need);
    const name = changes[need]?.ref ?? String(need);
    if (result === undefined) return notSent(placed, undefined);
    if (result.outcome === "done" || result.outcome === "already") continue;
    const { error, outcome } = result;
    // What may still be done lets this one follow when the plan is resumed.
    const code = outcome === "unknown" || error?.code === "NOT_SENT" ? "NOT_SENT" : "DEPENDENCY_FAILED";
    const why = outcome === "not_sent"
      ? "was not sent"
      : outcome === "partial"
      ? "was done only in part"
      : outcome === "unknown"
      ? "may not have been applied"
      : "was refused";
    const message = `Never sent, because it depends on ${quotedName(name)}, which ${why}: ${
      error?.message ?? outcome
    }`;
    return ownResult(placed, "not_sent", { code, message, raw: error?.raw });
  }
  const lost = refsIn(placed.change.after).find((ref) => idOf(ref) === undefined);
  if (lost === undefined) return undefined;
  return ownResult(placed, "not_sent", {
    code: "DEPENDENCY_FAILED",
    message: `Never sent, because it needs the id of "${lost}", which the platform did not return`,
  });
}

function refusedWhole(placed: PlacedChange, error: ApiError): ChangeResult {
  const code = error.code ?? `HTTP_${error.statusCode}`;
  return ownResult(placed, "refused", { code, message: error.message, raw: error });
}

function notSent(placed: PlacedChange, cause: Error | undefined): ChangeResult {
  return ownResult(placed, "not_sent", {
    code: "NOT_SENT",
    message: `Never sent, because an earlier request failed: ${cause?.message ?? "the sending was stopped"}`,
    raw: cause,
  });
}
