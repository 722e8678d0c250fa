import { dayOf } from "../../../base/time/calendar.ts";
import { type ColumnType, columnType, type ReportRow, type ReportValue } from "./report_row.ts";

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Day 0 of spreadsheets, in epoch milliseconds. */
const SHEET_EPOCH = Date.UTC(1899, 11, 30);

export class TableRows {
  #columns: readonly { readonly name: string; readonly read: (text: string) => ReportValue }[] | undefined;
  #lines = 0;
  readonly #typeOf: (name: string) => ColumnType | undefined;

  constructor(typeOf: (name: string) => ColumnType | undefined = columnType) {
    this.#typeOf = typeOf;
  }

  get hasNames(): boolean {
    return this.#columns !== undefined;
  }

  take(cells: readonly string[]): ReportRow | undefined {
    this.#lines++;
    if (cells.every((cell) => cell === "")) return undefined;
    if (this.#columns === undefined) {
      this.#columns = cells.map((name) => ({ name: name.trim(), read: readerOf(this.#typeOf(name.trim())) }));
      return undefined;
    }
    if (cells.length !== this.#columns.length) {
      throw new SyntaxError(
        `line ${this.#lines} has ${cells.length} cells for ${this.#columns.length} columns`,
      );
    }
    const row: ReportRow = {};
    for (const [index, { name, read }] of this.#columns.entries()) row[name] = read(cells[index] ?? "");
    return row;
  }
}

function readerOf(type: ColumnType | undefined): (text: string) => ReportValue {
  if (type === "date") return (text) => text === "" ? null : cellDay(text);
  if (type === "integer" || type === "real") return (text) => text === "" ? null : numberOf(text);
  return (text) => text === "" ? null : text;
}

/** Converts a text to a number, or keeps it as text if a number would lose digits. */
function numberOf(text: string): string | number {
  if (!NUMBER.test(text)) return text;
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number;
}

/** Converts a cell to a day; spreadsheets may store a date as a serial number. */
function cellDay(text: string): string {
  if (!/^\d{5}(?:\.0+)?$/.test(text)) return text;
  return dayOf(SHEET_EPOCH + Number(text) * 86_400_000);
}
