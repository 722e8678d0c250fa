import { rowCells } from "../../internal/spreadsheet/row_cells.ts";
import { workbookTabs } from "../../internal/spreadsheet/workbook_tabs.ts";
import { elementsOf, stringText } from "../../internal/spreadsheet/xml_text.ts";
import type { ReportRow } from "../report_row.ts";
import { TableRows } from "./table_rows.ts";
import { zipTexts } from "./zip_texts.ts";

const WORKBOOK = "xl/workbook.xml";
const RELATIONS = "xl/_rels/workbook.xml.rels";
const STRINGS = "xl/sharedStrings.xml";

/**
 * The rows of a workbook's first tab, whose first line names the columns. A workbook is read as a whole: it holds no more
 * than a million rows.
 *
 * @param clean Takes out of the text of cells what must not be handed on.
 * @throws {SyntaxError} when the bytes are not a workbook.
 */
export async function xlsxRows(
  bytes: Uint8Array<ArrayBuffer>,
  clean: (text: string) => string = (text) => text,
): Promise<ReportRow[]> {
  const parts = await zipTexts(bytes, (path) => [WORKBOOK, RELATIONS, STRINGS].includes(path));
  const [tab] = workbookTabs(parts.get(WORKBOOK) ?? "", parts.get(RELATIONS) ?? "");
  if (tab === undefined) throw new SyntaxError("it is not a workbook");
  const sheet = (await zipTexts(bytes, (path) => path === tab.path)).get(tab.path);
  if (sheet === undefined) throw new SyntaxError(`its tab "${tab.name}" is missing`);
  const strings: string[] = [];
  elementsOf("si", (element) => void strings.push(stringText(element)))(parts.get(STRINGS) ?? "");
  const table = new TableRows();
  const rows: ReportRow[] = [];
  let width = 0;
  elementsOf("row", (element) => {
    const { cells } = rowCells(element, strings);
    // A row ends with its last cell that holds something.
    width = Math.max(width, cells.length);
    while (cells.length < width) cells.push("");
    const row = table.take(cells.map(clean));
    if (row !== undefined) rows.push(row);
  })(sheet);
  if (!table.hasNames) throw new SyntaxError("it is empty");
  return rows;
}
