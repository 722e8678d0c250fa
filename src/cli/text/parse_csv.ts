// @ts-types="@types/papaparse"
import Papa from "papaparse";
import { UsageError } from "../core/cli_error.ts";
import type { InputRecord, InputRecords } from "./parse_records.ts";
import type { InputText } from "./read_input.ts";

const SEPARATORS = [",", ";", "\t", "|"];

/**
 * Reads CSV with a header row. Commas, semicolons, tabs and bars are understood as separators, line ends of any kind,
 * and quoted cells that hold line ends. Rows are counted as a spreadsheet counts them, the header being row 1.
 *
 * @throws {UsageError} that names the row where the file is malformed.
 */
export function parseCsv({ text: whole, name }: InputText): InputRecords {
  const fail = (why: string): UsageError => new UsageError(`Cannot read ${name}: ${why}`);
  // A spreadsheet writes its separator into a line of its own, and neither shows nor counts it.
  const stated = /^sep=([,;\t|])\r?\n/i.exec(whole);
  const text = whole.slice(stated?.[0].length ?? 0);
  const delimiter = stated?.[1] ?? separatorOf(text);
  const { data, errors } = Papa.parse<string[]>(text, { delimiter });
  const broken = errors.find((error) => error.type === "Quotes");
  if (broken !== undefined) {
    throw fail(`row ${(broken.row ?? 0) + 1} has a quotation mark that is never closed`);
  }

  const [header = [], ...rows] = data;
  const names = header.map((cell) => cell.trim());
  // Columns that were emptied in a spreadsheet leave separators at the end of every row.
  while (names.length > 1 && names.at(-1) === "") names.pop();
  const unnamed = names.indexOf("");
  if (unnamed !== -1) throw fail(`column ${unnamed + 1} has no name in the header row`);
  const twice = names.find((column, at) => names.indexOf(column) !== at);
  if (twice !== undefined) throw fail(`the column "${twice}" is there twice`);

  const records: InputRecord[] = [];
  for (const [at, cells] of rows.entries()) {
    if (cells.every((cell) => cell.trim() === "")) continue;
    const where = `row ${at + 2}`;
    while (cells.length > names.length && cells.at(-1)!.trim() === "") cells.pop();
    if (cells.length !== names.length) {
      throw fail(`${where} has ${cells.length} cells, and the header has ${names.length}`);
    }
    records.push({
      where,
      values: Object.fromEntries(names.map((column, at) => [column, disarmed(cells[at]!.trim())])),
    });
  }
  return { records, names, isText: true, decimalComma: delimiter === ";" };
}

/** A value without the quote mark that `--escape-formulas` has put before it. */
function disarmed(cell: string): string {
  return cell.replace(/^'(?=[=+\-@])/, "");
}

/** The separator that the header row uses most: unlike the rows below, it holds neither amounts nor free text. */
function separatorOf(text: string): string {
  const header = /^[^\r\n]*/.exec(text)![0].replace(/"[^"]*"/g, "");
  const count = (separator: string): number => header.split(separator).length;
  return SEPARATORS.reduce((best, next) => count(next) > count(best) ? next : best);
}
