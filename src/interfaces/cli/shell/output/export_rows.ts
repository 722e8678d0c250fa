import { withPackages } from "../../../../store/model/optional_packages.ts";
import { type ColumnType, columnType, type ReportRow } from "../../../../client/reports/file/report_row.ts";
import type { CliContext } from "../context/context.ts";
import { asyncChunks } from "../../../../base/json/chunks.ts";
import { csvPrinter, jsonLinesPrinter, jsonPrinter } from "./text_printers.ts";
import type { Row, RowPrinter } from "../context/row_printer.ts";
import { exportFormat, REHEARSED } from "./export_format.ts";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { CliError, EXIT } from "../io/cli_error.ts";

interface ExportTarget {
  readonly path: string;
  /** Columns in order, for CSV, Parquet and spreadsheets. JSON writes all fields of a row. */
  readonly columns: readonly string[];
  readonly types?: ReadonlyMap<string, ColumnType>;
  /**
   * True to add a last column `extra`, with the JSON of fields that have no column. Parquet without `types` always has
   * it.
   */
  readonly extra?: boolean;
}

/**
 * Uses bounded memory and replaces the file atomically. Marks rows of a rehearsal.
 *
 * @returns Number of rows written.
 * @throws {UsageError} for an unknown file extension.
 * @throws {CliError} when the file cannot be written.
 */
export async function exportRows(
  rows: AsyncIterable<ReportRow>,
  { path, extra = false, ...target }: ExportTarget,
  { globals, interruption }: CliContext,
): Promise<number> {
  const { rehearse } = globals;
  const mark = rehearse === undefined ? {} : { [REHEARSED]: rehearse };
  const columns = [...target.columns, ...Object.keys(mark)];
  const types = target.types &&
    new Map([...target.types, ...Object.keys(mark).map((name) => [name, "text"] as const)]);
  const format = exportFormat(path, globals.givenFormat);
  const file = await NewFile.create(path);
  let count = 0;
  async function* counted(): AsyncGenerator<ReportRow> {
    for await (const row of rows) {
      interruption.signal.throwIfAborted();
      count++;
      yield rehearse === undefined ? row : { ...row, ...mark };
    }
  }
  try {
    if (format === "parquet") {
      const { writeParquet } = await withPackages(
        "a Parquet file",
        "hyparquet-writer",
        () => import("../../../../store/lake/parquet_file.ts"),
      );
      // What a report has besides its columns is kept, and what does not fit them.
      const typed = types ?? publishedTypes(columns);
      await writeParquet(asyncChunks(counted(), 1000), {
        types: typed,
        extra: extra || types === undefined,
        path: file.temporaryPath,
      });
    } else if (format === "xlsx") {
      const { writeXlsx } = await import("./xlsx_file.ts");
      const typed = new Map(types ?? publishedTypes(columns));
      if (extra) typed.set("extra", "text");
      const sheetRows = extra ? foldedRows(counted(), columns) : counted();
      await writeXlsx(sheetRows, { types: typed, write: (bytes) => file.write(bytes) });
    } else {
      const write = (text: string): Promise<void> => file.write(new TextEncoder().encode(text));
      const printer: RowPrinter = format === "csv"
        ? csvPrinter(write, globals.fields ?? [...columns, ...extra ? ["extra"] : []], globals)
        : (format === "json" ? jsonPrinter : jsonLinesPrinter)(write, globals.fields);
      const folded = format === "csv" && extra ? foldedRows(counted(), columns) : counted();
      for await (const batch of asyncChunks<Row>(folded, 1000)) await printer.write(batch);
      await printer.end();
    }
    await file.finish();
    return count;
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

function publishedTypes(columns: readonly string[]): Map<string, ColumnType> {
  return new Map(columns.map((name) => [name, columnType(name) ?? "text"]));
}

export class NewFile {
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #temporary: string;

  private constructor(handle: FileHandle, path: string, temporary: string) {
    this.#handle = handle;
    this.#path = path;
    this.#temporary = temporary;
  }

  static async create(path: string): Promise<NewFile> {
    const temporary = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
    try {
      return new NewFile(await open(temporary, "wx"), path, temporary);
    } catch (cause) {
      throw failure(path, cause);
    }
  }

  get temporaryPath(): string {
    return this.#temporary;
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      for (let done = 0; done < bytes.length;) {
        done += (await this.#handle.write(bytes, done, bytes.length - done)).bytesWritten;
      }
    } catch (cause) {
      throw failure(this.#path, cause);
    }
  }

  async finish(): Promise<void> {
    try {
      await this.#handle.sync();
      await this.#handle.close();
      await rename(this.#temporary, this.#path);
    } catch (cause) {
      throw failure(this.#path, cause);
    }
  }

  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(this.#temporary, { force: true });
  }
}

function failure(path: string, cause: unknown): CliError {
  return new CliError(`Cannot write "${path}": ${(cause as Error).message}`, EXIT.failed, { cause });
}

export async function* foldedRows(
  rows: AsyncIterable<ReportRow>,
  columns: readonly string[],
): AsyncGenerator<ReportRow> {
  const known = new Set(columns);
  for await (const row of rows) {
    const others = Object.entries(row).filter(([name]) => !known.has(name));
    yield others.length === 0 ? row : { ...row, extra: JSON.stringify(Object.fromEntries(others)) };
  }
}
