import { failure } from "../../../platform/batch/item_error.ts";
import type { BatchError, BatchSuccess } from "../../../platform/batch/batch_error.ts";
import { BatchResult } from "../../../platform/batch/batch_result.ts";
import {
  ApiError,
  NetworkError,
  PlatformAdsError,
  ServerError,
  ThrottledError,
  UnexpectedResponseError,
} from "../../../errors.ts";
import type { WriteOptions } from "../../../plans/model/plan_target.ts";
import { retry } from "../../../platform/transport/retry.ts";
import { chunks } from "../../../base/json/chunks.ts";
import type { LeavingRequest } from "../../../platform/transport/api_request.ts";
import type { Transport } from "../../../platform/transport/transport.ts";

interface AttemptWatch {
  /** Called and awaited right before each attempt; an abort before that means nothing was sent. */
  readonly beforeAttempt: (request: LeavingRequest) => Promise<void>;
  readonly onNothingDone: () => void;
}

export interface WriteBatchOptions<Item> extends WriteOptions {
  readonly limit: number;
  readonly groupOf?: ((item: Item) => string) | undefined;
  readonly send: (items: readonly Item[], watch: AttemptWatch) => Promise<BatchResult>;
  /** Retries items after platform errors; safe for updates and archives, which are idempotent. */
  readonly resendInternalErrors: boolean;
  /**
   * Returns the ids of existing entities that equal the items; needed if items are not idempotent. Items that already
   * exist are not sent again, and `send` must not retry throttled requests itself.
   */
  readonly findEqual?: (items: readonly Item[]) => Promise<string[][]>;
  readonly unsendable?: readonly BatchError<Item>[];
  readonly transport: Pick<Transport, "retry" | "sleep" | "random">;
}

/**
 * Sends requests one after the other and retries throttled items after a wait. If a request fails, its items and all
 * later ones get errors that state whether they may have been applied. The failure is thrown only if certainly nothing
 * was applied.
 */
export async function writeBatch<Item>(
  items: readonly Item[],
  options: WriteBatchOptions<Item>,
): Promise<BatchResult<Item>> {
  const run = new Run(items, options);
  for (const indexes of run.requests()) {
    if (options.stop?.aborted) run.stoppedBy ??= new PlatformAdsError("Stopped before everything was sent");
    if (run.stoppedBy !== undefined) break;
    await run.sendAndResend(indexes);
  }
  return run.result();
}

class Run<Item> {
  stoppedBy: Error | undefined;
  readonly #items: readonly Item[];
  readonly #options: WriteBatchOptions<Item>;
  readonly #verdicts: (BatchSuccess<Item> | BatchError<Item> | undefined)[];
  /** True once a request may have been applied; from then on, nothing is thrown. */
  #mayHaveActed = false;

  constructor(items: readonly Item[], options: WriteBatchOptions<Item>) {
    this.#items = items;
    this.#options = options;
    this.#verdicts = items.map(() => undefined);
    for (const error of options.unsendable ?? []) this.#verdicts[error.index] = error;
  }

  requests(): number[][] {
    const { limit, groupOf } = this.#options;
    const open = [...this.#items.keys()].filter((index) => this.#verdicts[index] === undefined);
    if (groupOf === undefined) return chunks(open, limit);
    const groups = Map.groupBy(open, (index) => groupOf(this.#items[index]!));
    return [...groups.values()].flatMap((group) => chunks(group, limit));
  }

  async sendAndResend(indexes: readonly number[]): Promise<void> {
    const { transport: { retry: policy, sleep, random }, signal, stop } = this.#options;
    const waiting = (): number[] => indexes.filter((index) => this.#mayResend(index));
    // The 429 that a whole request met, as long as its items wait to be sent again.
    let held: ThrottledError | undefined;
    try {
      await retry({ policy, sleep, random, signal }, async ({ attempt }) => {
        const due = attempt === 1 ? indexes : await this.#stillMissing(waiting(), held);
        held = due.length > 0 ? await this.#send(due) : undefined;
        if (this.stoppedBy !== undefined || waiting().length === 0) return { value: undefined };
        return { failed: held ?? TOO_BUSY, next: stop?.aborted ? "never" : { after: held?.retryAfter } };
      });
    } catch (error) {
      if (error === TOO_BUSY) return;
      this.stoppedBy = error as Error;
      if (!this.#mayHaveActed) throw error;
    }
  }

  /** Sends one request. Returns the error if the whole request got a 429, so that its items can be retried. */
  async #send(indexes: readonly number[]): Promise<ThrottledError | undefined> {
    const { signal, onSending, onAttempt, onVerdicts } = this.#options;
    const items = indexes.map((index) => this.#items[index]!);
    try {
      await onSending?.(indexes);
    } catch (error) {
      this.#fail(indexes, error as Error, "not_sent");
      return undefined;
    }
    let held: ThrottledError | undefined;
    // Attempts that may have been carried out.
    let open = 0;
    const watch: AttemptWatch = {
      beforeAttempt: async (request) => {
        await onAttempt?.(request);
        signal?.throwIfAborted();
        open++;
      },
      onNothingDone: () => void open--,
    };
    try {
      const part = await this.#options.send(items, watch);
      this.#mayHaveActed = true;
      for (const success of part.successes) {
        const index = indexes[success.index]!;
        const item = this.#items[index];
        this.#verdicts[index] = isPlaced(success, index, item) ? success : { ...success, index, item };
      }
      for (const error of part.errors) {
        const index = indexes[error.index]!;
        const item = this.#items[index];
        this.#verdicts[index] = isPlaced(error, index, item) ? error : { ...error, index, item };
      }
    } catch (error) {
      if (error instanceof ThrottledError && error.sent && this.#options.findEqual !== undefined) {
        held = error;
        this.#hold(indexes, error);
      } else {
        const outcome = outcomeOf(error as Error);
        const nothingLeft = outcome === "unknown" && signal?.aborted;
        this.#fail(indexes, error as Error, open > 0 ? "unknown" : nothingLeft ? "not_sent" : outcome);
      }
    }
    try {
      await onVerdicts?.(BatchResult.of(indexes.map((index) => this.#verdicts[index])));
    } catch (error) {
      this.stoppedBy ??= error as Error;
    }
    return held;
  }

  result(): BatchResult<Item> {
    this.#items.forEach((_, index) => {
      if (this.#verdicts[index] === undefined) this.#mark(index, "not_sent");
    });
    return BatchResult.of(this.#verdicts, this.stoppedBy);
  }

  #mayResend(index: number): boolean {
    const verdict = this.#verdicts[index];
    if (verdict === undefined || !("outcome" in verdict) || !verdict.transient) return false;
    return this.#options.resendInternalErrors || verdict.errorType === "throttledError" ||
      verdict.code === "THROTTLED" || verdict.code === "SERVER_IS_BUSY";
  }

  async #stillMissing(indexes: readonly number[], held: ThrottledError | undefined): Promise<number[]> {
    const { findEqual, signal } = this.#options;
    if (findEqual === undefined) return [...indexes];
    let found: string[][];
    try {
      found = await findEqual(indexes.map((index) => this.#items[index]!));
    } catch (error) {
      throw signal?.aborted ? error : held ?? error;
    }
    return indexes.filter((index, at) => {
      const [id] = found[at]!;
      if (id === undefined) return true;
      const message = `The platform was too busy for it, and yet there is one like it, ${id}: ` +
        "it was there before, or was made all the same";
      const place = { index, item: this.#items[index], outcome: "unknown" as const };
      this.#verdicts[index] = failure(place, { code: "UNKNOWN", message, raw: held });
      this.#mayHaveActed = true;
      return false;
    });
  }

  #hold(indexes: readonly number[], error: ThrottledError): void {
    for (const index of indexes) {
      const place = { index, item: this.#items[index] };
      const code = error.code ?? "THROTTLED";
      const what = { errorType: "throttledError", code, message: error.message, transient: true, raw: error };
      this.#verdicts[index] = failure(place, what);
    }
  }

  #fail(indexes: readonly number[], error: Error, outcome: "unknown" | "refused" | "not_sent"): void {
    if (outcome !== "unknown" && !this.#mayHaveActed) throw error;
    this.stoppedBy = error;
    for (const index of indexes) {
      // A throttled item whose second request never left keeps the platform's own verdict.
      if (this.#verdicts[index] !== undefined && outcome !== "unknown") continue;
      this.#mark(index, outcome);
    }
  }

  #mark(index: number, outcome: "unknown" | "refused" | "not_sent"): void {
    const cause = this.stoppedBy;
    const unknown = cause instanceof UnexpectedResponseError ? "UNREADABLE" : "UNKNOWN";
    const code = outcome === "unknown" ? unknown : outcome === "not_sent" ? "NOT_SENT" : apiCode(cause);
    const lead = outcome === "unknown"
      ? "It may or may not have been done: "
      : outcome === "not_sent"
      ? "Never sent: "
      : "";
    const message = `${lead}${cause?.message ?? "the run was stopped"}`;
    const place = { index, item: this.#items[index], outcome };
    const transient = outcome === "refused" && cause instanceof ApiError && TRANSIENT.has(cause.statusCode);
    this.#verdicts[index] = failure(place, { code, message, transient, raw: cause });
  }
}

function isPlaced<Verdict extends { index: number; item: unknown }, Item>(
  verdict: Verdict,
  index: number,
  item: Item,
): verdict is Verdict & { item: Item } {
  return verdict.index === index && verdict.item === item;
}

const TOO_BUSY = new PlatformAdsError("The platform was too busy for some items");

/** Statuses that are not about the items: no token, too many requests. */
const TRANSIENT: ReadonlySet<number> = new Set([401, 429]);

/** Outcome of a write that ended with an error, as far as the error tells. */
export function outcomeOf(error: Error): "unknown" | "refused" | "not_sent" {
  if (error instanceof NetworkError) return error.mayHaveActed ? "unknown" : "not_sent";
  if (error instanceof ServerError || error instanceof UnexpectedResponseError) return "unknown";
  if (error instanceof ThrottledError && !error.sent) return "not_sent";
  if (error instanceof ApiError) return "refused";
  return error instanceof PlatformAdsError ? "not_sent" : "unknown";
}

function apiCode(error: Error | undefined): string {
  return error instanceof ApiError ? error.code ?? `HTTP_${error.statusCode}` : "REFUSED";
}
