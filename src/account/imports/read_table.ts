import { decimalsOf, marketOf } from "../../base/markets/markets.ts";
import type { CellNote } from "../../base/spreadsheet/row_cells.ts";
import { columnType } from "../../client/reports/file/report_row.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import {
  type CellFormats,
  type DayOrder,
  DayOrders,
  type DecimalMark,
  DecimalMarks,
  type RateForm,
  RateForms,
  readDay,
  readNumber,
} from "../tables/cell_formats.ts";
import { BRANDS_TARGETING, currencyBracket } from "../tables/console_headers.ts";
import { foreignCurrency } from "../tables/currency_marks.ts";
import { OwnerColumns } from "../tables/owner_columns.ts";
import { cellFor, type CellUse, isCalculated } from "../tables/read_cell.ts";
import { ProblemList } from "../tables/problem_list.ts";
import { Spill } from "../tables/spill.ts";
import { ColumnSums, isTotalsRow } from "./totals_row.ts";
import { type DatedRow, paired, rowsDated, summed, type TablePiece } from "./table_pieces.ts";
import { DoubtfulRows } from "./doubtful_rows.ts";
import { isNumeric, storedColumns, targetColumn, textFields } from "./file_columns.ts";
import type { RecognizedTable } from "./recognize_table.ts";
import { endOfMonth } from "../../base/time/calendar.ts";

/** Hints for ambiguous numbers and dates. */
export interface ReadingHints {
  /** Decimal separator. @default detected from the numbers */
  readonly decimal?: DecimalMark | undefined;
  /** Order of day and month in dates such as 12/07/2019. @default detected from the dates */
  readonly dayOrder?: DayOrder | undefined;
  /** Period of each row if all dates are the first of a month. @default such files are refused */
  readonly rowsOf?: "day" | "month" | undefined;
  /** Only rows of this country, spelled as in the file. @default a file with several countries is refused */
  readonly country?: string | undefined;
}

export interface ReadTable {
  readonly preset: ReportPresetName;
  /** Attribution window in days: 7 for sellers, 14 for vendors. `undefined` except for Sponsored Products. */
  readonly window: 7 | 14 | undefined;
  readonly pieces: readonly TablePiece[];
  readonly count: number;
  readonly formats: CellFormats;
  readonly rates: RateForm | undefined;
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
const MAX_NOTICES = 100;
const NAMES = ["adGroupName", "targeting", "searchTerm"];
const NOTHING: ReadonlySet<string> = new Set(["", "-", "--", "—", "N/A"]);

interface TableReading {
  readonly read: ReadTable | undefined;
  readonly problems: ProblemList<CellProblem>;
  /** Deletes temporary files; the rows cannot be read afterwards. */
  close(): void;
}

/**
 * Reads a recognized table and collects its problems; its rows must not be used if there are any.
 *
 * @param options.lines Lines below the header, iterated several times.
 */
export function readTable(
  table: RecognizedTable,
  { head, lines, countryCode, hints, is1904 }: {
    readonly head: readonly string[];
    /** True if day numbers count from 1904. */
    readonly is1904: boolean;
    readonly lines: Iterable<SheetLine>;
    readonly countryCode: string;
    readonly hints: ReadingHints;
  },
): TableReading {
  return new TableReader(table, head, { countryCode, hints, is1904 }).read(lines);
}

class TableReader {
  readonly #problems = new ProblemList<CellProblem>();
  readonly #notices: string[] = [];
  readonly #table: RecognizedTable;
  readonly #head: readonly string[];
  readonly #countryCode: string;
  readonly #hints: ReadingHints;
  readonly #is1904: boolean;
  readonly #calculated = new Map<string, number>();
  readonly #numbers: readonly string[];
  readonly #texts: readonly string[];
  readonly #dayColumns: readonly string[];
  readonly #lists: { close(): void }[] = [];
  #isWanted: (line: SheetLine) => boolean = () => true;

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
    this.#dayColumns = table.at.has("date") ? ["date"] : ["startDate", "endDate"];
    const stored = storedColumns(table.preset);
    const columns = [...table.at.keys()].filter((name) => stored.has(targetColumn(name, table.preset)));
    // Shares come as texts such as "<5%", which cannot be summed.
    this.#numbers = columns.filter((name) => isNumeric(name) && !name.includes("Share"));
    this.#texts = [
      ...columns.filter((name) => columnType(name) === "text"),
      ...(table.at.has(BRANDS_TARGETING) ? [BRANDS_TARGETING] : []),
    ];
  }

  read(all: Iterable<SheetLine>): TableReading {
    const read = this.#readLines(all);
    if (read === undefined) this.#close();
    return { read, problems: this.#problems, close: () => this.#close() };
  }

  #close(): void {
    for (const list of this.#lists.splice(0)) list.close();
  }

  #readLines(all: Iterable<SheetLine>): ReadTable | undefined {
    const totals = this.#kept(new Spill<SheetLine>());
    const count = this.#chooseRows(all, totals);
    const formats = this.#formats(all);
    if (count === 0 && this.#problems.count === 0) {
      this.#refuse(0, "", "it has no rows, so its days are unknown");
    }
    if (formats === undefined || count === 0) return undefined;
    const rows = this.#kept(new Spill<DatedRow>());
    const sums = new ColumnSums(this.#numbers);
    const rates = new RateForms();
    const owners = new OwnerColumns(this.#table.owners, {
      head: this.#head,
      countryCode: this.#countryCode,
    });
    const doubtful = new DoubtfulRows();
    let dayExample: string | undefined;
    for (const line of this.#counted(all)) {
      if (totals.length > 0) sums.take((name) => this.#number(line, name, formats));
      if (!this.#isWanted(line)) continue;
      dayExample ??= this.#cell(line, this.#dayColumns[0] ?? "");
      const row = this.#row(line, formats);
      rows.push(row);
      this.#takeFigures(line, doubtful);
      this.#takeNames(line, doubtful);
      if (Number(row.values["clicks"]) > 0) doubtful.takeRow(line.number, row);
      owners.take(line);
      this.#takeRate(line, { rates, formats });
    }
    this.#notices.push(...doubtful.notices());
    this.#checkCurrency(owners);
    this.#checkTotals(totals, { sums, formats });
    const pieces = this.#table.at.has("date") ? this.#dated(rows) : summed(rows);
    for (const [header, formulas] of this.#calculated) {
      this.#notices.push(
        `${formulas} formulas in "${header}" are read with the values that were last calculated`,
      );
    }
    if (this.#problems.count > 0) return undefined;
    const { at, preset } = this.#table;
    const { pieces: used, pairs } = preset === "sb_purchased_products"
      ? paired(pieces, (list) => this.#kept(list))
      : { pieces, pairs: 0 };
    if (pairs > 0) {
      this.#notices.push(`${pairs} rows with new-to-brand orders are merged with their matching rows`);
    }
    if (rates.found === "rates that do not fit") {
      this.#notices.push(
        "its click rates do not fit clicks and impressions: check the numbers before you use them",
      );
    }
    return {
      preset,
      window: !preset.startsWith("sp_") ? undefined : at.has("sales14d") ? 14 : 7,
      pieces: used,
      count,
      formats,
      rates: rates.found,
      dayExample: dayExample ?? "",
      notices: this.#notices,
    };
  }

  #kept<List extends { close(): void }>(list: List): List {
    this.#lists.push(list);
    return list;
  }

  *#counted(all: Iterable<SheetLine>): Generator<SheetLine> {
    const { at } = this.#table;
    for (const line of all) {
      if (isFilled(line) && !isTotalsRow(line, { at, dayColumns: this.#dayColumns })) yield line;
    }
  }

  #chooseRows(all: Iterable<SheetLine>, totals: Spill<SheetLine>): number {
    const counts = new Map<string, Map<string, number>>();
    for (const line of all) {
      if (!isFilled(line)) continue;
      if (isTotalsRow(line, { at: this.#table.at, dayColumns: this.#dayColumns })) {
        totals.push(line);
        continue;
      }
      const [program, country] = [this.#cell(line, PROGRAM), this.#cell(line, COUNTRY)];
      const own = counts.get(program) ?? new Map<string, number>();
      counts.set(program, own);
      own.set(country, (own.get(country) ?? 0) + 1);
    }
    const others = [...counts.keys()].filter((name) => /brand|display|television|\btv\b/i.test(name));
    for (const name of others) {
      const left = added(counts.get(name)?.values() ?? []);
      this.#notices.push(`${left} rows of ${name} are left out: download its own report`);
    }
    const byCountry = new Map<string, number>();
    for (const [program, own] of counts) {
      if (others.includes(program)) continue;
      for (const [name, count] of own) byCountry.set(name, (byCountry.get(name) ?? 0) + count);
    }
    const total = added(byCountry.values());
    const wanted = this.#wantedCountries(byCountry, total);
    this.#isWanted = (line) =>
      !others.includes(this.#cell(line, PROGRAM)) && (wanted?.has(this.#cell(line, COUNTRY)) ?? true);
    return wanted === undefined ? total : added([...wanted].map((name) => byCountry.get(name) ?? 0));
  }

  #wantedCountries(counts: ReadonlyMap<string, number>, total: number): ReadonlySet<string> | undefined {
    const names = [...counts.keys()].filter((name) => name !== "");
    const { country } = this.#hints;
    if (country === undefined) {
      if (names.length > 1) {
        this.#refuseColumn(
          COUNTRY,
          `it holds ${names.join(", ")}: choose the one for ${this.#countryCode} with --country`,
        );
      }
      return undefined;
    }
    if (names.length === 0) return undefined;
    const wanted = new Set(names.filter((name) => name.toLowerCase() === country.trim().toLowerCase()));
    const count = added([...wanted].map((name) => counts.get(name) ?? 0));
    if (count === 0) {
      this.#refuseColumn(COUNTRY, `it has no rows of "${country}": it holds ${names.join(", ")}`);
    } else if (count < total) {
      this.#notices.push(`${total - count} rows of other countries than ${country} are left out`);
    }
    return wanted;
  }

  #formats(all: Iterable<SheetLine>): CellFormats | undefined {
    const marks = new DecimalMarks();
    const orders = new DayOrders();
    let example: string | undefined;
    for (const line of this.#counted(all)) {
      if (!this.#isWanted(line)) continue;
      for (const name of this.#numbers) {
        // A cell that holds a number has no mark of its own.
        if (this.#note(line, name)?.type === "number") continue;
        // Where amounts have no decimals, a mark in them parts thousands.
        const isWhole = columnType(name) === "integer" || decimalsOf(this.#countryCode) === 0;
        marks.take(this.#cell(line, name), isWhole);
      }
      for (const name of this.#dayColumns) {
        const day = this.#cell(line, name);
        orders.take(day);
        if (day !== "") example ??= day;
      }
    }
    if (orders.areOfTwoForms) {
      this.#refuseColumn(
        this.#dayColumns[0] ?? "",
        "some dates begin with the year and others end with it, so day and month may be swapped. " +
          "Download the file again",
      );
    }
    const decimal = this.#hints.decimal ?? marks.found;
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
        "its amounts are ambiguous, such as 1.234: choose --decimal point or --decimal comma",
      );
    }
    const dayOrder = this.#hints.dayOrder ?? orders.found;
    if (dayOrder === "mixed") {
      this.#refuseColumn(
        this.#dayColumns[0] ?? "",
        "some days begin with the day and others with the month: export it once more, unchanged",
      );
    } else if (dayOrder === "unclear") {
      this.#refuseColumn(
        this.#dayColumns[0] ?? "",
        `"${example ?? ""}" can be read in two ways: say which comes first with --dates dmy or --dates mdy`,
      );
    }
    if (decimal === "mixed" || decimal === "unclear" || dayOrder === "mixed" || dayOrder === "unclear") {
      return undefined;
    }
    return { decimal, dayOrder, is1904: this.#is1904 };
  }

  #row(line: SheetLine, formats: CellFormats): DatedRow {
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
      } else if (note?.type !== "number" && /[%％]/.test(text)) {
        this.#refuseCell(line, name, `"${text}" is a percentage, and the column holds amounts`);
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
    const days = this.#dayColumns.map((name) => {
      const text = this.#use(line, name, "day");
      if (text === undefined) return "";
      const day = readDay(text, formats);
      if (day === undefined) {
        this.#refuseCell(line, name, text === "" ? "it is empty" : `"${text}" is not a day`);
      }
      return day ?? "";
    });
    const [start = "", end = start] = days;
    if (start > end && end !== "") this.#refuseCell(line, "endDate", "it is before the first day");
    return { start, end, values };
  }

  /** Reads the figures of a line. Empty figures count as zero; a row without any figure counts as truncated. */
  #takeFigures(line: SheetLine, doubtful: DoubtfulRows): void {
    const [first, ...others] = ["impressions", "clicks", "cost"].filter((name) => this.#table.at.has(name));
    if (first === undefined) return;
    const empty = [first, ...others].filter((name) => this.#cell(line, name) === "");
    if (empty.length > others.length) {
      const advice = "the row may be cut off. Download the report once more";
      this.#refuseCell(line, first, `it has no figures: ${advice}`);
    } else {
      for (const name of empty) {
        doubtful.takeEmpty(this.#head[this.#table.at.get(name) ?? -1]?.trim() ?? name);
      }
    }
  }

  #takeNames(line: SheetLine, doubtful: DoubtfulRows): void {
    for (const name of NAMES) {
      const at = this.#table.at.get(name);
      if (at === undefined) continue;
      const header = this.#head[at]?.trim() ?? name;
      doubtful.takeText(this.#cell(line, name), { header, row: line.number });
    }
  }

  /** Assigns rows to days. If all dates are the first of a month, each may stand for the whole month. */
  #dated(rows: Iterable<DatedRow>): readonly TablePiece[] {
    const seen = new Set<string>();
    for (const { start } of rows) seen.add(start);
    const days = [...seen].filter((day) => day !== "").sort();
    const areFirsts = days.every((day) => day.endsWith("-01"));
    const { rowsOf } = this.#hints;
    if (areFirsts && rowsOf === undefined && days.length > 0) {
      this.#refuseColumn(
        "date",
        "every date is the first of a month, so it may be a monthly report: choose --rows-of day " +
          "or --rows-of month",
      );
    }
    if (areFirsts && rowsOf === "month") {
      return days.map((start) => {
        const end = endOfMonth(start);
        return {
          start,
          end,
          isSum: true,
          rows: rowsDated(rows, (row) => row.start === start ? end : undefined),
        };
      });
    }
    return [{
      start: days[0] ?? "",
      end: days.at(-1) ?? "",
      isSum: false,
      rows: rowsDated(rows, ({ start }) => start),
    }];
  }

  #checkCurrency(owners: OwnerColumns): void {
    const currency = marketOf(this.#countryCode)?.currency;
    for (const at of this.#table.at.values()) {
      const header = this.#head[at] ?? "";
      const sign = foreignCurrency(currencyBracket(header) ?? "", this.#countryCode);
      if (sign === undefined) continue;
      this.#refuse(0, header, `its amounts are in ${sign}, and those of ${this.#countryCode} in ${currency}`);
    }
    for (const { row, header, message } of owners.problems()) {
      // Several countries are named where one is chosen.
      if (!this.#problems.first.some((one) => one.header === header)) this.#refuse(row, header, message);
    }
  }

  #takeRate(line: SheetLine, { rates, formats }: { rates: RateForms; formats: CellFormats }): void {
    if (!this.#table.at.has("clickThroughRate")) return;
    const text = this.#cell(line, "clickThroughRate");
    const [rate, clicks, impressions] = [text, this.#cell(line, "clicks"), this.#cell(line, "impressions")]
      .map((one) => readNumber(one, formats));
    if (rate === undefined || clicks === undefined || impressions === undefined) return;
    rates.take({ text, rate, clicks, impressions });
  }

  #number(line: SheetLine, name: string, formats: CellFormats): number | undefined {
    const text = this.#cell(line, name);
    return this.#note(line, name)?.type === "number" ? Number(text) : readNumber(text, formats);
  }

  /** Compares the rows with the totals rows; a mismatch shows that the file was filtered or truncated. */
  #checkTotals(
    totals: Iterable<SheetLine>,
    { sums, formats }: { sums: ColumnSums; formats: CellFormats },
  ): void {
    for (const line of totals) {
      const problem = sums.compared((name) => this.#number(line, name, formats));
      if ("message" in problem) this.#refuseCell(line, problem.name, problem.message);
      else if (this.#notices.length < MAX_NOTICES) {
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
    this.#problems.add({ row, header, message });
  }

  #refuseColumn(name: string, message: string): void {
    this.#refuse(0, this.#head[this.#table.at.get(name) ?? -1] ?? "", message);
  }

  #refuseCell({ number }: SheetLine, name: string, message: string): void {
    this.#refuse(number, this.#head[this.#table.at.get(name) ?? -1] ?? "", message);
  }
}

function isFilled({ cells }: SheetLine): boolean {
  return cells.some((cell) => cell.trim() !== "");
}

function added(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}
