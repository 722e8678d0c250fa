import { readableText, valueAt } from "../../../../base/json/field_path.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import type { Row, RowPrinter } from "./row_printer.ts";
import type { Styles } from "./styles.ts";
import { fitText, textWidth } from "./text_width.ts";

const BATCH = 500;
const GAP = "  ";
/** Columns that a header keeps at least, and a text. */
const NARROWEST = 8;
const READABLE = 10;
/** Columns that a name keeps at least: those to the right are left out before it is cut further. */
const NAME = 34;
const MAIN = 20;
/** An amount or a share, as text. */
const AMOUNT = /^(?:[+-]?\d[\d.,]*(?: ?%)?)?$/;

/** Layout of a table. */
interface TableOptions {
  /** Fields, left to right. */
  readonly columns: readonly string[];
  /** Column that a row is known by: it is cut less than the others. @default none */
  readonly name?: string;
  /** Column that says most where rows have no name: it is cut less than the others, too. @default none */
  readonly main?: string | undefined;
  /** Columns of the terminal; cells are cut to fit, fields on the right left out. `undefined`: all is printed. */
  readonly width: number | undefined;
  /** Styles of the header. */
  readonly styles: Styles;
  readonly write: (text: string) => Promise<void>;
  /** Told at the end which fields had no room. */
  readonly onLeftOut?: (fields: readonly string[]) => Promise<void>;
}

/** Prints rows as a table. Widths come from the first rows and only grow after that, so that memory stays bounded. */
export class TablePrinter implements RowPrinter {
  readonly #options: TableOptions;
  #waiting: Row[] = [];
  #widths: number[] | undefined;
  #right: boolean[] = [];
  #shown: number;

  /** Begins a table; nothing is printed yet. */
  constructor(options: TableOptions) {
    this.#options = options;
    this.#shown = options.columns.length;
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
    const leftOut = this.#options.columns.slice(this.#shown);
    if (leftOut.length > 0) await this.#options.onLeftOut?.(leftOut);
  }

  async #flush(): Promise<void> {
    const { columns, styles, width, write } = this.#options;
    const rows = this.#waiting;
    this.#waiting = [];
    const first = this.#widths === undefined;
    const cells = rows.map((row) =>
      columns.map((column) => visibleText(readableText(valueAt(row, column), column)))
    );
    if (first) {
      this.#right = columns.map((column, at) =>
        rows.length > 0 && !isId(column) && cells.every((line) => AMOUNT.test(line[at]!))
      );
    }
    const widths = columns.map((column, at) =>
      cells.reduce(
        (most, line) => Math.max(most, textWidth(line[at]!)),
        this.#widths?.[at] ?? textWidth(column),
      )
    );
    this.#widths = width === undefined ? widths : this.#fit(widths, width, cells);
    const lines = cells.map((line) => this.#line(line));
    if (first) lines.unshift(styles.bold(this.#line(this.#headers())));
    await write(lines.map((line) => line + "\n").join(""));
  }

  /**
   * Leaves out fields on the right that have no room even when all is cut, and cuts the widest of the others: first
   * headers that are wider than what is below them, then texts.
   */
  #fit(widths: readonly number[], width: number, cells: readonly (readonly string[])[]): number[] {
    const { columns, name, main } = this.#options;
    const floor = (column: string): number => column === name ? NAME : column === main ? MAIN : READABLE;
    const contents = widths.map((one, at) =>
      Math.min(one, Math.max(NARROWEST, ...cells.map((line) => textWidth(line[at]!))))
    );
    const least = contents.map((one, at) =>
      this.#isWhole(at, cells) ? one : Math.min(one, floor(columns[at]!))
    );
    while (this.#shown > 1 && lineWidth(least.slice(0, this.#shown)) > width) this.#shown--;
    const shown = widths.slice(0, this.#shown);
    return [...narrowed(narrowed(shown, contents, width), least, width), ...widths.slice(this.#shown)];
  }

  /** Ids, numbers, times and amounts with their currency are left whole: cut, they are worthless. */
  #isWhole(at: number, cells: readonly (readonly string[])[]): boolean {
    return isId(this.#options.columns[at]!) ||
      cells.every((line) => /^(?:[\d.,:+% Z-]|\bto\b|\b[A-Z]{3}\b)*$/.test(line[at]!));
  }

  /** Names of fields; one that does not fit loses what leads to it: `budget.amount` is `amount`. */
  #headers(): string[] {
    return this.#options.columns.map((column, at) => {
      const parts = column.split(".");
      while (parts.length > 1 && textWidth(parts.join(".")) > this.#widths![at]!) parts.shift();
      return parts.join(".");
    });
  }

  #line(cells: readonly string[]): string {
    const fitted = cells.slice(0, this.#shown).map((cell, at) =>
      fitText(cell, this.#widths![at]!, this.#right[at] ? "right" : "left")
    );
    return fitted.join(GAP).trimEnd();
  }
}

export function isId(column: string): boolean {
  return /(^i|_i|I)d$|^slug$/.test(column);
}

/** Takes columns of the widest cells until the line fits, or until none is wider than its least. */
function narrowed(widths: readonly number[], least: readonly number[], width: number): number[] {
  const result = [...widths];
  for (let excess = lineWidth(result) - width; excess > 0; excess--) {
    let widest = -1;
    for (const [at, one] of result.entries()) {
      if (one > least[at]! && (widest === -1 || one > result[widest]!)) widest = at;
    }
    if (widest === -1) break;
    result[widest] = result[widest]! - 1;
  }
  return result;
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1);
}
