import type { QueryParameter } from "../../store/store_driver.ts";
import type { Row } from "../results/text_table.ts";

/** A query of an agent. */
export interface StoreQuery {
  /** One statement that reads. */
  readonly sql: string;
  /** Values for its placeholders. */
  readonly params: readonly QueryParameter[];
  /** Most rows. */
  readonly maxRows: number;
  /** Moment whose knowledge is queried, ISO 8601. */
  readonly asOf?: string | undefined;
  /** Rows that are queried instead of the store, as the table `rows`. */
  readonly rows?: readonly Row[] | undefined;
  readonly signal: AbortSignal;
}

/** Result of a query. */
export interface FoundRows {
  /** At most as many as were asked for. */
  readonly rows: readonly Row[];
  /** True when there are more than were wanted. */
  readonly truncated: boolean;
}
