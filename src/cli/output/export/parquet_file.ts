import { fileWriter, parquetWriteRows } from "hyparquet-writer";
import type { ReportRow, ReportValue } from "../../../reports/report_row.ts";
import { type ColumnType, columnType } from "../../../store/report_layout.ts";

/** Rows of one group of a file; a group is in memory as a whole. */
const GROUP = 20_000;

const PARQUET_TYPES = { integer: "INT64", real: "DOUBLE", text: "STRING" } as const;

/**
 * Writes rows as Parquet, a group at a time. Metrics are integers and doubles, everything else is text. The last
 * column, `extra`, holds as JSON what has no column or does not fit the type of its column.
 */
export async function writeParquet(
  rows: AsyncIterable<ReportRow>,
  { columns, path }: { columns: readonly string[]; path: string },
): Promise<void> {
  const types = new Map(columns.map((name) => [name, columnType(name)]));
  await parquetWriteRows({
    writer: fileWriter(path),
    rows: typedRows(rows, types),
    columns: [
      ...[...types].map(([name, type]) => ({ name, type: PARQUET_TYPES[type], nullable: true })),
      { name: "extra", type: "STRING" as const, nullable: true },
    ],
    rowGroupSize: GROUP,
  });
}

async function* typedRows(
  rows: AsyncIterable<ReportRow>,
  types: ReadonlyMap<string, ColumnType>,
): AsyncGenerator<Record<string, string | number | bigint | null>> {
  for await (const row of rows) {
    const typed: Record<string, string | number | bigint | null> = {};
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

function fit(value: ReportValue, type: ColumnType | undefined): string | number | bigint | null | undefined {
  if (type === undefined) return undefined;
  if (value === null) return null;
  if (type === "text") {
    return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
  }
  if (typeof value !== "number") return undefined;
  if (type === "real") return value;
  return Number.isSafeInteger(value) ? BigInt(value) : undefined;
}
