import { loadedOnce } from "../../base/json/kept_or.ts";
import { requireOneOf } from "../../base/text/nearest.ts";
import { AccessTokens, type TokenResponse } from "../connection/access_tokens.ts";
import type { Credentials } from "../connection/credentials.ts";
import { onWire, type Platform } from "../connection/platform.ts";
import { ApiError, AuthError, NetworkError } from "../../errors.ts";
import { redactError, redactValue, withoutSecrets } from "../../base/text/redact.ts";
import { isSuccess, parseOrText, ResponseReader } from "./response_reader.ts";
import { type ApiRequest, type ApiResponse, checkRequest, isAboutExport } from "./api_request.ts";
import { isAboutScope } from "./error_body.ts";
import { depart, type DepartureParts, maxWait, operationGroup, pausedProfile } from "./departure.ts";
import { Pacer } from "./pacer/pacer.ts";
import type { Lane, Turn } from "./pacer/lane.ts";
import { type Sleep, SteadyClock } from "../../base/time/clock.ts";
import type { ExportQueue } from "./export_queue.ts";
import { exchange, type Fetch, Sender, type WireRequest, type WireResponse } from "./exchange.ts";
import { parseJson, stringifyJson } from "../../base/json/json.ts";
import {
  type Attempt,
  type FailedAttempt,
  retry,
  type RetryOptions,
  type RetryPolicy,
  retryPolicy,
  type RetryTurn,
} from "./retry.ts";
import { queryText, withoutQuery } from "./query_text.ts";
import type { TransportEvent, TransportOptions } from "./transport_options.ts";

/**
 * Sends requests: headers, tokens, retries, the shared pause, errors. One for each client.
 *
 * @example
 * ```ts
 * import type { PlatformAds } from "@platform/ads";
 *
 * async function checkCredentials(ads: PlatformAds): Promise<void> {
 *   await ads.transport.token(); // an AuthError says why the provider refuses
 *   console.log(ads.transport.timeout, ads.transport.retry.maxAttempts);
 * }
 * ```
 */
export class Transport {
  /** Hosts and headers of the platform. */
  readonly platform: Platform;
  /** `fetch` for files on other hosts, which must not receive the platform's headers. */
  readonly fetch: Fetch;
  /** Waits for a number of seconds. */
  readonly sleep: Sleep;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns a random number from 0 up to 1. */
  readonly random: () => number;
  /** Maximum seconds between two polls of a report or job. */
  readonly maxPoll: number;
  /** Timeout of a request, in seconds. */
  readonly timeout: number;
  /** Limits on the retries of requests. */
  readonly retry: RetryPolicy;
  /** Keeps requests to the pace that the platform allows. */
  readonly pacer: Pacer;
  readonly #credentials: Credentials;
  readonly #tokens: AccessTokens;
  readonly #reader: ResponseReader;
  readonly #sender: Sender;
  #known: { recent: readonly string[]; secrets: readonly string[] } | undefined;
  readonly #clock: SteadyClock;
  readonly #departure: DepartureParts;
  readonly #exports: () => Promise<ExportQueue> = loadedOnce(async () => {
    const { ExportQueue } = await import("./export_queue.ts");
    return new ExportQueue({
      send: (request) => this.send(request),
      wait: (seconds, { method, baseUrl, path, signal }) => {
        this.#onEvent?.({ kind: "wait", method, url: baseUrl + path, seconds, waitsFor: "exports" });
        return this.sleep(seconds, signal);
      },
      store: this.pacer.store,
    });
  });
  readonly #userAgent: string;
  readonly #headerNames: { readonly clientId: string; readonly scope: string };
  readonly #onEvent: ((event: TransportEvent) => void) | undefined;
  readonly #guard: TransportOptions["guard"];
  readonly #onWarning: (warning: string) => void;
  readonly #warned = new Set<string>();
  /** Tokens that a profile rejected after a renewal; renewing again would not help. */
  readonly #refused = new Map<string, string>();

  /**
   * Makes a transport.
   *
   * @param connection Hosts of the platform and credentials of the caller.
   */
  constructor(connection: { platform: Platform; credentials: Credentials }, options: TransportOptions = {}) {
    this.platform = connection.platform;
    this.#sender = new Sender(options.fetch);
    this.fetch = async (input, init) => {
      try {
        return await this.#sender.fetch(input, init);
      } catch (error) {
        // The reason of an abort is the caller's own.
        throw init?.signal?.aborted ? error : redactError(error, this.#secrets);
      }
    };
    this.#clock = new SteadyClock({ now: options.now, sleep: options.sleep });
    this.sleep = this.#clock.sleep;
    this.now = options.now ?? Date.now;
    this.random = options.random ?? Math.random;
    this.maxPoll = options.maxPoll ?? Infinity;
    this.timeout = options.timeout ?? 60;
    this.retry = retryPolicy(options.retry);
    if (options.priority !== undefined) requireOneOf("priority", options.priority, ["interactive", "bulk"]);
    if (!(this.timeout > 0)) {
      throw new RangeError(`Cannot use a timeout of ${this.timeout} s: it is not above 0`);
    }
    if (!(this.maxPoll > 0)) {
      throw new RangeError(`Cannot poll at most every ${this.maxPoll} s: it is not above 0`);
    }
    this.#credentials = connection.credentials;
    this.#userAgent = options.userAgent ?? "platform-ads";
    const { headers, wireWord } = connection.platform;
    this.#headerNames = {
      clientId: onWire(headers.clientId, wireWord).toLowerCase(),
      scope: onWire(headers.scope, wireWord).toLowerCase(),
    };
    this.#onEvent = options.onEvent;
    this.#guard = options.guard;
    this.#onWarning = options.onWarning ?? ((warning) => console.warn(warning));
    this.pacer = options.pacer ?? new Pacer(this.#clock);
    this.pacer.useClock(this.#clock);
    this.#reader = new ResponseReader({
      platform: this.platform,
      retry: this.retry,
      now: this.now,
      secrets: () => this.#secrets,
    });
    this.#tokens = new AccessTokens({
      credentials: connection.credentials,
      send: (form, signal) => this.postForm(form, signal),
      now: this.now,
    });
    this.#departure = {
      tokens: this.#tokens,
      pacer: this.pacer,
      retry: this.retry,
      priority: options.priority ?? "interactive",
      now: this.now,
    };
  }

  /**
   * Reports a problem that does not stop a call.
   *
   * @param options `once`: reports the same warning only once per client.
   */
  warn(warning: string, { once = false }: { once?: boolean } = {}): void {
    if (once && this.#warned.has(warning)) return;
    if (once) this.#warned.add(warning);
    this.#onWarning(withoutSecrets(warning, this.#secrets));
  }

  /**
   * Sends a request to an API host and returns its response. A 401 is retried once with a new token; a 429 pauses every
   * request of the client; 5xx responses and lost connections are retried when `idempotent` is true, and whenever the
   * connection was never made. {@linkcode RetryPolicy.rules} can change that.
   *
   * @throws {ApiError} for a failed response, {@linkcode NetworkError} for none, {@linkcode AuthError} without a token.
   * @throws {TypeError} for a request that cannot be sent as it is. Nothing was sent.
   */
  async send(request: ApiRequest): Promise<ApiResponse> {
    checkRequest(request);
    this.#refuseOwnHeaders(request);
    if (this.#guard === undefined) return await this.#pass(request);
    const judged = snapshotOf(request);
    const giveBack = await this.#guard(judged);
    try {
      return await this.#pass(judged);
    } catch (error) {
      if (nothingDone(error)) await giveBack?.();
      throw error;
    }
  }

  /** Sends a request; one about exports waits for its turn in a queue, which is loaded with the first of them. */
  async #pass(request: ApiRequest): Promise<ApiResponse> {
    if (!isAboutExport(request)) return await this.#send(request);
    return await (await this.#exports()).pass(request, () => this.#send(request));
  }

  /** Rejects caller-supplied login and profile headers, which could bypass a profile's policy. */
  #refuseOwnHeaders({ headers = {} }: ApiRequest): void {
    const { clientId, scope } = this.#headerNames;
    const own = [
      "authorization",
      clientId,
      scope,
      this.platform.headers.clientId,
      this.platform.headers.scope,
    ]
      .map((name) => name.toLowerCase());
    for (const name of Object.keys(headers)) {
      const wire = onWire(name, this.platform.wireWord).trim().toLowerCase();
      if (!own.includes(wire) && !own.includes(name.trim().toLowerCase())) continue;
      throw new TypeError(
        `Cannot send the header "${name}": the client fills it. Use the client of the profile that the request is about`,
      );
    }
  }

  async #send(request: ApiRequest): Promise<ApiResponse> {
    const { method, idempotent, signal } = request;
    const url = request.baseUrl + request.path + queryText(request.params);
    const body = request.form ?? bodyText(request);
    const ready = typeof body === "string" ? { ...request, text: body } : request;
    const headers = this.#headers(request, request.json !== undefined);
    const { timeout = this.timeout, retryThrottled, onText } = request;
    let renewed = false;
    let refused: { turn: Turn; lane: Lane } | undefined;
    const policy = { ...this.retry, maxTotalWait: maxWait(request, this.retry) };
    return await this.#retry({ method, url, signal, policy }, async (attempt) => {
      refused = undefined;
      const { token, turn, lane } = await depart(ready, attempt, this.#departure);
      const secrets = this.#secrets;
      headers["authorization"] = `Bearer ${token}`;
      const wire = { method, url, headers, body, once: !idempotent, timeout, signal, secrets };
      let response: WireResponse | NetworkError;
      try {
        response = await this.#exchange(wire);
      } catch (error) {
        turn.lost();
        throw error;
      }
      if (response instanceof NetworkError) {
        turn.lost();
        if (!response.mayHaveActed) request.onNothingDone?.();
        return this.#reader.afterLoss(response, request);
      }
      if (onText !== undefined && isSuccess(response, method)) onText(response.text);
      const result = this.#reader.read(response, { method, url, idempotent, retryThrottled, secrets });
      if (response.status >= 400 && response.status < 500) request.onNothingDone?.();
      if ("failed" in result && typeof result.next === "object" && result.next.waits === "client") {
        refused = { turn, lane };
        return result;
      }
      turn.passed();
      this.#reportPace(request, lane);
      if ("value" in result || result.next !== "at-once") return result;
      const profile = isAboutScope(response.text) ? pausedProfile(request) : undefined;
      if (renewed || profile !== undefined && this.#refused.get(profile) === token) {
        if (profile !== undefined) this.#refused.set(profile, token);
        return { ...result, next: "never" };
      }
      renewed = true;
      this.#tokens.forget(token);
      return result;
    }, (seconds, pause) => {
      if (refused === undefined) return this.pacer.pause(seconds);
      refused.turn.throttled(seconds, pause);
      this.#reportPace(request, refused.lane);
    });
  }

  /** Returns a valid token, fetching a new one if necessary; for checking credentials. */
  token(signal?: AbortSignal): Promise<string> {
    return this.#tokens.get(signal);
  }

  /** Removes this client's secrets from a text that does not come through this transport. */
  clean(text: string): string {
    return withoutSecrets(text, this.#secrets);
  }

  /**
   * Posts a form to the token endpoint. Server failures and lost connections are retried unless the form holds a code,
   * which works once.
   */
  postForm(form: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<TokenResponse> {
    const url = this.platform.tokenUrl;
    const idempotent = form["grant_type"] === "refresh_token";
    const wire = {
      method: "POST",
      url,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "accept": "application/json",
        "user-agent": this.#userAgent,
      },
      body: new URLSearchParams(form).toString(),
    };
    const secrets = [
      ...this.#secrets,
      ...[form["code"], form["refresh_token"]].filter((text) => text !== undefined),
    ];
    // The token endpoint is not the host that throttles: its failures hold up nobody else.
    const alone = (result: FailedAttempt): FailedAttempt =>
      typeof result.next === "object" ? { ...result, next: { ...result.next, waits: "request" } } : result;
    return this.#retry({ method: "POST", url, signal }, async () => {
      const { timeout } = this;
      const response = await this.#exchange({ ...wire, once: !idempotent, timeout, signal, secrets });
      if (response instanceof NetworkError) return this.#reader.afterLoss(response, { idempotent });
      const { status, text } = response;
      const body = parseOrText(text);
      // Only a response that is what was asked for may hold secrets.
      if (status === 200 && hasToken(body)) return { value: { status, body } };
      if (status !== 429 && status < 500) {
        return { value: { status, body: redactValue(body, secrets) } };
      }
      return alone(this.#reader.failed(response, { method: "POST", url, idempotent, secrets }));
    });
  }

  #reportPace(request: ApiRequest, lane: Lane): void {
    const pace = lane.change();
    if (pace === undefined || this.#onEvent === undefined) return;
    const { method, baseUrl: host, path } = request;
    this.#onEvent({
      kind: "pace",
      method,
      url: host + path,
      seconds: 0,
      pace: { host, group: operationGroup(request), ...pace },
    });
  }

  #retry<T>(
    request: { method: string; url: string; signal: AbortSignal | undefined; policy?: RetryPolicy },
    work: (turn: RetryTurn) => Promise<Attempt<T>>,
    onPause?: RetryOptions["onPause"],
  ): Promise<T> {
    const { method, signal, policy = this.retry } = request;
    const url = withoutQuery(request.url);
    return retry({
      policy,
      now: this.#clock.now,
      sleep: this.sleep,
      random: this.random,
      signal,
      onWait: (seconds) => this.#onEvent?.({ kind: "wait", method, url, seconds }),
      onPause,
    }, work);
  }

  async #exchange(request: WireRequest): Promise<WireResponse | NetworkError> {
    const onEvent = this.#onEvent;
    if (onEvent === undefined) return await exchange(request, this.#sender);
    const began = this.#clock.now();
    const response = await exchange(request, this.#sender);
    const event = {
      method: request.method,
      url: withoutQuery(request.url),
      seconds: (this.#clock.now() - began) / 1000,
    };
    if (response instanceof NetworkError) {
      onEvent({ ...event, kind: "no-response" });
    } else {
      const requestId = this.#reader.requestId(response);
      const { status } = response;
      onEvent({ ...event, kind: "response", status, ...(requestId === undefined ? {} : { requestId }) });
    }
    return response;
  }

  /** Returns the same array until a token changes, so that callers can cache by it. */
  get #secrets(): readonly string[] {
    const { recent } = this.#tokens;
    if (this.#known?.recent !== recent) {
      const { refreshToken, clientSecret } = this.#credentials;
      this.#known = { recent, secrets: [refreshToken, clientSecret, ...recent] };
    }
    return this.#known.secrets;
  }

  #headers(request: ApiRequest, hasBody: boolean): Record<string, string> {
    const wire = (text: string): string => onWire(text, this.platform.wireWord);
    const { clientId, scope } = this.#headerNames;
    const headers: Record<string, string> = {
      "user-agent": this.#userAgent,
      "accept": wire(request.accept ?? "application/json"),
      [clientId]: this.#credentials.clientId,
    };
    if (request.scope !== undefined) headers[scope] = request.scope;
    if (hasBody) headers["content-type"] = wire(request.contentType ?? "application/json");
    if (request.headers === undefined) return headers;
    for (const [name, value] of Object.entries(request.headers)) headers[wire(name).toLowerCase()] = value;
    // Refuses what no header can hold before anything is waited for.
    new Headers(headers);
    return headers;
  }
}

/** Copies a request, so that its body cannot change between guard and wire. */
function snapshotOf(request: ApiRequest): ApiRequest {
  const text = bodyText(request);
  return text === undefined ? { ...request } : { ...request, text, json: parseJson(text) };
}

function bodyText({ text, json }: ApiRequest): string | undefined {
  return text ?? (json === undefined ? undefined : stringifyJson(json));
}

/** True if the platform has certainly done nothing. */
function nothingDone(error: unknown): boolean {
  if (error instanceof NetworkError) return !error.mayHaveActed;
  return error instanceof ApiError
    ? error.statusCode >= 400 && error.statusCode < 500
    : error instanceof AuthError;
}

function hasToken(body: unknown): boolean {
  return typeof body === "object" && body !== null && "access_token" in body &&
    typeof body.access_token === "string";
}
