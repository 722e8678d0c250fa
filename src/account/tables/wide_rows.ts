import type { CellProblem } from "./problem_list.ts";
import type { TableSource } from "./open_tables.ts";
import type { SheetLine } from "./sheet_lines.ts";

/** Maximum number of rows to keep, because every line of a file may end with empty cells. */
const MAX_KEPT = 1000;

/**
 * Finds lines with more cells than the header: an unquoted separator shifts the following cells, so amounts would be
 * misread. Also detects a truncated last line.
 */
export class WideRows {
  readonly #width: number;
  readonly #delimiter: string | undefined;
  readonly #wide: { readonly row: number; readonly cells: number; readonly isFilled: boolean }[] = [];
  #hasOthers = false;
  #hasWhole = false;
  #hasShort = false;
  #cut: { readonly row: number; readonly cells: number } | undefined;

  constructor(head: SheetLine, { form }: Pick<TableSource, "form">) {
    this.#width = head.cells.length;
    this.#delimiter = form?.delimiter;
  }

  take({ number, cells, isOpen }: SheetLine): void {
    if (this.#delimiter === undefined) return;
    if (isOpen && cells.length < this.#width && this.#hasWhole && !this.#hasShort) {
      this.#cut = { row: number, cells: cells.length };
    }
    this.#hasWhole ||= cells.length === this.#width;
    this.#hasShort ||= cells.length < this.#width;
    if (cells.length <= this.#width) this.#hasOthers ||= cells.some((cell) => cell.trim() !== "");
    else {
      const isFilled = cells.slice(this.#width).some((cell) => cell.trim() !== "");
      const isKept = this.#wide.length < MAX_KEPT || (isFilled && this.#wide.length < 2 * MAX_KEPT);
      if (isKept) this.#wide.push({ row: number, cells: cells.length, isFilled });
    }
  }

  /** Returns the lines that are too wide, or none if every line ends with empty cells. */
  problems(): CellProblem[] {
    const found = this.#wide.filter(({ isFilled }) => isFilled || this.#hasOthers);
    const cut = this.#cut === undefined ? [] : [{
      row: this.#cut.row,
      header: "",
      message:
        `the file ends in this row, after ${this.#cut.cells} of ${this.#width} cells. Download it again`,
    }];
    const wide = found.map(({ row, cells }): CellProblem => ({
      row,
      header: "",
      message: `it has ${cells} cells, and the head has ${this.#width}: a cell that holds the separator ` +
        `"${this.#delimiter}" needs quotation marks around it. Put them in, or download the file once more`,
    }));
    return [...wide, ...cut];
  }
}
