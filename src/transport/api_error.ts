import {
  ApiError,
  type ApiErrorFields,
  BadRequestError,
  ForbiddenError,
  NotFoundError,
  ServerError,
  ThrottledError,
  UnauthorizedError,
  UnprocessableError,
} from "../errors.ts";
import { redact } from "../redact.ts";
import { readErrorBody } from "./error_body.ts";

/** A failed answer, as far as an error needs it. */
export interface FailedAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Body as text. */
  readonly text: string;
  /** Request id from the headers. */
  readonly requestId?: string | undefined;
  /** Seconds that the platform asked to wait. */
  readonly retryAfter?: number | undefined;
  /** HTTP method of the request. */
  readonly method: string;
  /** Address of the request, without its query. */
  readonly url: string;
  /** Secrets of this client; should the answer echo one, it is removed. */
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

/** Chooses the error class for a failed answer and fills it; the one place where that is done. */
export function apiError(answer: FailedAnswer): ApiError {
  const clean = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : redact(text, answer.secrets);
  const body = readErrorBody(answer.text);
  const code = clean(body.code);
  const requestId = clean(answer.requestId ?? body.requestId);
  const fields: ApiErrorFields = {
    statusCode: answer.status,
    code,
    requestId,
    body: clean(answer.text),
    method: answer.method,
    url: answer.url,
    retryAfter: answer.retryAfter,
  };
  const said = [code, clean(body.message)].filter((part) =>
    part !== undefined && part !== String(answer.status)
  );
  const words = said.length > 0 ? `: ${said.join(": ")}` : "";
  const id = requestId === undefined ? "" : ` (request id ${requestId})`;
  const path = pathOf(answer.url);
  const message = `The platform answers ${answer.status} to ${answer.method} ${path}${words}${id}`;
  const Class = CLASSES[answer.status] ?? (answer.status >= 500 ? ServerError : ApiError);
  return new Class(message, fields);
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname;
  } catch {
    return url;
  }
}
