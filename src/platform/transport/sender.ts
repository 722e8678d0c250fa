import type { Fetch, WireRequest } from "./wire_request.ts";

/** A connection pool of Deno's `fetch`. */
interface HttpClient {
  close(): void;
}

interface DenoRuntime {
  createHttpClient?(options: { poolMaxIdlePerHost?: number; poolIdleTimeout?: number }): HttpClient;
}

export interface Sending {
  readonly response: Promise<Response>;
  /** Call when the response is read or lost. */
  close(): void;
}

/** A connection idle for this many milliseconds takes no write: the server may be closing it. */
const MAX_IDLE = 1000;

/** The original `fetch`, not a later replacement by a test or an extension. */
const ownFetch = globalThis.fetch;

/** Closes the connections of garbage-collected clients. */
const forgotten = new FinalizationRegistry<HttpClient>((pool) => pool.close());

/**
 * Hands requests to `fetch`, each write exactly once. Deno's `fetch` silently sends a request again, whatever its
 * method, when a connection that it had kept open is cut without a response, even after the server has acted. It cannot
 * do so with a body that can be read only once, nor on a fresh connection. Other runtimes send nothing again.
 */
export class Sender {
  readonly #custom: Fetch | undefined;
  #writes: HttpClient | undefined;

  constructor(custom?: Fetch) {
    this.#custom = custom;
  }

  /** Sends a request without safeguards. */
  readonly fetch: Fetch = (input, init) => (this.#custom ?? globalThis.fetch)(input, init);

  /** Sends a request; redirects are not followed. */
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

  /** Sends on a recently used connection, with a body that can be read only once. */
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
