import { dirname } from "node:path";
import type { Format } from "../context/global_options.ts";
import { UsageError } from "../io/cli_error.ts";

export type ExportFormat = "csv" | "json" | "jsonl" | "parquet" | "xlsx";

export type FileFormat = ExportFormat | "tsv" | "table";

export const REHEARSED = "rehearsed";

const BY_ENDING: Readonly<Record<string, Exclude<FileFormat, "table">>> = {
  csv: "csv",
  tsv: "tsv",
  json: "json",
  jsonl: "jsonl",
  ndjson: "jsonl",
  parquet: "parquet",
  xlsx: "xlsx",
};

/**
 * Uses `--format`, otherwise the file extension.
 *
 * @throws {UsageError} when neither names a format, or they differ.
 */
export function fileFormat(path: string, given: Format | undefined): FileFormat {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  const named = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
  const chosen = given === "auto" ? undefined : given;
  if (named !== undefined && chosen !== undefined && named !== chosen) {
    throw new UsageError(
      `Cannot write "${path}" as ${chosen}: its name ends in .${ending}. Choose another name, or leave --format out`,
    );
  }
  const format = named ?? chosen;
  if (format !== undefined) return format;
  throw new UsageError(
    `Cannot write "${path}": its name must end in .csv, .tsv, .json, .jsonl, .parquet or .xlsx, or --format must name the format`,
  );
}

export async function checkPlace(path: string): Promise<void> {
  const { stat } = await import("node:fs/promises");
  const isFolder = (name: string): Promise<boolean> =>
    stat(name).then((found) => found.isDirectory(), () => false);
  if (path === "-") throw new UsageError('Cannot write "-": leave --out out to print on standard output');
  if (await isFolder(path)) throw new UsageError(`Cannot write "${path}": it is a folder. Name a file in it`);
  const folder = dirname(path);
  if (await isFolder(folder)) return;
  throw new UsageError(`Cannot write "${path}": the folder "${folder}" does not exist. Create it first`);
}

export function exportFormat(path: string, given?: Format): ExportFormat {
  const format = fileFormat(path, given);
  if (format !== "tsv" && format !== "table") return format;
  throw new UsageError(
    `Cannot write "${path}" as ${format}: choose .csv, .json, .jsonl, .parquet or .xlsx`,
  );
}

export async function checkExport(path: string, given: Format | undefined): Promise<void> {
  await checkPlace(path);
  exportFormat(path, given);
}
