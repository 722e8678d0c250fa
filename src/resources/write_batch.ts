import { failure } from "../batch/item_error.ts";
import type { BatchError, BatchSuccess } from "../batch/batch_error.ts";
import { BatchResult } from "../batch/batch_result.ts";
import { ApiError, NetworkError, PlatformAdsError, ServerError } from "../errors.ts";
import type { WriteOptions } from "../plans/plan_target.ts";
import { backoff } from "../transport/retry_policy.ts";
import { split } from "./split.ts";
import type { Transport } from "../transport/transport.ts";

/** How a list of items is sent. */
export interface WriteBatchOptions<Item> extends WriteOptions {
  /** Most items that one request takes. */
  readonly limit: number;
  /** Sends one request; indexes of its result count from 0. */
  readonly send: (items: readonly Item[]) => Promise<BatchResult>;
  /** Send items again that the platform failed on: right for updates and archives, which cannot be done twice. */
  readonly resendInternalErrors: boolean;
  /** Items that are not sent at all, because it is known already that they cannot be. */
  readonly unsendable?: readonly BatchError<Item>[];
  /** The client's transport, for waits and the retry policy. */
  readonly transport: Pick<Transport, "retry" | "sleep" | "random">;
}

/**
 * Sends a list in as many requests as it takes, one after the other, and returns a verdict for every item. Items that
 * the platform was too busy for are sent again, alone, after a wait.
 *
 * A failure of a whole request ends the run: its items and those after it are errors that say whether they may have
 * been done. Only when nothing at all can have been done is it thrown instead.
 */
export async function writeBatch<Item>(
  items: readonly Item[],
  options: WriteBatchOptions<Item>,
): Promise<BatchResult<Item>> {
  const run = new Run(items, options);
  for (const indexes of split(run.open(), options.limit)) {
    if (options.stop?.aborted) run.stoppedBy ??= new PlatformAdsError("Stopped before everything was sent");
    if (run.stoppedBy !== undefined) break;
    await run.send(indexes);
    await run.resendTransient(indexes);
  }
  return run.result();
}

class Run<Item> {
  stoppedBy: Error | undefined;
  readonly #items: readonly Item[];
  readonly #options: WriteBatchOptions<Item>;
  readonly #verdicts = new Map<number, { success: BatchSuccess<Item> } | { error: BatchError<Item> }>();

  #answered = false;

  constructor(items: readonly Item[], options: WriteBatchOptions<Item>) {
    this.#items = items;
    this.#options = options;
    for (const error of options.unsendable ?? []) this.#verdicts.set(error.index, { error });
  }

  open(): number[] {
    return [...this.#items.keys()].filter((index) => !this.#verdicts.has(index));
  }

  async send(indexes: readonly number[]): Promise<void> {
    const items = indexes.map((index) => this.#items[index]!);
    try {
      await this.#options.onSending?.(indexes);
    } catch (error) {
      this.#fail(indexes, error as Error, false);
      return;
    }
    try {
      const part = await this.#options.send(items);
      this.#answered = true;
      for (const { index, ...success } of part.successes) {
        const at = indexes[index]!;
        this.#verdicts.set(at, { success: { ...success, index: at, item: this.#items[at] } });
      }
      for (const { index, ...error } of part.errors) {
        const at = indexes[index]!;
        this.#verdicts.set(at, { error: { ...error, index: at, item: this.#items[at] } });
      }
    } catch (error) {
      this.#fail(indexes, error as Error, mayHaveBeenDone(error as Error));
    }
    try {
      await this.#options.onVerdicts?.(this.#part(indexes));
    } catch (error) {
      this.stoppedBy ??= error as Error;
    }
  }

  async resendTransient(indexes: readonly number[]): Promise<void> {
    const { transport: { retry, sleep, random }, signal, stop } = this.#options;
    let waited = 0;
    for (let attempt = 1; attempt < retry.maxAttempts && this.stoppedBy === undefined; attempt++) {
      const again = indexes.filter((index) => this.#mayResend(index));
      const seconds = backoff(retry, attempt, random());
      if (again.length === 0 || stop?.aborted || waited + seconds > retry.maxTotalWait) return;
      waited += seconds;
      try {
        await sleep(seconds, signal);
      } catch (error) {
        this.stoppedBy = error as Error;
        return;
      }
      await this.send(again);
    }
  }

  result(): BatchResult<Item> {
    this.#items.forEach((_, index) => {
      if (!this.#verdicts.has(index)) this.#mark(index, "not_sent");
    });
    const all = this.#part(this.#items.map((_, index) => index));
    return new BatchResult(all.successes, all.errors, this.stoppedBy);
  }

  #mayResend(index: number): boolean {
    const verdict = this.#verdicts.get(index);
    if (verdict === undefined || !("error" in verdict) || !verdict.error.transient) return false;
    return this.#options.resendInternalErrors || verdict.error.errorType === "throttledError" ||
      verdict.error.code === "THROTTLED" || verdict.error.code === "SERVER_IS_BUSY";
  }

  #fail(indexes: readonly number[], error: Error, mayHaveActed: boolean): void {
    if (!mayHaveActed && !this.#answered) throw error;
    this.stoppedBy = error;
    const refused = error instanceof ApiError;
    for (const index of indexes) {
      const before = this.#verdicts.get(index);
      // A throttled item whose second request never left keeps the platform's own verdict.
      if (before !== undefined && "error" in before && !mayHaveActed) continue;
      this.#mark(index, mayHaveActed ? "unknown" : refused ? "refused" : "not_sent");
    }
  }

  #mark(index: number, outcome: "unknown" | "refused" | "not_sent"): void {
    const cause = this.stoppedBy;
    const code = outcome === "unknown" ? "UNKNOWN" : outcome === "not_sent" ? "NOT_SENT" : apiCode(cause);
    const lead = outcome === "unknown"
      ? "It may or may not have been done: "
      : outcome === "not_sent"
      ? "Never sent: "
      : "";
    const message = `${lead}${cause?.message ?? "the run was stopped"}`;
    const place = { index, item: this.#items[index], outcome };
    const transient = outcome === "refused" && cause instanceof ApiError && TRANSIENT.has(cause.statusCode);
    this.#verdicts.set(index, { error: failure(place, { code, message, transient, raw: cause }) });
  }

  #part(indexes: readonly number[]): BatchResult<Item> {
    const successes: BatchSuccess<Item>[] = [];
    const errors: BatchError<Item>[] = [];
    for (const index of indexes) {
      const verdict = this.#verdicts.get(index);
      if (verdict === undefined) continue;
      if ("success" in verdict) successes.push(verdict.success);
      else errors.push(verdict.error);
    }
    return new BatchResult(successes, errors);
  }
}

/** Refusals of a whole request that have nothing to do with its items: no token, too many requests. */
const TRANSIENT: ReadonlySet<number> = new Set([401, 429]);

function mayHaveBeenDone(error: Error): boolean {
  if (error instanceof NetworkError) return error.mayHaveActed;
  if (error instanceof ServerError) return true;
  return !(error instanceof PlatformAdsError);
}

function apiCode(error: Error | undefined): string {
  return error instanceof ApiError ? error.code ?? `HTTP_${error.statusCode}` : "REFUSED";
}
