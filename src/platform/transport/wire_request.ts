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
