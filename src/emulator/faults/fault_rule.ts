import type { ApiHost } from "../core/marketplaces.ts";

/** Requests that a fault rule matches; an omitted field matches everything. */
export interface FaultMatch {
  /**
   * Operation id, with its API (`sponsored-products:UpdateSponsoredProductsKeywords`) or without; `*` stands for any
   * text.
   */
  readonly operation?: string;
  /** Path below the host, for example `/sp/*`; `*` stands for any text. */
  readonly path?: string;
  /** HTTP method. */
  readonly method?: string;
  /** Only requests with this scope match. */
  readonly profileId?: string;
  /** Only requests to this host match. */
  readonly region?: ApiHost;
}

/** A response sent instead of the real one. */
export interface FaultResponse {
  /** HTTP status. */
  readonly status: number;
  /** Text sent unchanged, or a JSON value. @default no body */
  readonly body?: unknown;
  /** Headers by name, added to the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The `Retry-After` header: seconds, or text sent unchanged. @default no header */
  readonly retryAfter?: number | string;
  /** True if the request is carried out anyway. @default false */
  readonly acted?: boolean;
}

/** Injected refusals of single items in a batch. */
export interface FaultItemErrors {
  /** The error family, for example `throttledError` or `internalServerError`. */
  readonly errorType: string;
  /** Indexes of the items. */
  readonly at?: readonly number[];
  /** Every n-th item, beginning with the n-th. */
  readonly every?: number;
  /** True if the item is carried out anyway. @default false */
  readonly acted?: boolean;
}

/** Effects of a rule on a chosen request. */
export interface FaultEffects {
  /** Seconds to wait before anything else. */
  readonly delay?: number;
  /** Cuts the connection without a response, before or after acting. */
  readonly drop?: "before" | "after";
  /** Response to send instead. */
  readonly response?: FaultResponse;
  /**
   * Maximum requests per second for this operation's group on this host; takes precedence over the quirk of the same
   * name.
   */
  readonly requestsPerSecond?: number;
  /** Expires every access token issued so far. */
  readonly expireToken?: boolean;
  /** Carries out the request but sends 429, without `Retry-After`. */
  readonly acceptedBut429?: boolean;
  /** Outcome of a requested report. */
  readonly reportOutcome?: "COMPLETED" | "FAILED" | "FAILURE" | "CANCELLED";
  /** Seconds of the emulator's clock that a requested report takes. */
  readonly reportSeconds?: number;
  /** Refuses single items of a batch. */
  readonly itemErrors?: FaultItemErrors;
  /** Returns the success list of a batch in another order. */
  readonly shuffleSuccess?: boolean;
  /** Returns an empty list page although more pages follow. */
  readonly emptyPage?: boolean;
  /** Replaces the value of a field everywhere in the response. */
  readonly unknownEnum?: { readonly field: string; readonly value: string };
  /** Number of body bytes to send before the connection is cut. */
  readonly truncate?: number;
  /** Corrupts one byte in the middle of a compressed body. */
  readonly corruptGzip?: boolean;
}

/** A fault rule: matched requests, frequency and effects. */
export interface FaultRule {
  /** A name for reports. */
  readonly name?: string;
  /** Requests that the rule applies to. @default all */
  readonly match?: FaultMatch;
  /** Lets the first n matching requests pass. @default 0 */
  readonly skip?: number;
  /** Maximum number of uses. @default no limit */
  readonly times?: number;
  /** Acts on every n-th matching request after those skipped. @default 1 */
  readonly every?: number;
  /** Acts with this probability, repeatable from the emulator's seed. @default 1 */
  readonly probability?: number;
  /** Effects on a matched request. */
  readonly effects: FaultEffects;
}
