import { createHash } from "node:crypto";
import { BulkTable, FileForm } from "../sheets/bulk_table.ts";
import { hiddenTabs, sourceNotices, tableNotices, titleNotices } from "../sheets/sheet_findings.ts";
import { READ_ME } from "../sheets/sheet_layout.ts";
import { type BulkHead, bulkHead } from "../tables/bulk_head.ts";
import { type CellProblem, ProblemList } from "../tables/problem_list.ts";
import {
  type FileKnowledge,
  fileKnowledge,
  type FileProduct,
  importKey,
  reportScore,
} from "../tables/console_headers.ts";
import { mapAdvice, seenIn } from "../tables/known_formats.ts";
import {
  type FoundTable,
  openTables,
  readTables,
  type SheetFile,
  type TableSource,
} from "../tables/open_tables.ts";
import { OwnerColumns } from "../tables/owner_columns.ts";
import { SheetFileError, type SheetLine } from "../tables/sheet_lines.ts";
import { Spill } from "../tables/spill.ts";
import { WideRows } from "../tables/wide_rows.ts";
import { BulkEntities, BulkReader } from "./bulk_reader.ts";
import type { ImportProblem } from "./import_problem.ts";
import { type ReadTable, readTable } from "./read_table.ts";
import type { ReadingHints } from "./reading_hints.ts";
import { type HeaderMap, type RecognizedTable, recognizeTable } from "./recognize_table.ts";

/** Market of the files, and hints for reading them. */
export interface ImportHints extends ReadingHints {
  /** Country of the account that the files belong to. */
  readonly countryCode: string;
  /**
   * Ad product to assume for reports whose headers fit more than one.
   *
   * @default inferred from headers and from file and tab names
   */
  readonly product?: FileProduct | undefined;
  /** Known equivalents of unknown headers and of unknown words in bulk sheets. */
  readonly map?: HeaderMap | undefined;
  /** Encoding of CSV files. @default what their bytes show */
  readonly encoding?: string | undefined;
  /** The only tab to read. @default every tab that is known */
  readonly tab?: string | undefined;
}

interface OpenedReport {
  readonly file: string;
  readonly tab: string;
  readonly digest: string;
  readonly table: RecognizedTable;
  readonly read: ReadTable;
  readonly separator: string | undefined;
}

interface OpenedBulk {
  readonly file: string;
  readonly tabs: readonly string[];
  readonly language: string;
  readonly readers: readonly BulkReader[];
  readonly entities: BulkEntities;
  readonly operations: number;
}

export interface OpenedFile {
  readonly reports: readonly OpenedReport[];
  readonly bulk: OpenedBulk | undefined;
  readonly problems: readonly ImportProblem[];
  readonly problemCount: number;
  readonly notices: readonly string[];
  readonly mapped: ReadonlySet<string>;
  /** Deletes temporary files; rows and entities cannot be read afterwards. */
  close(): void;
}

/**
 * Opens a file and collects the problems of all tabs. Rows and entities stay in temporary files until the opened file
 * is closed.
 */
export async function openFile(file: SheetFile, options: ImportHints): Promise<OpenedFile> {
  const knowledge = await fileKnowledge();
  let reader: FileReader | undefined;
  try {
    const source = openTables(file, options);
    const digest = createHash("sha256").update(file.bytes).digest("hex").slice(0, 16);
    reader = new FileReader(file, { options, source, knowledge, digest });
    return reader.read();
  } catch (error) {
    reader?.close();
    if (!(error instanceof SheetFileError)) throw error;
    const problems = [{ file: file.name, tab: "", row: 0, header: "", message: error.reason }];
    return {
      reports: [],
      bulk: undefined,
      problems,
      problemCount: 1,
      notices: [],
      mapped: new Set(),
      close: () => {},
    };
  }
}

interface BulkTab {
  readonly tab: string;
  readonly columns: BulkHead;
  readonly table: BulkTable;
  readonly reader: BulkReader;
  readonly owners: OwnerColumns;
  readonly wide: WideRows;
}

interface ReportTab {
  readonly tab: string;
  readonly head: SheetLine;
  readonly above: readonly SheetLine[];
  readonly lines: Spill<SheetLine>;
  readonly wide: WideRows;
}

class FileReader {
  readonly #file: SheetFile;
  readonly #options: ImportHints;
  readonly #source: TableSource;
  readonly #knowledge: FileKnowledge;
  readonly #digest: string;
  readonly #problems = new ProblemList<ImportProblem>();
  readonly #notices: string[] = [];
  readonly #given: ReadonlyMap<string, string>;
  readonly #mapped = new Set<string>();
  readonly #form: FileForm;
  readonly #bulk: BulkTab[] = [];
  readonly #reports: ReportTab[] = [];
  readonly #others: FoundTable[] = [];
  readonly #lists: { close(): void }[] = [];

  constructor(
    file: SheetFile,
    { options, source, knowledge, digest }: {
      options: ImportHints;
      source: TableSource;
      knowledge: FileKnowledge;
      digest: string;
    },
  ) {
    this.#file = file;
    this.#options = options;
    this.#source = source;
    this.#knowledge = knowledge;
    this.#digest = digest;
    this.#given = new Map(
      Object.entries(options.map ?? {}).map(([own, meaning]) => [importKey(own), meaning]),
    );
    this.#form = new FileForm(options, source);
  }

  close(): void {
    for (const list of this.#lists.splice(0)) list.close();
  }

  read(): OpenedFile {
    const { lists, words } = this.#knowledge;
    const { map = {}, tab: wanted } = this.#options;
    if (wanted !== undefined && !this.#source.tabs.some(({ name }) => name === wanted)) {
      const known = this.#source.tabs.map(({ name }) => `"${name}"`).join(", ");
      this.#refuse("", { row: 0, header: "", message: `it has no tab "${wanted}", only ${known}` });
    }
    readTables(this.#source, {
      score: (cells) =>
        bulkHead(cells, { words, map }) === undefined ? reportScore(cells, lists, this.#given) : Infinity,
      begin: (found) => wanted === undefined || found.tab === wanted ? this.#begin(found) : undefined,
    });
    this.#notices.push(...sourceNotices(this.#source));
    const bulk = this.#endBulk();
    const reports = bulk === undefined ? this.#reports.flatMap((report) => this.#report(report) ?? []) : [];
    // The other tabs of a bulk file are no reports: their rows have no days.
    if (bulk !== undefined) {
      for (const { tab } of this.#reports) {
        this.#notices.push(`Tab "${tab}" is not read: its rows have no dates`);
      }
    }
    for (const found of this.#others) this.#notRead(found, this.#bulk.length + this.#reports.length > 0);
    if (this.#bulk.length + this.#reports.length + this.#others.length + this.#problems.count === 0) {
      this.#refuse("", { row: 0, header: "", message: `it is empty${hiddenTabs(this.#source)}` });
    }
    return {
      reports,
      bulk,
      problems: this.#problems.first,
      problemCount: this.#problems.count,
      notices: this.#notices,
      mapped: this.#mapped,
      close: () => this.close(),
    };
  }

  #begin(found: FoundTable): ((line: SheetLine) => void) | undefined {
    const { tab, head, above } = found;
    const { words } = this.#knowledge;
    const { map = {} } = this.#options;
    if (head === undefined) {
      this.#others.push(found);
      return undefined;
    }
    this.#useMap(head);
    this.#notices.push(...titleNotices(found));
    const wide = new WideRows(head, this.#source);
    const columns = bulkHead(head.cells, { words, map });
    if (columns === undefined) {
      const lines = new Spill<SheetLine>();
      this.#lists.push(lines);
      this.#reports.push({ tab, head, above, lines, wide });
      return (line) => {
        wide.take(line);
        lines.push(line);
      };
    }
    const table = new BulkTable(columns, { words, map, form: this.#form });
    const reader = new BulkReader({ table, tab, words, countryCode: this.#options.countryCode });
    this.#lists.push(reader);
    const { countryCode } = this.#options;
    const owners = new OwnerColumns(columns.at, { head: head.cells, countryCode });
    this.#bulk.push({ tab, columns, table, reader, owners, wide });
    for (const problem of table.doubled()) this.#refuse(tab, { row: head.number, ...problem });
    const hasMap = this.#given.size > 0;
    return (line) => {
      if (hasMap) this.#useMap(line);
      wide.take(line);
      owners.take(line);
      table.use(line);
      reader.take(line);
    };
  }

  #useMap({ cells }: SheetLine): void {
    for (const cell of cells) {
      const key = importKey(cell);
      if (this.#given.has(key)) this.#mapped.add(key);
    }
  }

  #endBulk(): OpenedBulk | undefined {
    if (this.#bulk.length === 0) return undefined;
    const settle = this.#form.settled();
    const asked = this.#bulk.reduce((sum, { reader }) => sum + reader.asked, 0);
    if (asked > 0) {
      this.#notices.push(
        `${
          asked === 1 ? "1 row asks" : `${asked} rows ask`
        } for an update: edited values are imported as if they were live. Import an unedited sheet`,
      );
    }
    let operations = 0;
    for (const [at, { tab, columns, table, reader, owners, wide }] of this.#bulk.entries()) {
      const found = reader.end(settle, this.#bulk.slice(0, at).map((earlier) => earlier.reader));
      operations += found.operations;
      for (const problem of [...wide.problems(), ...owners.problems()]) this.#refuse(tab, problem);
      this.#refuseAll(tab, found.problems);
      const where = tab === "" ? "" : `Tab "${tab}": `;
      for (const notice of found.notices) this.#notices.push(`${where}${notice}`);
      this.#notices.push(...tableNotices(table, tab));
      if (columns.unconfirmed.length > 0) {
        const heads = columns.unconfirmed.map((head) => `"${head}"`).join(", ");
        this.#notices.push(
          `${where}These headers were translated, but not confirmed with a real file: ${heads}`,
        );
      }
    }
    return {
      file: this.#file.name,
      tabs: this.#bulk.map(({ tab }) => tab),
      language: this.#bulk[0]?.columns.language ?? "en",
      readers: this.#bulk.map(({ reader }) => reader),
      entities: new BulkEntities(this.#bulk.map(({ reader }) => reader)),
      operations,
    };
  }

  #report({ tab, head, lines, wide }: ReportTab): OpenedReport | undefined {
    const { countryCode, product, map = {} } = this.#options;
    const { lists } = this.#knowledge;
    const { name } = this.#file;
    const table = recognizeTable(head.cells, { lists, map, product, name: `${name} ${tab}` });
    if ("problems" in table) {
      for (const problem of table.problems) this.#refuse(tab, { row: head.number, ...problem });
      return undefined;
    }
    for (const problem of wide.problems()) this.#refuse(tab, problem);
    const { read, problems, close } = readTable(table, {
      head: head.cells,
      lines,
      countryCode,
      hints: this.#options,
      is1904: this.#source.is1904,
    });
    lines.close();
    this.#lists.push({ close });
    this.#refuseAll(tab, problems);
    for (const { header, near } of table.unknown) {
      const nearest = near === undefined ? "" : `, nearest known "${near}"`;
      const example = near ?? "-";
      this.#notices.push(
        `Header "${header.trim()}" is not known${nearest}. To read it: --map "${header.trim()}=${example}"`,
      );
    }
    if (table.isUnchecked) {
      this.#notices.push(
        "Some headers come from lists not yet checked against a real file: check the totals",
      );
    }
    if (read === undefined) return undefined;
    this.#notices.push(...read.notices);
    const separator = this.#source.form?.delimiter;
    return { file: name, tab, digest: this.#digest, table, read, separator };
  }

  /** Reports an unknown tab: as a notice if other tabs are read, otherwise as a problem. */
  #notRead(found: FoundTable, areOthersRead: boolean): void {
    if (found.tab === READ_ME && areOthersRead) return;
    const seen = seenIn(found, this.#knowledge.lists);
    if (areOthersRead) this.#notices.push(`Not read: ${seen}`);
    else {
      this.#refuse(found.tab, {
        row: 0,
        header: "",
        message: `no known report or bulk sheet has these headers: ${seen.replace(/^tab ".*?" /, "it ")}${
          hiddenTabs(this.#source)
        }${mapAdvice(found, "known header")}`,
      });
    }
  }

  #refuse(tab: string, problem: CellProblem): void {
    this.#problems.add({ file: this.#file.name, tab, ...problem });
  }

  #refuseAll(tab: string, { first, count }: ProblemList<CellProblem>): void {
    const file = this.#file.name;
    this.#problems.addAll({ first: first.map((problem) => ({ file, tab, ...problem })), count });
  }
}
