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
import { Spill } from "./spill.ts";
import { zipParts } from "./zip_parts.ts";

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
  const texts = { workbook: "", rels: "", styles: "" };
  const wanted = (path: string): ((text: string) => void) | undefined => {
    if (path === "xl/workbook.xml") return (text) => void (texts.workbook += text);
    if (path === "xl/_rels/workbook.xml.rels") return (text) => void (texts.rels += text);
    if (path === "xl/styles.xml") return (text) => void (texts.styles += text);
    return undefined;
  };
  for (const _ of zipParts(bytes, { name, wanted })) { /* everything is kept above */ }
  const tabs = workbookTabs(texts.workbook, texts.rels);
  if (tabs.length === 0) throw new SheetFileError(name, "it is not a workbook");
  const is1904 = countsFrom1904(texts.workbook);
  const formats = styleFormats(texts.styles);
  return {
    tabs,
    is1904,
    *lines() {
      const strings = new Spill<string>();
      try {
        const take = elementsOf("si", (element) => strings.push(stringText(element)));
        const wanted = (path: string): typeof take | undefined =>
          path === "xl/sharedStrings.xml" ? take : undefined;
        for (const _ of zipParts(bytes, { name, wanted })) { /* everything is kept above */ }
        yield* workbookLines(bytes, { name, tabs, shared: { strings, formats, is1904 } });
      } finally {
        strings.close();
      }
    },
  };
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
  for (const _ of zipParts(bytes, { name, wanted })) yield* lines.splice(0);
}
