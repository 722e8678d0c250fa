// @ts-types="@types/papaparse"
import Papa from "papaparse";
import { separatorOf } from "../../base/text/csv_separator.ts";
import { type LineReader, SheetFileError } from "./sheet_lines.ts";

/** Name of the one tab that a CSV file has. */
const CSV_TAB = "";

/** Text that a spreadsheet would read as a formula. */
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;

/** How a CSV file was written, so that it comes back the same way. */
interface CsvForm {
  /** Between cells. */
  readonly delimiter: string;
  /** Between lines. */
  readonly newline: string;
  /** True when it began with a byte order mark. */
  readonly hasMark: boolean;
}

/**
 * Reads a CSV file line by line. The apostrophe that keeps a spreadsheet from taking a text for a formula is taken off.
 *
 * @throws {SheetFileError} for what is not UTF-8 text, or has an open quote.
 */
export function readCsv(bytes: Uint8Array, { name, take }: { name: string; take: LineReader }): CsvForm {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SheetFileError(name, 'it is not UTF-8 text. Save it as "CSV UTF-8"', { cause });
  }
  let number = 0;
  const form = { delimiter: ",", newline: "\r\n" };
  Papa.parse<string[]>(text, {
    delimiter: separatorOf(text),
    step: ({ data, errors, meta }) => {
      number += 1;
      const [error] = errors.filter(({ type }) => type === "Quotes");
      if (error !== undefined) throw new SheetFileError(name, `row ${number}: a quote is not closed`);
      form.delimiter = meta.delimiter;
      form.newline = meta.linebreak;
      take(CSV_TAB, { number, cells: data.map((cell) => GUARDED.test(cell) ? cell.slice(1) : cell) });
    },
  });
  return { ...form, hasMark };
}

/** Lines of cells as CSV; a text that a spreadsheet would take for a formula gets an apostrophe before it. */
export function csvOf(lines: readonly (readonly string[])[], form: Partial<CsvForm> = {}): string {
  const { delimiter = ",", newline = "\r\n", hasMark = false } = form;
  if (lines.length === 0) return "";
  const guarded = lines.map((cells) => cells.map((cell) => FORMULA.test(cell) ? `'${cell}` : cell));
  return (hasMark ? "\uFEFF" : "") + Papa.unparse(guarded, { delimiter, newline }) + newline;
}
