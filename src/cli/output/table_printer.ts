import { readableText, valueAt } from "./field_path.ts";
import { visibleText } from "../../plans/visible_text.ts";
import type { Row, RowPrinter } from "./row_printer.ts";
import type { Styles } from "./styles.ts";
import { fitText, textWidth } from "./text_width.ts";

const BATCH = 500;
const GAP = "  ";
const NARROWEST = 8;

/** What a table is made with. */
export interface TableOptions {
  /** Fields, left to right. */
  readonly columns: readonly string[];
  /** Columns of the terminal; cells are cut to fit. `undefined`: nothing is cut. */
  readonly width: number | undefined;
  /** Styles of the header. */
  readonly styles: Styles;
  /** Takes the text. */
  readonly write: (text: string) => Promise<void>;
}

/** Prints rows as a table. Widths come from the first rows and only grow after that, so that memory stays bounded. */
export class TablePrinter implements RowPrinter {
  readonly #options: TableOptions;
  #waiting: Row[] = [];
  #widths: number[] | undefined;
  #right: boolean[] = [];

  /** Begins a table; nothing is printed yet. */
  constructor(options: TableOptions) {
    this.#options = options;
  }

  /** Takes rows; prints them once a batch is full. */
  async write(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      this.#waiting.push(row);
      if (this.#waiting.length >= BATCH) await this.#flush();
    }
  }

  /** Prints the rows that are left; a table without rows is its header. */
  async end(): Promise<void> {
    if (this.#waiting.length > 0 || this.#widths === undefined) await this.#flush();
  }

  async #flush(): Promise<void> {
    const { columns, styles, width, write } = this.#options;
    const rows = this.#waiting;
    this.#waiting = [];
    const first = this.#widths === undefined;
    if (first) {
      this.#right = columns.map((column) =>
        rows.length > 0 && rows.every((row) => isNumberOrNothing(valueAt(row, column)))
      );
    }
    const cells = rows.map((row) => columns.map((column) => visibleText(readableText(valueAt(row, column)))));
    const widths = columns.map((column, at) =>
      cells.reduce(
        (most, line) => Math.max(most, textWidth(line[at]!)),
        this.#widths?.[at] ?? textWidth(column),
      )
    );
    this.#widths = width === undefined ? widths : shrink(widths, width, this.#cuttable(cells));
    const lines = cells.map((line) => this.#line(line));
    if (first) lines.unshift(styles.bold(this.#line(columns)));
    await write(lines.map((line) => line + "\n").join(""));
  }

  /** Ids and numbers are left whole: cut, they are worthless. */
  #cuttable(cells: readonly (readonly string[])[]): boolean[] {
    return this.#options.columns.map((column, at) =>
      !/(^i|I)d$/.test(column) && cells.some((line) => !/^[\d.,:+%-]*$/.test(line[at]!))
    );
  }

  #line(cells: readonly string[]): string {
    const fitted = cells.map((cell, at) =>
      fitText(cell, this.#widths![at]!, this.#right[at] ? "right" : "left")
    );
    return fitted.join(GAP).trimEnd();
  }
}

/** Takes columns of the widest cells that may be cut, until the line fits. */
function shrink(widths: readonly number[], width: number, cuttable: readonly boolean[]): number[] {
  const result = [...widths];
  let excess = result.reduce((sum, one) => sum + one, 0) + GAP.length * (result.length - 1) - width;
  while (excess > 0) {
    let widest = -1;
    for (const [at, one] of result.entries()) {
      if (cuttable[at] && one > NARROWEST && (widest === -1 || one > result[widest]!)) widest = at;
    }
    if (widest === -1) break;
    result[widest] = result[widest]! - 1;
    excess--;
  }
  return result;
}

function isNumberOrNothing(value: unknown): boolean {
  return typeof value === "number" || value === undefined || value === null;
}
