import type { Workflow, WorkflowType } from "./clean_room_types.ts";

/** A row of a clean-room result, with values by column. */
export type CleanRoomRow = Readonly<Record<string, string | number | boolean | null>>;

/** Column with the comma-separated names of the columns that privacy thresholds left empty. */
export const WITHHELD = "withheld_columns";

/** Counts of values withheld for privacy. */
export interface WithheldCount {
  /** Number of rows with withheld values. */
  readonly rows: number;
  /** Number of rows by withheld column. */
  readonly columns: Readonly<Record<string, number>>;
}

const NUMBERS: readonly WorkflowType[] = ["BYTE", "DECIMAL", "DOUBLE", "FLOAT", "INTEGER", "LONG", "SHORT"];
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const TEXT_NAME = /(?:^|_)(?:id|ids|string|asin|sku|item|date|dt|zip|code)$|_id_/i;

export class ResultReader {
  readonly #types: ReadonlyMap<string, WorkflowType | undefined>;
  readonly #discriminator: string | undefined;
  #rows = 0;
  readonly #columns: Record<string, number> = {};

  constructor({ outputColumns = [], filteredMetricsDiscriminatorColumn }: Workflow) {
    this.#types = new Map(outputColumns.map(({ name, dataType }) => [name, dataType]));
    this.#discriminator = filteredMetricsDiscriminatorColumn;
  }

  get withheld(): WithheldCount | undefined {
    if (this.#discriminator === undefined) return undefined;
    return { rows: this.#rows, columns: { ...this.#columns } };
  }

  read(row: Readonly<Record<string, unknown>>): CleanRoomRow {
    const cells: Record<string, string | number | boolean | null> = {};
    for (const [name, value] of Object.entries(row)) cells[name] = this.#cell(name, value);
    if (this.#discriminator === undefined) return cells;
    const isFiltered = /^(?:true|1)$/i.test(String(row[this.#discriminator] ?? ""));
    const empty = isFiltered ? Object.keys(cells).filter((name) => cells[name] === null) : [];
    if (isFiltered) this.#rows++;
    for (const name of empty) this.#columns[name] = (this.#columns[name] ?? 0) + 1;
    return { ...cells, [this.#discriminator]: isFiltered, [WITHHELD]: empty.join(", ") };
  }

  #cell(name: string, value: unknown): string | number | boolean | null {
    if (value === null || value === undefined || value === "") return null;
    const text = String(value);
    const type = this.#types.get(name);
    if (type === "BOOLEAN") return /^(?:true|1)$/i.test(text);
    const isNumber = type === undefined ? !TEXT_NAME.test(name) : NUMBERS.includes(type);
    if (!isNumber || !NUMBER.test(text)) return text;
    const number = Number(text);
    // A number that would lose digits stays text.
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number;
  }
}
