import { columnIndex } from "./column_letters.ts";
import { SheetFileError } from "./sheet_file_error.ts";
import type { LineReader } from "./sheet_lines.ts";
import { attribute, elementsOf, fromCell, stringText } from "./xml_text.ts";
import { readZipEntries } from "./zip_entries.ts";

/** A tab of a workbook and where it is in the archive. */
export interface XlsxTab {
  /** As people see it. */
  readonly name: string;
  /** Path in the archive. */
  readonly path: string;
}

/** Rows of a tab at most, as in spreadsheet programs; more are refused. */
const MAX_ROWS = 1_048_576;

/**
 * Reads an .xlsx file line by line. Texts and numbers come as they stand in the file: an id of 19 digits stays whole.
 *
 * @throws {SheetFileError} for what is no workbook, is damaged, or expands without measure.
 */
export function readXlsx(bytes: Uint8Array, { name, take }: { name: string; take: LineReader }): XlsxTab[] {
  const strings: string[] = [];
  const tabs = readWorkbook(bytes, { name, strings });
  const byPath = new Map(tabs.map((tab) => [tab.path, tab]));
  readZipEntries(bytes, {
    name,
    wanted: (path) => {
      const tab = byPath.get(path);
      if (tab === undefined) return undefined;
      let last = 0;
      return elementsOf("row", (row) => {
        const tag = row.slice(0, row.indexOf(">"));
        last = Number(attribute(tag, "r") ?? last + 1);
        if (last > MAX_ROWS) {
          throw new SheetFileError(name, `tab "${tab.name}" has more than ${MAX_ROWS} rows`);
        }
        take(tab.name, { number: last, ...cellsOf(row, strings) });
      });
    },
  });
  return tabs;
}

/** The tabs in their order; fills in the texts that cells refer to. */
function readWorkbook(
  bytes: Uint8Array,
  { name, strings }: { name: string; strings: string[] },
): XlsxTab[] {
  const texts = { workbook: "", rels: "" };
  readZipEntries(bytes, {
    name,
    wanted: (path) => {
      if (path === "xl/workbook.xml") return (text) => void (texts.workbook += text);
      if (path === "xl/_rels/workbook.xml.rels") return (text) => void (texts.rels += text);
      return path === "xl/sharedStrings.xml"
        ? elementsOf("si", (element) => void strings.push(stringText(element)))
        : undefined;
    },
  });
  const targets = new Map(
    [...texts.rels.matchAll(/<(?:\w+:)?Relationship\b([^>]*)>/g)].map(([, tag = ""]) => [
      attribute(tag, "Id"),
      attribute(tag, "Target") ?? "",
    ]),
  );
  const tabs = [...texts.workbook.matchAll(/<(?:\w+:)?sheet\b([^>]*)>/g)].flatMap(([, tag = ""]) => {
    const target = targets.get(attribute(tag, "r:id"));
    if (target === undefined) return [];
    return [{
      name: attribute(tag, "name") ?? "",
      path: target.startsWith("/") ? target.slice(1) : `xl/${target}`,
    }];
  });
  if (tabs.length === 0) throw new SheetFileError(name, "it is not a workbook");
  return tabs;
}

const CELL = /<(?:\w+:)?c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g;

function cellsOf(row: string, strings: readonly string[]): { cells: string[]; formulas?: number[] } {
  const cells: string[] = [];
  const formulas: number[] = [];
  CELL.lastIndex = 0;
  for (let found = CELL.exec(row); found !== null; found = CELL.exec(row)) {
    const [, tag = "", inner] = found;
    const place = quickAttribute(tag, "r");
    const at = place === undefined ? cells.length : columnIndex(place);
    while (cells.length < at) cells.push("");
    cells[at] = inner === undefined ? "" : cellText(quickAttribute(tag, "t"), inner, strings);
    if (inner !== undefined && inner.includes("f") && FORMULA.test(inner)) formulas.push(at);
  }
  return formulas.length === 0 ? { cells } : { cells, formulas };
}

const FORMULA = /<(?:\w+:)?f[\s>/]/;
const VALUE = /<(?:\w+:)?v\b[^>]*>([\s\S]*?)<\/(?:\w+:)?v>/;

/** The value of a short attribute; sheets have millions of them. */
function quickAttribute(tag: string, name: string): string | undefined {
  const from = tag.indexOf(` ${name}="`);
  if (from < 0) return tag.includes("'") ? attribute(tag, name) : undefined;
  const start = from + name.length + 3;
  return tag.slice(start, tag.indexOf('"', start));
}

function cellText(type: string | undefined, inner: string, strings: readonly string[]): string {
  if (type === "inlineStr") return stringText(inner);
  const value = fromCell(VALUE.exec(inner)?.[1] ?? "");
  if (type === "s") return strings[Number(value)] ?? "";
  return type === "b" ? (value === "1" ? "TRUE" : "FALSE") : value;
}
