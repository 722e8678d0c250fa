import { NetworkError } from "../errors.ts";
import { redactError } from "../redact_error.ts";
import { MAX_TIMER } from "./sleep.ts";
import { singleUse } from "./single_use.ts";
import { withoutQuery } from "./without_query.ts";

/** One HTTP request, ready to go. */
export interface WireRequest {
  /** HTTP method. */
  readonly method: string;
  /** Whole address. */
  readonly url: string;
  /** Headers, names as they go on the wire. */
  readonly headers: Headers;
  /** Text or form as it goes on the wire. */
  readonly body?: string | FormData | undefined;
  /** True when the request must not reach the platform twice. */
  readonly once: boolean;
  /** Seconds until the request is given up, the response's body included. */
  readonly timeout: number;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
  /** What must not be in the error, should the runtime or a custom `fetch` quote the request. */
  readonly secrets: readonly string[];
}

/** One HTTP response, read whole. */
export interface WireResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: Headers;
  /** Body as text. */
  readonly text: string;
}

/** The part of `fetch` that is used. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/**
 * Sends one request and reads its response. Redirects are not followed: they would carry credentials to another host.
 *
 * @throws {NetworkError} when no whole response came.
 * @throws the signal's reason when the caller ended it.
 */
export async function exchange(request: WireRequest, fetch: Fetch): Promise<WireResponse> {
  const { method, signal } = request;
  signal?.throwIfAborted();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), Math.min(request.timeout * 1000, MAX_TIMER));
  const abort = (): void => limit.abort();
  signal?.addEventListener("abort", abort, { once: true });
  const single = request.once ? singleUse() : undefined;
  try {
    const response = await fetch(request.url, {
      ...single?.init,
      method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: limit.signal,
      redirect: "manual",
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    const url = withoutQuery(request.url);
    const timedOut = limit.signal.aborted;
    const mayHaveActed = timedOut || !connectionNeverMade(cause);
    const why = timedOut
      ? `no response within ${request.timeout} s`
      : mayHaveActed
      ? "the connection was lost before the response was complete"
      : "the connection could not be made";
    throw new NetworkError(
      `Cannot finish ${method} ${url}: ${why}`,
      { method, url, mayHaveActed, timedOut },
      { cause: redactError(cause, request.secrets) },
    );
  } finally {
    single?.close();
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

const NEVER_MADE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/;

/** True when an error of `fetch` shows that no connection was made, so that the other side cannot have acted. */
export function connectionNeverMade(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string" && NEVER_MADE.test(at.code)) return true;
    if (/client error \(Connect\)|tcp connect error|dns error/.test(at.message)) return true;
  }
  return false;
}
