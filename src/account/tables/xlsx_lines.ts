import { Unzip, UnzipInflate } from "fflate";
import {
  countsFrom1904,
  rowCells,
  type SharedParts,
  type WorkbookTab,
  workbookTabs,
} from "../../base/spreadsheet/row_cells.ts";
import { styleFormats } from "../../base/spreadsheet/cell_formats.ts";
import { attribute, elementsOf, stringText } from "../../base/spreadsheet/xml_text.ts";
import { SheetFileError, type TabLine } from "./sheet_lines.ts";

/** Rows of a tab at most, as in spreadsheet programs; more are refused. */
const MAX_ROWS = 1_048_576;

/** A workbook whose lines are read a piece at a time. */
export interface Workbook {
  /** Its tabs, in their order. */
  readonly tabs: readonly WorkbookTab[];
  /** True where days are counted from 1904. */
  readonly is1904: boolean;
  /** The lines of all tabs, in the order of the archive; each call reads them anew. */
  lines(): Generator<TabLine>;
}

/**
 * Opens an .xlsx file. Texts and numbers come as they stand in it: an id of 19 digits stays whole.
 *
 * @throws {SheetFileError} for what is no workbook, is damaged, or expands without measure; also while lines are read.
 */
export function openWorkbook(bytes: Uint8Array, { name }: { readonly name: string }): Workbook {
  const strings: string[] = [];
  const texts = { workbook: "", rels: "", styles: "" };
  const wanted = (path: string): ((text: string) => void) | undefined => {
    if (path === "xl/workbook.xml") return (text) => void (texts.workbook += text);
    if (path === "xl/_rels/workbook.xml.rels") return (text) => void (texts.rels += text);
    if (path === "xl/styles.xml") return (text) => void (texts.styles += text);
    return path === "xl/sharedStrings.xml"
      ? elementsOf("si", (element) => void strings.push(stringText(element)))
      : undefined;
  };
  for (const _ of zipEntries(bytes, { name, wanted })) { /* everything is kept above */ }
  const tabs = workbookTabs(texts.workbook, texts.rels);
  if (tabs.length === 0) throw new SheetFileError(name, "it is not a workbook");
  const is1904 = countsFrom1904(texts.workbook);
  const shared = { strings, formats: styleFormats(texts.styles), is1904 };
  return { tabs, is1904, lines: () => workbookLines(bytes, { name, tabs, shared }) };
}

function* workbookLines(
  bytes: Uint8Array,
  { name, tabs, shared }: { name: string; tabs: readonly WorkbookTab[]; shared: SharedParts },
): Generator<TabLine> {
  const byPath = new Map(tabs.map((tab) => [tab.path, tab]));
  const lines: TabLine[] = [];
  const wanted = (path: string): ((text: string) => void) | undefined => {
    const tab = byPath.get(path);
    if (tab === undefined) return undefined;
    let last = 0;
    return elementsOf("row", (row) => {
      const tag = row.slice(0, row.indexOf(">"));
      last = Number(attribute(tag, "r") ?? last + 1);
      if (last > MAX_ROWS) {
        throw new SheetFileError(name, `tab "${tab.name}" has more than ${MAX_ROWS} rows`);
      }
      lines.push({ tab: tab.name, line: { number: last, ...rowCells(row, shared) } });
    });
  };
  for (const _ of zipEntries(bytes, { name, wanted })) yield* lines.splice(0);
}

/** Bytes that are pushed at a time, so that a file which expands without end is noticed early. */
const CHUNK = 64 * 1024;
/** Bytes to which any file may expand, whatever its size, */
const FREE = 64_000_000;
/** and beyond that the maximum ratio: sheets expand 10 to 30 times, bombs 1,000 times. */
const MAX_RATIO = 120;
/** No sheet is larger. */
const MAX_BYTES = 2_000_000_000;

/**
 * Reads files of a zip archive one after the other, in bounded memory; yields after each piece.
 *
 * @param wanted Gives, for the name of a file, what gets its text in pieces; `undefined` to pass it over.
 * @throws {SheetFileError} for what is no archive, is damaged, or expands without measure.
 */
function* zipEntries(
  bytes: Uint8Array,
  { name, wanted }: {
    readonly name: string;
    readonly wanted: (path: string) => ((text: string) => void) | undefined;
  },
): Generator<void> {
  const limit = Math.min(MAX_BYTES, Math.max(FREE, bytes.length * MAX_RATIO));
  let total = 0;
  let found = 0;
  let failure: unknown;
  const unzip = new Unzip((file) => {
    found += 1;
    const take = wanted(file.name);
    if (take === undefined) return;
    const decoder = new TextDecoder();
    file.ondata = (error, chunk, isLast) => {
      if (failure !== undefined) return;
      if (error !== null) {
        failure = new SheetFileError(name, "it is damaged", { cause: error });
        return;
      }
      total += chunk.length;
      if (total > limit) {
        failure = new SheetFileError(
          name,
          `it expands to more than ${Math.round(limit / 1e6)} MB, which no sheet of its size does`,
        );
        return;
      }
      try {
        take(decoder.decode(chunk, { stream: !isLast }));
      } catch (cause) {
        failure = cause;
      }
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  for (let at = 0; at < bytes.length; at += CHUNK) {
    try {
      unzip.push(bytes.subarray(at, at + CHUNK), at + CHUNK >= bytes.length);
    } catch (cause) {
      failure ??= new SheetFileError(name, "it is damaged", { cause });
    }
    if (failure instanceof RangeError) throw new SheetFileError(name, failure.message);
    if (failure !== undefined) throw failure;
    yield;
  }
  if (found === 0) throw new SheetFileError(name, "it is not an .xlsx file");
}
