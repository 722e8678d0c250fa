import { PartialFailureError } from "../../errors.ts";
import type { BatchError, BatchSuccess } from "./batch_error.ts";

/** One verdict, in the order of the items. */
export type BatchVerdict<Item = unknown, Entity = unknown> =
  | BatchSuccess<Item, Entity> & { /** It was accepted. */ readonly ok: true }
  | BatchError<Item> & { /** It was not. */ readonly ok: false };

/**
 * The verdicts on every item of a batch; indexes refer to the input list.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function pause(us: ProfileClient, keywordIds: string[]): Promise<void> {
 *   const result = await us.sp.keywords.pause(keywordIds);
 *   console.log(result.summary()); // 2 succeeded, 1 failed
 *   for (const verdict of result) {
 *     if (verdict.ok) console.log(keywordIds[verdict.index], "paused");
 *     else console.log(keywordIds[verdict.index], verdict.outcome, verdict.code, verdict.hint);
 *   }
 *   result.raiseForErrors(); // for who wants an error
 * }
 * ```
 */
export class BatchResult<Item = unknown, Entity = unknown> {
  /** Items that were accepted, in input order. */
  readonly successes: readonly BatchSuccess<Item, Entity>[];
  /** Items that were not accepted, in input order. */
  readonly errors: readonly BatchError<Item>[];
  /** The error that ended the run before every item had its verdict; `undefined` when the run completed. */
  readonly stoppedBy: Error | undefined;
  /** Fields that were left out of the items, because an update cannot change them. */
  readonly ignored: readonly string[];

  /**
   * Creates a result from verdicts.
   *
   * @param stoppedBy What ended the run early, if anything did.
   * @param ignored Fields that were left out of the items.
   */
  constructor(
    successes: readonly BatchSuccess<Item, Entity>[],
    errors: readonly BatchError<Item>[],
    stoppedBy?: Error,
    ignored: readonly string[] = [],
  ) {
    this.successes = inOrder(successes);
    this.errors = inOrder(errors);
    this.stoppedBy = stoppedBy;
    this.ignored = ignored;
  }

  /** True when every item was accepted. */
  get ok(): boolean {
    return this.errors.length === 0;
  }

  /** Ids of the accepted items, in input order. */
  get ids(): string[] {
    return this.successes.flatMap((success) => success.id ?? []);
  }

  /** Counts as text: `3 succeeded, 1 failed`. */
  summary(): string {
    const parts = [`${this.successes.length} succeeded`, `${this.errors.length} failed`];
    const notSent = this.errors.filter((error) => error.outcome === "not_sent").length;
    const unknown = this.errors.filter((error) => error.outcome === "unknown").length;
    if (notSent > 0) parts.push(`${notSent} of them never sent`);
    const partial = this.errors.filter((error) => error.outcome === "partial").length;
    if (partial > 0) parts.push(`${partial} of them done in part`);
    if (unknown > 0) parts.push(`${unknown} of them unknown`);
    const left = this.ignored.length === 0
      ? ""
      : `. Left out, because an update cannot change them: ${this.ignored.join(", ")}`;
    return parts.join(", ") + left;
  }

  /**
   * Throws if any item was not accepted.
   *
   * @throws {PartialFailureError} that holds this result, and as `cause` what ended the run early.
   */
  raiseForErrors(): void {
    if (this.ok) return;
    const first = this.errors[0]!;
    throw new PartialFailureError(
      `${this.summary()}. First failure, item ${first.index}: ${first.code}: ${first.message}`,
      this,
      this.stoppedBy === undefined ? undefined : { cause: this.stoppedBy },
    );
  }

  /** The verdicts in input order. */
  *[Symbol.iterator](): Generator<BatchVerdict<Item, Entity>, void, undefined> {
    let failed = 0;
    for (const success of this.successes) {
      while (failed < this.errors.length && this.errors[failed]!.index < success.index) {
        yield { ok: false, ...this.errors[failed++]! };
      }
      yield { ok: true, ...success };
    }
    while (failed < this.errors.length) yield { ok: false, ...this.errors[failed++]! };
  }

  /**
   * Sorts verdicts into successes and errors.
   *
   * @internal
   */
  static of<Item, Entity>(
    verdicts: Iterable<BatchSuccess<Item, Entity> | BatchError<Item> | undefined>,
    stoppedBy?: Error,
  ): BatchResult<Item, Entity> {
    const successes: BatchSuccess<Item, Entity>[] = [];
    const errors: BatchError<Item>[] = [];
    for (const verdict of verdicts) {
      if (verdict === undefined) continue;
      if ("outcome" in verdict) errors.push(verdict);
      else successes.push(verdict);
    }
    return new BatchResult(successes, errors, stoppedBy);
  }

  /** Joins the results of the parts of one list. */
  static join<Item, Entity>(
    parts: readonly BatchResult<Item, Entity>[],
    stoppedBy?: Error,
  ): BatchResult<Item, Entity> {
    return new BatchResult(
      parts.flatMap((part) => part.successes),
      parts.flatMap((part) => part.errors),
      stoppedBy ?? parts.find((part) => part.stoppedBy !== undefined)?.stoppedBy,
    );
  }

  /** The result as data, with the field names of result files and `--json`. */
  toData(): Record<string, unknown> {
    return {
      ok: this.ok,
      summary: this.summary(),
      successes: this.successes.map(({ index, id, item, entity }) => ({ index, id, item, entity })),
      errors: this.errors.map((error) => ({
        index: error.index,
        item: error.item,
        error_type: error.errorType,
        code: error.code,
        message: error.message,
        outcome: error.outcome,
        lower_limit: error.lowerLimit,
        upper_limit: error.upperLimit,
        hint: error.hint,
        transient: error.transient,
      })),
    };
  }
}

function inOrder<Verdict extends { readonly index: number }>(verdicts: readonly Verdict[]): Verdict[] {
  const copy = verdicts.slice();
  for (let at = 1; at < copy.length; at++) {
    if (!(copy[at - 1]!.index <= copy[at]!.index)) return copy.sort((a, b) => a.index - b.index);
  }
  return copy;
}
