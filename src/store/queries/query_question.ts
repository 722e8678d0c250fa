import type { QueryParameter } from "../model/store_driver.ts";

type QueryRow = Readonly<Record<string, unknown>>;

/** Argument that makes this program answer one query and exit. */
export const QUERY_ARGUMENT = "--answer-one-query";

/** Command that starts this program again. */
export interface ProgramCommand {
  /** Program. */
  readonly command: string;
  /** Arguments before its own. */
  readonly args: readonly string[];
}

/** Input of the subprocess, as JSON. */
export interface QueryQuestion {
  readonly store: string;
  readonly sql: string;
  readonly params: StoreQuery["params"];
  readonly maxRows: number;
  /** Rows to query instead of the store. */
  readonly rows?: StoreQuery["rows"];
  /** Moment of knowledge, ISO 8601. */
  readonly asOf?: string | undefined;
}

export type QueryReply = FoundRows | { readonly refused: string };

/** An untrusted query, from an agent or a script. */
export interface StoreQuery {
  readonly sql: string;
  readonly params: readonly QueryParameter[];
  readonly maxRows: number;
  /** Moment of knowledge, ISO 8601. */
  readonly asOf?: string | undefined;
  /** Rows to query instead of the store, as the table `rows`. */
  readonly rows?: readonly QueryRow[] | undefined;
  readonly signal: AbortSignal;
}

export interface FoundRows {
  /** Rows, up to the limit. */
  readonly rows: readonly QueryRow[];
  /** True when there are more. */
  readonly truncated: boolean;
}
