import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import { type CellFormats, type RateForm, RateForms } from "../tables/cell_formats.ts";
import type { CellProblem } from "../tables/cell_problem.ts";
import { OwnerColumns } from "../tables/owner_columns.ts";
import type { ProblemList } from "../tables/problem_list.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import { Spill } from "../tables/spill.ts";
import { chooseRows, figureLines } from "./choose_rows.ts";
import { DoubtfulRows } from "./doubtful_rows.ts";
import { findFormats } from "./find_formats.ts";
import { readRow } from "./read_row.ts";
import type { ReadingHints } from "./reading_hints.ts";
import type { RecognizedTable } from "./recognize_table.ts";
import { ReportCells } from "./report_cells.ts";
import { checkFigures, checkNames, checkOwners, checkTotals, takeRate } from "./table_checks.ts";
import { dated, type DatedRow, paired, summed, type TablePiece } from "./table_pieces.ts";
import { ColumnSums } from "./totals_row.ts";

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
