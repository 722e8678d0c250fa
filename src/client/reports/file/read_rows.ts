import { type BuiltinModules, type ByteSource, gunzip } from "./gunzip.ts";
import type { ColumnType, ReportRow } from "./report_row.ts";
import { CsvRows } from "./csv_rows.ts";
import { listIn } from "./list_in.ts";
import { RowScanner } from "./row_scanner.ts";
import { rowCells, workbookTabs } from "../../../base/spreadsheet/row_cells.ts";
import { elementsOf, stringText } from "../../../base/spreadsheet/xml_text.ts";
import { TableRows } from "./table_rows.ts";

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

export interface ReadRowsOptions {
  /** Takes out of the text what must not be handed on; told whole rows. */
  readonly clean?: ((text: string) => string) | undefined;
  /** Form that was asked for; a file of JSON is read as such whatever it says. @default "GZIP_JSON" */
  readonly format?: string | undefined;
  /** Says what a column of a table holds. @default the published columns of version 3 */
  readonly typeOf?: ((name: string) => ColumnType | undefined) | undefined;
  /** Field of an object around the list of rows, such as `{"rows": [...]}`. @default the file is a list */
  readonly list?: string | undefined;
  /** True for CSV in which a backslash escapes quotes. */
  readonly escapes?: boolean | undefined;
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
  options: ReadRowsOptions = {},
): AsyncGenerator<ReportRow[]> {
  const bytes = new PeekedBytes(source);
  let rows = 0;
  try {
    for await (const batch of batches(bytes, options)) {
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
  { clean, format, modules, typeOf, list, escapes }: ReadRowsOptions,
): AsyncGenerator<ReportRow[]> {
  if (await bytes.startWith(0x50, 0x4b)) {
    yield await xlsxRows(await whole(bytes), clean);
    return;
  }
  const packed = await bytes.startWith(0x1f, 0x8b);
  const plain = new PeekedBytes(packed ? gunzip(bytes, modules) : bytes);
  const isJson = format !== "CSV" || await plain.startWith(0x5b) || await plain.startWith(0x7b);
  const scanner = isJson ? new RowScanner(clean) : new CsvRows(clean, typeOf, { escapes });
  const inner = isJson && list !== undefined ? listIn(plain, list) : plain;
  for await (const chunk of inner) yield scanner.push(chunk);
  if (bytes.count > 0) yield scanner.end() ?? [];
}

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of bytes) chunks.push(new Uint8Array(chunk));
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Bytes that an archive may expand to; no report has more. */
const MAX_BYTES = 1_000_000_000;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const [STORED, DEFLATED] = [0, 8];

/**
 * The texts of files in a zip archive, by path.
 *
 * @param wanted True for the paths of the files that are read.
 * @throws {SyntaxError} for what is no archive, is damaged, or expands without measure.
 */
async function zipTexts(
  bytes: Uint8Array<ArrayBuffer>,
  wanted: (path: string) => boolean,
): Promise<Map<string, string>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts = new Map<string, string>();
  const decoder = new TextDecoder();
  let left = MAX_BYTES;
  let at = view.getUint32(endOf(view) + 16, true);
  try {
    while (at + 46 <= bytes.length && view.getUint32(at, true) === ENTRY) {
      const [method, size] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
      const nameLength = view.getUint16(at + 28, true);
      const path = decoder.decode(bytes.subarray(at + 46, at + 46 + nameLength));
      const start = view.getUint32(at + 42, true);
      at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
      if (!wanted(path)) continue;
      const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
      const text = await unpack(bytes.slice(from, from + size), method, left);
      left -= text.length;
      texts.set(path, text);
    }
  } catch (cause) {
    throw cause instanceof SyntaxError ? cause : new SyntaxError("its archive is damaged", { cause });
  }
  return texts;
}

function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= 0; at--) if (view.getUint32(at, true) === END) return at;
  throw new SyntaxError("its archive is cut short");
}

async function unpack(packed: Uint8Array<ArrayBuffer>, method: number, limit: number): Promise<string> {
  if (method === STORED) return new TextDecoder().decode(packed);
  if (method !== DEFLATED) {
    throw new SyntaxError(`its archive is packed in a way that is not read (${method})`);
  }
  const decoder = new TextDecoder();
  let text = "";
  for await (
    const chunk of new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"))
  ) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > limit) throw new SyntaxError("its archive expands to more than any report has");
  }
  return text + decoder.decode();
}

const WORKBOOK = "xl/workbook.xml";
const RELATIONS = "xl/_rels/workbook.xml.rels";
const STRINGS = "xl/sharedStrings.xml";

/**
 * The rows of a workbook's first tab, whose first line names the columns. A workbook is read as a whole: it holds no more
 * than a million rows.
 *
 * @param clean Takes out of the text of cells what must not be handed on.
 * @throws {SyntaxError} when the bytes are not a workbook.
 */
async function xlsxRows(
  bytes: Uint8Array<ArrayBuffer>,
  clean: (text: string) => string = (text) => text,
): Promise<ReportRow[]> {
  const parts = await zipTexts(bytes, (path) => [WORKBOOK, RELATIONS, STRINGS].includes(path));
  const [tab] = workbookTabs(parts.get(WORKBOOK) ?? "", parts.get(RELATIONS) ?? "");
  if (tab === undefined) throw new SyntaxError("it is not a workbook");
  const sheet = (await zipTexts(bytes, (path) => path === tab.path)).get(tab.path);
  if (sheet === undefined) throw new SyntaxError(`its tab "${tab.name}" is missing`);
  const strings: string[] = [];
  elementsOf("si", (element) => void strings.push(stringText(element)))(parts.get(STRINGS) ?? "");
  const table = new TableRows();
  const rows: ReportRow[] = [];
  let width = 0;
  elementsOf("row", (element) => {
    const { cells } = rowCells(element, { strings });
    // A row ends with its last cell that holds something.
    width = Math.max(width, cells.length);
    while (cells.length < width) cells.push("");
    const row = table.take(cells.map(clean));
    if (row !== undefined) rows.push(row);
  })(sheet);
  if (!table.hasNames) throw new SyntaxError("it is empty");
  return rows;
}

/** A source of bytes whose beginning can be looked at before it is read, and that remembers whether it failed. */
class PeekedBytes implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  readonly #held: Uint8Array[] = [];
  #count = 0;
  #failed = false;

  /** @param source Where the bytes come from; it is read once. */
  constructor(source: ByteSource) {
    this.#source = Symbol.asyncIterator in source
      ? source[Symbol.asyncIterator]()
      : source[Symbol.iterator]();
  }

  /** Bytes that came so far. */
  get count(): number {
    return this.#count;
  }

  /** True when the source itself failed, whatever was made of the error since. */
  get failed(): boolean {
    return this.#failed;
  }

  /** True when the source begins with these bytes; they are still there to be read. */
  async startWith(...bytes: number[]): Promise<boolean> {
    while (this.#count < bytes.length) {
      const chunk = await this.#next();
      if (chunk === undefined) return false;
      this.#held.push(chunk);
    }
    const start = this.#held.flatMap((chunk) => [...chunk.subarray(0, bytes.length)]);
    return bytes.every((byte, index) => start[index] === byte);
  }

  /** The bytes, those that were looked at included. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#held.splice(0);
      for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) yield chunk;
    } finally {
      await this.#source.return?.();
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#source.next();
      if (done) return undefined;
      this.#count += value.length;
      return value;
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }
}
