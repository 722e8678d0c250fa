import type { ServerContext } from "@modelcontextprotocol/server";
import type { CallAnswer, CallWork } from "./pending_calls.ts";

/** Field of an answer's `_meta`: true while the work goes on, and the same call made again gets its result. */
export const STILL_WORKING = "platform-ads/still_working";

/** How a call is answered in time. */
export interface InTimeOptions {
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
    `Still working after ${Math.round(seconds)} s, and clients do not wait longer. The work goes on: ` +
    "make the same call with the same arguments again to get its result. Nothing is sent to change the account";
  return { content: [{ type: "text", text }], isError: true, _meta: { [STILL_WORKING]: true } };
}
