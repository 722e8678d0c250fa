import { decimalsOf, marketOf } from "../../base/markets/markets.ts";
import { columnType } from "../../client/reports/file/report_row.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import {
  type CellFormats,
  DayOrders,
  DecimalMarks,
  type RateForm,
  RateForms,
  readDay,
  readNumber,
} from "../tables/cell_formats.ts";
import type { CellProblem, ProblemList } from "../tables/problem_list.ts";
import { currencyBracket } from "../tables/console_headers.ts";
import { foreignCurrency } from "../tables/currency_marks.ts";
import { OwnerColumns } from "../tables/owner_columns.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import { Spill } from "../tables/spill.ts";
import { chooseRows, ColumnSums, figureLines } from "./choose_rows.ts";
import { DoubtfulRows } from "./doubtful_rows.ts";
import { ReportCells, targetColumn, textFields } from "./report_cells.ts";
import type { ReadingHints } from "./reading_hints.ts";
import type { RecognizedTable } from "./recognize_table.ts";
import { dated, type DatedRow, paired, summed, type TablePiece } from "./table_pieces.ts";

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

interface TableReading {
  readonly read: ReadTable | undefined;
  readonly problems: ProblemList<CellProblem>;
  /** Deletes temporary files; the rows cannot be read afterwards. */
  close(): void;
}

interface TableLines {
  /** True if day numbers count from 1904. */
  readonly is1904: boolean;
  /** Lines below the header, iterated several times. */
  readonly lines: Iterable<SheetLine>;
  readonly hints: ReadingHints;
}

/** Reads a recognized table and collects its problems; its rows must not be used if there are any. */
export function readTable(
  table: RecognizedTable,
  { head, countryCode, ...given }: TableLines & {
    readonly head: readonly string[];
    readonly countryCode: string;
  },
): TableReading {
  const cells = new ReportCells(table, { head, countryCode });
  const lists: { close(): void }[] = [];
  const close = (): void => {
    for (const list of lists.splice(0)) list.close();
  };
  const kept = <List extends { close(): void }>(list: List): List => {
    lists.push(list);
    return list;
  };
  const read = readLines(cells, { ...given, kept });
  if (read === undefined) close();
  return { read, problems: cells.problems, close };
}

function readLines(
  cells: ReportCells,
  { lines, hints, is1904, kept }: TableLines & {
    /** Receives lists to close after the rows are read. */
    readonly kept: <List extends { close(): void }>(list: List) => List;
  },
): ReadTable | undefined {
  const { table: { preset, owners: ownersAt }, head, countryCode, columns, notices } = cells;
  const totals = kept(new Spill<SheetLine>());
  const { count, isChosen } = chooseRows(cells, { lines, country: hints.country, totals });
  const chosen = function* (): Generator<SheetLine> {
    for (const line of figureLines(cells, lines)) if (isChosen(line)) yield line;
  };
  const formats = findFormats(cells, { lines: chosen(), hints, is1904 });
  if (count === 0 && cells.problems.count === 0) {
    cells.refuseTable("it has no rows, so its days are unknown");
  }
  if (formats === undefined || count === 0) return undefined;
  const rows = kept(new Spill<DatedRow>());
  const sums = new ColumnSums(columns.numbers);
  const rates = new RateForms();
  const owners = new OwnerColumns(ownersAt, { head, countryCode });
  const doubtful = new DoubtfulRows();
  let dayExample: string | undefined;
  for (const line of figureLines(cells, lines)) {
    if (totals.length > 0) sums.take((name) => cells.number(line, name, formats));
    if (!isChosen(line)) continue;
    dayExample ??= cells.text(line, columns.days[0]);
    const row = readRow(cells, line, formats);
    rows.push(row);
    checkFigures(cells, line, doubtful);
    checkNames(cells, line, doubtful);
    if (Number(row.values["clicks"]) > 0) doubtful.takeRow(line.number, row);
    owners.take(line);
    takeRate(cells, line, { rates, formats });
  }
  notices.push(...doubtful.notices());
  checkOwners(cells, owners);
  checkTotals(cells, totals, { sums, formats });
  const pieces = cells.has("date") ? dated(cells, rows, hints) : summed(rows);
  notices.push(...cells.formulaNotices());
  if (cells.problems.count > 0) return undefined;
  const { pieces: used, pairs } = preset === "sb_purchased_products"
    ? paired(pieces, kept)
    : { pieces, pairs: 0 };
  if (pairs > 0) notices.push(`${pairs} rows with new-to-brand orders are merged with their matching rows`);
  if (rates.found === "rates that do not fit") {
    notices.push("its click rates do not fit clicks and impressions: check the numbers before you use them");
  }
  return {
    preset,
    window: !preset.startsWith("sp_") ? undefined : cells.has("sales14d") ? 14 : 7,
    pieces: used,
    count,
    formats,
    rates: rates.found,
    dayExample: dayExample ?? "",
    notices,
  };
}

/** Finds the formats of numbers and days in a report. Refuses a report with contradictory or ambiguous ones. */
function findFormats(
  cells: ReportCells,
  { lines, hints, is1904 }: {
    readonly lines: Iterable<SheetLine>;
    readonly hints: Pick<ReadingHints, "decimal" | "dayOrder">;
    readonly is1904: boolean;
  },
): CellFormats | undefined {
  const { numbers, days } = cells.columns;
  const marks = new DecimalMarks();
  const orders = new DayOrders();
  let example = "";
  for (const line of lines) {
    for (const name of numbers) {
      // A cell that holds a number has no mark of its own.
      if (cells.note(line, name)?.type === "number") continue;
      // Where amounts have no decimals, a mark in them parts thousands.
      const isWhole = columnType(name) === "integer" || decimalsOf(cells.countryCode) === 0;
      marks.take(cells.text(line, name), isWhole);
    }
    for (const name of days) {
      const day = cells.text(line, name);
      orders.take(day);
      example ||= day;
    }
  }
  const refuseDays = (message: string): void => cells.refuseColumn(days[0], message);
  if (orders.areOfTwoForms) {
    refuseDays(
      "some dates begin with the year and others end with it, so day and month may be swapped. " +
        "Download the file again",
    );
  }
  const decimal = hints.decimal ?? marks.found;
  if (decimal === "mixed") {
    cells.refuseTable(
      "some numbers have a decimal point and others a decimal comma: export it once more, unchanged",
    );
  } else if (decimal === "unclear") {
    cells.refuseTable("its amounts are ambiguous, such as 1.234: choose --decimal point or --decimal comma");
  }
  const dayOrder = hints.dayOrder ?? orders.found;
  if (dayOrder === "mixed") {
    refuseDays("some days begin with the day and others with the month: export it once more, unchanged");
  } else if (dayOrder === "unclear") {
    refuseDays(
      `"${example}" can be read in two ways: say which comes first with --dates dmy or --dates mdy`,
    );
  }
  if (decimal === "mixed" || decimal === "unclear" || dayOrder === "mixed" || dayOrder === "unclear") {
    return undefined;
  }
  return { decimal, dayOrder, is1904 };
}

const NOTHING: ReadonlySet<string> = new Set(["", "-", "--", "—", "N/A"]);

/** Reads a line of a report. Refuses each cell that cannot be read. */
function readRow(cells: ReportCells, line: SheetLine, formats: CellFormats): DatedRow {
  const { table, columns: { numbers, texts } } = cells;
  const values: Record<string, string | number> = {};
  for (const name of numbers) {
    const number = readAmount(cells, line, { name, formats });
    if (number !== undefined) values[targetColumn(name, table.preset)] = number;
  }
  for (const name of texts) {
    const text = cells.use(line, name, "text") ?? "";
    if (text !== "") Object.assign(values, textFields(name, text, table));
  }
  if (cells.text(line, "campaignName") === "") cells.refuseCell(line, "campaignName", "it is empty");
  return { ...readPeriod(cells, line, formats), values };
}

function readAmount(
  cells: ReportCells,
  line: SheetLine,
  { name, formats }: { readonly name: string; readonly formats: CellFormats },
): number | undefined {
  const text = cells.use(line, name, "number");
  if (text === undefined || NOTHING.has(text)) return undefined;
  const { countryCode } = cells;
  const note = cells.note(line, name);
  const isNumber = note?.type === "number";
  const number = isNumber ? Number(text) : readNumber(text, formats);
  const refuse = (why: string): undefined => void cells.refuseCell(line, name, `"${text}" ${why}`);
  if (number === undefined || Number.isNaN(number)) {
    return refuse(`is not a number with a decimal ${formats.decimal}`);
  }
  if (!isNumber && /[%％]/.test(text)) return refuse("is a percentage, and the column holds amounts");
  if (!isNumber && /\de[+-]?\d/i.test(text)) return refuse("is a rounded number: its last digits are lost");
  if (columnType(name) === "integer" && !Number.isSafeInteger(number)) return refuse("is not a whole number");
  if (foreignCurrency(`${text} ${note?.currency ?? ""}`, countryCode) !== undefined) {
    return refuse(`is not in ${marketOf(countryCode)?.currency ?? "the currency"} of ${countryCode}`);
  }
  return number;
}

function readPeriod(
  cells: ReportCells,
  line: SheetLine,
  formats: CellFormats,
): Pick<DatedRow, "start" | "end"> {
  const [start = "", end = start] = cells.columns.days.map((name) => {
    const text = cells.use(line, name, "day");
    if (text === undefined) return "";
    const day = readDay(text, formats);
    if (day === undefined) {
      cells.refuseCell(line, name, text === "" ? "it is empty" : `"${text}" is not a day`);
    }
    return day ?? "";
  });
  if (start > end && end !== "") cells.refuseCell(line, "endDate", "it is before the first day");
  return { start, end };
}

const MAX_NOTICES = 100;
const FIGURES = ["impressions", "clicks", "cost"];
const NAMES = ["adGroupName", "targeting", "searchTerm"];

/** Checks the figures of a line. Empty figures count as zero; a row without any figure counts as truncated. */
function checkFigures(cells: ReportCells, line: SheetLine, doubtful: DoubtfulRows): void {
  const figures = FIGURES.filter((name) => cells.has(name));
  const [first] = figures;
  if (first === undefined) return;
  const empty = figures.filter((name) => cells.text(line, name) === "");
  if (empty.length === figures.length) {
    const advice = "the row may be cut off. Download the report once more";
    cells.refuseCell(line, first, `it has no figures: ${advice}`);
  } else {
    for (const name of empty) doubtful.takeEmpty(cells.header(name).trim());
  }
}

/** Checks names that merged cells leave empty, and that a spreadsheet program may have converted. */
function checkNames(cells: ReportCells, line: SheetLine, doubtful: DoubtfulRows): void {
  for (const name of NAMES) {
    if (!cells.has(name)) continue;
    doubtful.takeText(cells.text(line, name), { header: cells.header(name).trim(), row: line.number });
  }
}

/** Reads the click rate of a line, to check it against its clicks and impressions. */
function takeRate(
  cells: ReportCells,
  line: SheetLine,
  { rates, formats }: { readonly rates: RateForms; readonly formats: CellFormats },
): void {
  if (!cells.has("clickThroughRate")) return;
  const text = cells.text(line, "clickThroughRate");
  const [rate, clicks, impressions] = [text, cells.text(line, "clicks"), cells.text(line, "impressions")]
    .map((one) => readNumber(one, formats));
  if (rate === undefined || clicks === undefined || impressions === undefined) return;
  rates.take({ text, rate, clicks, impressions });
}

/** Refuses amounts in another currency, and rows of other markets or of several accounts. */
function checkOwners(cells: ReportCells, owners: OwnerColumns): void {
  const { countryCode, problems } = cells;
  const currency = marketOf(countryCode)?.currency;
  for (const name of cells.table.at.keys()) {
    const sign = foreignCurrency(currencyBracket(cells.header(name)) ?? "", countryCode);
    if (sign === undefined) continue;
    cells.refuseColumn(name, `its amounts are in ${sign}, and those of ${countryCode} in ${currency}`);
  }
  for (const problem of owners.problems()) {
    // Several countries are named where one is chosen.
    if (!problems.first.some(({ header }) => header === problem.header)) problems.add(problem);
  }
}

/** Compares the rows with the totals rows; a mismatch shows that the file was filtered or truncated. */
function checkTotals(
  cells: ReportCells,
  totals: Iterable<SheetLine>,
  { sums, formats }: { readonly sums: ColumnSums; readonly formats: CellFormats },
): void {
  for (const line of totals) {
    const problem = sums.compared((name) => cells.number(line, name, formats));
    if ("message" in problem) cells.refuseCell(line, problem.name, problem.message);
    else if (cells.notices.length < MAX_NOTICES) {
      const how = problem.compared === 0 ? "it has no numbers to compare" : "its sums fit";
      cells.notices.push(`Row ${line.number} is a row of totals: it is left out, and ${how}`);
    }
  }
}
