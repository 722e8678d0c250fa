// @ts-types="@types/papaparse"
import Papa from "papaparse";
import { separatorOf } from "../../../../base/text/csv_separator.ts";
import { UsageError } from "../errors/cli_error.ts";
import type { InputRecord, InputRecords, InputText } from "./read_input.ts";

/** Characters that are parsed at a time, so that a file of any length takes little memory besides its text. */
const BLOCK = 1 << 16;

/**
 * Reads CSV with a header row. Commas, semicolons, tabs and bars are understood as separators, line ends of any kind,
 * and quoted cells that hold line ends. Rows are counted as a spreadsheet counts them, the header being row 1. Each
 * pass over the records parses them anew.
 *
 * @param options.block Characters that are parsed at a time.
 * @throws {UsageError} that names the row where the file is malformed; for rows below the header during the pass.
 */
export function parseCsv(
  { text: whole, name }: InputText,
  { block = BLOCK }: { block?: number } = {},
): InputRecords {
  const fail = (why: string): UsageError => new UsageError(`Cannot read ${name}: ${why}`);
  // A spreadsheet writes its separator into a line of its own, and neither shows nor counts it.
  const stated = /^sep=([,;\t|])\r?\n/i.exec(whole);
  const text = whole.slice(stated?.[0].length ?? 0);
  const delimiter = stated?.[1] ?? separatorOf(text);
  const rows = (): Generator<string[]> => rowsOf(text, { delimiter, block, fail });
  const header: string[] = rows().next().value ?? [];
  const names = header.map((cell) => cell.trim());
  // Columns that were emptied in a spreadsheet leave separators at the end of every row.
  while (names.length > 1 && names.at(-1) === "") names.pop();
  const unnamed = names.indexOf("");
  if (unnamed !== -1) throw fail(`column ${unnamed + 1} has no name in the header row`);
  const twice = names.find((column, at) => names.indexOf(column) !== at);
  if (twice !== undefined) throw fail(`the column "${twice}" is there twice`);

  function* records(): Generator<InputRecord> {
    let row = 0;
    for (const cells of rows()) {
      row++;
      if (row === 1 || (cells[0]!.trim() === "" && cells.every((cell) => cell.trim() === ""))) continue;
      while (cells.length > names.length && cells.at(-1)!.trim() === "") cells.pop();
      if (cells.length !== names.length) {
        const problem = `it has ${cells.length} cells, and the header has ${names.length}`;
        yield { where: `row ${row}`, values: {}, problem };
        continue;
      }
      const values: Record<string, string> = {};
      for (const [at, column] of names.entries()) values[column] = disarmed(cells[at]!.trim());
      yield { where: `row ${row}`, values };
    }
  }
  return {
    records: { [Symbol.iterator]: records },
    names,
    isText: true,
    decimalComma: delimiter === ";",
  };
}

/** The rows of a text as cells, the header first; a last line end begins no row. */
function* rowsOf(
  text: string,
  { delimiter, block, fail }: { delimiter: string; block: number; fail: (why: string) => UsageError },
): Generator<string[]> {
  // Cells lose the \r before the line end with the other white space around them.
  const newline = text.includes("\n") ? "\n" : "\r";
  const parser = new Papa.Parser({ delimiter, newline });
  let row = 0;
  for (let at = 0, length = block; at < text.length;) {
    const isLast = at + length >= text.length;
    const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(
      text.slice(at, at + length),
      0,
      !isLast,
    );
    // The row at the end of a block may be cut; it is read again with the next one.
    const broken = errors.find(({ type, row = 0 }) => type === "Quotes" && (isLast || row < data.length));
    if (broken !== undefined) {
      throw fail(`row ${row + (broken.row ?? 0) + 1} has a quotation mark that is never closed`);
    }
    yield* data;
    row += data.length;
    if (isLast) return;
    // A row that is longer than a block.
    if (meta.cursor === 0) length *= 2;
    at += meta.cursor;
  }
}

/** A value without the quote mark that adsctl puts before formulas. */
function disarmed(cell: string): string {
  return cell.startsWith("'") ? cell.replace(/^'(?=[=+\-@])/, "") : cell;
}
