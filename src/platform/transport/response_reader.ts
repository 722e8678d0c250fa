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
import { hintForRefusal, readErrorBody } from "./error_body.ts";
import { onWire, type Platform } from "../connection/platform.ts";
import { parseJson } from "../../base/json/json.ts";
import type { ApiRequest, ApiResponse } from "./api_request.ts";
import type { WireResponse } from "./exchange.ts";
import { type Attempt, type FailedAttempt, type RetryPolicy, retryRule } from "./retry.ts";
import { withoutQuery } from "./query_text.ts";
import { noteOrigin, unexpectedResponse } from "./unexpected_response.ts";

interface ResponseReaderParts {
  readonly platform: Platform;
  readonly retry: Pick<RetryPolicy, "rules">;
  readonly now: () => number;
  readonly secrets: () => readonly string[];
}

interface ReadRequest extends Pick<ApiRequest, "method" | "idempotent" | "retryThrottled"> {
  readonly url: string;
  readonly secrets: readonly string[];
}

export class ResponseReader {
  readonly #parts: ResponseReaderParts;

  constructor(parts: ResponseReaderParts) {
    this.#parts = parts;
  }

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

  failed(response: WireResponse, request: ReadRequest): FailedAttempt {
    const failed = this.failure(response, request);
    const rule = retryRule(this.#parts.retry, response.status, request);
    if (rule === undefined) return { failed, next: "never" };
    if (rule.delay === "at-once") return { failed, next: "at-once" };
    const again = response.status !== 429 || request.retryThrottled !== false;
    return { failed, next: { after: this.#retryAfter(response), waits: rule.waits, again } };
  }

  afterLoss(lost: NetworkError, request: { idempotent: boolean }): FailedAttempt {
    const rule = retryRule(this.#parts.retry, lost.mayHaveActed ? "no-response" : "not-sent", request);
    return { failed: lost, next: rule === undefined ? "never" : { waits: rule.waits } };
  }

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

/** Secrets echoed by the platform are removed lazily, because most callers only need the body. */
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

const HTML = /^\s*(?:<!doctype html|<html)\b/i;

/** A redirect is a valid result of a GET, but means failure for a write or a list by POST. */
export function isSuccess({ status }: WireResponse, method: string): boolean {
  return status >= 200 && status < (method === "GET" ? 400 : 300);
}

export function parseOrText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

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

const LONG = 24;

function parseClean(text: string, secrets: readonly string[]): unknown {
  const minLength = shortestSecret(secrets);
  if (minLength < LONG) return parseJson(withoutSecrets(text, secrets));
  return parseJson(text, { minLength, clean: (part) => withoutSecrets(part, secrets) });
}

/**
 * Parses seconds or an HTTP date; `undefined` if unreadable. A date is compared with the response's own `Date` if
 * present, so that a wrong local clock does not matter.
 *
 * @param now Epoch milliseconds of the local clock.
 */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const until = httpDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, (until - (httpDate(headers.get("date")?.trim() ?? "") ?? now)) / 1000);
}

/** `Date.parse` would accept "-5" and "bananas 12" as dates. */
function httpDate(text: string): number | undefined {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d:\d\d:\d\d GMT$/.test(text)) {
    return undefined;
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}

interface FailedResponse {
  readonly status: number;
  readonly text: string;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly method: string;
  readonly url: string;
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
