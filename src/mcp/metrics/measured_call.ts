import type { CallToolResult } from "@modelcontextprotocol/server";
import { STILL_WORKING } from "../calls/answer_in_time.ts";
import type { CallAnswer } from "../calls/pending_calls.ts";
import type { TooManyCallsError } from "../limits/call_limits.ts";
import { TASK } from "../tasks/created_task.ts";
import type { CallMetrics, CallOutcome } from "./call_metrics.ts";

/** Field of an answer's `_meta`: seconds after which a call that came too soon may be made again. */
const RETRY_AFTER = "platform-ads/retry_after";

/** Answers a call and counts it. */
export async function measuredCall(
  run: () => Promise<CallAnswer>,
  tool: string,
  metrics: CallMetrics,
): Promise<CallAnswer> {
  const began = performance.now();
  metrics.running++;
  try {
    const answer = await run();
    metrics.answered(tool, outcomeOf(answer), (performance.now() - began) / 1000);
    return answer;
  } finally {
    metrics.running--;
  }
}

/** The answer to a call that came too soon, which says in its `_meta` when to try again. */
export function limitedAnswer(answer: CallToolResult, { retryAfter }: TooManyCallsError): CallToolResult {
  return { ...answer, _meta: { ...answer._meta, [RETRY_AFTER]: retryAfter } };
}

function outcomeOf(answer: CallAnswer): CallOutcome {
  if (!("content" in answer)) return "asked";
  const { _meta: meta, isError } = answer as CallToolResult;
  if (meta?.[RETRY_AFTER] !== undefined) return "limited";
  if (meta?.[STILL_WORKING] === true || meta?.[TASK] !== undefined) return "waiting";
  return isError ? "failed" : "ok";
}
