/** One operation in `catalog/operations.json`; empty fields are left out. */
export interface OperationData {
  readonly operationId: string;
  /** HTTP method in upper case. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tags?: readonly string[];
  /** True when deprecated. */
  readonly deprecated?: true;
  /** Published end and replacement. */
  readonly ends?: {
    readonly since?: string;
    readonly shutoff?: string;
    readonly replacedBy?: readonly string[];
  };
  /** Query parameters; `!` follows the name of a required one. */
  readonly query?: readonly string[];
  /** Headers; `!` follows the name of a required one. */
  readonly headers?: readonly string[];
  /** Media type the body is sent with. */
  readonly contentType?: string;
  /** All documented media types of the body, if there are several. */
  readonly contentTypes?: readonly string[];
  /** Media type requested for the response. */
  readonly accept?: string;
  /** All documented media types of the response, if there are several. */
  readonly accepts?: readonly string[];
  /** True when the media types are assumed, not published. */
  readonly assumed?: true;
}

/** One API in `catalog/operations.json`. */
export interface ApiData {
  /** Name in operation ids. */
  readonly slug: string;
  /** Title of the published description. */
  readonly title: string;
  readonly version?: string;
  /** Source description. */
  readonly source: string;
  /** True for tools of the hosted tool server. */
  readonly hostedTools?: true;
  /** Number of operations known to exist without a description. */
  readonly unlisted?: number;
  readonly note?: string;
  readonly operations: readonly OperationData[];
}

/** Content of `catalog/operations.json`. */
export interface CatalogData {
  /** Generator. */
  readonly generated: string;
  /** Hash of the input. */
  readonly source: string;
  readonly apis: readonly ApiData[];
}

/** One API of the platform. */
export interface ApiRecord {
  /** Its name in operation ids, for example `sponsored-products`. */
  readonly slug: string;
  /** Its title; the slug in words where none is published. */
  readonly title: string;
  /** Its version; `undefined` where none is published. */
  readonly version: string | undefined;
  /** The API description it was read from; `listing` where the operations were listed by hand. */
  readonly source: string;
  /** Number of operations in the catalog. */
  readonly operationCount: number;
  /** Number of further operations known by number only. */
  readonly unlistedCount: number;
  /** True for tools of the hosted tool server, which cannot be sent to the API hosts. */
  readonly hostedTools: boolean;
  /** Remark; `undefined` without one. */
  readonly note: string | undefined;
}

/** Data of one {@linkcode Operation}. */
export interface CatalogRow {
  readonly id: string;
  /** The API it belongs to. */
  readonly api: ApiData;
  readonly data: OperationData;
}
