import type { ByteSource } from "./byte_source.ts";
import { type BuiltinModules, gunzip } from "./gunzip.ts";
import { PeekedBytes } from "./peeked_bytes.ts";
import type { ColumnType } from "../column_type.ts";
import type { ReportRow } from "../report_row.ts";
import { CsvRows } from "./csv_rows.ts";
import { RowScanner } from "./row_scanner.ts";
import { xlsxRows } from "./xlsx_rows.ts";

/** Error inside a report file, with the position reached. */
export class BrokenReportFile extends Error {
  /** Rows that were handed on before. */
  readonly rows: number;

  /** @param rows Rows that were handed on before. */
  constructor(message: string, rows: number, options?: ErrorOptions) {
    super(message, options);
    this.name = "BrokenReportFile";
    this.rows = rows;
  }
}

/** How the rows of a file are read. */
export interface ReadRowsOptions {
  /** Takes out of the text what must not be handed on; told whole rows. */
  readonly clean?: ((text: string) => string) | undefined;
  /** Form that was asked for; a file of JSON is read as such whatever it says. @default "GZIP_JSON" */
  readonly format?: string | undefined;
  /** Says what a column of a table holds. @default the published columns of version 3 */
  readonly typeOf?: ((name: string) => ColumnType | undefined) | undefined;
  /** Modules of the runtime, for tests. */
  readonly modules?: BuiltinModules | undefined;
}

/**
 * Reads the rows of a report file: gzip or plain, a JSON array of objects or one object a line, CSV where that was asked
 * for, or an .xlsx workbook. The file's own bytes decide, not what was said about it. Rows come in batches, as many as a
 * piece of the file holds, in bounded memory; a workbook is read as a whole.
 *
 * @throws {BrokenReportFile} when the file is empty, cut short, damaged or not a report; what the source throws
 * while bytes are fetched is its `cause`.
 */
export async function* readRows(
  source: ByteSource,
  { clean, format, modules, typeOf }: ReadRowsOptions = {},
): AsyncGenerator<ReportRow[]> {
  const bytes = new PeekedBytes(source);
  let rows = 0;
  try {
    for await (const batch of batches(bytes, { clean, format, modules, typeOf })) {
      rows += batch.length;
      if (batch.length > 0) yield batch;
    }
    if (bytes.count === 0) throw new SyntaxError("it is empty");
  } catch (cause) {
    const { message } = cause as Error;
    const why = bytes.failed
      ? `its bytes stopped coming (${message})`
      : cause instanceof SyntaxError
      ? message
      : `it cannot be unpacked (${message})`;
    throw new BrokenReportFile(why, rows, { cause });
  }
}

async function* batches(
  bytes: PeekedBytes,
  { clean, format, modules, typeOf }: ReadRowsOptions,
): AsyncGenerator<ReportRow[]> {
  if (await bytes.startWith(0x50, 0x4b)) {
    yield await xlsxRows(await whole(bytes), clean);
    return;
  }
  const packed = await bytes.startWith(0x1f, 0x8b);
  const plain = new PeekedBytes(packed ? gunzip(bytes, modules) : bytes);
  const isJson = format !== "CSV" || await plain.startWith(0x5b) || await plain.startWith(0x7b);
  const scanner = isJson ? new RowScanner(clean) : new CsvRows(clean, typeOf);
  for await (const chunk of plain) yield scanner.push(chunk);
  if (bytes.count > 0) yield scanner.end() ?? [];
}

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of bytes) chunks.push(new Uint8Array(chunk));
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
