import { valueAt } from "../../../../base/json/field_path.ts";
import { currencyDecimals } from "../../../../base/markets/markets.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { cellFor, type ColumnUnit, headingOf, unitOf } from "./column_texts.ts";
import type { Row, RowPrinter } from "./row_printer.ts";
import { colouredCell } from "./state_colours.ts";
import type { Styles } from "./styles.ts";
import { fitText, textWidth } from "./text_width.ts";

const BATCH = 500;
const GAP = "  ";
const NARROWEST = 12;
const READABLE = 10;
const NAME = 34;
const MAIN = 20;
const BLOCKS = 60;
const AMOUNT = /^(?:[+-]?\d[\d.,]*(?: ?%| [A-Z]{3})?)?$/;

interface TableOptions {
  readonly columns: readonly string[];
  readonly name?: string;
  readonly main?: string | undefined;
  readonly isTotal?: ((row: Row) => boolean) | undefined;
  readonly least?: readonly string[] | undefined;
  readonly units?: Readonly<Record<string, ColumnUnit>> | undefined;
  readonly currencyOf?: ((row: Row) => string | undefined) | undefined;
  readonly isSql?: boolean | undefined;
  /** Width of the terminal; cells are truncated and fields without room are dropped. `undefined` prints everything. */
  readonly width: number | undefined;
  readonly styles: Styles;
  readonly write: (text: string) => Promise<void>;
  /** Called at the end with the fields that had no room. */
  readonly onLeftOut?: (fields: readonly string[]) => Promise<void>;
}

/** Column widths come from the first rows and only grow afterwards, which bounds memory. */
export class TablePrinter implements RowPrinter {
  readonly #options: TableOptions;
  readonly #headings: readonly string[];
  #waiting: Row[] = [];
  #widths: number[] | undefined;
  #right: boolean[] = [];
  readonly #hidden = new Set<number>();

  constructor(options: TableOptions) {
    this.#options = options;
    const all = options.columns.map(headingOf);
    // Two fields with one heading keep what leads to each.
    this.#headings = options.columns.map((column, at) =>
      all.indexOf(all[at]!) === all.lastIndexOf(all[at]!) ? all[at]! : headingOf(column.replaceAll(".", "_"))
    );
  }

  async write(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      this.#waiting.push(row);
      if (this.#waiting.length >= BATCH) await this.#flush();
    }
  }

  async end(): Promise<void> {
    if (this.#waiting.length > 0 || this.#widths === undefined) await this.#flush();
    const leftOut = this.#options.columns.filter((_, at) => this.#hidden.has(at));
    if (leftOut.length > 0) await this.#options.onLeftOut?.(leftOut);
  }

  async #flush(): Promise<void> {
    const { columns, styles, width, write } = this.#options;
    const rows = this.#waiting;
    this.#waiting = [];
    const first = this.#widths === undefined;
    const cells = rows.map((row) => this.#cells(row));
    if (width !== undefined && width < BLOCKS && columns.length > 1) {
      this.#widths ??= [];
      await write(cells.map((line, at) => this.#block(line, { isFirst: first && at === 0, width })).join(""));
      return;
    }
    if (first) {
      this.#right = columns.map((column, at) =>
        rows.length > 0 && !isId(column) && cells.every((line) => AMOUNT.test(line[at]!))
      );
    }
    const widths = columns.map((_, at) =>
      cells.reduce(
        (most, line) => Math.max(most, textWidth(line[at]!)),
        this.#widths?.[at] ?? textWidth(this.#headings[at]!),
      )
    );
    this.#widths = width === undefined ? widths : this.#fit(widths, width, cells);
    const isTotal = this.#options.isTotal ?? hasTotalCell;
    const rule = styles.dim("─".repeat(lineWidth(this.#widths.filter((_, at) => !this.#hidden.has(at)))));
    const lines = rows.flatMap((row, at) => {
      const line = this.#line(cells[at] ?? []);
      const next = rows[at + 1];
      const turns = next !== undefined && isTotal(row) !== isTotal(next);
      return [isTotal(row) ? styles.bold(line) : line, ...turns ? [rule] : []];
    });
    if (first) lines.unshift(styles.bold(this.#line(this.#headings)));
    await write(lines.map((line) => line + "\n").join(""));
  }

  #cells(row: Row): string[] {
    const { columns, units, currencyOf, isSql } = this.#options;
    const currency = currencyOf?.(row);
    const decimals = currencyDecimals(currency ?? String(row["currency"] ?? ""));
    return columns.map((column) =>
      visibleText(cellFor(valueAt(row, column), column, {
        unit: units?.[column] ?? unitOf(column),
        decimals,
        currency,
        isSql,
      }))
    );
  }

  #block(cells: readonly string[], { isFirst, width }: { isFirst: boolean; width: number }): string {
    const { columns, styles } = this.#options;
    const [title = "", ...rest] = cells;
    const named = rest.flatMap((cell, at) => cell === "" ? [] : [[at + 1, cell] as const]);
    const widest = Math.max(0, ...named.map(([at]) => textWidth(this.#headings[at]!)));
    const lines = named.map(([at, cell]) => {
      const space = Math.max(1, width - widest - 4);
      const text = this.#isId(at)
        ? styles.dim(cell)
        : this.#styled(fitText(cell, space).trimEnd(), columns[at]!);
      return `  ${fitText(this.#headings[at]!, widest)}  ${text}`;
    });
    const head = styles.bold(fitText(title, width).trimEnd());
    return [...isFirst ? [] : [""], head, ...lines].map((line) => `${line}\n`).join("");
  }

  /**
   * Drops fields that do not fit even when truncated, then narrows the widest: first headers wider than their column,
   * then text.
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
    const isEmpty = columns.map((_, at) => cells.every((line) => line[at] === ""));
    const order = dropOrder(columns, { name, least: this.#options.least, isEmpty });
    const isShown = (at: number): boolean => !this.#hidden.has(at);
    const shownOf = (all: readonly number[]): number[] => all.filter((_, at) => isShown(at));
    for (const at of order) {
      if (lineWidth(shownOf(least)) <= width || this.#hidden.size >= columns.length - 1) break;
      this.#hidden.add(at);
    }
    const fitted = narrowed(narrowed(shownOf(widths), shownOf(contents), width), shownOf(least), width);
    return widths.map((one, at) => isShown(at) ? fitted.shift() ?? one : one);
  }

  /** Ids, numbers, times and amounts are useless when truncated. */
  #isWhole(at: number, cells: readonly (readonly string[])[]): boolean {
    return this.#isId(at) ||
      cells.every((line) => /^(?:[\d.,:+% Z▁-█-]|\bto\b|\b[A-Z]{3}\b)*$/.test(line[at]!));
  }

  #isId(at: number): boolean {
    return isId(this.#options.columns[at]!);
  }

  #styled(text: string, column: string): string {
    return colouredCell(text, column, this.#options.styles);
  }

  #line(cells: readonly string[]): string {
    const { columns, styles } = this.#options;
    const isHeading = cells === this.#headings;
    const shown = cells.flatMap((cell, at) => this.#hidden.has(at) ? [] : [{ cell, at }]);
    const texts = shown.map(({ cell, at }, index) => {
      const fitted = fitText(cell, this.#widths![at]!, this.#right[at] ? "right" : "left");
      const text = index === shown.length - 1 ? fitted.trimEnd() : fitted;
      if (isHeading) return text;
      return this.#isId(at) ? styles.dim(text) : this.#styled(text, columns[at]!);
    });
    return texts.join(GAP).trimEnd();
  }
}

function hasTotalCell(row: Row): boolean {
  return Object.values(row).includes("Total");
}

export function isId(column: string): boolean {
  return /(^i|_i|I)d$|^slug$/.test(column);
}

/** Order in which columns are dropped: the emptiest first, then from right to left; changes and the name last. */
function dropOrder(
  columns: readonly string[],
  { name, least = [], isEmpty }: {
    readonly name: string | undefined;
    readonly least: readonly string[] | undefined;
    readonly isEmpty: readonly boolean[];
  },
): number[] {
  const rank = (column: string, at: number): number => {
    if (column === name || (name === undefined && at === 0)) return 5;
    if (isEmpty[at]) return 0;
    if (isId(column) || least.includes(column)) return 1;
    if (/_before$/.test(column)) return 2;
    return /_change$/.test(column) ? 4 : 3;
  };
  return columns.map((column, at) => ({ at, rank: rank(column, at) }))
    .sort((a, b) => a.rank - b.rank || b.at - a.at).map(({ at }) => at);
}

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
