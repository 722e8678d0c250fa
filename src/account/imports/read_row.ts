import { marketOf } from "../../base/markets/markets.ts";
import { columnType } from "../../client/reports/file/report_row.ts";
import { type CellFormats, readDay, readNumber } from "../tables/cell_formats.ts";
import { foreignCurrency } from "../tables/currency_marks.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import { targetColumn, textFields } from "./file_columns.ts";
import type { ReportCells } from "./report_cells.ts";
import type { DatedRow } from "./table_pieces.ts";

const NOTHING: ReadonlySet<string> = new Set(["", "-", "--", "—", "N/A"]);

/** Reads a line of a report. Refuses each cell that cannot be read. */
export function readRow(cells: ReportCells, line: SheetLine, formats: CellFormats): DatedRow {
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
