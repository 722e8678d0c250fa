import { Buffer } from "node:buffer";
import { isObject, parseJson } from "../core/json.ts";
import type { StoredFile } from "./file_rows.ts";
import { zipFile } from "./zip_file.ts";

/** A file of rows as a table, the names of the columns first. */
export async function tableFile(source: Iterable<string>, format: "CSV" | "XLSX"): Promise<StoredFile> {
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

/** Ids keep their digits as text. */
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
