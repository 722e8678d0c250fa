import { cellFor, type CellUse } from "../../../../account/tables/read_cell.ts";
import { csvSource, type TableSource } from "../../../../account/tables/open_tables.ts";
import { SheetFileError, type SheetLine } from "../../../../account/tables/sheet_lines.ts";
import { READ_ME } from "../../../../account/sheets/sheet_layout.ts";
import { UsageError } from "../io/cli_error.ts";
import type { InputRecord, InputRecords, InputText } from "./read_input.ts";

/**
 * Parses in blocks while iterating.
 *
 * @throws {UsageError} naming the malformed row; for rows below the header only during iteration.
 */
export function parseCsv(
  { text, name }: InputText,
  { block }: { block?: number } = {},
): InputRecords {
  return tableRecords(csvSource(text, { name, block }));
}

const USES: readonly (readonly [RegExp, CellUse])[] = [
  [/(?:^|\.|[a-z])(?:id|Id)$/, "id"],
  [/date$/i, "day"],
  [/(?:text|name|sku|asin|expression|search ?term|note|comment)$/i, "text"],
  [/(?:percentage)$/i, "percent"],
];

/**
 * Row numbers match the spreadsheet's. Each iteration reads the records again.
 *
 * @throws {UsageError} naming the malformed row; for rows below the header only during iteration.
 */
export function tableRecords(source: TableSource): InputRecords {
  const fail = (why: string): UsageError => new UsageError(`Cannot read ${source.name}: ${why}`);
  const { tab, head } = headOf(source, fail);
  const names = head.cells.map((cell) => cell.trim());
  // Columns that were emptied in a spreadsheet leave separators at the end of every row.
  while (names.length > 1 && names.at(-1) === "") names.pop();
  const unnamed = names.indexOf("");
  if (unnamed !== -1) throw fail(`column ${unnamed + 1} has no name in the header row`);
  const twice = names.find((column, at) => names.indexOf(column) !== at);
  if (twice !== undefined) throw fail(`the column "${twice}" is there twice`);
  const uses = names.map((name) => USES.find(([pattern]) => pattern.test(name))?.[1] ?? "word");
  const isCsv = source.form !== undefined;

  function* records(): Generator<InputRecord> {
    for (const { number, ...line } of linesOf(source, tab, fail)) {
      const { cells } = line;
      if (number <= head.number || cells.every((cell) => cell.trim() === "")) continue;
      const where = `row ${number}`;
      const filled = cells.findLastIndex((cell) => cell.trim() !== "") + 1;
      const length = isCsv ? Math.max(filled, Math.min(cells.length, names.length)) : names.length;
      if (length !== names.length || filled > names.length) {
        const problem = `it has ${Math.max(length, filled)} cells, and the header has ${names.length}`;
        yield { where, values: {}, problem };
        continue;
      }
      const values: Record<string, string> = {};
      const problems: string[] = [];
      for (const [at, column] of names.entries()) {
        try {
          values[column] = cellFor({ number, ...line }, at, uses[at] ?? "word");
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          problems.push(`"${column}": ${error.message}`);
        }
      }
      yield problems.length === 0 ? { where, values } : { where, values: {}, problem: problems.join("; ") };
    }
  }
  return {
    records: { [Symbol.iterator]: records },
    names,
    isText: true,
    decimalComma: source.form?.delimiter === ";",
  };
}

/**
 * The first line with two filled cells, which skips titles above the table. A one-column table starts at its first
 * line.
 */
function headOf(source: TableSource, fail: (why: string) => UsageError): { tab: string; head: SheetLine } {
  const hidden = new Set(source.tabs.filter(({ isHidden }) => isHidden).map(({ name }) => name));
  const heads = new Map<string, SheetLine>();
  const isDecided = new Set<string>();
  for (const { tab, line } of tabLines(source, fail)) {
    if (hidden.has(tab) || tab === READ_ME || isDecided.has(tab)) continue;
    const filled = line.cells.filter((cell) => cell.trim() !== "").length;
    if (filled > 1) isDecided.add(tab);
    if (filled > 1 || (filled === 1 && !heads.has(tab))) heads.set(tab, line);
    // A CSV file has one tab.
    if (source.form !== undefined && isDecided.size > 0) break;
  }
  const [first, second] = heads;
  if (first === undefined) throw fail("it is empty");
  if (second !== undefined) {
    const names = [...heads.keys()].map((name) => `"${name}"`).join(", ");
    throw fail(`it has several tabs (${names}). Keep one, or read a bulk sheet with "adsctl sheet plan"`);
  }
  return { tab: first[0], head: first[1] };
}

function* linesOf(
  source: TableSource,
  wanted: string,
  fail: (why: string) => UsageError,
): Generator<SheetLine> {
  for (const { tab, line } of tabLines(source, fail)) if (tab === wanted) yield line;
}

function* tabLines(
  source: TableSource,
  fail: (why: string) => UsageError,
): Generator<{ tab: string; line: SheetLine }> {
  try {
    yield* source.lines();
  } catch (error) {
    throw error instanceof SheetFileError ? fail(error.reason) : error;
  }
}
