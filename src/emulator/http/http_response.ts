import { writeJson } from "../core/json.ts";

export interface HttpResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Source of the JSON body, for faults that change it. */
  readonly value?: unknown;
}

interface HttpResponseOptions {
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

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

export function rawResponse(
  status: number,
  body: string | Uint8Array,
  options: HttpResponseOptions = {},
): HttpResponse {
  return { status, headers: { "content-type": options.type ?? "text/plain", ...options.headers }, body };
}

export function emptyResponse(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers, body: "" };
}

/** `undefined` cuts the connection. */
export interface Reply {
  readonly response: HttpResponse | undefined;
  readonly truncate?: number;
}
