import { marketOf } from "../../base/markets/markets.ts";
import { type CellFormats, type RateForms, readNumber } from "../tables/cell_formats.ts";
import { currencyBracket } from "../tables/console_headers.ts";
import { foreignCurrency } from "../tables/currency_marks.ts";
import type { OwnerColumns } from "../tables/owner_columns.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import type { DoubtfulRows } from "./doubtful_rows.ts";
import type { ReportCells } from "./report_cells.ts";
import type { ColumnSums } from "./totals_row.ts";

const MAX_NOTICES = 100;
const FIGURES = ["impressions", "clicks", "cost"];
const NAMES = ["adGroupName", "targeting", "searchTerm"];

/** Checks the figures of a line. Empty figures count as zero; a row without any figure counts as truncated. */
export function checkFigures(cells: ReportCells, line: SheetLine, doubtful: DoubtfulRows): void {
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
export function checkNames(cells: ReportCells, line: SheetLine, doubtful: DoubtfulRows): void {
  for (const name of NAMES) {
    if (!cells.has(name)) continue;
    doubtful.takeText(cells.text(line, name), { header: cells.header(name).trim(), row: line.number });
  }
}

/** Takes the click rate of a line, to compare it with clicks and impressions. */
export function takeRate(
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
export function checkOwners(cells: ReportCells, owners: OwnerColumns): void {
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
export function checkTotals(
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
