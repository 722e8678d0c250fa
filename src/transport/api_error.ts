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

/** A failed response, as far as an error needs it. */
interface FailedResponse {
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
  /** Secrets of this client; should the response echo one, it is removed. */
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

/** Chooses the error class for a failed response and fills it; the one place where that is done. */
export function apiError(response: FailedResponse): ApiError {
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
