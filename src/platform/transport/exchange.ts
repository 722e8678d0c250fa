import { NetworkError } from "../../errors.ts";
import { redactError } from "../../base/text/redact_error.ts";
import { MAX_TIMER } from "../../base/time/sleep.ts";
import type { Sender, Sending } from "./sender.ts";
import type { WireRequest } from "./wire_request.ts";
import { withoutQuery } from "./query_text.ts";

export interface WireResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Returns a {@linkcode NetworkError} for an incomplete response. Redirects are not followed, because they would send
 * credentials to another host.
 *
 * @throws the signal's reason when the caller aborted.
 */
export async function exchange(
  request: WireRequest,
  sender: Sender,
): Promise<WireResponse | NetworkError> {
  const { method, signal } = request;
  signal?.throwIfAborted();
  const limit = new AbortController();
  const abort = (): void => limit.abort();
  const timer = setTimeout(abort, Math.min(request.timeout * 1000, MAX_TIMER));
  signal?.addEventListener("abort", abort);
  let sending: Sending | undefined;
  try {
    sending = sender.send(request, limit.signal);
    const response = await sending.response;
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
    return new NetworkError(
      `Cannot finish ${method} ${url}: ${why}`,
      { method, url, mayHaveActed, timedOut },
      { cause: redactError(cause, request.secrets) },
    );
  } finally {
    sending?.close();
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

const NEVER_MADE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/;

/** True if no connection was made, so that the server cannot have acted. */
export function connectionNeverMade(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ("code" in at && NEVER_MADE.test(String(at.code))) return true;
    if (/client error \(Connect\)|tcp connect error|dns error/.test(at.message)) return true;
  }
  return false;
}
