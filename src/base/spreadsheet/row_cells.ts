import { attribute, elementsIn, fromCell, stringText } from "./xml_text.ts";

const FORMULA = /<(?:\w{1,32}:)?f[\s>/]/;
/** Columns of a sheet: up to XFD. */
const MAX_COLUMNS = 16_384;

/**
 * The texts of the cells in a `<row>` of a sheet, and the positions of those with formulas. Numbers come as they stand in
 * the file: an id of 19 digits stays whole.
 *
 * @param strings Shared texts of the workbook.
 * @throws {RangeError} for a cell behind the last column that a sheet can have.
 */
export function rowCells(row: string, strings: readonly string[]): { cells: string[]; formulas?: number[] } {
  const cells: string[] = [];
  const formulas: number[] = [];
  for (const { tag, inner } of elementsIn(row, "c")) {
    const place = quickAttribute(tag, "r");
    const at = place === undefined ? cells.length : columnIndex(place);
    if (!(at < MAX_COLUMNS)) {
      throw new RangeError(
        `A cell is in column ${place ?? at + 1}: a sheet has ${MAX_COLUMNS} columns, up to XFD`,
      );
    }
    while (cells.length < at) cells.push("");
    cells[at] = inner === undefined ? "" : cellText(quickAttribute(tag, "t"), inner, strings);
    if (inner !== undefined && inner.includes("f") && FORMULA.test(inner)) formulas.push(at);
  }
  return formulas.length === 0 ? { cells } : { cells, formulas };
}

/** The value of a short attribute; sheets have millions of them. */
function quickAttribute(tag: string, name: string): string | undefined {
  const from = tag.indexOf(` ${name}="`);
  if (from < 0) return tag.includes("'") ? attribute(tag, name) : undefined;
  const start = from + name.length + 3;
  return tag.slice(start, tag.indexOf('"', start));
}

function cellText(type: string | undefined, inner: string, strings: readonly string[]): string {
  if (type === "inlineStr") return stringText(inner);
  const [found] = elementsIn(inner, "v");
  const value = fromCell(found?.inner ?? "");
  if (type === "s") return strings[Number(value)] ?? "";
  return type === "b" ? (value === "1" ? "TRUE" : "FALSE") : value;
}

/** `A` is 0, `Z` 25, `AA` 26. */
export function columnIndex(place: string): number {
  let index = 0;
  for (const char of place) {
    const letter = char.charCodeAt(0) - 64;
    if (letter < 1 || letter > 26) break;
    index = index * 26 + letter;
  }
  return index - 1;
}

/** The letters of a column: 0 is `A`, 26 `AA`. */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + index % 26);
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

/** A tab of a workbook and where it is in the archive. */
export interface WorkbookTab {
  /** As people see it. */
  readonly name: string;
  /** Path in the archive. */
  readonly path: string;
}

/**
 * The tabs of a workbook in their order.
 *
 * @param workbook Text of `xl/workbook.xml`.
 * @param relations Text of `xl/_rels/workbook.xml.rels`.
 */
export function workbookTabs(workbook: string, relations: string): WorkbookTab[] {
  const targets = new Map(
    [...relations.matchAll(/<(?:\w+:)?Relationship\b([^>]*)>/g)].map(([, tag = ""]) => [
      attribute(tag, "Id"),
      attribute(tag, "Target") ?? "",
    ]),
  );
  return [...workbook.matchAll(/<(?:\w+:)?sheet\b([^>]*)>/g)].flatMap(([, tag = ""]) => {
    const target = targets.get(attribute(tag, "r:id"));
    if (target === undefined) return [];
    const path = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
    return [{ name: attribute(tag, "name") ?? "", path }];
  });
}
