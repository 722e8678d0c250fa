import { ThrottledError } from "../../errors.ts";
import type { AccessTokens } from "../connection/access_tokens.ts";
import type { ApiRequest } from "./api_request.ts";
import type { HeldPause, Lane, Priority, Turn } from "./pacer/lane.ts";
import type { Pacer } from "./pacer/pacer.ts";
import { withoutQuery } from "./query_text.ts";
import type { RetryPolicy, RetryTurn } from "./retry.ts";

export interface DepartureParts {
  readonly tokens: AccessTokens;
  readonly pacer: Pacer;
  readonly retry: RetryPolicy;
  readonly priority: Priority;
  readonly now: () => number;
}

interface Departure {
  readonly token: string;
  readonly turn: Turn;
  readonly lane: Lane;
}

/**
 * Waits for pauses, a turn, a token and `beforeAttempt`.
 *
 * @throws {ThrottledError} when the wait would exceed the policy.
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
    await outwait(request, attempt, { ...parts, lane });
    const token = await tokens.get(signal);
    const asked = lane.turn({
      caller: callerOf(request),
      profile: pausedProfile(request),
      weight: requestWeight(request),
      priority: request.priority ?? priority,
      retried: isRetry,
      patience: maxWait(request, retry) - attempt.waited,
      signal,
      tooLong: (before, seconds) => tooLong(request, attempt, { ...parts, before, seconds }),
    });
    const turn: Turn | undefined = asked instanceof Promise ? await attempt.during(asked) : asked;
    if (turn === undefined) continue;
    try {
      if (tokens.isUsable(token)) {
        const { beforeAttempt, method, path, text: body } = request;
        if (beforeAttempt !== undefined) await beforeAttempt({ method, path, body });
        if (pacer.remaining === 0 && lane.held(pausedProfile(request)) === undefined) {
          return { token, turn, lane };
        }
      }
    } catch (error) {
      turn.lost();
      throw error;
    }
    turn.lost();
  }
}

export function pausedProfile({ scope, sender }: Pick<ApiRequest, "scope" | "sender">): string {
  return scope ?? sender ?? "";
}

export function maxWait({ maxWait = Infinity }: Pick<ApiRequest, "maxWait">, retry: RetryPolicy): number {
  return Math.min(maxWait, retry.maxTotalWait);
}

async function outwait(
  request: ApiRequest,
  attempt: RetryTurn,
  parts: DepartureParts & { readonly lane: Lane },
): Promise<void> {
  const { pacer, lane, retry } = parts;
  const profile = pausedProfile(request);
  // The pause may have been dropped by another process since.
  if (pacer.store.isShared && lane.held(profile) !== undefined) await lane.look();
  for (;;) {
    const held = lane.held(profile);
    const seconds = Math.max(pacer.remaining, held?.seconds ?? 0);
    if (seconds <= 0) return;
    if (attempt.waited + seconds > maxWait(request, retry)) {
      throw tooLong(request, attempt, { ...parts, before: 0, seconds, held });
    }
    await attempt.wait(seconds);
  }
}

function tooLong(
  request: ApiRequest,
  { attempt }: RetryTurn,
  { before, seconds, held, retry, now }: DepartureParts & {
    readonly before: number;
    readonly seconds: number;
    readonly held?: HeldPause | undefined;
  },
): ThrottledError {
  const { method, baseUrl, path } = request;
  const url = withoutQuery(baseUrl + path);
  const queue = before === 0
    ? ""
    : `, and ${before} ${before === 1 ? "request waits" : "requests wait"} before it`;
  const until = new Date(now() + seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
  return new ThrottledError(
    `Cannot send ${method} ${url}: the platform asked ${refusedText(held)} to pause for ${
      Math.ceil(seconds)
    } s more${queue}, until ${until} UTC, which is past the ${
      maxWait(request, retry)
    } s that this request may wait`,
    { statusCode: 429, method, url, retryAfter: seconds, sent: attempt > 1 },
  );
}

function refusedText(held: HeldPause | undefined): string {
  if (held === undefined) return "this client";
  const profiles = held.refused.filter((id) => id !== "");
  if (profiles.length === 0) return "requests of this kind without a profile";
  if (held.refused.length === 1) return `profile ${profiles[0]}`;
  return `${held.refused.length} profiles (${profiles.slice(0, 3).join(", ")}${
    profiles.length > 3 ? ", …" : ""
  })`;
}

const signalIds = new WeakMap<AbortSignal, number>();
let signals = 0;

function callerOf({ signal, scope = "", path }: ApiRequest): string {
  return `${signal === undefined ? "" : idOf(signal)} ${scope} ${path}`;
}

function idOf(signal: AbortSignal): number {
  const id = signalIds.get(signal) ?? ++signals;
  signalIds.set(signal, id);
  return id;
}

/** Operations with limits of their own; the first match counts. The platform publishes no limits; these were observed. */
const GROUPS: readonly [method: RegExp, path: RegExp, group: string][] = [
  [/./, /\/recommendations?(?:\/|$)/i, "recommendations"],
  [/POST/, /^\/reporting\/reports$/, "report creation"],
  [/./, /^\/reporting\//, "report status"],
  [/./, /^\/adsApi\/v1\/create\/reports$/, "new report creation"],
  [/./, /^\/adsApi\/v1\/\w+\/reports$/, "new report status"],
  [/./, /\/exports?(?:\/|$)/i, "exports"],
  [/./, /^\/history(?:\/|$)/, "history"],
  [/./, /^\/v2\/profiles/, "profiles"],
];

const HAS_GROUP = /recommendation|\breport(?:ing|s)\b|export|^\/history|^\/v2\/profiles/i;

const EXTENDED_WEIGHT = 5;

export function operationGroup({ method, path, idempotent, group: named }: ApiRequest): string {
  if (named !== undefined) return named;
  if (!HAS_GROUP.test(path)) return family({ path, idempotent });
  for (const [methods, paths, group] of GROUPS) if (methods.test(method) && paths.test(path)) return group;
  return family({ path, idempotent });
}

function family({ path, idempotent }: Pick<ApiRequest, "path" | "idempotent">): string {
  const end = path.indexOf("/", 1);
  return `${path.slice(1, end < 0 ? undefined : end)} ${idempotent ? "reads" : "writes"}`;
}

export function requestWeight({ json, params }: ApiRequest): number {
  const inBody = typeof json === "object" && json !== null && "includeExtendedDataFields" in json &&
    json.includeExtendedDataFields === true;
  return inBody || String(params?.["includeExtendedDataFields"]) === "true" ? EXTENDED_WEIGHT : 1;
}
