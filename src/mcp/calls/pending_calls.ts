import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import { canonicalJson } from "../../internal/canonical_json.ts";
import { sha256 } from "../../internal/sha256.ts";
import type { CallProgress } from "./call_progress.ts";

/** The outcome of a tool, or a question to the person before there is one. */
export type CallAnswer = CallToolResult | InputRequiredResult;

/** The work of a call. It never fails: what goes wrong is its answer. */
export interface CallWork {
  readonly answer: Promise<CallAnswer>;
  /** Receiver of its progress: the client that waits for it now. */
  report: CallProgress;
  stop(): void;
}

const MAX_PENDING = 16;
/** Milliseconds for which work without a client goes on, or its answer is kept. */
const MAX_AGE = 10 * 60 * 1000;

/** Work that goes on although its client was answered, because the client would not have waited for it. */
export class PendingCalls {
  readonly #now: () => number;
  readonly #pending = new Map<string, { readonly work: CallWork; readonly at: number }>();

  /** @param now Milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Number of calls under way. */
  get size(): number {
    return this.#pending.size;
  }

  /** Keeps work until the same call is made again. */
  add(key: string, work: CallWork): void {
    this.#stopOld();
    this.#pending.set(key, { work, at: this.#now() });
    for (const oldest of this.#pending.keys()) {
      if (this.#pending.size <= MAX_PENDING) break;
      this.#stop(oldest);
    }
  }

  /** Removes and returns the work that the same call began, for a single waiting caller. */
  take(key: string): CallWork | undefined {
    this.#stopOld();
    const work = this.#pending.get(key)?.work;
    this.#pending.delete(key);
    return work;
  }

  /** Ends all of it. */
  stop(): void {
    for (const key of [...this.#pending.keys()]) this.#stop(key);
  }

  #stopOld(): void {
    for (const [key, { at }] of [...this.#pending]) if (this.#now() - at > MAX_AGE) this.#stop(key);
  }

  #stop(key: string): void {
    this.#pending.get(key)?.work.stop();
    this.#pending.delete(key);
  }
}

/** Key of equal calls. */
export function callKey(tool: string, args: unknown): string {
  return sha256(`${tool} ${canonicalJson(args ?? {})}`);
}
