/** A record that is printed. */
export type Row = Readonly<Record<string, unknown>>;

/** Prints rows in one format, in bounded batches however many they are. */
export interface RowPrinter {
  /** Takes rows; they are printed now or with a later call. */
  write(rows: readonly Row[]): Promise<void>;
  /** Prints what is left. */
  end(): Promise<void>;
}
