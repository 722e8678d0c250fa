export type Row = Readonly<Record<string, unknown>>;

export interface RowPrinter {
  write(rows: readonly Row[]): Promise<void>;
  end(): Promise<void>;
}

export interface RowFile {
  printer(columns: readonly string[], options: {
    readonly rehearse: string | undefined;
    readonly text: (columns: readonly string[]) => RowPrinter;
  }): RowPrinter;
}
