import type { CallToolResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";
import { canonicalJson } from "../../../base/json/canonical_json.ts";
import { sha256 } from "../../../base/text/sha256.ts";
import type { TransportEvent } from "../../../platform/transport/transport_options.ts";

export type CallAnswer = CallToolResult | InputRequiredResult;

/** Never rejects; failures become results. */
export interface CallWork {
  readonly answer: Promise<CallAnswer>;
  report: CallProgress;
  stop(): void;
}

const MAX_PENDING = 16;
/** Milliseconds that unattended work continues, or its result is kept. */
const MAX_AGE = 10 * 60 * 1000;

export class PendingCalls {
  readonly #now: () => number;
  readonly #pending = new Map<string, { readonly work: CallWork; readonly at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#pending.size;
  }

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

  /** Removes and returns the work, so that only one caller waits for it. */
  take(key: string): CallWork | undefined {
    this.#stopOld();
    const work = this.#pending.get(key)?.work;
    this.#pending.delete(key);
    return work;
  }

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

export function callKey(tool: string, args: unknown): string {
  return sha256(`${tool} ${canonicalJson(args ?? {})}`);
}

/** `_meta` field: true if the work continues and repeating the call returns its result. */
export const STILL_WORKING = "platform-ads/still_working";

interface InTimeOptions {
  readonly seconds: number;
  readonly late: () => CallAnswer;
  /** Aborted when the client cancels or disconnects, which also stops the work. */
  readonly signal: ServerContext["mcpReq"]["signal"];
}

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

export function stillWorking(seconds: number): CallAnswer {
  const text =
    `Still working after ${Math.round(seconds)} s, longer than clients wait. The work continues: ` +
    "repeat the same call to get its result. Nothing in the account changes";
  return { content: [{ type: "text", text }], isError: true, _meta: { [STILL_WORKING]: true } };
}

const USUAL_SECONDS = 45;
const MAX_TIMEOUT = 3600;
const MARGIN = 5 / 6;

/**
 * Deadline in seconds, shorter than the client's timeout. Clients state it in the `timeout` field of a request's
 * `_meta`, in seconds.
 *
 * @param wanted Seconds requested in the arguments.
 */
export function answerSeconds(mcp: ServerContext, wanted = 0): number {
  const timeout = mcp.mcpReq._meta?.["timeout"];
  const isKnown = typeof timeout === "number" && timeout > 0 && timeout <= MAX_TIMEOUT;
  return isKnown ? timeout * MARGIN : Math.max(USUAL_SECONDS, wanted);
}

/** Never rejects. */
export type CallProgress = (done: number, message: string, total?: number) => Promise<void>;

const MIN_STEP = 0.001;
const HEARTBEAT_SECONDS = 1;

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

/** Reports progress every second, because clients give up on silent calls. */
export function startHeartbeat(progress: CallProgress): ReturnType<typeof setInterval> {
  const began = performance.now();
  return setInterval(() => {
    void progress(-1, `Working for ${Math.round((performance.now() - began) / 1000)} s`);
  }, HEARTBEAT_SECONDS * 1000);
}

const QUIET_SECONDS = 3;

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
