/** Where the media types of an operation are known from. */
export type MediaTypesSource = "published" | "listing" | "assumed";

/** A query parameter or header that an operation documents. */
export interface ParameterFacts {
  /** Its name on the wire, with the neutral word in place of the platform's. */
  readonly name: string;
  /** True when a request without it is refused. */
  readonly required: boolean;
}

/** What is known about one operation before anything is derived from it: one line of `operations.tsv`. */
export interface OperationFacts {
  /** Slug of the API it belongs to. */
  readonly api: string;
  /** Its name within the API. */
  readonly operationId: string;
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path template, placeholders in braces. */
  readonly path: string;
  /** True for a path whose literal spelling stands in `operations.json` alone, and is sent unchanged. */
  readonly literal?: true;
  /** True when the platform calls it deprecated. */
  readonly deprecated: boolean;
  /** Tags of its description. */
  readonly tags: readonly string[];
  /** Query parameters. */
  readonly query: readonly ParameterFacts[];
  /** Headers, without those of authentication and negotiation. */
  readonly headers: readonly ParameterFacts[];
  /** Media types a request body may have. */
  readonly contentTypes: readonly string[];
  /** Media types of the successful responses. */
  readonly accepts: readonly string[];
  /** Where the media types are known from. */
  readonly mediaTypesSource: MediaTypesSource;
}

/** What is known about one API: one line of `apis.tsv`. */
export interface ApiFacts {
  /** Its name in operation ids. */
  readonly slug: string;
  /** Its title; absent where none is published. */
  readonly title?: string;
  /** Its version; absent where none is published. */
  readonly version?: string;
  /** The description it was read from; `listing` when the operations were listed by hand. */
  readonly source: string;
  /** Number of operations that exist but are not known. */
  readonly unlisted: number;
  /** Remark shown with the API. */
  readonly note?: string;
}

/** Everything the catalog is made from. */
export interface Facts {
  /** APIs in the order of their slugs. */
  readonly apis: readonly ApiFacts[];
  /** Operations in the order of their ids. */
  readonly operations: readonly OperationFacts[];
}

/** Compares by UTF-16 code unit, so that the order of generated files depends on no locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Puts facts in their total order: APIs by slug, operations by API and name. */
export function sortedFacts(facts: Facts): Facts {
  return {
    apis: facts.apis.toSorted((a, b) => compareText(a.slug, b.slug)),
    operations: facts.operations.toSorted((a, b) =>
      compareText(a.api, b.api) || compareText(a.operationId, b.operationId)
    ),
  };
}
