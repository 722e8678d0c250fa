import type { Fetch, WireRequest } from "./wire_request.ts";

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
