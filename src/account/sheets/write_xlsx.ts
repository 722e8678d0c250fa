import { strToU8, Zip, ZipDeflate } from "fflate";
import { SheetFileError } from "../tables/sheet_lines.ts";
import { columnLetters } from "../../base/spreadsheet/row_cells.ts";
import { toXml } from "../../base/spreadsheet/xml_text.ts";

export interface NewTab {
  /** As people see it, at most 31 characters. */
  readonly name: string;
  /** Cells of each line, the head first. */
  readonly lines: Iterable<readonly (string | number)[]>;
  /** Number formats of columns, by position, such as `0.00`. */
  readonly formats?: ReadonlyMap<number, string> | undefined;
  /** Widths of columns in characters. @default 14 for each cell of the head, more for longer ones */
  readonly widths?: readonly number[] | undefined;
  /** False for a tab of plain text, without a filter and a frozen head. @default true */
  readonly isTable?: boolean | undefined;
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

/** Cells of style 1 are text, so that an id which somebody types or pastes keeps its digits; those of style 2 are heads. */
const FIXED_STYLES = 3;
/** Number of the first format that is not built in. */
const FIRST_FORMAT = 164;

/** Elements that look empty but are required: readers such as openpyxl refuse a `<fill/>` without a pattern. */
function stylesXml(formats: readonly string[]): string {
  const own = formats.map((format, at) =>
    `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${toXml(format)}"/>`
  );
  const xf = (numFmtId: number, more = ""): string =>
    `<xf numFmtId="${numFmtId}" fontId="0" fillId="0" borderId="0"${more}/>`;
  const font = (more: string): string => `<font>${more}<sz val="11"/><name val="Calibri"/></font>`;
  return `${HEAD}<styleSheet xmlns="${MAIN}">` +
    (own.length === 0 ? "" : `<numFmts count="${own.length}">${own.join("")}</numFmts>`) +
    `<fonts count="2">${font("")}${font("<b/>")}</fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    `<cellStyleXfs count="1">${xf(0)}</cellStyleXfs>` +
    `<cellXfs count="${FIXED_STYLES + own.length}">${xf(0, ' xfId="0"')}` +
    xf(49, ' xfId="0" applyNumberFormat="1"') +
    '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>' +
    own.map((_, at) => xf(FIRST_FORMAT + at, ' xfId="0" applyNumberFormat="1"')).join("") +
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';
}

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
  const formats = [...new Set(tabs.flatMap((tab) => [...tab.formats?.values() ?? []]))];
  add("xl/styles.xml", [stylesXml(formats)]);
  for (const [at, tab] of tabs.entries()) {
    const styles = new Map(
      [...tab.formats ?? []].map(([column, format]) => [column, FIXED_STYLES + formats.indexOf(format)]),
    );
    add(`xl/${files[at]}`, sheetXml(tab, styles));
  }
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

const FROZEN = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
/** Width of a column whose head is short, and of one whose head is long. */
const [NARROW, WIDE] = [14, 40];

function* sheetXml(
  { lines, widths, isTable = true }: NewTab,
  styles: ReadonlyMap<number, number>,
): Generator<string> {
  let piece = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    `${isTable ? FROZEN : ""}</sheetView></sheetViews>`;
  let number = 0;
  let width = 0;
  const columns: string[] = [];
  for (const cells of lines) {
    number += 1;
    if (number === 1) {
      width = cells.length;
      piece += `${columnsXml(widths ?? cells.map((cell) => clamped(String(cell).length + 4)))}<sheetData>`;
    }
    piece += `<row r="${number}">`;
    cells.forEach((cell, at) => {
      const place = `${columns[at] ??= columnLetters(at)}${number}`;
      piece += cellXml(cell, place, { style: styles.get(at) ?? 0, isHead: isTable && number === 1 });
    });
    piece += "</row>";
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  const filter = isTable && width > 0 ? `<autoFilter ref="A1:${columnLetters(width - 1)}${number}"/>` : "";
  yield `${piece}${number === 0 ? "<sheetData>" : ""}</sheetData>${filter}</worksheet>`;
}

function clamped(width: number): number {
  return Math.max(NARROW, Math.min(WIDE, width));
}

function columnsXml(widths: readonly number[]): string {
  const each = widths.map((width, at) =>
    `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`
  );
  return each.length === 0 ? "" : `<cols>${each.join("")}</cols>`;
}

function cellXml(
  cell: string | number,
  place: string,
  { style, isHead }: { style: number; isHead: boolean },
): string {
  const texts = isHead ? 2 : 1;
  if (cell === "") return `<c r="${place}" s="${texts}"/>`;
  if (typeof cell === "number") {
    return `<c r="${place}"${style === 0 ? "" : ` s="${style}"`}><v>${cell}</v></c>`;
  }
  return `<c r="${place}" s="${texts}" t="inlineStr">${inlineText(cell)}</c>`;
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
