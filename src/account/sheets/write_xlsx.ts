import { strToU8, Zip, ZipDeflate } from "fflate";
import { SheetFileError } from "../tables/sheet_lines.ts";
import { columnLetters } from "../../base/spreadsheet/row_cells.ts";
import { toXml } from "../../base/spreadsheet/xml_text.ts";

/** A text, a number, or yes and no. An empty text leaves the cell empty. */
export type NewCell = string | number | boolean;

export interface NewTab {
  /** As people see it, at most 31 characters. */
  readonly name: string;
  /** Cells of each line, the head first. */
  readonly lines: Iterable<readonly NewCell[]>;
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

/** Parts of a workbook that are known before its first row. */
interface WorkbookForm {
  /** Number formats that its columns have. */
  readonly formats: readonly string[];
  /** Names of its tabs. @default those that were begun, which are written last */
  readonly names?: readonly string[] | undefined;
}

/**
 * Writes an .xlsx file row by row. Texts are texts: an id keeps its digits, and nothing becomes a formula.
 *
 * @throws {SheetFileError} for a text that is longer than a cell may be.
 */
export class XlsxWriter {
  readonly #zip: Zip;
  readonly #form: WorkbookForm;
  readonly #names: string[] = [];
  #sheet: SheetXml | undefined;
  #part: ZipDeflate | undefined;

  /** @param write Takes the bytes, a piece at a time. */
  constructor(write: (piece: Uint8Array) => void, form: WorkbookForm) {
    this.#form = form;
    this.#zip = new Zip((error, piece) => {
      if (error !== null) throw error;
      write(piece);
    });
    if (form.names !== undefined) this.#addHead(form.names);
    this.#add("xl/styles.xml", stylesXml(form.formats));
  }

  /** Begins the next tab; its first row is the head. */
  begin(tab: Omit<NewTab, "lines">): void {
    this.#endTab();
    this.#names.push(tab.name);
    this.#sheet = new SheetXml(tab, this.#form.formats);
    this.#part = new ZipDeflate(`xl/${sheetFile(this.#names.length - 1)}`, { level: 6 });
    this.#zip.add(this.#part);
  }

  /**
   * Adds a row to the tab.
   *
   * @param formats Formats of cells that differ from those of their columns.
   */
  row(cells: readonly NewCell[], formats?: ReadonlyMap<number, string>): void {
    this.#sheet?.add(cells, formats);
    const piece = this.#sheet?.taken();
    if (piece !== undefined) this.#part?.push(strToU8(piece));
  }

  /** Ends the file. */
  end(): void {
    this.#endTab();
    if (this.#form.names === undefined) this.#addHead(this.#names);
    this.#zip.end();
  }

  #endTab(): void {
    if (this.#sheet !== undefined) this.#part?.push(strToU8(this.#sheet.end()), true);
    this.#sheet = undefined;
  }

  #addHead(names: readonly string[]): void {
    const files = names.map((_, at) => sheetFile(at));
    this.#add(
      "[Content_Types].xml",
      `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
        `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>` +
        files.map((file) => `<Override PartName="/xl/${file}" ContentType="${TYPE}.worksheet+xml"/>`)
          .join("") +
        "</Types>",
    );
    this.#add("_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]]));
    const sheets = names.map((name, at) =>
      `<sheet name="${toXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`
    );
    this.#add(
      "xl/workbook.xml",
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join("")}</sheets></workbook>`,
    );
    this.#add(
      "xl/_rels/workbook.xml.rels",
      relations([...files.map((file) => ["worksheet", file] as const), ["styles", "styles.xml"]]),
    );
  }

  #add(path: string, text: string): void {
    const part = new ZipDeflate(path, { level: 6 });
    this.#zip.add(part);
    part.push(strToU8(text), true);
  }
}

/**
 * Writes tabs as an .xlsx file.
 *
 * @throws {SheetFileError} for a text that is longer than a cell may be.
 */
export function writeXlsxTabs(tabs: readonly NewTab[]): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  const writer = new XlsxWriter((piece) => void pieces.push(piece), {
    names: tabs.map(({ name }) => name),
    formats: [...new Set(tabs.flatMap((tab) => [...tab.formats?.values() ?? []]))],
  });
  for (const { lines, ...tab } of tabs) {
    writer.begin(tab);
    for (const cells of lines) writer.row(cells);
  }
  writer.end();
  return joined(pieces);
}

function sheetFile(at: number): string {
  return `worksheets/sheet${at + 1}.xml`;
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

/** The XML of a tab, row by row. */
class SheetXml {
  readonly #widths: readonly number[] | undefined;
  readonly #isTable: boolean;
  readonly #formats: readonly string[];
  readonly #styles: ReadonlyMap<number, number>;
  readonly #columns: string[] = [];
  #piece = "";
  #count = 0;
  #width = 0;

  constructor(
    { widths, isTable = true, formats = new Map() }: Omit<NewTab, "lines">,
    all: readonly string[],
  ) {
    this.#widths = widths;
    this.#isTable = isTable;
    this.#formats = all;
    this.#styles = new Map([...formats].map(([column, format]) => [column, this.#styleOf(format)]));
  }

  #styleOf(format: string): number {
    return FIXED_STYLES + this.#formats.indexOf(format);
  }

  add(cells: readonly NewCell[], formats?: ReadonlyMap<number, string>): void {
    this.#count += 1;
    if (this.#count === 1) this.#begin(cells);
    let row = `<row r="${this.#count}">`;
    cells.forEach((cell, at) => {
      const place = `${this.#columns[at] ??= columnLetters(at)}${this.#count}`;
      const own = formats?.get(at);
      const style = own === undefined ? this.#styles.get(at) ?? 0 : this.#styleOf(own);
      row += cellXml(cell, place, { style, isHead: this.#isTable && this.#count === 1 });
    });
    this.#piece += `${row}</row>`;
  }

  #begin(head: readonly NewCell[]): void {
    this.#width = head.length;
    const widths = this.#widths ?? head.map((cell) => clamped(String(cell).length + 4));
    this.#piece += `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
      `${this.#isTable ? FROZEN : ""}</sheetView></sheetViews>${columnsXml(widths)}<sheetData>`;
  }

  /** Takes the text that is due, once it is long enough. */
  taken(): string | undefined {
    if (this.#piece.length < PIECE) return undefined;
    const piece = this.#piece;
    this.#piece = "";
    return piece;
  }

  end(): string {
    if (this.#count === 0) this.#begin([]);
    const last = `${columnLetters(this.#width - 1)}${this.#count}`;
    const filter = this.#isTable && this.#width > 0 ? `<autoFilter ref="A1:${last}"/>` : "";
    return `${this.#piece}</sheetData>${filter}</worksheet>`;
  }
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
  cell: NewCell,
  place: string,
  { style, isHead }: { style: number; isHead: boolean },
): string {
  const texts = isHead ? 2 : 1;
  if (cell === "") return `<c r="${place}" s="${texts}"/>`;
  if (typeof cell === "number") {
    return `<c r="${place}"${style === 0 ? "" : ` s="${style}"`}><v>${cell}</v></c>`;
  }
  if (typeof cell === "boolean") return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
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
