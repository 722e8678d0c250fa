/** One record of a change file. */
export interface InputRecord {
  /** Values by the names that the file uses; those of a CSV file are texts. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Position for messages: `row 3`, `line 3` or `item 3`. */
  readonly where: string;
  /** Why it cannot be used, where its text is malformed; it has no values then. */
  readonly problem?: string;
}

/** The records of a change file. */
export interface InputRecords {
  /** The records, in order; those of a CSV file are read during the pass. */
  readonly records: Iterable<InputRecord>;
  /** Names of the fields, in the order in which they first appear. */
  readonly names: readonly string[];
  /** True when every value is text, as in CSV. */
  readonly isText: boolean;
  /** True when semicolons separate the cells, so that a comma can only be a decimal one. @default false */
  readonly decimalComma?: boolean;
}
