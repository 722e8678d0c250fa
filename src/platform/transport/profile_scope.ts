import type { ApiRequest, BeforeAttempt } from "./api_request.ts";
import type { Priority } from "./pacer/lane.ts";
import type { QueryValue } from "./query_text.ts";
import type { Transport } from "./transport.ts";

/** Options of a request to the profile's host. */
export interface RequestOptions {
  /** Body; a `bigint` in it is written as a bare number. */
  readonly json?: unknown;
  /** Query parameters. */
  readonly params?: Readonly<Record<string, QueryValue>> | undefined;
  /** Media type of the body. @default "application/json" */
  readonly contentType?: string | undefined;
  /** Requested media type of the response. @default "application/json" */
  readonly accept?: string | undefined;
  /** False to omit the profile's header, for operations that name accounts in their body. @default true */
  readonly scoped?: boolean | undefined;
  /** Proves to a limit on profiles that the request was checked before. @internal */
  readonly withinLimit?: symbol | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** True if sending the request twice has the same effect as sending it once. @default true for GET, else false */
  readonly idempotent?: boolean | undefined;
  /** False leaves a throttled request to the caller; the client's pause begins either way. @default true */
  readonly retryThrottled?: boolean | undefined;
  /** Maximum seconds to wait for the platform, if less than the policy allows. */
  readonly maxWait?: number | undefined;
  /** Group of requests that share a limit of the platform, if the path does not determine it. @default by the path */
  readonly group?: string | undefined;
  /** Priority while the platform throttles. @default the priority of the client */
  readonly priority?: Priority | undefined;
  /** Aborts the request and any wait before it. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the raw text of a successful response, before it is parsed. */
  readonly onText?: ((text: string) => void) | undefined;
  /** Awaited right before the request is sent, and before each retry; throwing ends the request. */
  readonly beforeAttempt?: BeforeAttempt | undefined;
  /** Called after an attempt that certainly changed nothing: a 4xx, or no connection. */
  readonly onNothingDone?: (() => void) | undefined;
}

/** Limits a client to some profiles of its login. */
export interface ReachLimit {
  /** True for a profile that may be used. */
  has(profileId: string, countryCode: string | undefined): boolean;
  /**
   * Refuses a request that reaches beyond these profiles.
   *
   * @throws {ConfigurationError} that says why. Nothing was sent.
   */
  check(request: ReachedRequest): Promise<void>;
}

/** Parts of a request that decide which profiles it reaches. */
export type ReachedRequest =
  & Pick<ApiRequest, "method" | "path" | "json" | "headers" | "scope" | "sender" | "withinLimit">
  & { readonly signal?: AbortSignal | undefined };

/** Connection to one profile, used by everything that works on that profile. */
export interface ProfileScope {
  /** Id of the profile, digits as text; sent as the scope of every request. */
  readonly profileId: string;
  /** Country of the profile, as the platform spells it. */
  readonly countryCode: string;
  /** IANA time zone of the profile's days. @default that of the country */
  readonly timeZone?: string | undefined;
  /** Returns the wire for requests about a kind. @default "legacy" for every kind */
  readonly wireOf?: ((kind: string) => "legacy" | "unified" | "compare") | undefined;
  /**
   * Relation of target ids on the two wires: `equal` compares some before the first write and stops on a difference;
   * `mapped` reads the older family and matches each target of the unified one by content.
   * @default "equal"
   */
  readonly wireIds?: "equal" | "mapped" | undefined;
  /** Kinds whose ids were found to be the same on both wires. */
  readonly provenIds?: Set<string> | undefined;
  /** Limits requests to some profiles of the login. @default none */
  readonly limit?: ReachLimit | undefined;
  /** The client's transport. */
  readonly transport: Transport;
  /** Sends a request to the profile's regional host with the profile's scope, and returns the parsed body. */
  request(method: string, path: string, options?: RequestOptions): Promise<unknown>;
}
