import type { Priority } from "./pacer/lane.ts";
import type { QueryValue } from "./query_text.ts";

/** Marks internal requests beyond the profile that were already checked, or whose results the caller never sees. */
export const WITHIN_LIMIT: unique symbol = Symbol("within the limit");

/** A request exactly as it is sent. */
export interface LeavingRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** Body as text; `undefined` without a body, and for a form. */
  readonly body: string | undefined;
}

/** Awaited right before a request is sent. */
export type BeforeAttempt = (request: LeavingRequest) => void | Promise<void>;

/** A request to an API host. */
export interface ApiRequest {
  /** HTTP method. */
  readonly method: string;
  /** URL of the host, without a trailing slash. */
  readonly baseUrl: string;
  /** Path, beginning with a slash, its segments already encoded. */
  readonly path: string;
  /** Query parameters. */
  readonly params?: Readonly<Record<string, QueryValue>> | undefined;
  /** Body; a `bigint` in it is written as a bare number. */
  readonly json?: unknown;
  /** The body as text, serialized once if a guard judges it, so that exactly the judged text is sent. @internal */
  readonly text?: string | undefined;
  /** A form in place of a JSON body; its media type and boundary are set by the runtime. */
  readonly form?: FormData | undefined;
  /** Media type of the body. @default "application/json" */
  readonly contentType?: string | undefined;
  /** Accepted media type of the response. @default "application/json" */
  readonly accept?: string | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Profile id for the scope header; absent for requests without a profile. */
  readonly scope?: string | undefined;
  /**
   * Id of the sending profile if the request carries no scope, as to a global account; guards attribute it to this
   * profile.
   * @default scope
   */
  readonly sender?: string | undefined;
  /** True if sending the request twice has the same effect as sending it once. */
  readonly idempotent: boolean;
  /**
   * False to not retry a throttled request, so the caller can check first whether it took effect. The client's pause
   * begins either way.
   * @default true
   */
  readonly retryThrottled?: boolean | undefined;
  /** Maximum seconds to wait for the platform, if less than the policy allows. */
  readonly maxWait?: number | undefined;
  /** Timeout in seconds, if different from the client's. */
  readonly timeout?: number | undefined;
  /** Rate limit group of the request. @default derived from the path */
  readonly group?: string | undefined;
  /** Priority while the platform throttles. @default the priority of the client */
  readonly priority?: Priority | undefined;
  /** Aborts the request and any wait before it. */
  readonly signal?: AbortSignal | undefined;
  /** Proves to the guard of a policy that the request belongs to an admitted plan. */
  readonly clearance?: object | undefined;
  /** Proves to a limit on profiles that the request was checked before. @internal */
  readonly withinLimit?: symbol | undefined;
  /** Called with the raw text of a successful response, before it is parsed. */
  readonly onText?: ((text: string) => void) | undefined;
  /** Awaited right before the request is sent, and before each retry; throwing ends the request. */
  readonly beforeAttempt?: BeforeAttempt | undefined;
  /** Called after an attempt that certainly changed nothing: a 4xx, or no connection. */
  readonly onNothingDone?: (() => void) | undefined;
}

/** A successful response of an API host. */
export interface ApiResponse {
  /** HTTP status, 200 to 399. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: Headers;
  /** Parsed body; text if it is not JSON, `{ location }` for a redirect, `undefined` if it is empty. */
  readonly json: unknown;
  /** The platform's request id. */
  readonly requestId: string | undefined;
}

const SIMPLE = /^(?:\/[A-Za-z0-9_-]+)+\/?$/;
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Rejects requests that `fetch` would alter or misreport: it drops everything after `#`, reads a backslash as a slash,
 * and reports its own rejections like lost connections.
 *
 * @throws {TypeError} naming the problem.
 */
export function checkRequest({ method, path, json, form }: ApiRequest): void {
  if (!METHODS.has(method)) throw new TypeError(`Cannot send "${method}": it is not an HTTP method`);
  if ((json !== undefined || form !== undefined) && (method === "GET" || method === "HEAD")) {
    throw new TypeError(
      `Cannot send ${method} ${path} with a body. Pass what narrows it as query parameters`,
    );
  }
  if (SIMPLE.test(path)) return;
  if (!path.startsWith("/")) throw new TypeError(`Cannot request "${path}": a path begins with a slash`);
  if (/[?#]/.test(path)) {
    throw new TypeError(`Cannot request "${path}": a path has no ? and no #. Pass a query as parameters`);
  }
  if (/[\s\\\p{Cc}]/u.test(path) || path.split("/").some((part) => /^(\.|%2e){1,2}$/i.test(part))) {
    throw new TypeError(
      `Cannot request ${
        JSON.stringify(path)
      }: it holds a space, a backslash, a control character or a "." segment. ` +
        "Encode its segments first",
    );
  }
}

/** True if a request asks for an export, or for the status of one. */
export function isAboutExport({ method, path }: ApiRequest): boolean {
  return method === "GET"
    ? path.startsWith("/exports/")
    : method === "POST" && /^\/[a-z]+\/export$/i.test(path);
}
