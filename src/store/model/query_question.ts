import type { QueryParameter } from "./store_driver.ts";
import type { Conversion } from "./store_view.ts";

type QueryRow = Readonly<Record<string, unknown>>;

export const QUERY_ARGUMENT = "--answer-one-query";

/** Command that starts this program again. */
export interface ProgramCommand {
  /** Program to start. */
  readonly command: string;
  /** Arguments that are placed before the program's own arguments. */
  readonly args: readonly string[];
}

export interface QueryQuestion {
  readonly store: string;
  readonly sql: string;
  readonly params: StoreQuery["params"];
  readonly maxRows: number;
  readonly rows?: StoreQuery["rows"];
  readonly asOf?: string | undefined;
  readonly conversion?: Conversion | undefined;
  readonly asReader?: boolean | undefined;
}

export type QueryReply = FoundRows | { readonly refused: string };

export interface StoreQuery {
  readonly sql: string;
  readonly params: readonly QueryParameter[];
  readonly maxRows: number;
  readonly asOf?: string | undefined;
  readonly conversion?: Conversion | undefined;
  readonly rows?: readonly QueryRow[] | undefined;
  /**
   * False to query with the rights of the store's address, as a person does; they allow no more than reading.
   *
   * @default true
   */
  readonly asReader?: boolean | undefined;
  readonly signal: AbortSignal;
}

export interface FoundRows {
  readonly columns: readonly string[];
  readonly rows: readonly QueryRow[];
  readonly truncated: boolean;
}
