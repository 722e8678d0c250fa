import type { TableSource } from "./open_tables.ts";
import type { SheetLine } from "./sheet_lines.ts";

/** Lines that are kept: a file may end each of its lines with empty cells. */
const MAX_KEPT = 1000;

interface WideRow {
  readonly row: number;
  readonly header: "";
  readonly message: string;
}

/**
 * Finds lines of a CSV file with more cells than its head: a cell that holds the separator and has no quotation marks
 * moves the cells behind it, so that amounts are read as others.
 */
export class WideRows {
  readonly #width: number;
  readonly #delimiter: string | undefined;
  readonly #wide: { readonly row: number; readonly cells: number; readonly isFilled: boolean }[] = [];
  #hasOthers = false;

  constructor(head: SheetLine, { form }: Pick<TableSource, "form">) {
    this.#width = head.cells.length;
    this.#delimiter = form?.delimiter;
  }

  /** Takes a line below the head. */
  take({ number, cells }: SheetLine): void {
    if (this.#delimiter === undefined) return;
    if (cells.length <= this.#width) this.#hasOthers ||= cells.some((cell) => cell.trim() !== "");
    else {
      const isFilled = cells.slice(this.#width).some((cell) => cell.trim() !== "");
      const isKept = this.#wide.length < MAX_KEPT || (isFilled && this.#wide.length < 2 * MAX_KEPT);
      if (isKept) this.#wide.push({ row: number, cells: cells.length, isFilled });
    }
  }

  /** One problem for each such line; where every line ends with empty cells, none. */
  problems(): WideRow[] {
    const found = this.#wide.filter(({ isFilled }) => isFilled || this.#hasOthers);
    return found.map(({ row, cells }) => ({
      row,
      header: "",
      message: `it has ${cells} cells, and the head has ${this.#width}: a cell that holds the separator ` +
        `"${this.#delimiter}" needs quotation marks around it. Put them in, or download the file once more`,
    }));
  }
}
