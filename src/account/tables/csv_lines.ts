// @ts-types="@types/papaparse"
import Papa from "papaparse";
import { guarded, unguarded } from "../../base/text/csv_text.js";
import { unprotected } from "./read_cell.ts";
import { SheetFileError, type SheetLine } from "./sheet_lines.ts";

export interface CsvForm {
  readonly delimiter: string;
  readonly newline: "\n" | "\r\n" | "\r";
  readonly prefix?: string;
}

export interface CsvText {
  readonly form: CsvForm;
  /** Yields the lines; each call reads them again. `asWritten` keeps the protective characters around texts. */
  lines(options?: { readonly asWritten?: boolean }): Generator<SheetLine>;
}

const LOOKED_AT = 200_000;

/**
 * Opens a CSV file. Supports commas, semicolons, tabs and pipes, any line ending, and quoted cells with line breaks. A
 * `sep=;` line is skipped and not counted. Removes the characters that protect texts from spreadsheets, such as an
 * apostrophe before a formula or `="00123"`.
 *
 * @param pieces Each call starts again; a piece is parsed before the next is read.
 * @throws {SheetFileError} with the row of an unclosed quote, while lines are read.
 */
export function openCsv(pieces: () => Iterable<string>, { name }: { readonly name: string }): CsvText {
  let start = "";
  for (const piece of pieces()) {
    start += piece;
    if (start.length >= LOOKED_AT) break;
  }
  const [prefix = ""] = /^\uFEFF?(?:"?sep=(?:[,;\t|]|\\t)"?[,;\t|]*(?:\r\n|\r|\n))?/i.exec(start) ?? [];
  const [, stated] = /sep=([,;\t|]|\\t)/i.exec(prefix) ?? [];
  const delimiter = stated === "\\t" ? "\t" : stated ?? separatorOf(start.slice(prefix.length));
  const text = (): Generator<string> => without(prefix.length, pieces());
  const newline = newlineOf(text());
  return {
    form: { delimiter, newline, ...(prefix === "" ? {} : { prefix }) },
    lines: ({ asWritten = false } = {}) => csvLines(text(), { name, delimiter, newline, asWritten }),
  };
}

function* without(count: number, pieces: Iterable<string>): Generator<string> {
  let left = count;
  for (const piece of pieces) {
    if (piece.length > left) yield left === 0 ? piece : piece.slice(left);
    left = Math.max(0, left - piece.length);
  }
}

function newlineOf(pieces: Iterable<string>): CsvForm["newline"] {
  let [hasFeed, hasReturn, last] = [false, false, ""];
  for (const piece of pieces) {
    if (piece.includes("\r\n") || (last === "\r" && piece.startsWith("\n"))) return "\r\n";
    hasFeed ||= piece.includes("\n");
    hasReturn ||= piece.includes("\r");
    last = piece.at(-1) ?? last;
  }
  return hasFeed ? "\n" : hasReturn ? "\r" : "\r\n";
}

function* csvLines(
  pieces: Iterable<string>,
  { name, delimiter, newline, asWritten }: {
    name: string;
    delimiter: string;
    newline: CsvForm["newline"];
    asWritten: boolean;
  },
): Generator<SheetLine> {
  // Mixed line ends are read by the line feed; the carriage return before it is taken off below.
  const parser = new Papa.Parser({ delimiter, newline: newline === "\r\n" ? "\n" : newline });
  let row = 0;
  let rest = "";
  // A row that is longer than a piece is tried again when there is twice as much.
  let needed = 0;
  const parsed = function* (isLast: boolean): Generator<SheetLine> {
    const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(rest, 0, !isLast);
    // The row at the end of a piece may be cut; it is read again with the next one.
    const broken = errors.find(({ type, row = 0 }) => type === "Quotes" && (isLast || row < data.length));
    if (broken !== undefined) {
      throw new SheetFileError(
        name,
        `row ${row + (broken.row ?? 0) + 1} has a quotation mark that is never closed`,
      );
    }
    const isOpen = isLast && !/[\r\n]$/.test(rest);
    for (const [at, cells] of data.entries()) {
      const line = lineOf(++row, cells, asWritten);
      yield isOpen && at === data.length - 1 ? { ...line, isOpen } : line;
    }
    needed = meta.cursor === 0 ? rest.length * 2 : 0;
    rest = rest.slice(meta.cursor);
  };
  for (const piece of pieces) {
    if (rest.length > 0 && rest.length >= needed) yield* parsed(false);
    rest += piece;
  }
  if (rest.length > 0) yield* parsed(true);
}

function lineOf(number: number, cells: string[], asWritten: boolean): SheetLine {
  const last = cells.length - 1;
  if (cells[last]?.endsWith("\r")) cells[last] = cells[last].slice(0, -1);
  if (asWritten) return { number, cells };
  for (const [at, cell] of cells.entries()) {
    if (cell.charCodeAt(0) !== 0x3d) cells[at] = unguarded(cell);
    else {
      const text = cell.trim();
      const bare = unprotected(text);
      if (bare !== text) cells[at] = bare;
    }
  }
  return { number, cells };
}

/** Restores the original text of lines that were read with `asWritten`. */
export function csvAsWritten(lines: readonly (readonly string[])[], form: CsvForm): string {
  const { delimiter, newline, prefix = "" } = form;
  return prefix + Papa.unparse(lines.map((cells) => [...cells]), { delimiter, newline });
}

export function csvOf(
  lines: readonly (readonly string[])[],
  form: Partial<CsvForm> & { readonly hasMark?: boolean } = {},
): string {
  const { delimiter = ",", newline = "\r\n", hasMark = false, prefix = hasMark ? "\uFEFF" : "" } = form;
  if (lines.length === 0) return "";
  const cells = lines.map((line) => line.map(guarded));
  return prefix + Papa.unparse(cells, { delimiter, newline }) + newline;
}

const SEPARATORS = [",", ";", "\t", "|"];
const MAX_LINES = 40;

/**
 * Returns the separator that splits most lines into the same number of cells, and then the one that gives the most
 * cells. Ignores titles above the table and commas in free text or amounts.
 */
function separatorOf(text: string): string {
  const lines = text.slice(0, 200_000).replace(/"[^"]*"/g, "").split(/\r\n|\r|\n/, MAX_LINES)
    .filter((line) => line.trim() !== "");
  const scores = SEPARATORS.map((separator) => {
    const counts = Map.groupBy(lines.map((line) => line.split(separator).length), (count) => count);
    counts.delete(1);
    const [[cells, alike] = [1, []]] = [...counts].sort(([a, x], [b, y]) => y.length - x.length || b - a);
    return { separator, lines: alike.length, cells };
  });
  const [best] = scores.sort((a, b) => b.lines - a.lines || b.cells - a.cells);
  return best === undefined || best.lines === 0 ? "," : best.separator;
}
