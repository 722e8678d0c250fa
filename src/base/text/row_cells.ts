import { attribute, elementsIn, fromCell, stringText } from "./xml_text.ts";

export interface CellFormat {
  readonly type: "date" | "number";
  readonly note: { readonly type: "number"; readonly isPercent?: boolean; readonly currency?: string };
}

const DATES: readonly (readonly [first: number, last: number])[] = [[14, 22], [27, 36], [45, 47], [50, 58]];
const PERCENTS: ReadonlySet<number> = new Set([9, 10]);

export function styleFormats(styles: string): (CellFormat | undefined)[] {
  const codes = new Map<number, string>();
  for (const { tag } of elementsIn(styles, "numFmt")) {
    codes.set(Number(attribute(tag, "numFmtId")), attribute(tag, "formatCode") ?? "");
  }
  const [cells] = elementsIn(styles, "cellXfs");
  return [...elementsIn(cells?.inner ?? "", "xf")].map(({ tag }) => {
    const id = Number(attribute(tag, "numFmtId") ?? 0);
    const code = codes.get(id);
    if (code !== undefined) return formatOf(code);
    if (DATES.some(([first, last]) => id >= first && id <= last)) return DATE;
    return PERCENTS.has(id) ? PERCENT : undefined;
  });
}

const DATE: CellFormat = { type: "date", note: { type: "number" } };
const PERCENT: CellFormat = { type: "number", note: { type: "number", isPercent: true } };

function formatOf(code: string): CellFormat | undefined {
  const [, bracket] = /\[\$([^\]-]+)(?:-[^\]]*)?\]/.exec(code) ?? [];
  const [quoted] =
    /\p{Sc}|\b[A-Z]{3}\b/u.exec([...code.matchAll(/"([^"]*)"/g)].map(([, text]) => text).join(" ")) ?? [];
  const bare = code.replace(/"[^"]*"|\[[^\]]*\]|\\.|_.|\*./g, "");
  const [sign] = /\p{Sc}/u.exec(bare) ?? [];
  if (/[ymdhs]/i.test(bare.replace(/general/gi, ""))) return DATE;
  if (bare.includes("%")) return PERCENT;
  const currency = (bracket ?? quoted ?? sign)?.trim();
  return currency === undefined || currency === ""
    ? undefined
    : { type: "number", note: { type: "number", currency } };
}

export interface CellNote {
  readonly type?: "number" | "date" | "boolean" | "error";
  readonly isPercent?: boolean;
  readonly currency?: string;
  readonly formula?: "value" | "no value";
}

export interface RowCells {
  /** Cells of the row: numbers as written in the file, dates as YYYY-MM-DD. */
  readonly cells: string[];
  readonly notes?: readonly (CellNote | undefined)[];
}

export interface SharedParts {
  readonly strings: { at(index: number): string | undefined };
  readonly formats?: readonly (CellFormat | undefined)[];
  readonly is1904?: boolean;
}

const FORMULA = /<(?:\w{1,32}:)?f[\s>/]/;
const MAX_COLUMNS = 16_384;

/**
 * Reads the cells of a row. Numbers are returned as written, so ids of 19 digits stay intact.
 *
 * @throws {RangeError} when a cell is beyond the last column.
 */
export function rowCells(row: string, shared: SharedParts): RowCells {
  const cells: string[] = [];
  let notes: (CellNote | undefined)[] | undefined;
  for (const { tag, inner } of elementsIn(row, "c")) {
    const place = quickAttribute(tag, "r");
    const at = place === undefined ? cells.length : columnIndex(place);
    if (!(at < MAX_COLUMNS)) {
      throw new RangeError(
        `A cell is in column ${place ?? at + 1}: a sheet has ${MAX_COLUMNS} columns, up to XFD`,
      );
    }
    while (cells.length < at) cells.push("");
    const { text, note } = inner === undefined ? EMPTY : cellOf(tag, inner, shared);
    cells[at] = text;
    if (note !== undefined) (notes ??= [])[at] = note;
  }
  return notes === undefined ? { cells } : { cells, notes };
}

interface ReadCell {
  readonly text: string;
  readonly note?: CellNote | undefined;
}
const EMPTY: ReadCell = { text: "" };

function quickAttribute(tag: string, name: string): string | undefined {
  const from = tag.indexOf(` ${name}="`);
  if (from < 0) return tag.includes("'") ? attribute(tag, name) : undefined;
  const start = from + name.length + 3;
  return tag.slice(start, tag.indexOf('"', start));
}

function cellOf(tag: string, inner: string, { strings, formats, is1904 = false }: SharedParts): ReadCell {
  const type = quickAttribute(tag, "t");
  if (type === "inlineStr") return { text: stringText(inner) };
  const [found] = elementsIn(inner, "v");
  const value = fromCell(found?.inner ?? "");
  const formula = inner.includes("f") && FORMULA.test(inner)
    ? value === "" && type !== "str" ? "no value" as const : "value" as const
    : undefined;
  if (type === "s") return { text: strings.at(Number(value)) ?? "", note: noted({}, formula) };
  if (type === "str") return { text: value, note: noted({}, formula) };
  if (type === "b") return { text: value === "1" ? "TRUE" : "FALSE", note: noted(BOOLEAN, formula) };
  if (type === "e") return { text: value, note: noted(ERROR, formula) };
  if (value === "") return { text: "", note: noted({}, formula) };
  if (type === "d") {
    return { text: value.replace(/T00:00(:00(\.0+)?)?Z?$/, ""), note: noted(DATE_NOTE, formula) };
  }
  const style = formats === undefined ? undefined : quickAttribute(tag, "s");
  const format = style === undefined ? undefined : formats?.[Number(style)];
  const day = format?.type === "date" ? dayOfSerial(Number(value), { is1904 }) : undefined;
  if (day !== undefined) return { text: day, note: noted(DATE_NOTE, formula) };
  return { text: value, note: noted(format?.note ?? NUMBER, formula) };
}

const NUMBER: CellNote = { type: "number" };
const BOOLEAN: CellNote = { type: "boolean" };
const ERROR: CellNote = { type: "error" };
const DATE_NOTE: CellNote = { type: "date" };

function noted(note: CellNote, formula: CellNote["formula"]): CellNote | undefined {
  if (formula !== undefined) return { ...note, formula };
  return note.type === undefined ? undefined : note;
}

const DAY = 86_400_000;

export function dayOfSerial(serial: number, { is1904 }: { is1904: boolean }): string | undefined {
  if (!(serial >= 0 && serial < 2_958_466)) return undefined;
  // A day that never was, 29 February 1900, is counted from the earlier epoch.
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const text = new Date(Math.round((epoch + serial * DAY) / 1000) * 1000).toISOString().slice(0, 19);
  return text.endsWith("T00:00:00") ? text.slice(0, 10) : text;
}

/** Converts a day to a spreadsheet serial number; valid from March 1900. */
export function dayNumber(day: string): number {
  return Math.round((Date.parse(day) - Date.UTC(1899, 11, 30)) / DAY);
}

export function columnIndex(place: string): number {
  let index = 0;
  for (const char of place) {
    const letter = char.charCodeAt(0) - 64;
    if (letter < 1 || letter > 26) break;
    index = index * 26 + letter;
  }
  return index - 1;
}

/** Returns the letters of a column: 0 is `A`, 26 `AA`. */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + index % 26);
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

export interface WorkbookTab {
  readonly name: string;
  readonly path: string;
  readonly isHidden: boolean;
}

const RELATION = /<(?:\w+:)?Relationship\b([^>]*)>/g;

function targetPath(target: string, from: string): string {
  const path = target.replaceAll("\\", "/");
  const whole = path.startsWith("/") ? path.slice(1) : from.replace(/[^/]*$/, "") + path;
  return whole.replace(/[^/]+\/\.\.\//g, "").replace(/(^|\/)\.\//g, "$1");
}

export function relationsOf(path: string): string {
  return path.replace(/[^/]*$/, (file) => `_rels/${file}.rels`);
}

export function partNamed(
  type: string,
  { relations, from }: { readonly relations: string; readonly from: string },
): string | undefined {
  for (const [, tag = ""] of relations.matchAll(RELATION)) {
    if (attribute(tag, "Type")?.endsWith(`/${type}`) !== true) continue;
    return targetPath(attribute(tag, "Target") ?? "", from);
  }
  return undefined;
}

export function workbookTabs(
  workbook: string,
  relations: string,
  path: string = "xl/workbook.xml",
): WorkbookTab[] {
  const targets = new Map(
    [...relations.matchAll(RELATION)].map(([, tag = ""]) => [
      attribute(tag, "Id"),
      attribute(tag, "Target") ?? "",
    ]),
  );
  return [...workbook.matchAll(/<(?:\w+:)?sheet\b([^>]*)>/g)].flatMap(([, tag = ""]) => {
    const target = targets.get(attribute(tag, "r:id"));
    if (target === undefined) return [];
    const isHidden = /hidden/i.test(attribute(tag, "state") ?? "");
    return [{ name: attribute(tag, "name") ?? "", path: targetPath(target, path), isHidden }];
  });
}

export function countsFrom1904(workbook: string): boolean {
  const [, tag = ""] = /<(?:\w+:)?workbookPr\b([^>]*)>/.exec(workbook) ?? [];
  return /^(1|true)$/i.test(attribute(tag, "date1904") ?? "");
}
