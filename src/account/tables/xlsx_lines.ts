import {
  countsFrom1904,
  partNamed,
  relationsOf,
  rowCells,
  type SharedParts,
  styleFormats,
  type WorkbookTab,
  workbookTabs,
} from "../../base/text/row_cells.ts";
import { attribute, elementsOf, stringText } from "../../base/text/xml_text.ts";
import { foreignArchive } from "./foreign_files.ts";
import { SheetFileError, type TabLine } from "./sheet_lines.ts";
import { Spill } from "./spill.ts";
import { zipParts, zipPaths } from "./zip_parts.ts";

/** Maximum number of rows in spreadsheet programs. */
const MAX_ROWS = 1_048_576;

export interface Workbook {
  readonly tabs: readonly WorkbookTab[];
  readonly is1904: boolean;
  lines(): Generator<TabLine>;
}

/**
 * Opens a workbook. Texts and numbers are returned as written, so ids of 19 digits stay intact.
 *
 * @throws {SheetFileError} when the file is not a workbook, is damaged, or expands excessively; also while lines are
 * read.
 */
export function openWorkbook(bytes: Uint8Array, { name }: { readonly name: string }): Workbook {
  const [links = ""] = partTexts(bytes, { name, paths: ["_rels/.rels"] });
  const path = partNamed("officeDocument", { relations: links, from: "" }) ?? "xl/workbook.xml";
  const [workbook = "", relations = ""] = partTexts(bytes, { name, paths: [path, relationsOf(path)] });
  const tabs = workbookTabs(workbook, relations, path);
  if (tabs.length === 0) throw new SheetFileError(name, foreignArchive(zipPaths(bytes, { name })));
  const named = (type: string): string => partNamed(type, { relations, from: path }) ?? `xl/${type}.xml`;
  const is1904 = countsFrom1904(workbook);
  const [styles = ""] = partTexts(bytes, { name, paths: [named("styles")] });
  const formats = styleFormats(styles);
  return {
    tabs,
    is1904,
    *lines() {
      const strings = new Spill<string>();
      try {
        const take = elementsOf("si", (element) => strings.push(stringText(element)));
        const wanted = (path: string): typeof take | undefined =>
          samePath(path, named("sharedStrings")) ? take : undefined;
        for (const _ of zipParts(bytes, { name, wanted })) { /* everything is kept above */ }
        yield* workbookLines(bytes, { name, tabs, shared: { strings, formats, is1904 } });
      } finally {
        strings.close();
      }
    },
  };
}

function samePath(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function partTexts(
  bytes: Uint8Array,
  { name, paths }: { readonly name: string; readonly paths: readonly string[] },
): string[] {
  const texts = paths.map(() => "");
  const wanted = (path: string): ((text: string) => void) | undefined => {
    const at = paths.findIndex((one) => samePath(one, path));
    return at < 0 ? undefined : (text) => void (texts[at] += text);
  };
  for (const _ of zipParts(bytes, { name, wanted })) { /* everything is kept above */ }
  return texts;
}

function* workbookLines(
  bytes: Uint8Array,
  { name, tabs, shared }: { name: string; tabs: readonly WorkbookTab[]; shared: SharedParts },
): Generator<TabLine> {
  const byPath = new Map(tabs.map((tab) => [tab.path.toLowerCase(), tab]));
  const lines: TabLine[] = [];
  const wanted = (path: string): ((text: string) => void) | undefined => {
    const tab = byPath.get(path.toLowerCase());
    if (tab === undefined) return undefined;
    let last = 0;
    return elementsOf("row", (row) => {
      const tag = row.slice(0, row.indexOf(">"));
      last = Number(attribute(tag, "r") ?? last + 1);
      if (last > MAX_ROWS) {
        throw new SheetFileError(name, `tab "${tab.name}" has more than ${MAX_ROWS} rows`);
      }
      const isHidden = /^(?:1|true)$/.test(attribute(tag, "hidden") ?? "");
      const line = { number: last, ...rowCells(row, shared), ...(isHidden ? { isHidden } : {}) };
      lines.push({ tab: tab.name, line });
    });
  };
  for (const _ of zipParts(bytes, { name, wanted })) yield* lines.splice(0);
}
