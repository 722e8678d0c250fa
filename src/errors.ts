import { redact, redactError } from "./redact.ts";

/** The root of every error this package throws on purpose, apart from the built-in `TypeError` and `RangeError`. */
export class PlatformAdsError extends Error {
  /**
   * Makes the error.
   *
   * @param message What is wrong and what to do next. Tokens and secrets in it, and in the cause, are removed.
   */
  constructor(message: string, options?: ErrorOptions) {
    super(
      redact(message),
      options?.cause === undefined ? undefined : { cause: redactError(options.cause) },
    );
    this.name = new.target.name;
  }
}

/** Credentials or settings are missing or contradict each other. Nothing was sent. */
export class ConfigurationError extends PlatformAdsError {}

/** The identity provider refused to issue an access token. */
export class AuthError extends PlatformAdsError {
  /** The provider's error code, for example `invalid_grant`. */
  readonly error: string;

  /**
   * Makes the error.
   *
   * @param error The provider's error code.
   */
  constructor(message: string, error: string, options?: ErrorOptions) {
    super(message, options);
    this.error = redact(error);
  }
}

/** What an {@linkcode ApiError} is made of. */
export interface ApiErrorFields {
  /** HTTP status of the answer. */
  readonly statusCode: number;
  /** The platform's own code, for example `INVALID_ARGUMENT`, when the body gives one. */
  readonly code?: string | undefined;
  /** The platform's request id; support asks for it. */
  readonly requestId?: string | undefined;
  /** The answer's body as text, secrets removed, cut at 4,000 characters. */
  readonly body?: string | undefined;
  /** HTTP method of the request. */
  readonly method: string;
  /** Address of the request, without its query. */
  readonly url: string;
  /** Seconds the platform asked to wait, when it said so. */
  readonly retryAfter?: number | undefined;
}

/** The platform answered with a status that is a failure. */
export class ApiError extends PlatformAdsError {
  /** HTTP status of the answer. */
  readonly statusCode: number;
  /** The platform's own code, when the body gives one. */
  readonly code: string | undefined;
  /** The platform's request id, when the answer carried one. */
  readonly requestId: string | undefined;
  /** The answer's body as text, secrets removed, cut at 4,000 characters. */
  readonly body: string;
  /** HTTP method of the request. */
  readonly method: string;
  /** Address of the request, without its query. */
  readonly url: string;

  /**
   * Makes the error.
   *
   * @param fields Where the answer came from and what it said.
   */
  constructor(message: string, fields: ApiErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = fields.statusCode;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.body = redact((fields.body ?? "").slice(0, 4000));
    this.method = fields.method;
    this.url = redact(fields.url);
  }
}

/** 400: the request is malformed, or a value in it is out of what the platform accepts. */
export class BadRequestError extends ApiError {}

/** 401 that persisted after the access token was refreshed. */
export class UnauthorizedError extends ApiError {}

/** 403: the token is valid but may not use this profile or operation; an unserved path answers the same. */
export class ForbiddenError extends ApiError {}

/** 404: the entity, report or path does not exist. */
export class NotFoundError extends ApiError {}

/** 422: the request is well formed and refused all the same. */
export class UnprocessableError extends ApiError {}

/** 429 after every retry that the policy allows. */
export class ThrottledError extends ApiError {
  /** Seconds the platform asked to wait, when it said so. */
  readonly retryAfter: number | undefined;

  /**
   * Makes the error.
   *
   * @param fields Where the answer came from and what it said.
   */
  constructor(message: string, fields: ApiErrorFields, options?: ErrorOptions) {
    super(message, fields, options);
    this.retryAfter = fields.retryAfter;
  }
}

/** 5xx: the platform failed; a write may or may not have been done. */
export class ServerError extends ApiError {}

/** What a {@linkcode NetworkError} is made of. */
export interface NetworkErrorFields {
  /** HTTP method of the request. */
  readonly method: string;
  /** Address of the request, without its query. */
  readonly url: string;
  /** False when the connection was never made, so that the platform cannot have acted. */
  readonly mayHaveActed: boolean;
  /** True when the time limit ended the request. */
  readonly timedOut: boolean;
}

/** No answer came: refused, dropped or timed out. `cause` holds the runtime's own error. */
export class NetworkError extends PlatformAdsError {
  /** HTTP method of the request. */
  readonly method: string;
  /** Address of the request, without its query. */
  readonly url: string;
  /** False when the connection was never made, so that the platform cannot have acted. */
  readonly mayHaveActed: boolean;
  /** True when the time limit ended the request. */
  readonly timedOut: boolean;

  /**
   * Makes the error.
   *
   * @param fields Which request, and how far it got.
   */
  constructor(message: string, fields: NetworkErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.method = fields.method;
    this.url = redact(fields.url);
    this.mayHaveActed = fields.mayHaveActed;
    this.timedOut = fields.timedOut;
  }
}

/** Some items of a batch failed; thrown by `raiseForErrors()`, never by a write itself. */
export class PartialFailureError<Result = unknown> extends PlatformAdsError {
  /** The batch or plan result that holds every verdict. */
  readonly result: Result;

  /**
   * Makes the error.
   *
   * @param result The result that holds the failures.
   */
  constructor(message: string, result: Result, options?: ErrorOptions) {
    super(message, options);
    this.result = result;
  }
}

/** A report failed on the platform, did not complete in time, or its file could not be read whole. */
export class ReportFailedError extends PlatformAdsError {
  /** The platform's report id. */
  readonly reportId: string;
  /** The last status seen, for example `FAILED` or `PENDING`. */
  readonly status: string;

  /**
   * Makes the error.
   *
   * @param reportId The platform's report id.
   */
  constructor(message: string, reportId: string, status: string, options?: ErrorOptions) {
    super(message, options);
    this.reportId = reportId;
    this.status = status;
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
  /** The value now; `undefined` when the entity or the field is gone. */
  readonly actual: unknown;
}

/** The account changed since the plan was made. Nothing was sent. */
export class PlanDriftError extends PlatformAdsError {
  /** Every field that differs. */
  readonly drifted: readonly DriftedField[];

  /**
   * Makes the error.
   *
   * @param drifted Every field that differs.
   */
  constructor(message: string, drifted: readonly DriftedField[], options?: ErrorOptions) {
    super(message, options);
    this.drifted = drifted;
  }
}

/** The operation cannot be sent to the platform's API hosts at all. Nothing was sent. */
export class UnsupportedOperationError extends PlatformAdsError {}
