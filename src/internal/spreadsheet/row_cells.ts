import { columnIndex } from "./column_letters.ts";
import { attribute, fromCell, stringText } from "./xml_text.ts";

const CELL = /<(?:\w+:)?c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g;
const FORMULA = /<(?:\w+:)?f[\s>/]/;
const VALUE = /<(?:\w+:)?v\b[^>]*>([\s\S]*?)<\/(?:\w+:)?v>/;

/**
 * The texts of the cells in a `<row>` of a sheet, and the positions of those with formulas. Numbers come as they stand in
 * the file: an id of 19 digits stays whole.
 *
 * @param strings Shared texts of the workbook.
 */
export function rowCells(row: string, strings: readonly string[]): { cells: string[]; formulas?: number[] } {
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
