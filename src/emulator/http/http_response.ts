import { writeJson } from "../core/json.ts";

/** A response of the emulator: a status, headers and a body that is ready to be sent. */
export interface HttpResponse {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; empty when there is none. */
  readonly body: string | Uint8Array;
  /** The JSON value the body was written from, for faults that change it. */
  readonly value?: unknown;
}

/** Options of a response beside status and value. */
interface HttpResponseOptions {
  /** Media type of the body. @default "application/json" */
  readonly type?: string;
  /** Further headers by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response whose body is the JSON of `value`. */
export function jsonResponse(
  status: number,
  value: unknown,
  options: HttpResponseOptions = {},
): HttpResponse {
  return {
    status,
    headers: { "content-type": options.type ?? "application/json", ...options.headers },
    body: writeJson(value),
    value,
  };
}

/** A response whose body is text or bytes as they are. */
export function rawResponse(
  status: number,
  body: string | Uint8Array,
  options: HttpResponseOptions = {},
): HttpResponse {
  return { status, headers: { "content-type": options.type ?? "text/plain", ...options.headers }, body };
}

/** A response without a body. */
export function emptyResponse(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers, body: "" };
}

/** A response to send, whole or cut short, or `undefined` to cut the connection. */
export interface Reply {
  readonly response: HttpResponse | undefined;
  /** Number of body bytes to send before the connection is cut. */
  readonly truncate?: number;
}
