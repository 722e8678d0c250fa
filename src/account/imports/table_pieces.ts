import { endOfMonth } from "../../base/time/calendar.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import { KeyedSpill } from "../tables/keyed_spill.ts";
import type { ReadingHints } from "./reading_hints.ts";
import type { ReportCells } from "./report_cells.ts";

export interface TablePiece {
  readonly start: string;
  readonly end: string;
  /** True if rows are sums over all days; they are dated with the last day. */
  readonly isSum: boolean;
  /** Rows of the piece, read again on each iteration. */
  readonly rows: Iterable<ReportRow>;
}

export interface DatedRow {
  readonly start: string;
  readonly end: string;
  readonly values: Readonly<Record<string, string | number | null>>;
}

/** Groups rows that are totals. Each row has its first and last active day, so together the rows span the period. */
export function summed(rows: Iterable<DatedRow>): readonly TablePiece[] {
  let [first, last] = ["", ""];
  for (const { start, end } of rows) {
    if (start !== "" && (first === "" || start < first)) first = start;
    if (end > last) last = end;
  }
  return [{ start: first, end: last, isSum: true, rows: rowsDated(rows, () => last) }];
}

/** Assigns rows to days. If all dates are the first of a month, each may stand for the whole month. */
export function dated(
  cells: ReportCells,
  rows: Iterable<DatedRow>,
  { rowsOf }: Pick<ReadingHints, "rowsOf">,
): readonly TablePiece[] {
  const seen = new Set<string>();
  for (const { start } of rows) seen.add(start);
  const days = [...seen].filter((day) => day !== "").sort();
  const areFirsts = days.every((day) => day.endsWith("-01"));
  if (areFirsts && rowsOf === undefined && days.length > 0) {
    cells.refuseColumn(
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

function rowsDated(
  rows: Iterable<DatedRow>,
  dateOf: (row: DatedRow) => string | undefined,
): Iterable<ReportRow> {
  return {
    *[Symbol.iterator]() {
      for (const row of rows) {
        const date = dateOf(row);
        if (date !== undefined) yield { ...row.values, date };
      }
    },
  };
}

/**
 * Adds up rows with the same key, because this report lists orders of new customers in separate rows.
 *
 * @param kept Receives lists to close after the rows are read.
 */
export function paired(
  pieces: readonly TablePiece[],
  kept: <List extends { close(): void }>(list: List) => List,
): { readonly pieces: readonly TablePiece[]; readonly pairs: number } {
  let pairs = 0;
  const summedPieces = pieces.map((piece): TablePiece => {
    const byKey = kept(new KeyedSpill<NumberedRow>(({ row }) => pairKey(row)));
    let count = 0;
    for (const row of piece.rows) {
      if (byKey.all(pairKey(row)).length > 0) pairs += 1;
      byKey.push({ number: count++, row });
    }
    return { ...piece, rows: { [Symbol.iterator]: () => pairSums(byKey) } };
  });
  return { pieces: summedPieces, pairs };
}

interface NumberedRow {
  readonly number: number;
  readonly row: ReportRow;
}

function pairKey(row: ReportRow): string {
  return JSON.stringify(
    ["date", "campaignName", "attributionType", "purchasedAsin"].map((name) => row[name] ?? ""),
  );
}

function* pairSums(rows: KeyedSpill<NumberedRow>): Generator<ReportRow> {
  for (const { number, row } of rows) {
    const [first, ...others] = rows.all(pairKey(row));
    if (first?.number !== number) continue;
    const sum: Record<string, ReportRow[string]> = { ...row };
    for (const other of others) {
      for (const [name, value] of Object.entries(other.row)) {
        if (typeof value !== "number") continue;
        const before = sum[name];
        sum[name] = Number(((typeof before === "number" ? before : 0) + value).toPrecision(12));
      }
    }
    yield sum;
  }
}
