import { readableText, valueAt } from "../../../../base/json/field_path.ts";
import { currencyDecimals } from "../../../../base/markets/markets.ts";
import { capital } from "../../../../base/text/capital.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { spellKind } from "../../../../platform/catalog/kind_names.ts";
import type { Row, RowPrinter } from "../context/row_printer.ts";
import { fitText, textWidth } from "../io/text_width.ts";
import { colouredCell, type Styles } from "./styles.ts";

/** Unit of a column's numbers. Signed ones are changes and always have a sign. */
export type ColumnUnit = "money" | "share" | "count" | "signed money" | "signed share";

const HEADINGS: Readonly<Record<string, string>> = {
  "budget.amount": "Budget",
  "budget.budget": "Budget",
  applied_at: "Applied",
  asin: "ASIN",
  bidding: "Bidding",
  countryCode: "Market",
  country_code: "Market",
  created_at: "Created",
  creationDate: "Created",
  creationDateTime: "Created",
  currencyCode: "Currency",
  dailyBudget: "Daily budget",
  endDate: "End",
  keywordText: "Keyword",
  lastUpdateDate: "Updated",
  lastUpdateDateTime: "Updated",
  lastUpdatedDate: "Updated",
  matchType: "Match",
  sent_at: "Sent",
  startDate: "Start",
  targetingType: "Targeting",
  updatedAt: "Updated",
};
const ACRONYM = /^(?:acos|api|asin|cpc|cpm|ctr|cvr|id|ids|roas|sku|sql|url|utc)$/;

const MONEY =
  /^(?:bid|defaultBid|default_bid|budget|dailyBudget|budget\.(?:budget|amount)|cost|sales|spend|spend_a_day|cpc|suggested)(?:_before|_after)?$/;
const SHARE = /^(?:acos|ctr|cvr)(?:_before|_after)?$|_share$/;
const SIGNED_SHARE = /_change$/;

export function headingOf(field: string): string {
  const last = field.split(".").at(-1) ?? field;
  const known = HEADINGS[field] ?? HEADINGS[last];
  if (known !== undefined) return known;
  const words = last.replace(/([a-z\d])([A-Z])|([a-z])(?=\d+d\b)/g, "$1$3 $2").split(/[\s_]+/).map((word) =>
    word.toLowerCase()
  );
  const [first = "", ...rest] = words.map((word) => ACRONYM.test(word) ? word.toUpperCase() : word);
  return [capital(first), ...rest].join(" ");
}

function unitOf(field: string): ColumnUnit {
  if (MONEY.test(field)) return "money";
  if (SHARE.test(field)) return "share";
  return SIGNED_SHARE.test(field) ? "signed share" : "count";
}

/**
 * Formats money, shares and states for people.
 *
 * @param options.decimals Decimals of the currency.
 * @param options.isSql True to keep SQL names of reports and kinds.
 */
function cellFor(
  value: unknown,
  field: string,
  { unit, decimals, currency, isSql = false }: {
    readonly unit: ColumnUnit;
    readonly decimals: number;
    readonly currency: string | undefined;
    readonly isSql?: boolean | undefined;
  },
): string {
  if (typeof value === "number" && Number.isFinite(value)) {
    const sign = unit.startsWith("signed") && value > 0 ? "+" : "";
    switch (unit) {
      case "money":
      case "signed money": {
        const own = String(value).split(".")[1]?.length ?? 0;
        const digits = own > decimals && Math.abs(value) < 0.1 ? Math.min(own, 4) : decimals;
        return `${sign}${grouped(value.toFixed(digits))}${currency === undefined ? "" : ` ${currency}`}`;
      }
      case "share":
      case "signed share":
        return `${sign}${grouped((value * 100).toFixed(1))} %`;
      case "count": {
        const text = readableText(value, field);
        return /^-?\d+(?:\.\d+)?$/.test(text) && !/(?:^|[a-z_])(?:id|Id|year|port|seed)$/.test(field)
          ? grouped(text)
          : text;
      }
    }
  }
  const text = readableText(value, field);
  if (!isSql && (field === "report" || field === "kind")) return spelled(text);
  return isWord(field) && /^[A-Z][A-Z\d_]*$/.test(text) ? text.toLowerCase().replaceAll("_", " ") : text;
}

function spelled(text: string): string {
  return /^s[pbd][._][a-z_]+$/.test(text) ? spellKind(text.replace(/^(s[pbd])_/, "$1.")) : text;
}

function isWord(field: string): boolean {
  return /(?:^|[._a-z])(?:state|status|type|Type|strategy|Strategy|Status|State|level)$/.test(field);
}

function grouped(text: string): string {
  const [whole = "", rest] = text.split(".");
  const separated = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return rest === undefined ? separated : `${separated}.${rest}`;
}

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
