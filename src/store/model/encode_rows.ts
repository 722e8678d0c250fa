import { type Day, type DayRange, eachDay } from "../../base/time/calendar.ts";
import type { ColumnType, ReportRow, ReportValue } from "../../client/reports/file/report_row.ts";
import type { ReportLayout } from "./report_layout.ts";

/** Rows, all at once or as a stream, one by one or in batches. */
export type RowSource =
  | Iterable<ReportRow | readonly ReportRow[]>
  | AsyncIterable<ReportRow | readonly ReportRow[]>;

/** @throws {RangeError} for a row without a day, or with a day outside the range. */
export async function* encodeRows(
  rows: RowSource,
  { layout, range, tally }: { layout: ReportLayout; range: DayRange; tally: DayTally },
): AsyncGenerator<Cell[][]> {
  const days = new Set(eachDay(range));
  for await (const some of rows) {
    const batch: readonly ReportRow[] = isBatch(some) ? some : [some];
    yield batch.map((row) => {
      const { date } = row;
      if (typeof date !== "string" || !days.has(date)) {
        throw new RangeError(
          `Cannot store a row of ${layout.report} dated ${JSON.stringify(date)}: ` +
            `it is not a day within ${range.start} to ${range.end}`,
        );
      }
      const cells = encodeRow(layout, row);
      tally.add(date, cells);
      return cells;
    });
  }
}

function isBatch(some: ReportRow | readonly ReportRow[]): some is readonly ReportRow[] {
  return Array.isArray(some);
}

/** A value in a cell of the store. */
export type Cell = string | number | null;

/** One cell per column, then JSON of values without a fitting column (`null` if there are none). */
export function encodeRow({ columns }: ReportLayout, row: ReportRow): Cell[] {
  // Made as long as it gets: millions of rows go through here.
  const cells = new Array<Cell>(columns.length + 1);
  let placed = 0;
  for (let at = 0; at < columns.length; at++) {
    const { name, type, key } = columns[at]!;
    const value = row[name];
    const cell = value === undefined ? undefined : fitting(value, type);
    if (cell !== undefined) placed++;
    cells[at] = cell ?? (key ? "" : null);
  }
  cells[columns.length] = placed === Object.keys(row).length ? null : JSON.stringify(leftOver(columns, row));
  return cells;
}

function fitting(value: ReportValue, type: ColumnType): Cell | undefined {
  if (value === null) return value;
  if (typeof value === "string" && (type === "text" || type === "date")) return storable(value);
  if (typeof value === "number") {
    if (type === "text") return String(value);
    if (type === "date") return undefined;
    return type === "real" || Number.isSafeInteger(value) ? value : undefined;
  }
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return type === "integer" ? Number.isSafeInteger(number) ? number : undefined : asReal(value, number);
}

/** Replaces NUL and lone surrogates by U+FFFD: SQLite truncates text at NUL, PostgreSQL rejects both. */
function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "\uFFFD") : whole;
}

function asReal(text: string, number: number): number | undefined {
  return Number.isFinite(number) && text.replace(/\D/g, "").length <= 15 ? number : undefined;
}

function leftOver(columns: ReportLayout["columns"], row: ReportRow): ReportRow {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    Object.entries(row).filter(([name, value]) => {
      const type = types.get(name);
      return type === undefined || fitting(value, type) === undefined;
    }),
  );
}

/** Size of one day in a report. */
export interface DayFigures {
  /** Number of rows. */
  readonly rows: number;
  /** Sum of the column `cost`, in the currency of the profile; 0 if the report has none. */
  readonly cost: number;
}

export class DayTally {
  readonly #days = new Map<Day, { rows: number; cost: number }>();
  readonly #costAt: number;

  constructor(layout: ReportLayout) {
    this.#costAt = layout.columns.findIndex(({ name }) => name === "cost");
  }

  add(day: Day, cells: readonly Cell[]): void {
    const cost = cells[this.#costAt];
    let figures = this.#days.get(day);
    if (figures === undefined) this.#days.set(day, figures = { rows: 0, cost: 0 });
    figures.rows++;
    if (typeof cost === "number") figures.cost += cost;
  }

  on(day: Day): DayFigures {
    return this.#days.get(day) ?? { rows: 0, cost: 0 };
  }
}
