import { Unzip, UnzipInflate } from "fflate";
import { type LineReader, SheetFileError } from "./sheet_lines.ts";
import { rowCells, type WorkbookTab, workbookTabs } from "../../base/spreadsheet/row_cells.ts";
import { attribute, elementsOf, stringText } from "../../base/spreadsheet/xml_text.ts";

/** Rows of a tab at most, as in spreadsheet programs; more are refused. */
const MAX_ROWS = 1_048_576;

/**
 * Reads an .xlsx file line by line. Texts and numbers come as they stand in the file: an id of 19 digits stays whole.
 *
 * @throws {SheetFileError} for what is no workbook, is damaged, or expands without measure.
 */
export function readXlsx(
  bytes: Uint8Array,
  { name, take }: { name: string; take: LineReader },
): WorkbookTab[] {
  try {
    return readTabs(bytes, { name, take });
  } catch (error) {
    throw error instanceof RangeError ? new SheetFileError(name, error.message) : error;
  }
}

function readTabs(
  bytes: Uint8Array,
  { name, take }: { name: string; take: LineReader },
): WorkbookTab[] {
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
        take(tab.name, { number: last, ...rowCells(row, strings) });
      });
    },
  });
  return tabs;
}

/** The tabs in their order; fills in the texts that cells refer to. */
function readWorkbook(
  bytes: Uint8Array,
  { name, strings }: { name: string; strings: string[] },
): WorkbookTab[] {
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
  const tabs = workbookTabs(texts.workbook, texts.rels);
  if (tabs.length === 0) throw new SheetFileError(name, "it is not a workbook");
  return tabs;
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
 * Reads files of a zip archive one after the other, in bounded memory.
 *
 * @param wanted Gives, for the name of a file, what gets its text in pieces; `undefined` to pass it over.
 * @throws {SheetFileError} for what is no archive, is damaged, or expands without measure.
 */
function readZipEntries(
  bytes: Uint8Array,
  { name, wanted }: {
    readonly name: string;
    readonly wanted: (path: string) => ((text: string, isLast: boolean) => void) | undefined;
  },
): void {
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
        take(decoder.decode(chunk, { stream: !isLast }), isLast);
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
    if (failure !== undefined) throw failure;
  }
  if (found === 0) throw new SheetFileError(name, "it is not an .xlsx file");
}
