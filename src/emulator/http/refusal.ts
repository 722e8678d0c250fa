import { type HttpResponse, jsonResponse } from "./http_response.ts";

export class Refusal extends Error {
  readonly response: HttpResponse;

  constructor(response: HttpResponse) {
    super(`Refused with ${response.status}`);
    this.name = "Refusal";
    this.response = response;
  }
}

export class RouteRefusal extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.name = "RouteRefusal";
    this.status = status;
  }
}

/**
 * `message` is `{code, message}`, `details` is `{code, details}`, `detail` is `{code, detail}` with the status as
 * code, `errorCode` is `{errorCode, message}`.
 */
export type ErrorStyle = "message" | "details" | "detail" | "errorCode" | "unified";

const CODES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHORIZED",
  403: "ACCESS_DENIED",
  404: "NOT_FOUND",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_ENTITY",
  425: "TOO_EARLY",
  429: "THROTTLED",
  500: "INTERNAL_ERROR",
  501: "NOT_IMPLEMENTED",
  503: "SERVICE_UNAVAILABLE",
};

const UNIFIED_CODES: Readonly<Record<number, string>> = {
  400: "BAD_REQUEST",
  403: "FORBIDDEN",
  413: "CONTENT_TOO_LARGE",
  415: "BAD_REQUEST",
  422: "BAD_REQUEST",
  429: "TOO_MANY_REQUESTS",
};

export function inUnifiedWords(handle: () => HttpResponse): HttpResponse {
  try {
    return handle();
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    const { status, value } = problem.response;
    const message = typeof value === "object" && value !== null && "message" in value ? value.message : "";
    throw refusal(status, String(message), "unified");
  }
}

export function refusal(status: number, text: string, style: ErrorStyle = "message"): Refusal {
  const code = CODES[status] ?? "INTERNAL_ERROR";
  const body = style === "message"
    ? { code, message: text }
    : style === "details"
    ? { code, details: text }
    : style === "unified"
    ? { code: UNIFIED_CODES[status] ?? code, message: text }
    : style === "errorCode"
    ? { errorCode: code, message: text }
    : { code: String(status), detail: text };
  return new Refusal(jsonResponse(status, body));
}
