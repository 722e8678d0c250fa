import { AccessTokens, type TokenAnswer } from "../connection/access_tokens.ts";
import type { Credentials } from "../connection/credentials.ts";
import { onWire, type Platform } from "../connection/platform.ts";
import { NetworkError, ThrottledError } from "../errors.ts";
import { redact } from "../redact.ts";
import type { ApiAnswer, ApiRequest } from "./api_request.ts";
import { apiError } from "./api_error.ts";
import { CoolDown, realSleep, type Sleep } from "./cool_down.ts";
import { exchange, type Fetch, type WireAnswer } from "./exchange.ts";
import { parseJson, stringifyJson } from "./json.ts";
import { type Attempt, type Next, repeat } from "./repeat.ts";
import { retryAfterSeconds, type RetryPolicy, retryPolicy } from "./retry_policy.ts";
import { queryText } from "./query_text.ts";

/** One finished exchange, or one wait, as told to a log. Holds no body, no token and no query. */
export interface TransportEvent {
  /** HTTP method. */
  readonly method: string;
  /** Address without its query. */
  readonly url: string;
  /** HTTP status; absent when no answer came and on waits. */
  readonly status?: number;
  /** The platform's request id. */
  readonly requestId?: string;
  /** Seconds the exchange took, or the wait will take. */
  readonly seconds: number;
  /** What is told. */
  readonly kind: "answer" | "no-answer" | "wait";
}

/** The world a transport lives in; every part may be replaced. */
export interface TransportOptions {
  /** How often and how long requests are repeated. */
  readonly retry?: Partial<RetryPolicy>;
  /** Seconds until a request is given up. @default 60 */
  readonly timeout?: number;
  /** Sends requests. @default globalThis.fetch */
  readonly fetch?: Fetch;
  /** Value of the `User-Agent` header. */
  readonly userAgent?: string;
  /** Waits. */
  readonly sleep?: Sleep;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** A number from 0 up to 1, for the jitter. */
  readonly random?: () => number;
  /** Told of every exchange and wait. */
  readonly onEvent?: (event: TransportEvent) => void;
}

/** The one way requests take: headers, tokens, repeats, the shared pause, errors. One for each client. */
export class Transport {
  /** Where the platform is. */
  readonly platform: Platform;
  /** Sends requests; for files on other hosts, which must not see the platform's headers. */
  readonly fetch: Fetch;
  /** Waits. */
  readonly sleep: Sleep;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Seconds until a request is given up. */
  readonly timeout: number;
  /** How often and how long requests are repeated. */
  readonly retry: RetryPolicy;
  readonly #credentials: Credentials;
  readonly #tokens: AccessTokens;
  readonly #coolDown: CoolDown;
  readonly #userAgent: string;
  readonly #onEvent: ((event: TransportEvent) => void) | undefined;

  /**
   * Makes a transport.
   *
   * @param connection Where the platform is and who the caller is.
   */
  constructor(connection: { platform: Platform; credentials: Credentials }, options: TransportOptions = {}) {
    this.platform = connection.platform;
    this.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.sleep = options.sleep ?? realSleep;
    this.now = options.now ?? Date.now;
    this.random = options.random ?? Math.random;
    this.timeout = options.timeout ?? 60;
    this.retry = retryPolicy(options.retry);
    if (!(this.timeout > 0)) {
      throw new RangeError(`Cannot use a timeout of ${this.timeout} s: it is not above 0`);
    }
    this.#credentials = connection.credentials;
    this.#userAgent = options.userAgent ?? "platform-ads";
    this.#onEvent = options.onEvent;
    this.#coolDown = new CoolDown(this.now);
    this.#tokens = new AccessTokens({
      credentials: connection.credentials,
      send: (form, signal) => this.postForm(form, signal),
      now: this.now,
    });
  }

  /**
   * Sends a request to an API host and returns its answer. 401 is answered with one fresh token, 429 with a pause of
   * the whole client; 5xx answers and lost connections are repeated when `idempotent` is true, and whenever the
   * connection was never made.
   *
   * @throws {ApiError} for a failed answer, {@linkcode NetworkError} for none, {@linkcode AuthError} without a token.
   */
  send(request: ApiRequest): Promise<ApiAnswer> {
    const url = request.baseUrl + request.path + queryText(request.params);
    const body = request.json === undefined ? undefined : stringifyJson(request.json);
    const headers = this.#headers(request, body !== undefined);
    let renewed = false;
    return this.#repeat(request.method, request.path, request.signal, {
      ready: () => this.#tokens.get(request.signal),
      attempt: async (token) => {
        const wire = { ...headers, Authorization: `Bearer ${token}` };
        const { answer, lost } = await this.#exchange(
          { method: request.method, url, headers: wire, body },
          request,
        );
        if (lost !== undefined) {
          return { failed: lost, then: request.idempotent || !lost.mayHaveActed ? "again" : "give-up" };
        }
        if (answer.status === 401 && !renewed) {
          renewed = true;
          this.#tokens.forget(token);
          return { failed: this.#failure(answer, request.method, url), then: "at-once" };
        }
        return this.#judge(answer, { method: request.method, url, idempotent: request.idempotent });
      },
    });
  }

  /** Fetches a fresh token now if the cached one is not good any more; for checking credentials. */
  token(signal?: AbortSignal): Promise<string> {
    return this.#tokens.get(signal);
  }

  /**
   * Posts a form to the token endpoint. Server failures and lost connections are repeated unless the form holds a
   * code, which works once.
   */
  postForm(form: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<TokenAnswer> {
    const url = this.platform.tokenUrl;
    const idempotent = form["grant_type"] === "refresh_token";
    const request = {
      method: "POST",
      url,
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "Accept": "application/json",
        "User-Agent": this.#userAgent,
      },
      body: new URLSearchParams(form).toString(),
    };
    return this.#repeat("POST", url, signal, {
      ready: () => Promise.resolve(),
      attempt: async () => {
        const { answer, lost } = await this.#exchange(request, { signal });
        if (lost !== undefined) {
          return { failed: lost, then: idempotent || !lost.mayHaveActed ? "again" : "give-up" };
        }
        if (answer.status !== 429 && answer.status < 500) {
          const text = answer.status === 200 ? answer.text : redact(answer.text, this.#secrets);
          return { done: { status: answer.status, body: parseOrText(text) } };
        }
        return {
          failed: this.#failure(answer, "POST", url),
          then: idempotent || answer.status === 429 ? "again" : "give-up",
        };
      },
    }, new CoolDown(this.now));
  }

  #repeat<R, T>(
    method: string,
    path: string,
    signal: AbortSignal | undefined,
    steps: { ready: () => Promise<R>; attempt: (ready: R) => Promise<Attempt<T>> },
    coolDown: CoolDown = this.#coolDown,
  ): Promise<T> {
    return repeat({
      policy: this.retry,
      coolDown,
      sleep: this.sleep,
      random: this.random,
      signal,
      tooLong: (seconds) =>
        new ThrottledError(
          `Cannot send ${method} ${path}: the platform asked this client to pause for ${
            Math.ceil(seconds)
          } s more, ` +
            `which is past the ${this.retry.maxTotalWait} s the retry policy allows`,
          { statusCode: 429, method, url: path, retryAfter: seconds },
        ),
      onWait: (seconds) => this.#onEvent?.({ kind: "wait", method, url: path, seconds }),
    }, steps);
  }

  async #exchange(
    wire: { method: string; url: string; headers: Record<string, string>; body?: string | undefined },
    options: { timeout?: number | undefined; signal?: AbortSignal | undefined },
  ): Promise<{ answer: WireAnswer; lost?: undefined } | { answer?: undefined; lost: NetworkError }> {
    const began = this.now();
    const url = wire.url.split("?")[0]!;
    const tell = (event: Partial<TransportEvent> & { kind: TransportEvent["kind"] }): void =>
      this.#onEvent?.({ method: wire.method, url, seconds: (this.now() - began) / 1000, ...event });
    try {
      const request = { ...wire, timeout: options.timeout ?? this.timeout, signal: options.signal };
      const answer = await exchange(request, this.fetch);
      const requestId = this.#requestId(answer);
      tell({ kind: "answer", status: answer.status, ...(requestId === undefined ? {} : { requestId }) });
      return { answer };
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      tell({ kind: "no-answer" });
      return { lost: error };
    }
  }

  #judge(
    answer: WireAnswer,
    request: { method: string; url: string; idempotent: boolean },
  ): Attempt<ApiAnswer> {
    if (answer.status >= 200 && answer.status < 400) {
      try {
        return { done: this.#answer(answer) };
      } catch (cause) {
        const { method, url, idempotent } = request;
        const lost = new NetworkError(
          `Cannot read the answer to ${method} ${url.split("?")[0]}: its JSON is cut short or malformed`,
          { method, url, mayHaveActed: true, timedOut: false },
          { cause },
        );
        return { failed: lost, then: idempotent ? "again" : "give-up" };
      }
    }
    const failed = this.#failure(answer, request.method, request.url);
    let then: Next = "give-up";
    if (answer.status === 429) {
      then = { coolDown: retryAfterSeconds(answer.headers.get("retry-after"), this.now()) };
    } else if (answer.status >= 500 && request.idempotent) then = "again";
    return { failed, then };
  }

  #answer(answer: WireAnswer): ApiAnswer {
    const { status, headers, text } = answer;
    const location = headers.get("location");
    const json = text.trim() !== ""
      ? /json/i.test(headers.get("content-type") ?? "json") ? parseJson(text) : parseOrText(text)
      : status >= 300 && location !== null
      ? { location }
      : undefined;
    return { status, headers, json, requestId: this.#requestId(answer) };
  }

  #failure(answer: WireAnswer, method: string, url: string): ReturnType<typeof apiError> {
    return apiError({
      status: answer.status,
      text: answer.text,
      requestId: this.#requestId(answer),
      retryAfter: retryAfterSeconds(answer.headers.get("retry-after"), this.now()),
      method,
      url: url.split("?")[0]!,
      secrets: this.#secrets,
    });
  }

  get #secrets(): string[] {
    return [this.#credentials.refreshToken, this.#credentials.clientSecret];
  }

  #requestId(answer: WireAnswer): string | undefined {
    const names = [
      this.platform.headers.requestId,
      "x-platform-request-id",
      "x-platform-rid",
      "x-platform-requestid",
    ];
    for (const name of names) {
      const value = answer.headers.get(onWire(name, this.platform.wireWord));
      if (value) return value;
    }
    return undefined;
  }

  #headers(request: ApiRequest, hasBody: boolean): Record<string, string> {
    const { platform } = this;
    const wire = (text: string): string => onWire(text, platform.wireWord);
    const headers: Record<string, string> = {
      "User-Agent": this.#userAgent,
      "Accept": wire(request.accept ?? "application/json"),
      [wire(platform.headers.clientId)]: this.#credentials.clientId,
    };
    if (request.scope !== undefined) headers[wire(platform.headers.scope)] = request.scope;
    if (hasBody) headers["Content-Type"] = wire(request.contentType ?? "application/json");
    for (const [name, value] of Object.entries(request.headers ?? {})) headers[wire(name)] = value;
    return headers;
  }
}

function parseOrText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
