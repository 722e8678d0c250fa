/** One operation as `catalog/operations.json` holds it; fields that hold nothing are left out. */
export interface OperationData {
  readonly operationId: string;
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path template. */
  readonly path: string;
  /** One-line description, made from the name. */
  readonly summary: string;
  /** Tags of its description. */
  readonly tags?: readonly string[];
  /** True when the platform calls it deprecated. */
  readonly deprecated?: true;
  /** When it ends and what replaces it, where that is published. */
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
  /** Every documented media type of the body, where there are several. */
  readonly contentTypes?: readonly string[];
  /** Media type requested for the response. */
  readonly accept?: string;
  /** Every documented media type of the response, where there are several. */
  readonly accepts?: readonly string[];
  /** True when the media types are assumed, not published. */
  readonly assumed?: true;
}

/** One API as `catalog/operations.json` holds it. */
export interface ApiData {
  /** Name in operation ids. */
  readonly slug: string;
  /** As the published description spells it. */
  readonly title: string;
  /** Version, where one is known. */
  readonly version?: string;
  /** The description it was read from. */
  readonly source: string;
  /** True for tools of the hosted tool server. */
  readonly hostedTools?: true;
  /** Number of operations that exist but are not known. */
  readonly unlisted?: number;
  /** Remark. */
  readonly note?: string;
  /** Operations in the order of their names. */
  readonly operations: readonly OperationData[];
}

/** The content of `catalog/operations.json`. */
export interface CatalogData {
  /** Name of the generator. */
  readonly generated: string;
  /** Hash of what it was made from. */
  readonly source: string;
  /** APIs in the order of their slugs. */
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

/** One operation before an `Operation` is made of it. */
export interface CatalogRow {
  /** Full id. */
  readonly id: string;
  /** The API it belongs to. */
  readonly api: ApiData;
  readonly data: OperationData;
}
