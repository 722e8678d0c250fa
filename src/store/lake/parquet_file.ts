import { fileWriter, parquetWriteRows } from "hyparquet-writer";
import type { ColumnType } from "../../client/reports/file/report_row.ts";
import type { SchemaColumn } from "../model/schema_table.ts";
import { isDay } from "../../base/time/calendar.ts";

/** Rows per group; a whole group is held in memory. */
const GROUP = 20_000;

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];

export type ParquetType = ColumnType | SchemaColumn["type"] | "boolean";

type SchemaElement = NonNullable<Parameters<typeof parquetWriteRows>[0]["schema"]>[number];

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
}

/** Writes rows to a Parquet file: days become dates, metrics integers and doubles, ids text. */
export async function writeParquet(
  rows: AsyncIterable<Readonly<Record<string, unknown>>>,
  { types, extra, onUnfit, path }: ParquetOptions,
): Promise<void> {
  const written = new Map<string, ParquetType>([...types, ...extra ? [["extra", "text"] as const] : []]);
  await parquetWriteRows({
    writer: fileWriter(path),
    rows: typedRows(rows, { types, extra, onUnfit }),
    columns: [...written.keys()].map((name) => ({ name })),
    schema: [
      { name: "root", num_children: written.size },
      ...[...written].map(([name, type]) => ({
        name,
        repetition_type: "OPTIONAL" as const,
        ...PARQUET_TYPES[type],
      })),
    ],
    rowGroupSize: GROUP,
  });
}

type ParquetValue = string | number | bigint | boolean | Date | null;

async function* typedRows(
  rows: AsyncIterable<Readonly<Record<string, unknown>>>,
  { types, extra, onUnfit }: {
    types: ReadonlyMap<string, ParquetType>;
    extra: boolean;
    onUnfit: ParquetOptions["onUnfit"];
  },
): AsyncGenerator<Record<string, ParquetValue>> {
  for await (const row of rows) {
    const typed: Record<string, ParquetValue> = {};
    const unfit: Record<string, unknown> = {};
    for (const name of types.keys()) typed[name] = null;
    for (const [name, value] of Object.entries(row)) {
      const type = types.get(name);
      const fitting = fit(value, type);
      if (fitting !== undefined) typed[name] = fitting;
      else if (extra) unfit[name] = value;
      else if (type !== undefined) onUnfit?.(name);
    }
    if (extra) typed["extra"] = Object.keys(unfit).length === 0 ? null : JSON.stringify(unfit);
    yield typed;
  }
}

function fit(value: unknown, type: ParquetType | undefined): ParquetValue | undefined {
  if (type === undefined) return undefined;
  if (value === null || value === undefined) return null;
  switch (type) {
    case "date":
      return typeof value === "string" && isDay(value) ? new Date(`${value}T00:00:00Z`) : undefined;
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

/** The store returns integers above 2^53 as text. */
function wholeNumber(value: unknown): bigint | undefined {
  const isWhole = typeof value === "bigint" || Number.isSafeInteger(value) ||
    typeof value === "string" && /^-?\d{1,19}$/.test(value);
  if (!isWhole) return undefined;
  const whole = BigInt(value as bigint | number | string);
  return whole >= LEAST && whole <= MOST ? whole : undefined;
}
