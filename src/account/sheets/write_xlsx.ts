import { strToU8, Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { chartXml, drawingXml, type NewChart } from "./chart_xml.ts";
import { SheetFileError } from "../tables/sheet_lines.ts";
import { columnLetters } from "../../base/text/row_cells.ts";
import { toXml } from "../../base/text/xml_text.ts";

export type NewCell = string | number | boolean;

export interface NewTab {
  /** Name of the tab, at most 31 characters. */
  readonly name: string;
  readonly lines: Iterable<readonly NewCell[]>;
  /** Number formats by column index, for example `0.00`. */
  readonly formats?: ReadonlyMap<number, string> | undefined;
  /**
   * In characters.
   *
   * @default 14 per header cell, more for longer ones
   */
  readonly widths?: readonly number[] | undefined;
  readonly isTable?: boolean | undefined;
  readonly charts?: readonly NewChart[] | undefined;
}

const MAX_CELL = 32_767;
const PIECE = 256 * 1024;
const SMALL = 4096;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const PARTS = "application/vnd.openxmlformats-officedocument.drawing";

/**
 * Number of fixed styles. Style 1 is text, so that typed or pasted ids keep their digits; style 2 is for headers,
 * style 3 for numbers in totals rows.
 */
const FIXED_STYLES = 4;
const FIRST_FORMAT = 164;

/**
 * Returns the XML of the styles. Elements that look empty are required: readers such as openpyxl reject a `<fill/>`
 * without a pattern.
 */
function stylesXml(formats: readonly string[]): string {
  const own = formats.map((format, at) =>
    `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${toXml(format)}"/>`
  );
  const xf = (numFmtId: number, more = ""): string =>
    `<xf numFmtId="${numFmtId}" fontId="0" fillId="0" borderId="0"${more}/>`;
  const bold = (numFmtId: number): string =>
    `<xf numFmtId="${numFmtId}" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
  const font = (more: string): string => `<font>${more}<sz val="11"/><name val="Calibri"/></font>`;
  return `${HEAD}<styleSheet xmlns="${MAIN}">` +
    (own.length === 0 ? "" : `<numFmts count="${own.length}">${own.join("")}</numFmts>`) +
    `<fonts count="2">${font("")}${font("<b/>")}</fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    `<cellStyleXfs count="1">${xf(0)}</cellStyleXfs>` +
    `<cellXfs count="${FIXED_STYLES + 2 * own.length}">${xf(0, ' xfId="0"')}` +
    xf(49, ' xfId="0" applyNumberFormat="1"') +
    bold(49) +
    bold(0) +
    own.map((_, at) => xf(FIRST_FORMAT + at, ' xfId="0" applyNumberFormat="1"')).join("") +
    own.map((_, at) => bold(FIRST_FORMAT + at)).join("") +
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';
}

interface WorkbookForm {
  readonly formats: readonly string[];
  readonly tabs?: readonly TabHead[] | undefined;
}

type TabHead = Pick<NewTab, "name" | "charts">;

/**
 * Streams an .xlsx file row by row. Texts stay texts: ids keep their digits, and nothing becomes a formula.
 *
 * @throws {SheetFileError} when a text exceeds the maximum cell length.
 */
export class XlsxWriter {
  readonly #zip: Zip;
  readonly #form: WorkbookForm;
  readonly #tabs: TabHead[] = [];
  #sheet: SheetXml | undefined;
  #part: ZipDeflate | undefined;

  constructor(write: (piece: Uint8Array) => void, form: WorkbookForm) {
    this.#form = form;
    this.#zip = new Zip((error, piece) => {
      if (error !== null) throw error;
      write(piece);
    });
    if (form.tabs !== undefined) this.#addHead(form.tabs);
    this.#addPart("xl/styles.xml", stylesXml(form.formats));
  }

  begin(tab: Omit<NewTab, "lines">): void {
    this.#endTab();
    this.#tabs.push(tab);
    this.#sheet = new SheetXml(tab, this.#form.formats);
    this.#part = new ZipDeflate(`xl/${sheetFile(this.#tabs.length - 1)}`, { level: 6 });
    this.#zip.add(this.#part);
  }

  row(cells: readonly NewCell[], formats?: ReadonlyMap<number, string>): void {
    this.#add(cells, { formats, isTotal: false });
  }

  total(cells: readonly NewCell[], formats?: ReadonlyMap<number, string>): void {
    this.#add(cells, { formats, isTotal: true });
  }

  #add(cells: readonly NewCell[], style: RowStyle): void {
    this.#sheet?.add(cells, style);
    const piece = this.#sheet?.taken();
    if (piece !== undefined) this.#part?.push(strToU8(piece));
  }

  end(): void {
    this.#endTab();
    if (this.#form.tabs === undefined) this.#addHead(this.#tabs);
    this.#zip.end();
  }

  #endTab(): void {
    if (this.#sheet !== undefined) this.#part?.push(strToU8(this.#sheet.end()), true);
    this.#sheet = undefined;
    const tab = this.#tabs.at(-1);
    if (tab?.charts !== undefined && tab.charts.length > 0) this.#addCharts(tab.charts, tab.name);
  }

  #addCharts(charts: readonly NewChart[], tab: string): void {
    const at = this.#tabs.length;
    const files = charts.map((_, index) => chartFile(at, index));
    this.#addPart(
      `xl/worksheets/_rels/sheet${at}.xml.rels`,
      relations([["drawing", `../${drawingFile(at)}`]]),
    );
    this.#addPart(`xl/${drawingFile(at)}`, drawingXml(charts));
    this.#addPart(
      `xl/drawings/_rels/drawing${at}.xml.rels`,
      relations(files.map((file) => ["chart", `../${file}`])),
    );
    charts.forEach((chart, index) => this.#addPart(`xl/${files[index]}`, chartXml(chart, tab)));
  }

  #addHead(tabs: readonly TabHead[]): void {
    const files = tabs.map((_, at) => sheetFile(at));
    const drawings = tabs.flatMap(({ charts = [] }, at) =>
      charts.length === 0 ? [] : [
        override(drawingFile(at + 1), `${PARTS}+xml`),
        ...charts.map((_, index) => override(chartFile(at + 1, index), `${PARTS}ml.chart+xml`)),
      ]
    );
    this.#addPart(
      "[Content_Types].xml",
      `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
        `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        override("workbook.xml", `${TYPE}.sheet.main+xml`) + override("styles.xml", `${TYPE}.styles+xml`) +
        files.map((file) => override(file, `${TYPE}.worksheet+xml`)).join("") + drawings.join("") +
        "</Types>",
    );
    this.#addPart("_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]]));
    const sheets = tabs.map(({ name }, at) =>
      `<sheet name="${toXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`
    );
    this.#addPart(
      "xl/workbook.xml",
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join("")}</sheets></workbook>`,
    );
    this.#addPart(
      "xl/_rels/workbook.xml.rels",
      relations([...files.map((file) => ["worksheet", file] as const), ["styles", "styles.xml"]]),
    );
  }

  /**
   * Adds a part to the file. Small parts stay uncompressed, because compressing one needs a hundred times its size in
   * memory.
   */
  #addPart(path: string, text: string): void {
    const part = text.length < SMALL ? new ZipPassThrough(path) : new ZipDeflate(path, { level: 6 });
    this.#zip.add(part);
    part.push(strToU8(text), true);
  }
}

export function writeXlsxTabs(tabs: readonly NewTab[]): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  const writer = new XlsxWriter((piece) => void pieces.push(piece), {
    tabs,
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

function drawingFile(tab: number): string {
  return `drawings/drawing${tab}.xml`;
}

function chartFile(tab: number, index: number): string {
  return `charts/chart${tab}_${index + 1}.xml`;
}

function override(file: string, type: string): string {
  return `<Override PartName="/xl/${file}" ContentType="${type}"/>`;
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(([type, target], at) =>
    `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${each.join("")}</Relationships>`;
}

const FROZEN = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
const [NARROW, WIDE] = [14, 40];

interface RowStyle {
  readonly formats?: ReadonlyMap<number, string> | undefined;
  readonly isTotal: boolean;
}

class SheetXml {
  readonly #hasCharts: boolean;
  readonly #widths: readonly number[] | undefined;
  readonly #isTable: boolean;
  readonly #formats: readonly string[];
  readonly #styles: ReadonlyMap<number, number>;
  readonly #columns: string[] = [];
  #piece = "";
  #count = 0;
  #totals = 0;
  #width = 0;

  constructor(
    { widths, isTable = true, formats = new Map(), charts = [] }: Omit<NewTab, "lines">,
    all: readonly string[],
  ) {
    this.#hasCharts = charts.length > 0;
    this.#widths = widths;
    this.#isTable = isTable;
    this.#formats = all;
    this.#styles = new Map([...formats].map(([column, format]) => [column, this.#styleOf(format)]));
  }

  #styleOf(format: string): number {
    return FIXED_STYLES + this.#formats.indexOf(format);
  }

  #boldOf(style: number): number {
    return style === 0 ? 3 : style + this.#formats.length;
  }

  add(cells: readonly NewCell[], { formats, isTotal }: RowStyle): void {
    this.#count += 1;
    if (isTotal) this.#totals += 1;
    if (this.#count === 1) this.#begin(cells);
    let row = `<row r="${this.#count}">`;
    cells.forEach((cell, at) => {
      const place = `${this.#columns[at] ??= columnLetters(at)}${this.#count}`;
      const own = formats?.get(at);
      const style = own === undefined ? this.#styles.get(at) ?? 0 : this.#styleOf(own);
      const isHead = this.#isTable && this.#count === 1;
      row += cellXml(cell, place, {
        number: isTotal ? this.#boldOf(style) : style,
        text: isHead || isTotal ? 2 : 1,
      });
    });
    this.#piece += `${row}</row>`;
  }

  #begin(head: readonly NewCell[]): void {
    this.#width = head.length;
    const widths = this.#widths ?? head.map((cell) => clamped(String(cell).length + 4));
    this.#piece += `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
      `${this.#isTable ? FROZEN : ""}</sheetView></sheetViews>${columnsXml(widths)}<sheetData>`;
  }

  taken(): string | undefined {
    if (this.#piece.length < PIECE) return undefined;
    const piece = this.#piece;
    this.#piece = "";
    return piece;
  }

  end(): string {
    if (this.#count === 0) this.#begin([]);
    const last = `${columnLetters(this.#width - 1)}${this.#count - this.#totals}`;
    const filter = this.#isTable && this.#width > 0 ? `<autoFilter ref="A1:${last}"/>` : "";
    const drawing = this.#hasCharts ? `<drawing xmlns:r="${OFFICE}" r:id="rId1"/>` : "";
    return `${this.#piece}</sheetData>${filter}${drawing}</worksheet>`;
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
  style: { readonly number: number; readonly text: number },
): string {
  if (cell === "") return `<c r="${place}" s="${style.text}"/>`;
  if (typeof cell === "number") {
    return `<c r="${place}"${style.number === 0 ? "" : ` s="${style.number}"`}><v>${cell}</v></c>`;
  }
  if (typeof cell === "boolean") return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  return `<c r="${place}" s="${style.text}" t="inlineStr">${inlineText(cell)}</c>`;
}

export function inlineText(text: string): string {
  if (text.length > MAX_CELL) {
    throw new SheetFileError(
      "to be written",
      `a text of ${text.length} characters is longer than a cell may be`,
    );
  }
  return `<is><t xml:space="preserve">${toXml(text)}</t></is>`;
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
