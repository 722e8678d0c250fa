import { UsageError } from "../errors/cli_error.ts";

/** Forms of an exported file. */
type ExportFormat = "csv" | "json" | "jsonl" | "parquet" | "xlsx";

/** Name of the column that marks rows of a rehearsal; its value is the path of the copy. */
export const REHEARSED = "rehearsed";

const BY_ENDING: Readonly<Record<string, ExportFormat>> = {
  csv: "csv",
  json: "json",
  jsonl: "jsonl",
  ndjson: "jsonl",
  parquet: "parquet",
  xlsx: "xlsx",
};

/**
 * The form of a file by the ending of its name.
 *
 * @throws {UsageError} for any other ending.
 */
export function exportFormat(path: string): ExportFormat {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  const format = BY_ENDING[ending];
  if (format !== undefined) return format;
  throw new UsageError(`Cannot write "${path}": its name must end in .csv, .json, .jsonl, .parquet or .xlsx`);
}
