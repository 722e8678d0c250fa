import type { BatchResult } from "../../batch/batch_result.ts";
import type { ApplyJournal } from "./apply_journal.ts";
import type { Change } from "../change.ts";
import {
  type ChangeOutcome,
  type ChangeResult,
  doneResult,
  failedResult,
  ownResult,
  type PlacedChange,
} from "../change_result.ts";
import type { PlanResource, PlanTarget, WriteOptions } from "../plan_target.ts";

/** How the sending of changes may be watched and stopped. */
export interface SendChangesOptions {
  /** Ends the request in flight; what it did is then unknown. */
  readonly signal?: AbortSignal | undefined;
  /** Lets the request in flight finish and sends no further one. */
  readonly stop?: AbortSignal | undefined;
  /** Awaited before each request, with the changes it will carry. */
  readonly onSending?: ((changes: readonly Change[]) => void | Promise<void>) | undefined;
  /** Awaited after each request, with the verdicts it brought. */
  readonly onResults?: ((results: readonly ChangeResult[]) => void | Promise<void>) | undefined;
}

/** The verdicts on all changes of a plan. */
export interface SentChanges {
  /** One verdict for each change, by its position. */
  readonly changes: readonly ChangeResult[];
  /** What ended the sending before every change was sent; `undefined` when nothing did. */
  readonly stoppedBy: Error | undefined;
}

/** What {@linkcode sendChanges} needs beside the changes. */
export interface SendParts {
  /** The client of the profile. */
  readonly client: PlanTarget;
  /** Verdicts that stand already, by position; the other changes are sent. */
  readonly known: ReadonlyMap<number, ChangeResult>;
  /** Written before each request and after it. */
  readonly journal: ApplyJournal | undefined;
  /** How the sending may be watched and stopped. */
  readonly options: SendChangesOptions;
}

/** Outcomes of changes for which nothing was sent. */
const IDLE: ReadonlySet<ChangeOutcome> = new Set(["not_sent", "already"]);

/**
 * Sends the changes of a plan, in any order and mix: changes of one kind and operation together, one group after the
 * other in the order in which they first appear.
 *
 * @throws the error of the first request, when nothing at all was done.
 */
export async function sendChanges(changes: readonly Change[], parts: SendParts): Promise<SentChanges> {
  const results = new Map(parts.known);
  let stoppedBy: Error | undefined;
  for (const group of groupsOf(changes, parts.known)) {
    if (stoppedBy !== undefined) break;
    try {
      const sent = await sendGroup(group, parts);
      for (const [at, result] of resultsOf(sent, group)) results.set(at, result);
      stoppedBy = sent.stoppedBy;
    } catch (error) {
      // Nothing of this group was done; but earlier verdicts must not be lost with the exception.
      if ([...results.values()].every(({ outcome }) => IDLE.has(outcome))) throw error;
      stoppedBy = error instanceof Error ? error : new Error(String(error));
    }
  }
  return {
    changes: changes.map((change, at) => results.get(at) ?? notSent({ at, change }, stoppedBy)),
    stoppedBy,
  };
}

/** Changes of one kind and operation, which requests can carry together. */
interface ChangeGroup {
  readonly kind: string;
  readonly op: Change["op"];
  readonly placed: readonly PlacedChange[];
}

function groupsOf(changes: readonly Change[], known: ReadonlyMap<number, ChangeResult>): ChangeGroup[] {
  const open = changes.map((change, at) => ({ at, change })).filter(({ at }) => !known.has(at));
  return [...Map.groupBy(open, ({ change }) => `${change.op} ${change.kind}`).values()].flatMap((placed) => {
    const [first] = placed;
    return first === undefined ? [] : [{ kind: first.change.kind, op: first.change.op, placed }];
  });
}

function sendGroup({ kind, op, placed }: ChangeGroup, parts: SendParts): Promise<BatchResult> {
  const { journal, options: { signal, stop, onSending, onResults } } = parts;
  const resource = parts.client.resource(kind);
  const at = (indexes: readonly number[]): PlacedChange[] => indexes.flatMap((index) => placed[index] ?? []);
  const options: WriteOptions = {
    signal,
    stop,
    onSending: async (indexes) => {
      const sending = at(indexes);
      if (journal !== undefined) {
        const known = op === "create" ? await lookalikes(sending, { resource, signal }) : undefined;
        await journal.sending(sending.map((one) => one.at), known);
      }
      await onSending?.(sending.map(({ change }) => change));
    },
    onAttempt: () => journal?.leaving(),
    onVerdicts: async (verdicts) => {
      const results = resultsOf(verdicts, { placed });
      await journal?.answered(results);
      await onResults?.([...results.values()]);
    },
  };
  switch (op) {
    case "create":
      return resource.create(placed.map(({ change }) => change.after), options);
    case "update":
      return resource.update(
        placed.map(({ change }) => ({ ...change.after, [resource.idField]: change.id })),
        options,
      );
    case "archive":
      return resource.delete(placed.flatMap(({ change }) => change.id ?? []), options);
  }
}

/** A created entity can be told from one that was there before only by knowing the latter. */
async function lookalikes(
  creates: readonly PlacedChange[],
  { resource, signal }: { resource: PlanResource; signal: AbortSignal | undefined },
): Promise<Map<number, readonly string[]>> {
  const items = creates.map(({ change }) => change.after);
  const found = await resource.findEqual(items, { archived: true, signal });
  const known = creates.map(({ at }, index) => [at, found[index] ?? []] as const);
  return new Map(known.filter(([, ids]) => ids.length > 0));
}

/** The verdicts of a batch by the positions of the changes in the plan. */
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

function notSent(placed: PlacedChange, cause: Error | undefined): ChangeResult {
  return ownResult(placed, "not_sent", {
    code: "NOT_SENT",
    message: `Never sent, because an earlier request failed: ${cause?.message ?? "the sending was stopped"}`,
    raw: cause,
  });
}
