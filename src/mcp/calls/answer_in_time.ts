import type { ServerContext } from "@modelcontextprotocol/server";
import type { CallAnswer, CallWork, PendingCalls } from "./pending_calls.ts";

/** Field of an answer's `_meta`: true while the work goes on, and the same call made again gets its result. */
export const STILL_WORKING = "platform-ads/still_working";

/** How a call is answered in time. */
export interface InTimeOptions {
  /** What the same call is found by. */
  readonly key: string;
  /** Seconds in which it must be answered. */
  readonly seconds: number;
  /** Keeps work that takes longer. */
  readonly pending: PendingCalls;
  /** Aborted when the client cancels or goes away, which ends the work. */
  readonly signal: ServerContext["mcpReq"]["signal"];
}

/** The answer of a call's work; where it takes longer than the client waits, the same call made again has it. */
export async function answerInTime(
  work: CallWork,
  { key, seconds, pending, signal }: InTimeOptions,
): Promise<CallAnswer> {
  const stop = (): void => work.stop();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), seconds * 1000);
  try {
    const answer = await Promise.race([work.answer, late.promise]);
    if (answer !== undefined) return answer;
    pending.add(key, work);
    const text =
      `Still working after ${Math.round(seconds)} s, and clients do not wait longer. The work goes on: ` +
      "make the same call with the same arguments again to get its result. Nothing is sent to change the account";
    return { content: [{ type: "text", text }], isError: true, _meta: { [STILL_WORKING]: true } };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
