/** A line of a tab. */
export interface SheetLine {
  /** Number of the line in its tab, the head being 1. */
  readonly number: number;
  /** Texts of the cells from the first column on; a cell without text is empty. */
  readonly cells: readonly string[];
  /** Positions of cells that hold formulas. */
  readonly formulas?: readonly number[];
}

/** Gets the lines of each tab in order, the head first. */
export type LineReader = (tab: string, line: SheetLine) => void;
