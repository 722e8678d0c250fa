import type { OperationParameter } from "./operation_parameter.ts";

/** An operation as it leaves the process: what `adsctl ops --json` prints and the agent tools return. */
export interface OperationJson {
  /** Full id. */
  readonly id: string;
  /** Slug of the API. */
  readonly api: string;
  /** Name within the API. */
  readonly operation_id: string;
  /** HTTP method. */
  readonly method: string;
  /** Path template. */
  readonly path: string;
  /** One-line description. */
  readonly summary: string;
  /** Groups of the published description. */
  readonly tags: readonly string[];
  /** Deprecation: discouraged, or with a day of its end. */
  readonly deprecated: {
    /** Day from which new accounts are refused. */
    readonly since: string | null;
    /** Day on which it ends. */
    readonly shutoff: string | null;
    /** Replacements. */
    readonly replaced_by: readonly string[];
  } | null;
  /** Placeholders of the path. */
  readonly path_params: readonly string[];
  /** Query parameters. */
  readonly query: readonly OperationParameter[];
  /** Header parameters, without those that the client sets itself. */
  readonly headers: readonly OperationParameter[];
  /** Media type of the body. */
  readonly content_type: string | null;
  /** Media type requested for the response. */
  readonly accept: string | null;
  /** Documented media types of the body. */
  readonly content_types: readonly string[];
  /** Documented media types of the response. */
  readonly accepts: readonly string[];
  /** True when it documents a body. */
  readonly has_body: boolean;
  /** True when it changes nothing. */
  readonly read_only: boolean;
  /** Method of the client that serves it. */
  readonly typed_method: string | null;
  /** Remark to read before sending it. */
  readonly note: string | null;
  /** Why it cannot be sent. */
  readonly unsupported_reason: string | null;
}
