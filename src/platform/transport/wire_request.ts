/** One HTTP request. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  /** Headers by wire name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData | undefined;
  /** True when it must not reach the platform twice. */
  readonly once: boolean;
  /** Time limit in seconds, including the response's body. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** Secrets to keep out of errors that quote the request. */
  readonly secrets: readonly string[];
}

/** The part of `fetch` that is used. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;
