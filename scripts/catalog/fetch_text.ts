/** The world that documents are fetched from. */
export interface FetchTextOptions {
  /** Sends requests. @default globalThis.fetch */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits, in seconds, before a request is repeated. */
  readonly sleep?: (seconds: number) => Promise<void>;
  /** How often a request is repeated. @default 3 */
  readonly retries?: number;
}

/**
 * Fetches a document. A lost connection, 429 and 5xx are repeated after 1, 2, 4 seconds and so on.
 *
 * @throws {Error} naming the status, or why no answer came.
 */
export async function fetchText(url: string, options: FetchTextOptions = {}): Promise<string> {
  const { fetch = globalThis.fetch, retries = 3 } = options;
  const sleep = options.sleep ??
    ((seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000)));
  for (let attempt = 0;; attempt++) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
      if (response.ok) return await response.text();
      await response.body?.cancel();
      const error = new Error(`The server answers ${response.status}`);
      if ((response.status !== 429 && response.status < 500) || attempt >= retries) {
        return Promise.reject(error);
      }
    } catch (error) {
      if (attempt >= retries) throw error;
    }
    await sleep(2 ** attempt);
  }
}
