import { rowCells, workbookTabs } from "../../../base/text/row_cells.ts";
import { elementsOf, stringText } from "../../../base/text/xml_text.ts";
import { CsvRows } from "./csv_rows.ts";
import { type BuiltinModules, type ByteSource, gunzip } from "./gunzip.ts";
import type { ColumnType, ReportRow } from "./report_row.ts";
import { RowScanner } from "./row_scanner.ts";
import { TableRows } from "./table_rows.ts";

export class BrokenReportFile extends Error {
  readonly rows: number;

  constructor(message: string, rows: number, options?: ErrorOptions) {
    super(message, options);
    this.name = "BrokenReportFile";
    this.rows = rows;
  }
}

export interface ReadRowsOptions {
  readonly clean?: ((text: string) => string) | undefined;
  /**
   * Requested format; JSON is detected regardless.
   *
   * @default "GZIP_JSON"
   */
  readonly format?: string | undefined;
  readonly typeOf?: ((name: string) => ColumnType | undefined) | undefined;
  readonly list?: string | undefined;
  readonly escapes?: boolean | undefined;
  readonly modules?: BuiltinModules | undefined;
}

/**
 * Reads the rows of a file. Detects gzip, JSON, JSON Lines, and .xlsx from the bytes; CSV must be requested. Rows
 * arrive in batches in bounded memory, except for workbooks.
 *
 * @throws {BrokenReportFile} when the file is empty, truncated, damaged or not a report; its `cause` is an error of
 * the source.
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

const MAX_BYTES = 1_000_000_000;
const END = 0x06054b50;

const ENTRY = 0x02014b50;
const [STORED, DEFLATED] = [0, 8];

/** @throws {SyntaxError} when the archive is invalid, damaged, or expands excessively. */
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
 * Reads the rows of a workbook, whose first line contains the column names. The whole workbook, with at most a million
 * rows, is read into memory.
 *
 * @throws {SyntaxError} when the file is not a workbook.
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

class PeekedBytes implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  readonly #held: Uint8Array[] = [];
  #count = 0;
  #failed = false;

  constructor(source: ByteSource) {
    this.#source = Symbol.asyncIterator in source
      ? source[Symbol.asyncIterator]()
      : source[Symbol.iterator]();
  }

  get count(): number {
    return this.#count;
  }

  /** True once reading has failed, even if the error was handled elsewhere. */
  get failed(): boolean {
    return this.#failed;
  }

  async startWith(...bytes: number[]): Promise<boolean> {
    while (this.#count < bytes.length) {
      const chunk = await this.#next();
      if (chunk === undefined) return false;
      this.#held.push(chunk);
    }
    const start = this.#held.flatMap((chunk) => [...chunk.subarray(0, bytes.length)]);
    return bytes.every((byte, index) => start[index] === byte);
  }

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

const MAX_HEAD = 4096;
const MAX_TAIL = 64;

/**
 * Returns the list in JSON such as `{"rows": [...]}`; other files pass through unchanged.
 *
 * @param name Must be the first and only field.
 */
async function* listIn(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const opening = new RegExp(`^(?:\\xEF\\xBB\\xBF)?\\s*\\{\\s*"${name}"\\s*:\\s*(?=\\[)`);
  let kept: Uint8Array = new Uint8Array(0);
  let isList: boolean | undefined;
  const decide = (): void => {
    const prefix = opening.exec(latin(kept.subarray(0, MAX_HEAD)))?.[0];
    isList = prefix !== undefined;
    kept = kept.subarray(prefix?.length ?? 0);
  };
  for await (const chunk of source) {
    kept = joined(kept, chunk);
    if (isList === undefined && kept.length >= MAX_HEAD) decide();
    if (isList === false) {
      yield kept;
      kept = new Uint8Array(0);
    } else if (isList && kept.length > MAX_TAIL) {
      yield kept.subarray(0, kept.length - MAX_TAIL);
      kept = kept.slice(kept.length - MAX_TAIL);
    }
  }
  if (isList === undefined) decide();
  const end = isList ? latin(kept).replace(/\}\s*$/, "").length : kept.length;
  if (end > 0) yield kept.subarray(0, end);
}

function latin(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
