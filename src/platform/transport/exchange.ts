import { redactError } from "../../base/text/redact.ts";
import { MAX_TIMER } from "../../base/time/clock.ts";
import { NetworkError } from "../../errors.ts";
import { withoutQuery } from "./query_text.ts";

export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData | undefined;
  readonly once: boolean;
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  readonly secrets: readonly string[];
}

/** The part of `fetch` that the library uses. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

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

interface HttpClient {
  close(): void;
}

interface DenoRuntime {
  createHttpClient?(options: { poolMaxIdlePerHost?: number; poolIdleTimeout?: number }): HttpClient;
}

export interface Sending {
  readonly response: Promise<Response>;
  close(): void;
}

const MAX_IDLE = 1000;

const ownFetch = globalThis.fetch;

const forgotten = new FinalizationRegistry<HttpClient>((pool) => pool.close());

/**
 * Sends each write exactly once. Deno's `fetch` silently repeats any request when a kept-alive connection breaks
 * before the response, even if the server has acted. A body that can be read only once, or a fresh connection,
 * prevents this. Other runtimes never repeat.
 */
export class Sender {
  readonly #custom: Fetch | undefined;
  #writes: HttpClient | undefined;

  constructor(custom?: Fetch) {
    this.#custom = custom;
  }

  readonly fetch: Fetch = (input, init) => (this.#custom ?? globalThis.fetch)(input, init);

  send(request: WireRequest, signal: AbortSignal): Sending {
    const { url, method, headers, body, once } = request;
    const isOwn = this.#custom === undefined && globalThis.fetch === ownFetch;
    const init: RequestInit = {
      method,
      headers: isOwn ? headers : new Headers(headers),
      ...(body === undefined ? {} : { body }),
      signal,
      redirect: "manual",
    };
    const open = once ? openPool() : undefined;
    if (open === undefined) return { response: this.fetch(url, init), close: () => {} };
    if (isOwn && typeof body === "string" && body !== "") {
      return { response: ownFetch(url, this.#readOnce(init, body, open)), close: () => {} };
    }
    const client = open({ poolMaxIdlePerHost: 0 });
    return { response: this.fetch(url, { ...init, client } as RequestInit), close: () => client.close() };
  }

  #readOnce(
    init: RequestInit,
    body: string,
    open: NonNullable<DenoRuntime["createHttpClient"]>,
  ): RequestInit {
    if (this.#writes === undefined) {
      this.#writes = open({ poolIdleTimeout: MAX_IDLE });
      forgotten.register(this, this.#writes);
    }
    return { ...init, client: this.#writes, body: new Blob([body]) } as RequestInit;
  }
}

function openPool(): DenoRuntime["createHttpClient"] {
  return (globalThis as { Deno?: DenoRuntime }).Deno?.createHttpClient;
}
