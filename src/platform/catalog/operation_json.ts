/** An operation as JSON output: printed by `adsctl ops --json` and returned by the agent tools. */
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
  /** Tags of the published description. */
  readonly tags: readonly string[];
  /** Deprecation: discouraged, or with an end date. */
  readonly deprecated: {
    /** Day from which new accounts are refused. */
    readonly since: string | null;
    readonly shutoff: string | null;
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
  /** True when the operation documents a body. */
  readonly has_body: boolean;
  /** True when the operation changes nothing. */
  readonly read_only: boolean;
  /** Method of the client that serves the operation. */
  readonly typed_method: string | null;
  /** Remark to read before sending the operation. */
  readonly note: string | null;
  /** Reason why the operation cannot be sent. */
  readonly unsupported_reason: string | null;
}

/** A query parameter or header that an operation documents. */
export interface OperationParameter {
  /** Name of the parameter, with the neutral word in place of the platform's own. */
  readonly name: string;
  /** True when the platform refuses a request without the parameter. */
  readonly required: boolean;
}

/** Deprecation of an operation: discouraged, or with an end date. */
export interface OperationDeprecation {
  /** Day from which new accounts are refused, `YYYY-MM-DD`; `undefined` where none is published. */
  readonly since: string | undefined;
  /** Day on which the operation ends, `YYYY-MM-DD`; `undefined` where none is published. */
  readonly shutoff: string | undefined;
  /** Replacements: ids of operations, or a method and a path that the catalog does not list. */
  readonly replacedBy: readonly string[];
}

export function deprecationText({ since, shutoff, replacedBy }: OperationDeprecation, today: string): string {
  const end = shutoff === undefined
    ? "is deprecated, without a day of its end"
    : shutoff <= today
    ? `ended on ${shutoff}`
    : `ends on ${shutoff}`;
  const start = since === undefined ? "" : ` (for new accounts on ${since})`;
  const use = replacedBy.length === 0 ? "" : `. Use ${replacedBy.map((one) => `"${one}"`).join(" or ")}`;
  return `${end}${start}${use}`;
}
