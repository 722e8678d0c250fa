import type { Identity } from "../identity/identity.ts";

const LISTENING = "subscriptions/listen";
/** Longest delay of a timer, in milliseconds. */
const MAX_DELAY = 2 ** 31 - 1;

/** Owner of an open response, with its request and time. */
export interface StreamOwner {
  readonly request: Request;
  readonly identity: Identity;
  readonly now: () => number;
}

/**
 * Ends a stream on which a client listens for good when the token expires that it was opened with. What a call sends is
 * left to its end.
 */
export function endWithToken(response: Response, { request, identity, now }: StreamOwner): Response {
  const isListening = request.method === "GET" || request.headers.get("mcp-method") === LISTENING;
  if (!isListening || identity.expiresAt === undefined || response.body === null) return response;
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), Math.min(Math.max(identity.expiresAt - now(), 0), MAX_DELAY));
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void response.body.pipeTo(writable, { signal: ended.signal, preventAbort: true })
    .catch(() => writable.close()).catch(() => {}).finally(() => clearTimeout(timer));
  return new Response(readable, { status: response.status, headers: response.headers });
}
