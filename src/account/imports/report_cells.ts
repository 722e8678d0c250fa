import type { CellNote } from "../../base/text/row_cells.ts";
import { columnType } from "../../client/reports/file/report_row.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import { reportLayout } from "../../store/model/report_layout.ts";
import { type CellFormats, readNumber } from "../tables/cell_formats.ts";
import { BRANDS_TARGETING } from "../tables/console_headers.ts";
import { type CellProblem, ProblemList } from "../tables/problem_list.ts";
import { cellFor, type CellUse, isCalculated } from "../tables/read_cell.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import type { RecognizedTable } from "./recognize_table.ts";

/** Columns of a table that are stored, by the way their cells are read. */
export interface ReadColumns {
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
  /** Day of each row, or first and last day. */
  readonly days: readonly [string, ...string[]];
}

function readColumns({ at, preset }: RecognizedTable): ReadColumns {
  const stored = new Set(reportLayout(preset).columns.map(({ name }) => name));
  const names = [...at.keys()].filter((name) => stored.has(targetColumn(name, preset)));
  return {
    // Shares come as texts such as "<5%", which cannot be summed.
    numbers: names.filter((name) => isNumeric(name) && !name.includes("Share")),
    texts: [
      ...names.filter((name) => columnType(name) === "text"),
      ...(at.has(BRANDS_TARGETING) ? [BRANDS_TARGETING] : []),
    ],
    days: at.has("date") ? ["date"] : ["startDate", "endDate"],
  };
}

const BOUGHT: Readonly<Record<string, string>> = {
  sales: "sales14d",
  purchases: "orders14d",
  unitsSold: "unitsSold14d",
  newToBrandPurchases: "newToBrandPurchases14d",
  newToBrandSales: "newToBrandSales14d",
  newToBrandUnitsSold: "newToBrandUnitsSold14d",
};

export function targetColumn(name: string, preset: ReportPresetName): string {
  return preset === "sb_purchased_products" ? BOUGHT[name] ?? name : name;
}

function isNumeric(name: string): boolean {
  const type = columnType(name);
  return type === "integer" || type === "real";
}

const MATCH_TYPES: ReadonlySet<string> = new Set(["EXACT", "PHRASE", "BROAD"]);

export function textFields(name: string, text: string, { preset }: RecognizedTable): Record<string, string> {
  if (name === "matchType") {
    return { matchType: MATCH_TYPES.has(text.toUpperCase()) ? text.toUpperCase() : text };
  }
  if (name !== BRANDS_TARGETING) return { [name]: text };
  const isTarget = /^(?:asin|asin-expanded|category|brand|keyword-group)\s*=/i.test(text);
  if (preset === "sb_search_terms" || !isTarget) return { keywordText: text };
  return { targetingText: text };
}

/** Cells of a report by column, with the problems and notices found in them. */
export class ReportCells {
  readonly problems: ProblemList<CellProblem> = new ProblemList();
  readonly notices: string[] = [];
  readonly table: RecognizedTable;
  readonly head: readonly string[];
  /** Country of the account that the report belongs to. */
  readonly countryCode: string;
  readonly columns: ReadColumns;
  readonly #calculated = new Map<string, number>();

  constructor(
    table: RecognizedTable,
    { head, countryCode }: { readonly head: readonly string[]; readonly countryCode: string },
  ) {
    this.table = table;
    this.head = head;
    this.countryCode = countryCode;
    this.columns = readColumns(table);
  }

  has(name: string): boolean {
    return this.table.at.has(name);
  }

  /** Header of a column, empty if the table does not have it. */
  header(name: string): string {
    return this.head[this.#at(name)] ?? "";
  }

  /** Trimmed text of a cell, empty if the table does not have the column. */
  text({ cells }: SheetLine, name: string): string {
    return cells[this.#at(name)]?.trim() ?? "";
  }

  note({ notes }: SheetLine, name: string): CellNote | undefined {
    return notes?.[this.#at(name)];
  }

  number(line: SheetLine, name: string, formats: CellFormats): number | undefined {
    const text = this.text(line, name);
    return this.note(line, name)?.type === "number" ? Number(text) : readNumber(text, formats);
  }

  /** Returns the text of a cell; refuses a cell that a program converted, and returns `undefined`. */
  use(line: SheetLine, name: string, use: CellUse): string | undefined {
    const at = this.table.at.get(name);
    if (at === undefined) return "";
    if (isCalculated(line, at)) {
      const header = this.header(name).trim();
      this.#calculated.set(header, (this.#calculated.get(header) ?? 0) + 1);
    }
    try {
      return cellFor(line, at, use);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.refuseCell(line, name, error.message);
      return undefined;
    }
  }

  /** Notices about formulas in the cells that were used. */
  formulaNotices(): string[] {
    return [...this.#calculated].map(([header, formulas]) =>
      `${formulas} formulas in "${header}" are read with the values that were last calculated`
    );
  }

  refuseTable(message: string): void {
    this.problems.add({ row: 0, header: "", message });
  }

  refuseColumn(name: string, message: string): void {
    this.problems.add({ row: 0, header: this.header(name), message });
  }

  refuseCell({ number }: SheetLine, name: string, message: string): void {
    this.problems.add({ row: number, header: this.header(name), message });
  }

  #at(name: string): number {
    return this.table.at.get(name) ?? -1;
  }
}
