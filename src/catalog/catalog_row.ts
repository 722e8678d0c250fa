import type { ApiData, OperationData } from "./catalog_data.ts";

/** One operation before an `Operation` is made of it. */
export interface CatalogRow {
  /** Full id. */
  readonly id: string;
  /** The API it belongs to. */
  readonly api: ApiData;
  readonly data: OperationData;
}
