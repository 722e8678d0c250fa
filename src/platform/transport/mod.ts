/**
 * Requests, retries, pacing and errors.
 *
 * @module
 */
export type { TokenResponse } from "../connection/access_tokens.ts";
export type { PlatformHeaders } from "../connection/platform.ts";
export type { ApiErrorFields, NetworkErrorFields } from "../../errors.ts";
export type { ApiRequest, ApiResponse, BeforeAttempt, LeavingRequest } from "./api_request.ts";
export type { ProfilePause } from "./pacer/pace_store.ts";
export type { LanePace, Priority } from "./pacer/lane.ts";
export { Pacer, type PacerClock, type PaceReport, type PauseReport } from "./pacer/pacer.ts";
export type { ProfileScope, ReachedRequest, ReachLimit, RequestOptions } from "./profile_scope.ts";
export type { QueryValue, RepeatedQueryValue } from "./query_text.ts";
export { DEFAULT_RETRY, RETRY_RULES, type RetryCause, type RetryPolicy, type RetryRule } from "./retry.ts";
export type { Sleep } from "../../base/time/clock.ts";
export { Transport } from "./transport.ts";
export type { TransportEvent, TransportOptions } from "./transport_options.ts";
export type { Fetch } from "./exchange.ts";
