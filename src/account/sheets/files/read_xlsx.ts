import { type LineReader, SheetFileError } from "./sheet_lines.ts";
import { rowCells, type WorkbookTab, workbookTabs } from "../../../internal/spreadsheet/row_cells.ts";
import { attribute, elementsOf, stringText } from "../../../internal/spreadsheet/xml_text.ts";
import { readZipEntries } from "./zip_entries.ts";

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
