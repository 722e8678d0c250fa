import { decimalsOf } from "../../base/markets/markets.ts";
import { columnType } from "../../client/reports/file/report_row.ts";
import { type CellFormats, DayOrders, DecimalMarks } from "../tables/cell_formats.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import type { ReadingHints } from "./reading_hints.ts";
import type { ReportCells } from "./report_cells.ts";

/** Finds the formats of numbers and days in a report. Refuses a report with contradictory or ambiguous ones. */
export function findFormats(
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
