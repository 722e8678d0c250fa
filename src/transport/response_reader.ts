import { onWire, type Platform } from "../connection/platform.ts";
import { type ApiError, NetworkError } from "../errors.ts";
import { redact } from "../redact.ts";
import { apiError } from "./api_error.ts";
import type { ApiRequest, ApiResponse } from "./api_request.ts";
import type { WireAnswer } from "./exchange.ts";
import { parseJson } from "../internal/json.ts";
import type { Attempt, FailedAttempt, Next } from "./retry.ts";
import { retryAfterSeconds } from "./retry_policy.ts";

/** What the reading of answers depends on. */
export interface AnswerReaderParts {
  /** Where the platform is; names the header with its request id. */
  readonly platform: Platform;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** What must not show up in anything that leaves the process. */
  readonly secrets: () => readonly string[];
}

/** Repeat after a random wait, without a pause of the others. */
const AGAIN: Next = { after: undefined, everyone: false };

/** Reads what the platform answers: a success, or which failure, and whether the request may be repeated. */
export class AnswerReader {
  readonly #parts: AnswerReaderParts;

  /**
   * Makes a reader for one client.
   *
   * @param parts What the reading depends on.
   */
  constructor(parts: AnswerReaderParts) {
    this.#parts = parts;
  }

  /**
   * What came of an attempt: the answer, or a failure and what may be done about it.
   *
   * @param request The request that was answered.
   */
  judge(
    answer: WireAnswer,
    request: Pick<ApiRequest, "method" | "idempotent" | "retryThrottled"> & {
      url: string;
      secrets: readonly string[];
    },
  ): Attempt<ApiResponse> {
    const { method, idempotent } = request;
    // Where a redirect answers a GET, its address is the answer; a write or a list by POST was not done.
    if (answer.status >= 200 && answer.status < (method === "GET" ? 400 : 300)) {
      try {
        return { done: this.#answer(answer) };
      } catch (cause) {
        const url = request.url.split("?")[0]!;
        const lost = new NetworkError(
          `Cannot read the answer to ${method} ${url}: its JSON is cut short or malformed`,
          { method, url, mayHaveActed: true, timedOut: false },
          { cause },
        );
        return afterLoss(lost, { idempotent });
      }
    }
    const failed = this.failure(answer, request);
    const after = this.retryAfter(answer);
    let then: Next = "give-up";
    if (answer.status === 429) then = { after, everyone: true, again: request.retryThrottled ?? true };
    else if (idempotent && answer.status >= 500 && answer.status !== 501) then = { after, everyone: false };
    return { failed, then };
  }

  #answer(answer: WireAnswer): ApiResponse {
    const { status, headers, text } = answer;
    const location = headers.get("location");
    const json = text.trim() !== ""
      ? /json/i.test(headers.get("content-type") ?? "json") ? parseJson(text) : parseOrText(text)
      : status >= 300 && location !== null
      ? { location }
      : undefined;
    return { status, headers, json, requestId: this.requestId(answer) };
  }

  /** The error that a failed answer is. */
  failure(
    answer: WireAnswer,
    request: { method: string; url: string; secrets: readonly string[] },
  ): ApiError {
    return apiError({
      status: answer.status,
      text: answer.text,
      requestId: this.requestId(answer),
      retryAfter: this.retryAfter(answer),
      method: request.method,
      url: request.url.split("?")[0]!,
      secrets: request.secrets,
    });
  }

  /** Seconds that the platform asked to wait, when it said so. */
  retryAfter(answer: WireAnswer): number | undefined {
    return retryAfterSeconds(answer.headers.get("retry-after"), this.#parts.now());
  }

  /** The platform's request id. */
  requestId(answer: WireAnswer): string | undefined {
    const { platform, secrets } = this.#parts;
    const names = [
      platform.headers.requestId,
      "x-platform-request-id",
      "x-platform-rid",
      "x-platform-requestid",
    ];
    for (const name of names) {
      const value = answer.headers.get(onWire(name, platform.wireWord));
      if (value) return redact(value, secrets());
    }
    return undefined;
  }
}

/** What came of an attempt that no answer came to: repeated only where that cannot do a thing twice. */
export function afterLoss(lost: NetworkError, { idempotent }: { idempotent: boolean }): FailedAttempt {
  return { failed: lost, then: idempotent || !lost.mayHaveActed ? AGAIN : "give-up" };
}

/** Parsed JSON, or the text itself where it is none. */
export function parseOrText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
