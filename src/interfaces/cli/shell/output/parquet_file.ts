import { fileWriter, parquetWriteRows } from "hyparquet-writer";
import type { ColumnType, ReportRow, ReportValue } from "../../../../client/reports/file/report_row.ts";
import { isDay } from "../../../../base/time/calendar.ts";

/** Rows of one group of a file; a group is in memory as a whole. */
const GROUP = 20_000;

type SchemaElement = NonNullable<Parameters<typeof parquetWriteRows>[0]["schema"]>[number];

const PARQUET_TYPES: Readonly<Record<ColumnType, Omit<SchemaElement, "name">>> = {
  date: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  integer: { type: "INT64" },
  real: { type: "DOUBLE" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
};

/**
 * Writes rows as Parquet, a group at a time. Days are dates, metrics are integers and doubles, all else is text.
 * With `extra` a last column holds as JSON what has no column or does not fit the type of its column.
 */
export async function writeParquet(
  rows: AsyncIterable<ReportRow>,
  { types, extra, path }: { types: ReadonlyMap<string, ColumnType>; extra: boolean; path: string },
): Promise<void> {
  const written = new Map<string, ColumnType>([...types, ...extra ? [["extra", "text"] as const] : []]);
  await parquetWriteRows({
    writer: fileWriter(path),
    rows: typedRows(rows, types),
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

type ParquetValue = string | number | bigint | Date | null;

async function* typedRows(
  rows: AsyncIterable<ReportRow>,
  types: ReadonlyMap<string, ColumnType>,
): AsyncGenerator<Record<string, ParquetValue>> {
  for await (const row of rows) {
    const typed: Record<string, ParquetValue> = {};
    const extra: ReportRow = {};
    for (const name of types.keys()) typed[name] = null;
    for (const [name, value] of Object.entries(row)) {
      const fitting = fit(value, types.get(name));
      if (fitting === undefined) extra[name] = value;
      else typed[name] = fitting;
    }
    typed["extra"] = Object.keys(extra).length === 0 ? null : JSON.stringify(extra);
    yield typed;
  }
}

function fit(value: ReportValue, type: ColumnType | undefined): ParquetValue | undefined {
  if (type === undefined) return undefined;
  if (value === null) return null;
  if (type === "date") {
    return typeof value === "string" && isDay(value) ? new Date(`${value}T00:00:00Z`) : undefined;
  }
  if (type === "text") {
    return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
  }
  if (typeof value !== "number") return undefined;
  if (type === "real") return value;
  return Number.isSafeInteger(value) ? BigInt(value) : undefined;
}
