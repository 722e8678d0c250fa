import type { AccessTokens } from "../connection/access_tokens.ts";
import { ThrottledError } from "../../errors.ts";
import type { ApiRequest } from "./api_request.ts";
import type { Priority } from "./pacer/fair_queue.ts";
import type { Lane, Turn } from "./pacer/lane.ts";
import { operationGroup, requestWeight } from "./operation_group.ts";
import type { Pacer } from "./pacer/pacer.ts";
import type { RetryTurn } from "./retry.ts";
import type { RetryPolicy } from "./retry_policy.ts";
import { withoutQuery } from "./query_text.ts";

/** Parts that let requests leave. */
export interface DepartureParts {
  /** Access tokens. */
  readonly tokens: AccessTokens;
  /** Pauses and pace. */
  readonly pacer: Pacer;
  /** Limits on the wait of a request. */
  readonly retry: RetryPolicy;
  /** Which requests go first, where they do not say so themselves. */
  readonly priority: Priority;
}

/** Permission to send one request. */
interface Departure {
  /** An access token that is valid now. */
  readonly token: string;
  /** Its turn, to be ended. */
  readonly turn: Turn;
  /** The requests that it shares a limit with. */
  readonly lane: Lane;
}

/**
 * Waits until a request may leave: the pause of the whole client is over, it has its turn and a token, and
 * `beforeAttempt` agrees.
 *
 * @throws {ThrottledError} when it would wait for longer than the policy allows.
 */
export async function depart(
  request: ApiRequest,
  attempt: RetryTurn,
  parts: DepartureParts,
): Promise<Departure> {
  const { tokens, pacer, retry, priority } = parts;
  const { signal } = request;
  const lane = pacer.lane(request.baseUrl, operationGroup(request));
  const isRetry = attempt.attempt > 1;
  for (;;) {
    await outwait(request, attempt, parts);
    const token = await tokens.get(signal);
    const asked = lane.turn({
      caller: callerOf(request),
      weight: requestWeight(request),
      priority: request.priority ?? priority,
      retried: isRetry,
      patience: retry.maxTotalWait - attempt.waited,
      signal,
      tooLong: (before, seconds) => tooLong(request, attempt, { before, seconds, retry }),
    });
    const turn = asked instanceof Promise ? await attempt.during(asked) : asked;
    try {
      if (tokens.isUsable(token)) {
        if (request.beforeAttempt !== undefined) await request.beforeAttempt();
        if (pacer.remaining === 0) return { token, turn, lane };
      }
    } catch (error) {
      turn.lost();
      throw error;
    }
    turn.lost();
  }
}

/** Waits until the pause of the whole client is over. */
async function outwait(
  request: ApiRequest,
  attempt: RetryTurn,
  { pacer, retry }: DepartureParts,
): Promise<void> {
  for (let seconds = pacer.remaining; seconds > 0; seconds = pacer.remaining) {
    if (attempt.waited + seconds > retry.maxTotalWait) {
      throw tooLong(request, attempt, { before: 0, seconds, retry });
    }
    await attempt.wait(seconds);
  }
}

function tooLong(
  { method, baseUrl, path }: ApiRequest,
  { attempt }: RetryTurn,
  { before, seconds, retry }: { before: number; seconds: number; retry: RetryPolicy },
): ThrottledError {
  const url = withoutQuery(baseUrl + path);
  const queue = before === 0
    ? ""
    : `, and ${before} ${before === 1 ? "request waits" : "requests wait"} before it`;
  return new ThrottledError(
    `Cannot send ${method} ${url}: the platform asked this client to pause for ${
      Math.ceil(seconds)
    } s more${queue}, which is past the ${retry.maxTotalWait} s the retry policy allows`,
    { statusCode: 429, method, url, retryAfter: seconds, sent: attempt > 1 },
  );
}

const signalIds = new WeakMap<AbortSignal, number>();
let signals = 0;

/** Key of a caller: a signal of its own, another profile or another path makes another caller. */
function callerOf({ signal, scope = "", path }: ApiRequest): string {
  return `${signal === undefined ? "" : idOf(signal)} ${scope} ${path}`;
}

function idOf(signal: AbortSignal): number {
  const id = signalIds.get(signal) ?? ++signals;
  signalIds.set(signal, id);
  return id;
}
