import { onWire, type Platform } from "../connection/platform.ts";
import { type ApiError, NetworkError } from "../errors.ts";
import { parseJson } from "../internal/json.ts";
import { redact } from "../redact.ts";
import { apiError } from "./api_error.ts";
import type { ApiRequest, ApiResponse } from "./api_request.ts";
import type { WireResponse } from "./exchange.ts";
import type { Attempt, FailedAttempt } from "./retry.ts";
import { retryAfterSeconds } from "./retry_after.ts";
import { type RetryPolicy, retryRule } from "./retry_policy.ts";
import { withoutQuery } from "./without_query.ts";

/** What the reading of responses depends on. */
export interface ResponseReaderParts {
  /** Where the platform is; names the header with its request id. */
  readonly platform: Platform;
  /** Which failures may be retried. */
  readonly retry: Pick<RetryPolicy, "rules">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** What must not show up in anything that leaves the process. */
  readonly secrets: () => readonly string[];
}

/** What the reading needs to know of the request. */
export interface ReadRequest extends Pick<ApiRequest, "method" | "idempotent" | "retryThrottled" | "onText"> {
  /** Address, with its query. */
  readonly url: string;
  /** Secrets that were valid when the request was sent. */
  readonly secrets: readonly string[];
}

/** Reads responses of the platform: a success, or which failure, and whether the request may be sent again. */
export class ResponseReader {
  readonly #parts: ResponseReaderParts;

  /**
   * Makes a reader for one client.
   *
   * @param parts What the reading depends on.
   */
  constructor(parts: ResponseReaderParts) {
    this.#parts = parts;
  }

  /** The response of an attempt, or its failure and what may be done about it. */
  read(response: WireResponse, request: ReadRequest): Attempt<ApiResponse> {
    const { method } = request;
    // A redirect is the result of a GET; a write or a list by POST that gets one was not done.
    if (response.status >= 200 && response.status < (method === "GET" ? 400 : 300)) {
      try {
        request.onText?.(response.text);
        return { value: this.#success(response) };
      } catch (cause) {
        const url = withoutQuery(request.url);
        const lost = new NetworkError(
          `Cannot read the response to ${method} ${url}: its JSON is cut short or malformed`,
          { method, url, mayHaveActed: true, timedOut: false },
          { cause },
        );
        return this.afterLoss(lost, request);
      }
    }
    return this.failed(response, request);
  }

  /** A failed response and what may be done about it. */
  failed(response: WireResponse, request: ReadRequest): FailedAttempt {
    const failed = this.failure(response, request);
    const rule = retryRule(this.#parts.retry, response.status, request);
    if (rule === undefined) return { failed, next: "never" };
    if (rule.delay === "at-once") return { failed, next: "at-once" };
    const again = response.status !== 429 || (request.retryThrottled ?? true);
    return { failed, next: { after: this.#retryAfter(response), waits: rule.waits, again } };
  }

  /** A request that got no response, and what may be done about it. */
  afterLoss(lost: NetworkError, request: { idempotent: boolean }): FailedAttempt {
    const rule = retryRule(this.#parts.retry, lost.mayHaveActed ? "no-response" : "not-sent", request);
    return { failed: lost, next: rule === undefined ? "never" : { waits: rule.waits } };
  }

  #success(response: WireResponse): ApiResponse {
    const { status, headers, text } = response;
    const location = headers.get("location");
    const json = text.trim() !== ""
      ? /json/i.test(headers.get("content-type") ?? "json") ? parseJson(text) : parseOrText(text)
      : status >= 300 && location !== null
      ? { location }
      : undefined;
    return { status, headers, json, requestId: this.requestId(response) };
  }

  /** The error that a failed response becomes. */
  failure(
    response: WireResponse,
    request: Pick<ReadRequest, "method" | "url" | "secrets">,
  ): ApiError {
    return apiError({
      status: response.status,
      text: response.text,
      requestId: this.requestId(response),
      retryAfter: this.#retryAfter(response),
      method: request.method,
      url: withoutQuery(request.url),
      secrets: request.secrets,
    });
  }

  #retryAfter(response: WireResponse): number | undefined {
    return retryAfterSeconds(response.headers, this.#parts.now());
  }

  /** The platform's request id. */
  requestId(response: WireResponse): string | undefined {
    const { platform, secrets } = this.#parts;
    const names = [
      platform.headers.requestId,
      "x-platform-request-id",
      "x-platform-rid",
      "x-platform-requestid",
    ];
    for (const name of names) {
      const value = response.headers.get(onWire(name, platform.wireWord));
      if (value) return redact(value, secrets());
    }
    return undefined;
  }
}

/** Parsed JSON, or the text itself where it is none. */
export function parseOrText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
