import { stringifyJson } from "../../base/json/json.ts";
import { UnexpectedResponseError } from "../../errors.ts";
import { readErrorBody } from "./error_body.ts";

interface ResponseOrigin {
  readonly status: number;
  readonly method: string;
  readonly url: string;
  readonly requestId: string | undefined;
}

const MAX_WORDS = 500;

export const VERDICTS_UNREAD = "Cannot read the verdicts on what was sent";

const origins = new WeakMap<object, ResponseOrigin>();

export function noteOrigin(json: unknown, origin: ResponseOrigin | undefined): void {
  if (typeof json === "object" && json !== null && origin !== undefined) origins.set(json, origin);
}

export function originOf(json: unknown): ResponseOrigin | undefined {
  // Of what is no object a WeakMap holds nothing.
  return origins.get(json as object);
}

/**
 * Includes the platform's code, message and request id.
 *
 * @param body The parsed body, or its text.
 * @param what Failed step, such as "Cannot list /sp/keywords: the response holds no keywords".
 */
export function unexpectedResponse(
  body: unknown,
  what: string,
  { origin = originOf(body), cause }: { origin?: ResponseOrigin | undefined; cause?: unknown } = {},
): UnexpectedResponseError {
  const text = typeof body === "string" ? body : body === undefined ? "" : stringifyJson(body);
  const { code, message, requestId = origin?.requestId } = readErrorBody(text);
  const said = [code, message].filter((part) => part !== undefined).join(": ");
  const words = said === "" ? text : said;
  const shown = words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words;
  const came = origin === undefined
    ? "The platform"
    : `The platform responded with ${origin.status} to ${origin.method} ${new URL(origin.url).pathname}, and`;
  const id = requestId === undefined ? "" : ` (request id ${requestId})`;
  const says = shown === "" ? "sent an empty body" : `says: ${shown}`;
  return new UnexpectedResponseError(`${what}. ${came} ${says}${id}`, {
    statusCode: origin?.status,
    method: origin?.method,
    url: origin?.url,
    code,
    requestId,
    body: text,
  }, cause === undefined ? undefined : { cause });
}

export function readBody<T>(body: unknown, what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw unexpectedResponse(body, what, { cause });
  }
}
