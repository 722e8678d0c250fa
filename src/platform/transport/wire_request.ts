/** One HTTP request, ready to go. */
export interface WireRequest {
  readonly method: string;
  /** Whole address. */
  readonly url: string;
  /** Headers, names as they go on the wire. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text or form as it goes on the wire. */
  readonly body?: string | FormData | undefined;
  /** True when the request must not reach the platform twice. */
  readonly once: boolean;
  /** Seconds until the request is given up, the response's body included. */
  readonly timeout: number;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
  /** Secrets to keep out of the error, should the runtime or a custom `fetch` quote the request. */
  readonly secrets: readonly string[];
}

/** The part of `fetch` that is used. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;
