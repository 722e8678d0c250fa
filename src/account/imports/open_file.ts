import { readCsv } from "../sheets/csv_file.ts";
import { readXlsx } from "../sheets/read_xlsx.ts";
import { SheetFileError, type SheetLine } from "../sheets/sheet_lines.ts";
import { isXlsx, type SheetFile } from "../sheets/sheet_file.ts";
import { type BulkEntities, readBulkTab } from "./bulk_entities.ts";
import { type FileProduct, type HeaderList, headerLists, importKey } from "./console_headers.ts";
import type { ImportProblem } from "./import_problem.ts";
import { type ReadingHints, type ReadTable, readTable } from "./read_table.ts";
import { bulkTable, type HeaderMap, type RecognizedTable, recognizeTable } from "./recognize_table.ts";

/** Market of the files, and hints for reading them. */
export interface ImportHints extends ReadingHints {
  /** Country whose account the files are of. */
  readonly countryCode: string;
  /** Product of reports whose headers fit several. @default what headers and names say */
  readonly product?: FileProduct | undefined;
  /** Headers, and words of bulk sheets, that are not known, with the known ones that they stand for. */
  readonly map?: HeaderMap | undefined;
}

/** A report in a file. */
interface OpenedReport {
  readonly file: string;
  readonly tab: string;
  readonly digest: string;
  readonly table: RecognizedTable;
  readonly read: ReadTable;
  /** Character between the cells; `undefined` for a workbook. */
  readonly separator: string | undefined;
}

/** The entities of a bulk file. */
interface OpenedBulk {
  readonly file: string;
  readonly tabs: readonly string[];
  readonly language: string;
  readonly entities: BulkEntities;
}

/** Contents of a file, tab by tab. */
export interface OpenedFile {
  readonly reports: readonly OpenedReport[];
  readonly bulk: OpenedBulk | undefined;
  readonly problems: readonly ImportProblem[];
  readonly notices: readonly string[];
  /** Headers and words of the map that the file holds, as they are compared. */
  readonly mapped: ReadonlySet<string>;
}

/** Reads a file, whatever it holds. Problems are collected, those of all its tabs. */
export async function openFile(file: SheetFile, options: ImportHints): Promise<OpenedFile> {
  const problems: ImportProblem[] = [];
  const none = { reports: [], bulk: undefined, problems, notices: [], mapped: new Set<string>() };
  const tabs = new Map<string, SheetLine[]>();
  let separator: string | undefined;
  try {
    const take = (tab: string, line: SheetLine): void => {
      const lines = tabs.get(tab) ?? [];
      tabs.set(tab, lines);
      lines.push(line);
    };
    if (isXlsx(file.bytes)) readXlsx(file.bytes, { name: file.name, take });
    else separator = readCsv(file.bytes, { name: file.name, take }).delimiter;
  } catch (error) {
    if (!(error instanceof SheetFileError)) throw error;
    const message = error.message.replace(`Cannot read the sheet ${file.name}: `, "");
    problems.push({ file: file.name, tab: "", row: 0, header: "", message });
    return none;
  }
  const lists = await headerLists();
  const reader = new TabReader(file, {
    options,
    lists,
    separator,
    digest: await digestOf(file.bytes),
    problems,
  });
  const filled = [...tabs].flatMap(([tab, lines]) => {
    const [head, ...rest] = lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
    return head === undefined ? [] : [{ tab, head, rest }];
  });
  if (filled.length === 0) {
    problems.push({ file: file.name, tab: "", row: 0, header: "", message: "it is empty" });
    return none;
  }
  const isWorkbook = filled.some(({ head }) => bulkTable(head.cells, lists) !== undefined);
  for (const { tab, head, rest } of filled) reader.read(tab, head, { lines: rest, isWorkbook });
  const wanted = new Set(Object.keys(options.map ?? {}).map(importKey));
  const mapped = new Set<string>();
  if (wanted.size > 0) {
    for (const { head, rest } of filled) {
      const lines = bulkTable(head.cells, lists) === undefined ? [head] : [head, ...rest];
      for (const key of lines.flatMap(({ cells }) => cells.map(importKey))) {
        if (wanted.has(key)) mapped.add(key);
      }
    }
  }
  return { ...reader.end(), mapped };
}

async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
  return Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

class TabReader {
  readonly #file: SheetFile;
  readonly #options: ImportHints;
  readonly #lists: readonly HeaderList[];
  readonly #separator: string | undefined;
  readonly #digest: string;
  readonly #problems: ImportProblem[];
  readonly #notices: string[] = [];
  readonly #reports: OpenedReport[] = [];
  readonly #entities: BulkEntities = new Map();
  readonly #bulkTabs: string[] = [];
  #language = "en";

  constructor(
    file: SheetFile,
    { options, lists, separator, digest, problems }: {
      options: ImportHints;
      lists: readonly HeaderList[];
      separator: string | undefined;
      digest: string;
      problems: ImportProblem[];
    },
  ) {
    this.#file = file;
    this.#options = options;
    this.#lists = lists;
    this.#separator = separator;
    this.#digest = digest;
    this.#problems = problems;
  }

  read(
    tab: string,
    { cells: head }: SheetLine,
    { lines, isWorkbook }: { lines: readonly SheetLine[]; isWorkbook: boolean },
  ): void {
    const bulk = bulkTable(head, this.#lists);
    if (bulk !== undefined) return this.#bulk(tab, bulk, lines);
    const { countryCode, product, map = {} } = this.#options;
    const name = `${this.#file.name} ${tab}`;
    const table = recognizeTable(head, { lists: this.#lists, map, product, name });
    if ("problems" in table) {
      // Beside bulk sheets, the other tabs of their file are no reports.
      if (isWorkbook) this.#notices.push(`Tab ${tab} is not read`);
      else for (const problem of table.problems) this.#refuse(tab, { row: 1, ...problem });
      return;
    }
    if (isWorkbook) return void this.#notices.push(`Tab ${tab} is not read: its rows have no days`);
    const { read, problems } = readTable(table, { head, lines, countryCode, hints: this.#options });
    for (const problem of problems) this.#refuse(tab, problem);
    for (const { header, near } of table.unknown) {
      const nearest = near === undefined ? "" : `, nearest known "${near}"`;
      const example = near ?? "-";
      this.#notices.push(
        `Header "${header.trim()}" is not known${nearest}. To read it: --map "${header.trim()}=${example}"`,
      );
    }
    if (table.isUnchecked) {
      this.#notices.push(
        "Some of its headers come from lists that were never checked against a file: look at the sums",
      );
    }
    if (read === undefined) return;
    const { name: file } = this.#file;
    this.#reports.push({ file, tab, digest: this.#digest, table, read, separator: this.#separator });
    this.#notices.push(...read.notices);
  }

  #bulk(
    tab: string,
    { head, language }: { head: readonly string[]; language: string },
    lines: readonly SheetLine[],
  ): void {
    const { map = {} } = this.#options;
    const found = readBulkTab(lines, { head, tab, map });
    for (const problem of found.problems) this.#refuse(tab, problem);
    for (const notice of found.notices) this.#notices.push(tab === "" ? notice : `Tab ${tab}: ${notice}`);
    this.#bulkTabs.push(tab);
    this.#language = language;
    for (const [kind, entities] of found.entities) {
      this.#entities.set(kind, new Map([...this.#entities.get(kind) ?? [], ...entities]));
    }
  }

  #refuse(tab: string, problem: { row: number; header: string; message: string }): void {
    this.#problems.push({ file: this.#file.name, tab, ...problem });
  }

  end(): Omit<OpenedFile, "mapped"> {
    return {
      reports: this.#reports,
      bulk: this.#bulkTabs.length === 0 ? undefined : {
        file: this.#file.name,
        tabs: this.#bulkTabs,
        language: this.#language,
        entities: this.#entities,
      },
      problems: this.#problems,
      notices: this.#notices,
    };
  }
}
