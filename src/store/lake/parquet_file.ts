import { fileWriter, ParquetWriter } from "hyparquet-writer";
import type { ColumnType } from "../../client/reports/file/report_row.ts";
import type { SchemaColumn } from "../model/schema_table.ts";
import { isDay } from "../../base/time/calendar.ts";

/** Rows per group; a whole group is held in memory. */
const GROUP = 10_000;

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];

export type ParquetType = ColumnType | SchemaColumn["type"] | "boolean";

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];

const TEXT: Omit<SchemaElement, "name"> = {
  type: "BYTE_ARRAY",
  converted_type: "UTF8",
  logical_type: { type: "STRING" },
};
const PARQUET_TYPES: Readonly<Record<ParquetType, Omit<SchemaElement, "name">>> = {
  date: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  integer: { type: "INT64" },
  real: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  text: TEXT,
  json: TEXT,
  time: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
};

interface ParquetOptions {
  readonly types: ReadonlyMap<string, ParquetType>;
  /** True to add a last column `extra`, with JSON of values that have no column or a different type. */
  readonly extra: boolean;
  /** Called for a value that does not fit its column; without `extra`, it is dropped. */
  readonly onUnfit?: (column: string) => void;
  readonly path: string;
  /** Column of a field whose name is not that of a column. */
  readonly columnOf?: (field: string) => string;
}

type Row = Readonly<Record<string, unknown>>;

/** Writes batches of rows to a Parquet file: days become dates, metrics integers and doubles, ids text. */
export async function writeParquet(
  batches: AsyncIterable<readonly Row[]>,
  { types, extra, onUnfit, path, columnOf = (field) => field }: ParquetOptions,
): Promise<void> {
  const written = new Map<string, ParquetType>([...types, ...extra ? [["extra", "text"] as const] : []]);
  const file = new ParquetWriter({
    writer: fileWriter(path),
    schema: [
      { name: "root", num_children: written.size },
      ...[...written].map(([name, type]) => ({
        name,
        repetition_type: "OPTIONAL" as const,
        ...PARQUET_TYPES[type],
      })),
    ],
  });
  const group = new RowGroup(written, columnOf);
  const others = extra ? group.column("extra") : null;
  // A field of this name is then kept as it is, or beside the values that have no column.
  const isDeclared = types.has("extra");
  const write = async (): Promise<void> => {
    await file.write({ columnData: group.take(), rowGroupSize: GROUP });
  };
  for await (const rows of batches) {
    for (const row of rows) {
      const unfit: Record<string, unknown> = {};
      let hasUnfit = false;
      group.begin();
      for (const name in row) {
        const value = row[name];
        const column = group.column(name);
        if (column !== null && (column !== others || isDeclared) && group.put(column, value)) continue;
        if (others !== null) {
          unfit[name] = value;
          hasUnfit = true;
        } else if (column !== null) onUnfit?.(column.name);
      }
      if (hasUnfit && others !== null) {
        group.put(others, JSON.stringify(isDeclared ? { extra: row["extra"], ...unfit } : unfit));
      }
      if (group.rows === GROUP) await write();
    }
  }
  await write();
  await file.finish();
}

type ParquetValue = string | number | bigint | boolean | Date | null;

interface Column {
  readonly name: string;
  readonly type: ParquetType;
  readonly data: ParquetValue[];
}

/** Values of some rows by column, which need a fraction of the memory of the rows. */
class RowGroup {
  rows = 0;
  readonly #columns: readonly Column[];
  readonly #byField: Map<string, Column | null>;
  readonly #columnOf: (field: string) => string;

  constructor(types: ReadonlyMap<string, ParquetType>, columnOf: (field: string) => string) {
    this.#columns = [...types].map(([name, type]) => ({ name, type, data: [] }));
    this.#byField = new Map(this.#columns.map((column) => [column.name, column]));
    this.#columnOf = columnOf;
  }

  /** Begins a row, whose values are empty. */
  begin(): void {
    for (const { data } of this.#columns) data[this.rows] = null;
    this.rows++;
  }

  column(field: string): Column | null {
    let column = this.#byField.get(field);
    if (column === undefined) {
      column = this.#byField.get(this.#columnOf(field)) ?? null;
      this.#byField.set(field, column);
    }
    return column;
  }

  /** Sets a value of the row; false if it is of another type than the column. */
  put(column: Column, value: unknown): boolean {
    const fitting = fit(value, column.type);
    if (fitting === undefined) return false;
    column.data[this.rows - 1] = fitting;
    return true;
  }

  /** Returns the columns, and begins the next group in their place. */
  take(): { readonly name: string; readonly data: ParquetValue[] }[] {
    const taken = this.#columns.map(({ name, data }) => ({ name, data: data.slice(0, this.rows) }));
    this.rows = 0;
    return taken;
  }
}

function fit(value: unknown, type: ParquetType): ParquetValue | undefined {
  if (value === null || value === undefined) return null;
  switch (type) {
    case "date":
      return typeof value === "string" ? dateOf(value) : undefined;
    case "time": {
      const moment = typeof value === "string" ? Date.parse(value) : NaN;
      return Number.isNaN(moment) ? undefined : new Date(moment);
    }
    case "text":
    case "json":
      if (typeof value === "string") return value;
      if (typeof value === "number" || typeof value === "bigint") return String(value);
      return type === "json" || typeof value === "boolean" ? JSON.stringify(value) : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "real":
      return typeof value === "number" ? value : undefined;
    case "integer":
      return wholeNumber(value);
  }
}

let [lastDay, lastDate]: [string, Date | undefined] = ["", undefined];

/** Neighbouring rows mostly have the same day. */
function dateOf(day: string): Date | undefined {
  if (day !== lastDay) [lastDay, lastDate] = [day, isDay(day) ? new Date(`${day}T00:00:00Z`) : undefined];
  return lastDate;
}

const SMALL = Array.from({ length: 1024 }, (_, at) => BigInt(at));

/** The store returns integers above 2^53 as text. */
function wholeNumber(value: unknown): bigint | undefined {
  if (typeof value === "number") {
    return SMALL[value] ?? (Number.isSafeInteger(value) ? BigInt(value) : undefined);
  }
  if (typeof value !== "bigint" && !(typeof value === "string" && /^-?\d{1,19}$/.test(value))) {
    return undefined;
  }
  const whole = BigInt(value);
  return whole >= LEAST && whole <= MOST ? whole : undefined;
}
