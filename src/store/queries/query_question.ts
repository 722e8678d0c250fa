import type { QueryParameter } from "../model/store_driver.ts";

/** A row of a result: values by column. */
type QueryRow = Readonly<Record<string, unknown>>;

/** The argument that makes this program answer one query and end. */
export const QUERY_ARGUMENT = "--answer-one-query";

/** How this program is started again. */
export interface ProgramCommand {
  /** Program. */
  readonly command: string;
  /** Arguments before its own. */
  readonly args: readonly string[];
}

/** Query for the subprocess, as JSON on its input. */
export interface QueryQuestion {
  /** Path of the store. */
  readonly store: string;
  /** The statement. */
  readonly sql: string;
  /** Values for its placeholders. */
  readonly params: StoreQuery["params"];
  readonly maxRows: number;
  /** Rows that are queried instead of the store. */
  readonly rows?: StoreQuery["rows"];
  /** Moment whose knowledge is queried, ISO 8601. */
  readonly asOf?: string | undefined;
}

/** Reply of the subprocess, as JSON on its output. */
export type QueryReply = FoundRows | { readonly refused: string };

/** A query of somebody who is not trusted: an agent or a script. */
export interface StoreQuery {
  /** One statement that reads. */
  readonly sql: string;
  /** Values for its placeholders. */
  readonly params: readonly QueryParameter[];
  readonly maxRows: number;
  /** Moment whose knowledge is queried, ISO 8601. */
  readonly asOf?: string | undefined;
  /** Rows that are queried instead of the store, as the table `rows`. */
  readonly rows?: readonly QueryRow[] | undefined;
  readonly signal: AbortSignal;
}

/** Result of a query. */
export interface FoundRows {
  /** At most as many as were asked for. */
  readonly rows: readonly QueryRow[];
  /** True when there are more than were wanted. */
  readonly truncated: boolean;
}
