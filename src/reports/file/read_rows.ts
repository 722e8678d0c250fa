import type { ByteSource } from "./byte_source.ts";
import { type BuiltinModules, gunzip } from "./gunzip.ts";
import { PeekedBytes } from "./peeked_bytes.ts";
import type { ReportRow } from "../report_row.ts";
import { RowScanner } from "./row_scanner.ts";

/** What went wrong inside a report file, and how far it was read. */
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
  /** Modules of the runtime, for tests. */
  readonly modules?: BuiltinModules | undefined;
}

/**
 * Reads the rows of a report file in bounded memory: gzip or plain, a JSON array of objects or one object a line. The
 * file's own bytes decide, not what was said about it. Rows come in batches, as many as a piece of the file holds.
 *
 * @throws {BrokenReportFile} when the file is empty, cut short, damaged or not a report; what the source throws
 * while bytes are fetched is its `cause`.
 */
export async function* readRows(
  source: ByteSource,
  { clean, modules }: ReadRowsOptions = {},
): AsyncGenerator<ReportRow[]> {
  const scanner = new RowScanner(clean);
  const bytes = new PeekedBytes(source);
  try {
    const packed = await bytes.startWith(0x1f, 0x8b);
    for await (const chunk of packed ? gunzip(bytes, modules) : bytes) {
      const rows = scanner.push(chunk);
      if (rows.length > 0) yield rows;
    }
    if (bytes.count === 0) throw new SyntaxError("it is empty");
    scanner.end();
  } catch (cause) {
    const { message } = cause as Error;
    const why = bytes.failed
      ? `its bytes stopped coming (${message})`
      : cause instanceof SyntaxError
      ? message
      : `it cannot be unpacked (${message})`;
    throw new BrokenReportFile(why, scanner.rows, { cause });
  }
}
