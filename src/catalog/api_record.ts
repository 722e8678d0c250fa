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
