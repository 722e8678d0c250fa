/** A record that is printed. */
export type Row = Readonly<Record<string, unknown>>;

/** Prints rows in one format, in bounded batches however many they are. */
export interface RowPrinter {
  /** Takes rows; they are printed now or with a later call. */
  write(rows: readonly Row[]): Promise<void>;
  /** Prints what is left. */
  end(): Promise<void>;
}

/** The file that takes rows in place of standard output. */
export interface RowFile {
  /**
   * The printer of rows of one table.
   *
   * @param options.rehearse The copy of a rehearsal, which each row names.
   * @param options.text Makes the printer of a file that is a text.
   */
  printer(columns: readonly string[], options: {
    readonly rehearse: string | undefined;
    readonly text: (columns: readonly string[]) => RowPrinter;
  }): RowPrinter;
}
