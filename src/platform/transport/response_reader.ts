import {
  ApiError,
  type ApiErrorFields,
  BadRequestError,
  ForbiddenError,
  NetworkError,
  NotFoundError,
  ServerError,
  ThrottledError,
  UnauthorizedError,
  UnprocessableError,
} from "../../errors.ts";
import { redact, shortestSecret, withoutSecrets } from "../../base/text/redact.ts";
import { readErrorBody } from "./error_body.ts";
import { onWire, type Platform } from "../connection/platform.ts";
import { parseJson } from "../../base/json/json.ts";
import type { ApiRequest, ApiResponse } from "./api_request.ts";
import type { WireResponse } from "./exchange.ts";
import type { Attempt, FailedAttempt } from "./retry.ts";
import { type RetryPolicy, retryRule } from "./retry_policy.ts";
import { hintForRefusal } from "./known_refusals.ts";
import { withoutQuery } from "./query_text.ts";
import { noteOrigin, unexpectedResponse } from "./unexpected_response.ts";

interface ResponseReaderParts {
  /** Names the header with the request id. */
  readonly platform: Platform;
  /** Rules of retries. */
  readonly retry: Pick<RetryPolicy, "rules">;
  readonly now: () => number;
  /** Secrets to keep out of everything that leaves the process. */
  readonly secrets: () => readonly string[];
}

/** Input of a reading. */
interface ReadRequest extends Pick<ApiRequest, "method" | "idempotent" | "retryThrottled"> {
  readonly url: string;
  /** Secrets that were valid when it was sent. */
  readonly secrets: readonly string[];
}

/** Turns a response into a success, or a failure with its retry. */
export class ResponseReader {
  readonly #parts: ResponseReaderParts;

  constructor(parts: ResponseReaderParts) {
    this.#parts = parts;
  }

  /** Response of an attempt, or its failure and retry. */
  read(response: WireResponse, request: ReadRequest): Attempt<ApiResponse> {
    const { method } = request;
    if (isSuccess(response, method)) {
      if (HTML.test(response.text)) return { failed: this.#page(response, request), next: "never" };
      try {
        return { value: this.#success(response, request) };
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

  /** A failed response and its retry. */
  failed(response: WireResponse, request: ReadRequest): FailedAttempt {
    const failed = this.failure(response, request);
    const rule = retryRule(this.#parts.retry, response.status, request);
    if (rule === undefined) return { failed, next: "never" };
    if (rule.delay === "at-once") return { failed, next: "at-once" };
    const again = response.status !== 429 || request.retryThrottled !== false;
    return { failed, next: { after: this.#retryAfter(response), waits: rule.waits, again } };
  }

  /** A request without response and its retry. */
  afterLoss(lost: NetworkError, request: { idempotent: boolean }): FailedAttempt {
    const rule = retryRule(this.#parts.retry, lost.mayHaveActed ? "no-response" : "not-sent", request);
    return { failed: lost, next: rule === undefined ? "never" : { waits: rule.waits } };
  }

  /** A page for people, such as a proxy's, in place of data. */
  #page(response: WireResponse, request: ReadRequest): Error {
    const text = redact(response.text, request.secrets);
    const { method, url } = request;
    const what = `Cannot read the response to ${method} ${withoutQuery(url)}: it is a page of HTML`;
    return unexpectedResponse(text, what, { origin: this.#origin(response, request) });
  }

  #origin(response: WireResponse, { method, url }: ReadRequest): Parameters<typeof noteOrigin>[1] {
    return { status: response.status, method, url: withoutQuery(url), requestId: this.requestId(response) };
  }

  #success(response: WireResponse, request: ReadRequest): ApiResponse {
    const { secrets } = request;
    const json = bodyOf(response, secrets);
    noteOrigin(json, this.#origin(response, request));
    return new CleanResponse(response, {
      json,
      secrets,
      requestIdOf: (headers) => this.requestId({ headers }),
    });
  }

  /** Error for a failed response. */
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

  requestId(response: Pick<WireResponse, "headers">): string | undefined {
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

/** A response without secrets that the platform may have echoed; cleaned lazily, as most callers need only the body. */
class CleanResponse implements ApiResponse {
  readonly status: number;
  readonly json: unknown;
  readonly #headers: Headers;
  readonly #secrets: readonly string[];
  readonly #requestIdOf: (headers: Headers) => string | undefined;

  constructor({ status, headers }: WireResponse, parts: {
    json: unknown;
    secrets: readonly string[];
    requestIdOf: (headers: Headers) => string | undefined;
  }) {
    this.status = status;
    this.json = parts.json;
    this.#headers = headers;
    this.#secrets = parts.secrets;
    this.#requestIdOf = parts.requestIdOf;
  }

  get headers(): Headers {
    return new Headers(
      [...this.#headers].map(([name, value]): [string, string] => [
        name,
        withoutSecrets(value, this.#secrets),
      ]),
    );
  }

  get requestId(): string | undefined {
    return this.#requestIdOf(this.#headers);
  }
}

/** Start of HTML, which no operation returns. */
const HTML = /^\s*(?:<!doctype html|<html)\b/i;

/** A redirect is the result of a GET; a write or a list by POST was not done. */
export function isSuccess({ status }: WireResponse, method: string): boolean {
  return status >= 200 && status < (method === "GET" ? 400 : 300);
}

/** Parsed JSON, or the text if it is not JSON. */
export function parseOrText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Parsed body without secrets that the platform may have echoed. */
function bodyOf({ status, headers, text }: WireResponse, secrets: readonly string[]): unknown {
  if (text.trim() === "") {
    const location = status >= 300 ? headers.get("location") : null;
    return location === null ? undefined : { location: withoutSecrets(location, secrets) };
  }
  try {
    return parseClean(text, secrets);
  } catch {
    // The error quotes the text.
    const clean = withoutSecrets(text, secrets);
    return /json/i.test(headers.get("content-type") ?? "json") ? parseJson(clean) : clean;
  }
}

/** Secrets are longer than most texts of a response, so only long ones are searched. */
const LONG = 24;

function parseClean(text: string, secrets: readonly string[]): unknown {
  const minLength = shortestSecret(secrets);
  if (minLength < LONG) return parseJson(withoutSecrets(text, secrets));
  return parseJson(text, { minLength, clean: (part) => withoutSecrets(part, secrets) });
}

/**
 * Seconds that a `Retry-After` header asks for, given as seconds or as an HTTP date; `undefined` when it says nothing
 * that can be understood. A date is compared with the `Date` of the same response, so that a wrong clock on this
 * machine does not matter; without one, with the clock.
 *
 * @param now Milliseconds since the epoch, by this machine's clock.
 */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const until = httpDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, (until - (httpDate(headers.get("date")?.trim() ?? "") ?? now)) / 1000);
}

/** Guards `Date.parse`, which takes "-5" and "bananas 12" for dates. */
function httpDate(text: string): number | undefined {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d:\d\d:\d\d GMT$/.test(text)) {
    return undefined;
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}

/** Input of {@linkcode apiError}. */
interface FailedResponse {
  readonly status: number;
  readonly text: string;
  readonly requestId?: string | undefined;
  /** Seconds that the platform asks to wait. */
  readonly retryAfter?: number | undefined;
  readonly method: string;
  /** URL without query. */
  readonly url: string;
  /** Secrets to remove from the error. */
  readonly secrets?: readonly string[];
}

const CLASSES: Readonly<Record<number, new (message: string, fields: ApiErrorFields) => ApiError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  422: UnprocessableError,
  429: ThrottledError,
};

/** Creates the error of a failed response; the one place that chooses its class. */
function apiError(response: FailedResponse): ApiError {
  const clean = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : redact(text, response.secrets);
  const body = readErrorBody(response.text);
  const code = clean(body.code);
  const requestId = clean(response.requestId ?? body.requestId);
  const fields: ApiErrorFields = {
    statusCode: response.status,
    code,
    requestId,
    body: clean(response.text),
    method: response.method,
    url: response.url,
    retryAfter: response.retryAfter,
    hint: hintForRefusal(response.status, response.text),
  };
  const said = [code, clean(body.message)].filter((part) =>
    part !== undefined && part !== String(response.status)
  );
  const words = said.length > 0 ? `: ${said.join(": ")}` : "";
  const id = requestId === undefined ? "" : ` (request id ${requestId})`;
  const path = pathOf(response.url);
  const message = `The platform responded with ${response.status} to ${response.method} ${path}${words}${id}`;
  const Class = CLASSES[response.status] ?? (response.status >= 500 ? ServerError : ApiError);
  return new Class(message, fields);
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname;
  } catch {
    return url;
  }
}
