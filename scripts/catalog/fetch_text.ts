/** The world that documents are fetched from. */
export interface FetchTextOptions {
  /** Sends requests. @default globalThis.fetch */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits, in seconds, before a retry. */
  readonly sleep?: (seconds: number) => Promise<void>;
  /** How often a request is retried. @default 3 */
  readonly retries?: number;
}

/**
 * Fetches a document. A lost connection, 429 and 5xx are retried after 1, 2, 4 seconds and so on.
 *
 * @throws {Error} naming the status, or why no response came.
 */
export async function fetchText(url: string, options: FetchTextOptions = {}): Promise<string> {
  const { fetch = globalThis.fetch, retries = 3 } = options;
  const sleep = options.sleep ??
    ((seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000)));
  for (let attempt = 0;; attempt++) {
    const { text, error, again } = await attemptOnce(url, fetch);
    if (text !== undefined) return text;
    if (!again || attempt >= retries) throw error;
    await sleep(2 ** attempt);
  }
}

async function attemptOnce(
  url: string,
  fetch: NonNullable<FetchTextOptions["fetch"]>,
): Promise<{ text?: string; error?: unknown; again?: boolean }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
    if (response.ok) return { text: await response.text() };
    await response.body?.cancel();
    const { status } = response;
    return { error: new Error(`The response is ${status}`), again: status === 429 || status >= 500 };
  } catch (error) {
    return { error, again: true };
  }
}
