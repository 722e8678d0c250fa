import { strToU8, Zip, ZipDeflate } from "fflate";
import { SheetFileError } from "./sheet_lines.ts";
import { columnLetters } from "../../base/spreadsheet/row_cells.ts";
import { toXml } from "../../base/spreadsheet/xml_text.ts";

/** A tab that is written. */
export interface NewTab {
  /** As people see it, at most 31 characters. */
  readonly name: string;
  /** Cells of each line, the head first. */
  readonly lines: Iterable<readonly (string | number)[]>;
}

/** Characters that a cell may have. */
const MAX_CELL = 32_767;
/** Characters of XML that are compressed at a time. */
const PIECE = 256 * 1024;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Cells of style 1 are text, so that an id which somebody types or pastes keeps its digits. */
const STYLES =
  `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>` +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="2"><xf xfId="0"/><xf xfId="0" numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>';

/**
 * Writes tabs as an .xlsx file, a piece at a time. Texts are texts: an id keeps its digits, and nothing becomes a
 * formula.
 *
 * @throws {SheetFileError} for a text that is longer than a cell may be.
 */
export function writeXlsxTabs(tabs: readonly NewTab[]): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let failure: Error | undefined;
  const zip = new Zip((error, piece) => {
    if (error !== null) failure = error;
    else pieces.push(piece);
  });
  const add = (path: string, parts: Iterable<string>): void => {
    const file = new ZipDeflate(path, { level: 6 });
    zip.add(file);
    for (const part of parts) file.push(strToU8(part));
    file.push(new Uint8Array(), true);
  };
  const files = tabs.map((_, at) => `worksheets/sheet${at + 1}.xml`);
  add("[Content_Types].xml", [
    `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
    `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>` +
    files.map((file) => `<Override PartName="/xl/${file}" ContentType="${TYPE}.worksheet+xml"/>`).join("") +
    "</Types>",
  ]);
  add("_rels/.rels", [relations([["officeDocument", "xl/workbook.xml"]])]);
  add("xl/workbook.xml", [
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
    tabs.map(({ name }, at) => `<sheet name="${toXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join(
      "",
    ) +
    "</sheets></workbook>",
  ]);
  add("xl/_rels/workbook.xml.rels", [
    relations([...files.map((file) => ["worksheet", file] as const), ["styles", "styles.xml"]]),
  ]);
  add("xl/styles.xml", [STYLES]);
  for (const [at, { lines }] of tabs.entries()) add(`xl/${files[at]}`, sheetXml(lines));
  zip.end();
  if (failure !== undefined) throw failure;
  return joined(pieces);
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(([type, target], at) =>
    `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${each.join("")}</Relationships>`;
}

function* sheetXml(lines: NewTab["lines"]): Generator<string> {
  let piece = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>';
  let number = 0;
  const columns: string[] = [];
  for (const cells of lines) {
    number += 1;
    piece += `<row r="${number}">`;
    cells.forEach((cell, at) => piece += cellXml(cell, `${columns[at] ??= columnLetters(at)}${number}`));
    piece += "</row>";
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}</sheetData></worksheet>`;
}

function cellXml(cell: string | number, place: string): string {
  if (cell === "") return `<c r="${place}" s="1"/>`;
  if (typeof cell === "number") return `<c r="${place}"><v>${cell}</v></c>`;
  return `<c r="${place}" s="1" t="inlineStr">${inlineText(cell)}</c>`;
}

/**
 * A text inside of a cell.
 *
 * @throws {SheetFileError} when it is longer than a cell may be.
 */
export function inlineText(text: string): string {
  if (text.length > MAX_CELL) {
    throw new SheetFileError(
      "to be written",
      `a text of ${text.length} characters is longer than a cell may be`,
    );
  }
  return `<is><t xml:space="preserve">${toXml(text)}</t></is>`;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
