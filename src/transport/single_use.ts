/** A connection that is made for one request and closed after it. */
export interface SingleUse {
  /** What `fetch` must be given besides its usual options. */
  readonly init: RequestInit;
  /** Closes the connection. */
  close(): void;
}

interface DenoRuntime {
  createHttpClient?(options: { poolMaxIdlePerHost: number }): { close(): void };
}

/**
 * A way to send a request exactly once. Deno's `fetch` silently sends a request again, whatever its method, when a
 * connection that it had kept open is cut without a response, even after the server has acted; on a fresh connection it
 * does not. Other runtimes do not repeat writes, and need nothing.
 */
export function singleUse(): SingleUse {
  const runtime = (globalThis as { Deno?: DenoRuntime }).Deno;
  const client = runtime?.createHttpClient?.({ poolMaxIdlePerHost: 0 });
  if (client === undefined) return { init: {}, close: () => {} };
  return { init: { client } as RequestInit, close: () => client.close() };
}
