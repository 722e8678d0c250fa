import { redact, redactError } from "./base/text/redact.ts";

/**
 * Base class of all errors that this package throws, apart from the built-in `TypeError` and `RangeError`.
 *
 * @example
 * ```ts
 * import { PlatformAdsError } from "@platform/ads";
 * const onPurpose = (error: unknown): boolean => error instanceof PlatformAdsError; // thrown by this package
 * ```
 */
export class PlatformAdsError extends Error {
  /**
   * Removes tokens and secrets from the message and the cause.
   *
   * @param message What is wrong and what to do next.
   */
  constructor(message: string, options?: ErrorOptions) {
    const cause = options?.cause;
    const isOwn = cause instanceof PlatformAdsError;
    super(redact(message), cause === undefined ? undefined : { cause: isOwn ? cause : redactError(cause) });
    this.name = new.target.name;
  }
}

/**
 * Credentials or settings are missing or contradict each other. Nothing was sent.
 *
 * @example
 * ```ts
 * import { ConfigurationError, PlatformAds } from "@platform/ads";
 *
 * try {
 *   await PlatformAds.fromEnv({ env: {}, envFile: "nowhere.env" });
 * } catch (error) {
 *   if (!(error instanceof ConfigurationError)) throw error;
 *   console.log(error.message); // which setting or file, and what to do; nothing was sent
 * }
 * ```
 */
export class ConfigurationError extends PlatformAdsError {
  /** Missing variables; empty for other problems. */
  readonly missing: readonly string[];

  /**
   * Removes tokens and secrets from the message and the cause.
   *
   * @param message What is wrong and what to do next.
   */
  constructor(message: string, options: ErrorOptions & { readonly missing?: readonly string[] } = {}) {
    const { missing = [], ...others } = options;
    super(message, others);
    this.missing = missing;
  }
}

/**
 * The identity provider refused to issue an access token.
 *
 * @example
 * ```ts
 * import { AuthError } from "@platform/ads";
 * const wantsConsent = (error: unknown): boolean => error instanceof AuthError && error.error === "invalid_grant";
 * ```
 */
export class AuthError extends PlatformAdsError {
  /** The provider's error code, for example `invalid_grant`. */
  readonly error: string;

  /** Stores the provider's error code, secrets removed. */
  constructor(message: string, error: string, options?: ErrorOptions) {
    super(message, options);
    this.error = redact(error);
  }
}

/** Parts of an {@linkcode ApiError}. */
export interface ApiErrorFields {
  /** HTTP status of the response. */
  readonly statusCode: number;
  /** The platform's own code, for example `INVALID_ARGUMENT`, when the body gives one. */
  readonly code?: string | undefined;
  /** The platform's request id; support asks for it. */
  readonly requestId?: string | undefined;
  /** The response's body as text, secrets removed, cut at 4,000 characters. */
  readonly body?: string | undefined;
  /** HTTP method of the request. */
  readonly method: string;
  /** Address of the request, without its query. */
  readonly url: string;
  /** Seconds to wait, if the platform gave them. */
  readonly retryAfter?: number | undefined;
  /** False if the request was not sent. @default true */
  readonly sent?: boolean | undefined;
  /** Advice for failures with misleading messages. */
  readonly hint?: string | undefined;
}

/**
 * The platform responded with an error status.
 *
 * @example
 * ```ts
 * import { ApiError } from "@platform/ads";
 * const details = (error: unknown) => error instanceof ApiError && [error.statusCode, error.code, error.requestId];
 * ```
 */
export class ApiError extends PlatformAdsError {
  /** HTTP status of the response. */
  readonly statusCode: number;
  /** The platform's error code, if the body has one. */
  readonly code: string | undefined;
  /** The platform's request id, if the response has one. */
  readonly requestId: string | undefined;
  /** The response's body as text, secrets removed, cut at 4,000 characters. */
  readonly body: string;
  /** HTTP method of the request. */
  readonly method: string;
  /** Address of the request, without its query. */
  readonly url: string;
  /** Advice, for failures with misleading messages. */
  readonly hint: string | undefined;

  /** Stores the failed request and its response. The body is cut at 4,000 characters, and secrets are removed. */
  constructor(message: string, fields: ApiErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = fields.statusCode;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.body = redact((fields.body ?? "").slice(0, 4000));
    this.method = fields.method;
    this.url = redact(fields.url);
    this.hint = fields.hint;
  }
}

/**
 * 400: the request is malformed, or a value is outside the accepted range.
 *
 * @example
 * ```ts
 * import { BadRequestError } from "@platform/ads";
 * const explanation = (error: unknown) => error instanceof BadRequestError && error.body;
 * ```
 */
export class BadRequestError extends ApiError {}

/**
 * 401 that persisted after the access token was refreshed.
 *
 * @example
 * ```ts
 * import { UnauthorizedError } from "@platform/ads";
 * const isLockedOut = (error: unknown): boolean => error instanceof UnauthorizedError;
 * ```
 */
export class UnauthorizedError extends ApiError {}

/**
 * 403: the token has no access to this profile or operation, or the path does not exist.
 *
 * @example
 * ```ts
 * import { ForbiddenError } from "@platform/ads";
 * const mayNot = (error: unknown): boolean => error instanceof ForbiddenError; // this login, this profile
 * ```
 */
export class ForbiddenError extends ApiError {}

/**
 * 404: the entity, report or path does not exist.
 *
 * @example
 * ```ts
 * import { NotFoundError } from "@platform/ads";
 * const isGone = (error: unknown): boolean => error instanceof NotFoundError;
 * ```
 */
export class NotFoundError extends ApiError {}

/**
 * 422: the request is well formed, but the platform refused it.
 *
 * @example
 * ```ts
 * import { UnprocessableError } from "@platform/ads";
 * const explanation = (error: unknown) => error instanceof UnprocessableError && error.body;
 * ```
 */
export class UnprocessableError extends ApiError {}

/**
 * 429: still throttled after all allowed retries.
 *
 * @example
 * ```ts
 * import { ThrottledError } from "@platform/ads";
 * const tryLater = (error: unknown): boolean => error instanceof ThrottledError; // after every retry
 * ```
 */
export class ThrottledError extends ApiError {
  /** Seconds to wait, if the platform gave them. */
  readonly retryAfter: number | undefined;
  /** False if the request was not sent, because the required pause exceeds its maximum wait. */
  readonly sent: boolean;

  /** Stores the requested wait; without `sent` in the fields, the request counts as sent. */
  constructor(message: string, fields: ApiErrorFields, options?: ErrorOptions) {
    super(message, fields, options);
    this.retryAfter = fields.retryAfter;
    this.sent = fields.sent ?? true;
  }
}

/**
 * 5xx: the platform failed; a write may have gone through.
 *
 * @example
 * ```ts
 * import { ServerError } from "@platform/ads";
 * const mayBeDone = (error: unknown): boolean => error instanceof ServerError; // of a write
 * ```
 */
export class ServerError extends ApiError {}

export interface UnexpectedResponseFields extends Omit<ApiErrorFields, "statusCode" | "method" | "url"> {
  readonly statusCode?: number | undefined;
  readonly method?: string | undefined;
  /** Without the query. */
  readonly url?: string | undefined;
}

/**
 * The platform responded with a success status but an unexpected body: an error, HTML or nothing. A write may
 * have gone through.
 *
 * @example
 * ```ts
 * import { UnexpectedResponseError } from "@platform/ads";
 * const details = (error: unknown) =>
 *   error instanceof UnexpectedResponseError && [error.statusCode, error.code, error.requestId, error.body];
 * ```
 */
export class UnexpectedResponseError extends PlatformAdsError {
  /** HTTP status of the response, if known. */
  readonly statusCode: number | undefined;
  /** The platform's error code, if the body has one. */
  readonly code: string | undefined;
  /** The platform's request id, if the response has one. */
  readonly requestId: string | undefined;
  /** The response's body as text, secrets removed, cut at 500 characters. */
  readonly body: string;
  /** HTTP method of the request. */
  readonly method: string | undefined;
  /** Address of the request, without its query. */
  readonly url: string | undefined;

  /** Stores the request and its response. The body is cut at 500 characters, and secrets are removed. */
  constructor(message: string, fields: UnexpectedResponseFields, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = fields.statusCode;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.body = redact((fields.body ?? "").slice(0, 500));
    this.method = fields.method;
    this.url = fields.url === undefined ? undefined : redact(fields.url);
  }
}

/** Parts of a {@linkcode NetworkError}. */
export interface NetworkErrorFields {
  /** HTTP method of the request. */
  readonly method: string;
  /** Address of the request, without its query. */
  readonly url: string;
  /** False if the connection failed, so the platform cannot have acted. */
  readonly mayHaveActed: boolean;
  /** True if the request timed out. */
  readonly timedOut: boolean;
}

/**
 * No response: connection refused, dropped or timed out. `cause` holds the runtime's error. If `mayHaveActed` is true, read
 * the account before you send a write again. For a plan that was applied with a `journal`, `resumePlan` does this.
 *
 * @example
 * ```ts
 * import { NetworkError } from "@platform/ads";
 * const mustReadFirst = (error: unknown) => error instanceof NetworkError && error.mayHaveActed;
 * ```
 */
export class NetworkError extends PlatformAdsError {
  /** HTTP method of the request. */
  readonly method: string;
  /** Address of the request, without its query. */
  readonly url: string;
  /** False if the connection failed, so the platform cannot have acted. */
  readonly mayHaveActed: boolean;
  /** True if the request timed out. */
  readonly timedOut: boolean;

  /** Stores the request and how far it got; secrets are removed from the address. */
  constructor(message: string, fields: NetworkErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.method = fields.method;
    this.url = redact(fields.url);
    this.mayHaveActed = fields.mayHaveActed;
    this.timedOut = fields.timedOut;
  }
}

/**
 * Some items of a batch failed; thrown by `raiseForErrors()`, never by a write itself.
 *
 * @example
 * ```ts
 * import { type BatchResult, PartialFailureError, type ProfileClient } from "@platform/ads";
 *
 * async function pause(us: ProfileClient, keywordIds: string[]): Promise<void> {
 *   try {
 *     (await us.sp.keywords.pause(keywordIds)).raiseForErrors();
 *   } catch (error) {
 *     if (!(error instanceof PartialFailureError)) throw error;
 *     for (const { index, code, hint } of (error.result as BatchResult).errors) console.error(index, code, hint);
 *   }
 * }
 * ```
 */
export class PartialFailureError<Result = unknown> extends PlatformAdsError {
  /** The batch or plan result that holds every verdict. */
  readonly result: Result;

  /** Stores the whole result, successes included. */
  constructor(message: string, result: Result, options?: ErrorOptions) {
    super(message, options);
    this.result = result;
  }
}

export interface JobFailedFields {
  readonly operation: string;
  readonly jobId: string;
  readonly status: string;
  readonly reason?: string | undefined;
}

/**
 * A long-running job failed on the platform, did not complete in time, or its result could not be read completely.
 *
 * @example
 * ```ts
 * import { JobFailedError } from "@platform/ads";
 * const which = (error: unknown) => error instanceof JobFailedError && [error.jobId, error.status, error.reason];
 * ```
 */
export class JobFailedError extends PlatformAdsError {
  /** Operation that created the job. */
  readonly operation: string;
  /** The platform's id of the job. */
  readonly jobId: string;
  /** The last status seen, for example `FAILED` or `PENDING`. */
  readonly status: string;
  /** The platform's reason, secrets removed; `undefined` without one. */
  readonly reason: string | undefined;

  /** Stores the job's id, the last status seen, and the reason. */
  constructor(message: string, fields: JobFailedFields, options?: ErrorOptions) {
    super(message, options);
    this.operation = fields.operation;
    this.jobId = fields.jobId;
    this.status = fields.status;
    this.reason = fields.reason === undefined ? undefined : redact(fields.reason);
  }
}

/**
 * A report failed on the platform, did not complete in time, or its file could not be read completely.
 *
 * @example
 * ```ts
 * import { ReportFailedError } from "@platform/ads";
 * const which = (error: unknown) => error instanceof ReportFailedError && [error.reportId, error.status];
 * ```
 */
export class ReportFailedError extends JobFailedError {
  /** The platform's report id. */
  readonly reportId: string;

  /** Stores the report's id and the last status seen. */
  constructor(message: string, reportId: string, status: string, options?: ErrorOptions) {
    super(message, { operation: "reporting:createAsyncReport", jobId: reportId, status }, options);
    this.reportId = reportId;
  }
}

/** One field that no longer holds the value a plan was made from. */
export interface DriftedField {
  /** Resource kind, for example `sp.keywords`. */
  readonly kind: string;
  /** Id of the entity. */
  readonly id: string;
  /** Name of the field. */
  readonly field: string;
  /** The value when the plan was made. */
  readonly expected: unknown;
  /** The value now; `undefined` if the entity or field is gone. */
  readonly actual: unknown;
}

/**
 * The account changed since the plan was made. Nothing was sent.
 *
 * @example
 * ```ts
 * import { type ChangePlan, PlanDriftError, type ProfileClient } from "@platform/ads";
 *
 * async function apply(plan: ChangePlan, us: ProfileClient): Promise<void> {
 *   try {
 *     await plan.apply(us, { checkDrift: true });
 *   } catch (error) {
 *     if (!(error instanceof PlanDriftError)) throw error;
 *     console.error(error.drifted); // what changed since the plan was made; nothing was sent
 *   }
 * }
 * ```
 */
export class PlanDriftError extends PlatformAdsError {
  /** Every field that differs. */
  readonly drifted: readonly DriftedField[];

  /** Stores every field that differs, including those left out of the message. */
  constructor(message: string, drifted: readonly DriftedField[], options?: ErrorOptions) {
    super(message, options);
    this.drifted = drifted;
  }
}

/**
 * The platform's API hosts do not serve the operation. Nothing was sent.
 *
 * @example
 * ```ts
 * import { catalog, UnsupportedOperationError } from "@platform/ads";
 *
 * const tools = (await catalog.operations()).filter(({ id }) => id.startsWith("mcp-"));
 * try {
 *   tools[0]!.ensureSendable();
 * } catch (error) {
 *   if (!(error instanceof UnsupportedOperationError)) throw error;
 *   console.log(error.message); // it is a tool of the hosted server; nothing was sent
 * }
 * ```
 */
export class UnsupportedOperationError extends PlatformAdsError {}
