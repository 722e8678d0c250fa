import { Buffer } from "node:buffer";
import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import { crc32, createGzip, deflateRaw } from "node:zlib";
import { isObject, parseJson } from "../core/json.ts";
import type { Quirks } from "../core/quirks.ts";

export type FileFormat = "GZIP_JSON" | "CSV" | "XLSX" | "TEXT";

export interface StoredFile {
  readonly bytes: Uint8Array;
  /** Number of rows; a report without rows has no file. */
  readonly rows: number;
}

const PART = 64 * 1024;

export async function writtenFile(
  rows: Iterable<string>,
  format: FileFormat,
  quirks: Quirks,
): Promise<StoredFile> {
  return format === "GZIP_JSON" ? await jsonFile(rows, quirks) : await tableFile(rows, format);
}

async function jsonFile(source: Iterable<string>, quirks: Quirks): Promise<StoredFile> {
  const isList = quirks.reportRows === "array";
  let rows = 0;
  function* text(): Generator<Uint8Array> {
    let part = isList ? "[" : "";
    for (const row of source) {
      part += isList ? `${rows === 0 ? "" : ","}${row}` : `${row}\n`;
      rows++;
      if (part.length < PART) continue;
      yield Buffer.from(part);
      part = "";
    }
    yield Buffer.from(isList ? `${part}]` : part);
  }
  const plain = Readable.from(text(), { objectMode: false });
  const chunks: Uint8Array[] = [];
  // A pipeline hands a problem with the rows on; an unheard one would end the process.
  const packed = quirks.reportPacking === "gzip" ? pipeline(plain, createGzip(), () => {}) : plain;
  for await (const chunk of packed) chunks.push(chunk as Uint8Array);
  return { bytes: Buffer.concat(chunks), rows };
}

async function tableFile(
  source: Iterable<string>,
  format: Exclude<FileFormat, "GZIP_JSON">,
): Promise<StoredFile> {
  if (format === "TEXT") return { rows: 0, bytes: Buffer.from([...source].join("")) };
  const lines: Cell[][] = [];
  for (const text of source) {
    const row = parseJson(text);
    if (!isObject(row)) continue;
    if (lines.length === 0) lines.push(Object.keys(row));
    lines.push(Object.values(row).map((value) => value === null ? null : cellOf(value)));
  }
  const rows = Math.max(0, lines.length - 1);
  return format === "CSV"
    ? { rows, bytes: Buffer.from(lines.map(csvLine).join("")) }
    : { rows, bytes: await workbook(lines) };
}

type Cell = string | number | null;

function cellOf(value: unknown): string | number {
  return typeof value === "number" ? value : String(value);
}

function csvLine(cells: readonly Cell[]): string {
  const texts = cells.map((cell) => {
    const text = String(cell ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${texts.join(",")}\r\n`;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

async function workbook(lines: readonly (readonly Cell[])[]): Promise<Uint8Array> {
  const relation = (kind: string, target: string): string =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/${kind}" ` +
    `Target="${target}"/></Relationships>`;
  return await zipFile({
    "[Content_Types].xml": `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/></Types>`,
    "_rels/.rels": relation("officeDocument", "xl/workbook.xml"),
    "xl/workbook.xml": `${HEAD}<workbook xmlns="${SHEETS}" xmlns:r="${DOCUMENT}"><sheets>` +
      '<sheet name="Report" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": relation("worksheet", "worksheets/sheet1.xml"),
    "xl/worksheets/sheet1.xml": `${HEAD}<worksheet xmlns="${SHEETS}"><sheetData>${
      lines.map(sheetRow).join("")
    }</sheetData></worksheet>`,
  });
}

function sheetRow(cells: readonly Cell[], index: number): string {
  const places = cells.map((cell) =>
    cell === null
      ? "<c/>"
      : typeof cell === "number"
      ? `<c><v>${cell}</v></c>`
      : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
  );
  return `<row r="${index + 1}">${places.join("")}</row>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const DEFLATED = 8;
/** 1 January 1980, the earliest date in zip archives. */
const DAY = 0x21;

async function zipFile(texts: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(texts)) {
    const name = Buffer.from(path);
    const plain = Buffer.from(text);
    const packed = await promisify(deflateRaw)(plain);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(DEFLATED, 4);
    about.writeUInt16LE(DAY, 8);
    about.writeUInt32LE(crc32(plain), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(plain.length, 18);
    about.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([word(LOCAL), about, name, packed]);
    parts.push(local);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([word(CENTRAL), Buffer.from([20, 0]), about, tail, name]));
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(central.length, 4);
  end.writeUInt16LE(central.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, word(END), end]);
}

function word(number: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number, 0);
  return bytes;
}
