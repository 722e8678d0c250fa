import type { CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { canonicalJson } from "../../../base/json/canonical_json.ts";
import { sha256 } from "../../../base/text/sha256.ts";
import type { TransportEvent } from "../../../platform/transport/transport_options.ts";

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
    // Its client has the answer, after which no progress may come.
    work.report = () => Promise.resolve();
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

/** Field of an answer's `_meta`: true while the work goes on, and the same call made again gets its result. */
export const STILL_WORKING = "platform-ads/still_working";

interface InTimeOptions {
  /** Seconds in which it must be answered. */
  readonly seconds: number;
  /** Answer when the work takes longer, with the new owner of the work. */
  readonly late: () => CallAnswer;
  /** Aborted when the client cancels or goes away, which ends the work. */
  readonly signal: ServerContext["mcpReq"]["signal"];
}

/** The answer of a call's work, or what is said where it takes longer than the client waits. */
export async function answerInTime(
  work: CallWork,
  { seconds, late, signal }: InTimeOptions,
): Promise<CallAnswer> {
  const stop = (): void => work.stop();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  const over = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => over.resolve(undefined), seconds * 1000);
  try {
    return await Promise.race([work.answer, over.promise]) ?? late();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/** Answer to a client that must repeat the same call to get the result. */
export function stillWorking(seconds: number): CallAnswer {
  const text =
    `Still working after ${Math.round(seconds)} s, longer than clients wait. The work continues: ` +
    "repeat the same call to get its result. Nothing in the account changes";
  return { content: [{ type: "text", text }], isError: true, _meta: { [STILL_WORKING]: true } };
}

/** Seconds in which a client is answered that does not say how long it waits: most give up after 60. */
const USUAL_SECONDS = 45;
const MAX_TIMEOUT = 3600;
/** Part of a client's timeout in which it is answered. */
const MARGIN = 5 / 6;

/**
 * Seconds in which a call must be answered: less than the client waits. A client says how long it waits in the field
 * `timeout` of a request's `_meta`, in seconds.
 *
 * @param wanted Seconds that the arguments of the call ask for.
 */
export function answerSeconds(mcp: ServerContext, wanted = 0): number {
  const timeout = mcp.mcpReq._meta?.["timeout"];
  const isKnown = typeof timeout === "number" && timeout > 0 && timeout <= MAX_TIMEOUT;
  return isKnown ? timeout * MARGIN : Math.max(USUAL_SECONDS, wanted);
}

/** Tells the client of a call how far the work is. Never fails. */
export type CallProgress = (done: number, message: string, total?: number) => Promise<void>;

const MIN_STEP = 0.001;
const HEARTBEAT_SECONDS = 1;

/** The progress of a call whose client asked for it; nothing is sent to others. */
export function callProgress(mcp: ServerContext): CallProgress {
  const progressToken = mcp.mcpReq._meta?.progressToken;
  let last: number | undefined;
  return async (done, message, total) => {
    if (progressToken === undefined || mcp.mcpReq.signal.aborted) return;
    // The protocol wants each figure to be larger than the one before; clients expect the first to be 0.
    const progress = last === undefined ? 0 : done > last ? done : last + MIN_STEP;
    last = progress;
    const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) };
    // The client may be gone by now; the work goes on all the same.
    await mcp.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

/** Reports every second that the work goes on, so that no client takes a wait for the end. */
export function startHeartbeat(progress: CallProgress): ReturnType<typeof setInterval> {
  const began = performance.now();
  return setInterval(() => {
    void progress(-1, `Working for ${Math.round((performance.now() - began) / 1000)} s`);
  }, HEARTBEAT_SECONDS * 1000);
}

/** Seconds of a wait that is not reported. */
const QUIET_SECONDS = 3;

/** The message to a client about a wait of its call; `undefined` where none is needed. */
export function waitMessage({ kind, seconds, pace, waitsFor }: TransportEvent): string | undefined {
  if (pace !== undefined) {
    const { rate, waiting } = pace;
    if (rate === undefined || waiting === 0) return undefined;
    return `The platform throttles: ${rate.toFixed(1)} requests a second, ${waiting} waiting`;
  }
  if (waitsFor === "exports") {
    return "The platform builds at most five exports at once: waiting for one to finish";
  }
  if (kind !== "wait" || seconds < QUIET_SECONDS) return undefined;
  return `The platform is busy: waiting ${Math.ceil(seconds)} s`;
}
