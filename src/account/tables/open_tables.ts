import type { WorkbookTab } from "../../base/text/row_cells.ts";
import { type CsvForm, openCsv } from "./csv_lines.ts";
import { fileText, isArchive } from "./file_text.ts";
import { isBlank, SheetFileError, type SheetLine, type TabLine } from "./sheet_lines.ts";
import { openWorkbook } from "./xlsx_lines.ts";

/** A file as bytes, with its name in messages. */
export interface SheetFile {
  /** The bytes of an .xlsx or .csv file. */
  readonly bytes: Uint8Array;
  /** Name of the file. */
  readonly name: string;
}

export interface TableSource {
  readonly name: string;
  readonly tabs: readonly Pick<WorkbookTab, "name" | "isHidden">[];
  readonly form: CsvForm | undefined;
  readonly guessed: string | undefined;
  /** True if day numbers count from 1904. */
  readonly is1904: boolean;
  lines(): Generator<TabLine>;
}

/**
 * @param options.encoding Encoding of a CSV file.
 * @default detected from its bytes
 * @param options.countryCode Country of the account, used to guess the encoding.
 * @throws {SheetFileError} when the file is neither a workbook nor CSV; also while lines are read.
 */
export function openTables(
  { bytes, name }: SheetFile,
  { encoding, countryCode }: {
    readonly encoding?: string | undefined;
    readonly countryCode?: string | undefined;
  } = {},
): TableSource {
  if (bytes.length === 0) throw new SheetFileError(name, "it is empty");
  if (isArchive(bytes)) {
    const { tabs, is1904, lines } = openWorkbook(bytes, { name });
    return { name, tabs, is1904, form: undefined, guessed: undefined, lines };
  }
  const { pieces, guessed } = fileText(bytes, { name, encoding, countryCode });
  return { ...csvTables(pieces, { name }), guessed };
}

const BLOCK = 1 << 16;

export function csvSource(
  text: string,
  { name, block = BLOCK }: { name: string; block?: number | undefined },
): TableSource {
  return csvTables(function* () {
    for (let at = 0; at < text.length; at += block) yield text.slice(at, at + block);
  }, { name });
}

function csvTables(pieces: () => Iterable<string>, { name }: { name: string }): TableSource {
  const { form, lines } = openCsv(pieces, { name });
  return {
    name,
    tabs: [{ name: "", isHidden: false }],
    form,
    guessed: undefined,
    is1904: false,
    *lines() {
      for (const line of lines()) yield { tab: "", line };
    },
  };
}

export interface FoundTable {
  readonly tab: string;
  readonly head: SheetLine | undefined;
  readonly above: readonly SheetLine[];
}

const MAX_ABOVE = 30;

/**
 * Reads the tables of a file. Skips hidden and empty tabs, and lines above the header.
 *
 * @param options.score Likelihood that a line is a header: 0 for impossible, infinity for certain.
 * @param options.begin Returns the receiver of a table's lines, or `undefined` to skip the table.
 * @throws {SheetFileError} while the file is read.
 */
export function readTables(
  source: TableSource,
  { score, begin }: {
    readonly score: (cells: readonly string[]) => number;
    readonly begin: (table: FoundTable) => ((line: SheetLine) => void) | undefined;
  },
): void {
  const hidden = new Set(source.tabs.filter(({ isHidden }) => isHidden).map(({ name }) => name));
  const tabs = new Map<string, TabReader>();
  for (const { tab, line } of source.lines()) {
    if (hidden.has(tab)) continue;
    let reader = tabs.get(tab);
    if (reader === undefined) tabs.set(tab, reader = new TabReader(tab, { score, begin }));
    reader.take(line);
  }
  for (const reader of tabs.values()) reader.end();
}

class TabReader {
  readonly #tab: string;
  readonly #score: (cells: readonly string[]) => number;
  readonly #begin: (table: FoundTable) => ((line: SheetLine) => void) | undefined;
  readonly #first: SheetLine[] = [];
  #best = { at: -1, score: 0 };
  #isFound = false;
  #next: ((line: SheetLine) => void) | undefined;

  constructor(
    tab: string,
    { score, begin }: {
      score: (cells: readonly string[]) => number;
      begin: (table: FoundTable) => ((line: SheetLine) => void) | undefined;
    },
  ) {
    this.#tab = tab;
    this.#score = score;
    this.#begin = begin;
  }

  take(line: SheetLine): void {
    if (this.#isFound) return this.#next?.(line);
    if (isBlank(line)) return;
    const score = this.#score(line.cells);
    if (score > this.#best.score) this.#best = { at: this.#first.length, score };
    this.#first.push(line);
    if (score === Infinity || this.#first.length === MAX_ABOVE) this.#decide();
  }

  end(): void {
    if (!this.#isFound && this.#first.length > 0) this.#decide();
  }

  #decide(): void {
    this.#isFound = true;
    const { at } = this.#best;
    const head = this.#first[at];
    const above = this.#first.slice(0, head === undefined ? undefined : at);
    this.#next = this.#begin({ tab: this.#tab, head, above });
    if (head !== undefined) { for (const line of this.#first.slice(at + 1)) this.#next?.(line); }
    this.#first.length = 0;
  }
}
