import type { BulkTable } from "../sheets/bulk_table.ts";
import { type CellProblem, ProblemList } from "../tables/problem_list.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";

const MAX_NAMED = 5;
const MAX_WORDS = 100;

/** A word that cannot be read. Its row is skipped and reported; the other rows are still read. */
export class UnknownWord extends Error {}

type Numbered = Pick<SheetLine, "number">;

/** Cells of a bulk sheet, with the problems and unknown words found in them. */
export class BulkCells {
  readonly table: BulkTable;
  readonly problems: ProblemList<CellProblem> = new ProblemList();
  readonly #unknown = new Map<string, { count: number; readonly first: number[] }>();
  #lacksEntities = false;

  constructor(table: BulkTable) {
    this.table = table;
  }

  /** True if rows were left out because of an unknown product or entity. */
  get lacksEntities(): boolean {
    return this.#lacksEntities;
  }

  word(line: SheetLine, header: string): string | undefined {
    return this.try(line, header, () => this.table.word(line, header));
  }

  id(line: SheetLine, header: string): string | undefined {
    const text = this.try(line, header, () => this.table.text(line, header, "id"));
    if (text === undefined || /^\d+$/.test(text)) return text;
    this.refuse(line, header, text === "" ? "it is empty" : `"${text}" is not an id: an id is digits only`);
    return undefined;
  }

  /** Returns the result of a step; reports its error and returns `undefined` if the cell cannot be read. */
  try<Value>(line: Numbered, header: string, step: () => Value): Value | undefined {
    try {
      return step();
    } catch (error) {
      this.keepOut(line, error, header);
      return undefined;
    }
  }

  /** Reports why a cell cannot be read: a problem, or an unknown word. Throws other errors again. */
  keepOut(line: Numbered, error: unknown, header = ""): void {
    if (error instanceof UnknownWord) {
      this.#lacksEntities ||= /^(?:Product|Entity) /.test(error.message);
      const isNamed = this.#unknown.size < MAX_WORDS || this.#unknown.has(error.message);
      const word = isNamed ? error.message : "other words";
      const rows = this.#unknown.get(word) ?? { count: 0, first: [] };
      this.#unknown.set(word, rows);
      rows.count += 1;
      if (rows.first.length < MAX_NAMED) rows.first.push(line.number);
    } else if (error instanceof RangeError) this.refuse(line, header, error.message);
    else throw error;
  }

  refuse({ number }: Numbered, header: string, message: string): void {
    this.problems.add({ row: number, header, message });
  }

  /** Describes the rows of each unknown word. */
  unread(): string[] {
    return [...this.#unknown].map(([what, { count, first }]) => {
      const more = count > first.length ? ` and ${count - first.length} more` : "";
      const rows = count === 1 ? "row" : "rows";
      return `${count} ${rows} of ${what} (${rows} ${first.join(", ")}${more})`;
    });
  }
}
