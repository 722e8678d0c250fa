import type { ApiRequest } from "./api_request.ts";
import type { Priority } from "./pacer/lane.ts";
import type { Pacer, PaceReport } from "./pacer/pacer.ts";
import type { Sleep } from "../../base/time/clock.ts";
import type { Fetch } from "./exchange.ts";
import type { RetryPolicy } from "./retry.ts";

/** One finished exchange, one wait, or a new pace, for a log. Holds no body, no token and no query. */
export interface TransportEvent {
  /** HTTP method. */
  readonly method: string;
  /** Address without its query. */
  readonly url: string;
  /** HTTP status; absent without a response, and for waits. */
  readonly status?: number;
  /** The platform's request id. */
  readonly requestId?: string;
  /** Seconds the exchange took, or the wait will take. */
  readonly seconds: number;
  /** Kind of event. */
  readonly kind: "response" | "no-response" | "wait" | "pace";
  /** Reason for a wait that does not precede a retry: an export in progress must end first. */
  readonly waitsFor?: "exports";
  /** New pace of requests like this one; only for the kind `pace`. */
  readonly pace?: PaceReport;
}

/** Options of a transport; every dependency can be replaced. */
export interface TransportOptions {
  /** Limits on the retries of requests, and the failures that allow them. */
  readonly retry?: Partial<RetryPolicy>;
  /** Timeout of a request, in seconds. @default 60 */
  readonly timeout?: number;
  /** Sends requests. @default globalThis.fetch */
  readonly fetch?: Fetch;
  /** Value of the `User-Agent` header. */
  readonly userAgent?: string;
  /** Waits for a number of seconds. */
  readonly sleep?: Sleep;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Returns a random number from 0 up to 1, for the jitter. */
  readonly random?: () => number;
  /** Called after every exchange, before every wait, and when the pace changes. */
  readonly onEvent?: (event: TransportEvent) => void;
  /** Called with each warning, as one line. @default console.warn */
  readonly onWarning?: (warning: string) => void;
  /** Called before each request is sent; throwing rejects the request. */
  readonly guard?: (request: ApiRequest) => Promise<(() => Promise<void>) | undefined>;
  /** Keeps requests to the pace that the platform allows; several clients may share one. @default one of its own */
  readonly pacer?: Pacer | undefined;
  /** Priority of requests while the platform throttles. @default "interactive" */
  readonly priority?: Priority;
  /**
   * Maximum seconds between two polls of a report or job, for an account that completes them at once.
   *
   * @default as each job asks
   */
  readonly maxPoll?: number | undefined;
}
