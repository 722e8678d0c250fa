import { decimalsOf, marketOf } from "../../base/markets/markets.ts";
import type { CellNote } from "../../base/spreadsheet/row_cells.ts";
import { columnType } from "../../client/reports/file/report_row.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import {
  type CellFormats,
  type DayOrder,
  dayOrderOf,
  type DecimalMark,
  decimalMarkOf,
  type RateForm,
  rateFormOf,
  readDay,
  readNumber,
} from "../tables/cell_formats.ts";
import { BRANDS_TARGETING, currencyBracket } from "../tables/console_headers.ts";
import { foreignCurrency } from "../tables/currency_marks.ts";
import { OwnerColumns } from "../tables/owner_columns.ts";
import { cellFor, type CellUse, isCalculated } from "../tables/read_cell.ts";
import { splitTotals, totalsProblem } from "./totals_row.ts";
import { isNumeric, storedColumns, targetColumn, textFields } from "./file_columns.ts";
import type { RecognizedTable } from "./recognize_table.ts";
import { endOfMonth } from "../../base/time/calendar.ts";

/** Hints for files whose numbers and days can be read in two ways. */
export interface ReadingHints {
  /** Mark before decimals. @default what the numbers show */
  readonly decimal?: DecimalMark | undefined;
  /** Order of days such as 12/07/2019. @default what the days show */
  readonly dayOrder?: DayOrder | undefined;
  /** Span of a row whose days are all the first of a month. @default refused */
  readonly rowsOf?: "day" | "month" | undefined;
  /** Rows of this country alone, as the file writes it. @default a file of several countries is refused */
  readonly country?: string | undefined;
}

/** Days that are stored together: each for itself, or as one sum. */
export interface TablePiece {
  readonly start: string;
  readonly end: string;
  /** True where the rows are sums over all the days; they are dated by the last one. */
  readonly isSum: boolean;
  readonly rows: readonly ReportRow[];
}

/** The rows of a report in a file. */
export interface ReadTable {
  readonly preset: ReportPresetName;
  /** Days after a click whose orders count: 7 for sellers, 14 for vendors. `undefined` beside Sponsored Products. */
  readonly window: 7 | 14 | undefined;
  readonly pieces: readonly TablePiece[];
  /** Number of rows in the file. */
  readonly count: number;
  readonly formats: CellFormats;
  readonly rates: RateForm | undefined;
  /** A day as the file writes it. */
  readonly dayExample: string;
  readonly notices: readonly string[];
}

export interface CellProblem {
  readonly row: number;
  readonly header: string;
  readonly message: string;
}

const COUNTRY = "- (marketplace country)";
const PROGRAM = "- (ad product)";
/** Cells that hold nothing. */
const NOTHING: ReadonlySet<string> = new Set(["", "-", "--", "—", "N/A"]);

/** Reads the rows of a report. Problems are collected; with any of them, the rows are not to be used. */
export function readTable(
  table: RecognizedTable,
  { head, lines, countryCode, hints, is1904 }: {
    readonly head: readonly string[];
    /** True where numbers in place of days are counted from 1904. */
    readonly is1904: boolean;
    readonly lines: readonly SheetLine[];
    readonly countryCode: string;
    readonly hints: ReadingHints;
  },
): { readonly read: ReadTable | undefined; readonly problems: readonly CellProblem[] } {
  return new TableReader(table, head, { countryCode, hints, is1904 }).read(lines);
}

class TableReader {
  readonly #problems: CellProblem[] = [];
  readonly #notices: string[] = [];
  readonly #table: RecognizedTable;
  readonly #head: readonly string[];
  readonly #countryCode: string;
  readonly #hints: ReadingHints;
  readonly #is1904: boolean;
  readonly #calculated = new Map<string, number>();
  readonly #numbers: readonly string[];
  readonly #texts: readonly string[];

  constructor(
    table: RecognizedTable,
    head: readonly string[],
    { countryCode, hints, is1904 }: { countryCode: string; hints: ReadingHints; is1904: boolean },
  ) {
    this.#is1904 = is1904;
    this.#table = table;
    this.#head = head;
    this.#countryCode = countryCode;
    this.#hints = hints;
    const stored = storedColumns(table.preset);
    const columns = [...table.at.keys()].filter((name) => stored.has(targetColumn(name, table.preset)));
    // Shares come as texts such as "<5%", which cannot be summed.
    this.#numbers = columns.filter((name) => isNumeric(name) && !name.includes("Share"));
    this.#texts = [
      ...columns.filter((name) => columnType(name) === "text"),
      ...(table.at.has(BRANDS_TARGETING) ? [BRANDS_TARGETING] : []),
    ];
  }

  read(all: readonly SheetLine[]): { read: ReadTable | undefined; problems: readonly CellProblem[] } {
    const filled = all.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
    const { lines: counted, totals } = splitTotals(filled, {
      at: this.#table.at,
      dayColumns: this.#table.at.has("date") ? ["date"] : ["startDate", "endDate"],
    });
    const lines = this.#wanted(counted);
    const hasDate = this.#table.at.has("date");
    const dayColumns = hasDate ? ["date"] : ["startDate", "endDate"];
    const formats = this.#formats(lines, dayColumns);
    if (lines.length === 0 && this.#problems.length === 0) {
      this.#refuse(0, "", "it has no rows, so nothing says which days it is of");
    }
    if (formats === undefined || lines.length === 0) return { read: undefined, problems: this.#problems };
    const rows = lines.map((line) => this.#row(line, { formats, dayColumns }));
    this.#checkCurrency(lines);
    this.#checkTotals(totals, counted, formats);
    const pieces = hasDate ? this.#dated(rows) : summed(rows);
    for (const [header, count] of this.#calculated) {
      this.#notices.push(
        `${count} formulas in "${header}" are read with the values that were last calculated`,
      );
    }
    if (this.#problems.length > 0) return { read: undefined, problems: this.#problems };
    const { at, preset } = this.#table;
    return {
      problems: [],
      read: {
        preset,
        window: !preset.startsWith("sp_") ? undefined : at.has("sales14d") ? 14 : 7,
        pieces: preset === "sb_purchased_products" ? pieces.map((piece) => this.#paired(piece)) : pieces,
        count: lines.length,
        formats,
        rates: this.#rates(lines, formats),
        dayExample: this.#cell(lines[0]!, dayColumns[0]!),
        notices: this.#notices,
      },
    };
  }

  /** Leaves out rows of other countries and products, where the file holds several. */
  #wanted(lines: readonly SheetLine[]): readonly SheetLine[] {
    const programs = Map.groupBy(lines, (line) => this.#cell(line, PROGRAM));
    const others = [...programs.keys()].filter((name) => /brand|display|television|\btv\b/i.test(name));
    for (const name of others) {
      this.#notices.push(
        `${programs.get(name)!.length} rows of ${name} are left out: download its own report`,
      );
    }
    const own = lines.filter((line) => !others.includes(this.#cell(line, PROGRAM)));
    const countries = Map.groupBy(own, (line) => this.#cell(line, COUNTRY));
    countries.delete("");
    const { country } = this.#hints;
    if (country === undefined) {
      if (countries.size > 1) {
        this.#refuseColumn(
          COUNTRY,
          `it holds ${[...countries.keys()].join(", ")}: name the one of ${this.#countryCode} with --country`,
        );
      }
      return own;
    }
    if (countries.size === 0) return own;
    const wanted = own.filter((line) =>
      this.#cell(line, COUNTRY).toLowerCase() === country.trim().toLowerCase()
    );
    if (wanted.length === 0) {
      this.#refuseColumn(
        COUNTRY,
        `it has no rows of "${country}": it holds ${[...countries.keys()].join(", ")}`,
      );
    } else if (wanted.length < own.length) {
      this.#notices.push(
        `${own.length - wanted.length} rows of other countries than ${country} are left out`,
      );
    }
    return wanted;
  }

  #formats(lines: readonly SheetLine[], dayColumns: readonly string[]): CellFormats | undefined {
    // A cell that holds a number has no mark of its own.
    const cells = lines.flatMap((line) =>
      this.#numbers.filter((name) => this.#note(line, name)?.type !== "number").map((name) => ({
        text: this.#cell(line, name),
        // Where amounts have no decimals, a mark in them parts thousands.
        isWhole: columnType(name) === "integer" || decimalsOf(this.#countryCode) === 0,
      }))
    );
    const decimal = this.#hints.decimal ?? decimalMarkOf(cells);
    if (decimal === "mixed") {
      this.#refuse(
        0,
        "",
        "some numbers have a decimal point and others a decimal comma: export it once more, unchanged",
      );
    } else if (decimal === "unclear") {
      this.#refuse(
        0,
        "",
        "its amounts can be read in two ways, as 1.234 can: say which with --decimal point or --decimal comma",
      );
    }
    const days = lines.flatMap((line) => dayColumns.map((name) => this.#cell(line, name)));
    const shown = dayOrderOf(days);
    const dayOrder = this.#hints.dayOrder ?? shown;
    if (dayOrder === "mixed") {
      this.#refuseColumn(
        dayColumns[0]!,
        "some days begin with the day and others with the month: export it once more, unchanged",
      );
    } else if (dayOrder === "unclear") {
      const example = days.find((day) => day !== "") ?? "";
      this.#refuseColumn(
        dayColumns[0]!,
        `"${example}" can be read in two ways: say which comes first with --dates dmy or --dates mdy`,
      );
    }
    if (decimal === "mixed" || decimal === "unclear" || dayOrder === "mixed" || dayOrder === "unclear") {
      return undefined;
    }
    return { decimal, dayOrder, is1904: this.#is1904 };
  }

  #row(
    line: SheetLine,
    { formats, dayColumns }: { formats: CellFormats; dayColumns: readonly string[] },
  ): DatedRow {
    const values: Record<string, string | number | null> = {};
    const { preset } = this.#table;
    for (const name of this.#numbers) {
      const text = this.#use(line, name, "number");
      if (text === undefined || NOTHING.has(text)) continue;
      const note = this.#note(line, name);
      const number = note?.type === "number" ? Number(text) : readNumber(text, formats);
      const sign = foreignCurrency(`${text} ${note?.currency ?? ""}`, this.#countryCode);
      if (number === undefined || Number.isNaN(number)) {
        this.#refuseCell(line, name, `"${text}" is not a number with a decimal ${formats.decimal}`);
      } else if (note?.type !== "number" && /\de[+-]?\d/i.test(text)) {
        this.#refuseCell(line, name, `"${text}" is a rounded number: its last digits are lost`);
      } else if (columnType(name) === "integer" && !Number.isSafeInteger(number)) {
        this.#refuseCell(line, name, `"${text}" is not a whole number`);
      } else if (sign !== undefined) {
        this.#refuseCell(
          line,
          name,
          `"${text}" is not in ${
            marketOf(this.#countryCode)?.currency ?? "the currency"
          } of ${this.#countryCode}`,
        );
      } else values[targetColumn(name, preset)] = number;
    }
    for (const name of this.#texts) {
      const text = this.#use(line, name, "text") ?? "";
      if (text !== "") Object.assign(values, textFields(name, text, this.#table));
    }
    if (this.#cell(line, "campaignName") === "") this.#refuseCell(line, "campaignName", "it is empty");
    const days = dayColumns.map((name) => {
      const text = this.#use(line, name, "day");
      if (text === undefined) return "";
      const day = readDay(text, formats);
      if (day === undefined) {
        this.#refuseCell(line, name, text === "" ? "it is empty" : `"${text}" is not a day`);
      }
      return day ?? "";
    });
    const [start = "", end = start] = days;
    if (start > end && end !== "") this.#refuseCell(line, "endDate", "it lies before the first day");
    return { start, end, values };
  }

  /** Days each for itself; days that are all the first of a month may stand for the month. */
  #dated(rows: readonly DatedRow[]): readonly TablePiece[] {
    const days = [...new Set(rows.map(({ start }) => start))].filter((day) => day !== "").sort();
    const areFirsts = days.every((day) => day.endsWith("-01"));
    const { rowsOf } = this.#hints;
    if (areFirsts && rowsOf === undefined && days.length > 0) {
      this.#refuseColumn(
        "date",
        "each of its days is the first of a month, so that it may be a monthly report: say which with --rows-of day or --rows-of month",
      );
    }
    if (areFirsts && rowsOf === "month") {
      return [...Map.groupBy(rows, ({ start }) => start)].map(([start, own]) => {
        const end = endOfMonth(start);
        return { start, end, isSum: true, rows: own.map(({ values }) => ({ ...values, date: end })) };
      });
    }
    return [{
      start: days[0] ?? "",
      end: days.at(-1) ?? "",
      isSum: false,
      rows: rows.map(({ start, values }) => ({ ...values, date: start })),
    }];
  }

  /** Adds up rows of one key: this report has one for orders of new customers and one for all others. */
  #paired(piece: TablePiece): TablePiece {
    const keys = ["date", "campaignName", "attributionType", "purchasedAsin"];
    const sums = new Map<string, Record<string, string | number | boolean | null>>();
    for (const row of piece.rows) {
      const key = JSON.stringify(keys.map((name) => row[name] ?? ""));
      const sum = sums.get(key);
      if (sum === undefined) {
        sums.set(key, { ...row } as Record<string, string | number | null>);
        continue;
      }
      for (const [name, value] of Object.entries(row)) {
        if (typeof value !== "number") continue;
        const before = sum[name];
        sum[name] = Number(((typeof before === "number" ? before : 0) + value).toPrecision(12));
      }
    }
    const pairs = piece.rows.length - sums.size;
    if (pairs > 0) {
      this.#notices.push(`${pairs} rows with orders of new customers are added to their other half`);
    }
    return { ...piece, rows: [...sums.values()] as ReportRow[] };
  }

  #checkCurrency(lines: readonly SheetLine[]): void {
    const currency = marketOf(this.#countryCode)?.currency;
    for (const at of this.#table.at.values()) {
      const header = this.#head[at] ?? "";
      const sign = foreignCurrency(currencyBracket(header) ?? "", this.#countryCode);
      if (sign === undefined) continue;
      this.#refuse(0, header, `its amounts are in ${sign}, and those of ${this.#countryCode} in ${currency}`);
    }
    const owners = new OwnerColumns(this.#table.owners, {
      head: this.#head,
      countryCode: this.#countryCode,
    });
    for (const line of lines) owners.take(line);
    for (const { row, header, message } of owners.problems()) {
      // Several countries are named where one is chosen.
      if (!this.#problems.some((one) => one.header === header)) this.#refuse(row, header, message);
    }
  }

  #rates(lines: readonly SheetLine[], formats: CellFormats): RateForm | undefined {
    if (!this.#table.at.has("clickThroughRate")) return undefined;
    const found = rateFormOf(lines.flatMap((line) => {
      const text = this.#cell(line, "clickThroughRate");
      const [rate, clicks, impressions] = [text, this.#cell(line, "clicks"), this.#cell(line, "impressions")]
        .map((one) => readNumber(one, formats));
      return rate === undefined || clicks === undefined || impressions === undefined
        ? []
        : [{ text, rate, clicks, impressions }];
    }));
    if (found === "rates that do not fit") {
      this.#notices.push(
        "its click rates do not fit clicks and impressions: check the numbers before you use them",
      );
    }
    return found;
  }

  /** Compares a row of totals with the sums of the rows: a file that was filtered or cut shows it there. */
  #checkTotals(totals: readonly SheetLine[], lines: readonly SheetLine[], formats: CellFormats): void {
    const numberOf = (line: SheetLine, name: string): number | undefined => {
      const text = this.#cell(line, name);
      return this.#note(line, name)?.type === "number" ? Number(text) : readNumber(text, formats);
    };
    for (const line of totals) {
      const problem = totalsProblem(line, lines, { names: this.#numbers, numberOf });
      if ("message" in problem) this.#refuseCell(line, problem.name, problem.message);
      else {
        const how = problem.compared === 0 ? "it has no numbers to compare" : "its sums fit";
        this.#notices.push(`Row ${line.number} is a row of totals: it is left out, and ${how}`);
      }
    }
  }

  #cell({ cells }: SheetLine, name: string): string {
    return cells[this.#table.at.get(name) ?? -1]?.trim() ?? "";
  }

  #note({ notes }: SheetLine, name: string): CellNote | undefined {
    return notes?.[this.#table.at.get(name) ?? -1];
  }

  /** The text of a cell for a use; `undefined`, with a problem, where a program has changed it. */
  #use(line: SheetLine, name: string, use: CellUse): string | undefined {
    const at = this.#table.at.get(name);
    if (at === undefined) return "";
    if (isCalculated(line, at)) {
      const header = this.#head[at]?.trim() ?? "";
      this.#calculated.set(header, (this.#calculated.get(header) ?? 0) + 1);
    }
    try {
      return cellFor(line, at, use);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#refuseCell(line, name, error.message);
      return undefined;
    }
  }

  #refuse(row: number, header: string, message: string): void {
    this.#problems.push({ row, header, message });
  }

  #refuseColumn(name: string, message: string): void {
    this.#refuse(0, this.#head[this.#table.at.get(name) ?? -1] ?? "", message);
  }

  #refuseCell({ number }: SheetLine, name: string, message: string): void {
    this.#refuse(number, this.#head[this.#table.at.get(name) ?? -1] ?? "", message);
  }
}

interface DatedRow {
  readonly start: string;
  readonly end: string;
  readonly values: Readonly<Record<string, string | number | null>>;
}

/** A summary: rows name their first and last active day, so that all of them together span the period. */
function summed(rows: readonly DatedRow[]): readonly TablePiece[] {
  const start = rows.map((row) => row.start).filter((day) => day !== "").sort()[0] ?? "";
  const end = rows.map((row) => row.end).sort().at(-1) ?? "";
  return [{ start, end, isSum: true, rows: rows.map(({ values }) => ({ ...values, date: end })) }];
}
