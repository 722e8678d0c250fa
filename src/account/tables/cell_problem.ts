/** A problem with a table that cannot be used. */
export interface CellProblem {
  /** Row number; 0 for the whole table. */
  readonly row: number;
  /** Header of the column; empty for the whole row. */
  readonly header: string;
  readonly message: string;
}
