import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { columnIndex, columnLetters } from "../../base/text/row_cells.ts";
import { openWorkbook } from "../tables/xlsx_lines.ts";
import { inlineText } from "./write_xlsx.ts";
import { attribute, elementsIn } from "../../base/text/xml_text.ts";

export type CellPatches = ReadonlyMap<number, string>;

/**
 * Changes lines of an .xlsx file and copies everything else unchanged: other parts byte for byte, other cells with
 * their formats.
 *
 * @param patchOf `undefined` leaves the line unchanged.
 */
export function patchXlsx(
  bytes: Uint8Array,
  { name, patchOf }: { name: string; patchOf: (tab: string, row: number) => CellPatches | undefined },
): Uint8Array<ArrayBuffer> {
  // Reading it first refuses what is damaged or expands without measure.
  const { tabs, lines } = openWorkbook(bytes, { name });
  for (const _ of lines()) { /* only whether it can be read */ }
  const byPath = new Map(tabs.map((tab) => [tab.path, tab.name]));
  const parts = unzipSync(bytes);
  for (const [path, part] of Object.entries(parts)) {
    const tab = byPath.get(path);
    if (tab !== undefined) parts[path] = strToU8(patchedSheet(strFromU8(part), (row) => patchOf(tab, row)));
  }
  return new Uint8Array(zipSync(parts));
}

function patchedSheet(xml: string, patchOf: (row: number) => CellPatches | undefined): string {
  let last = 0;
  let isPatched = false;
  let patched = "";
  let copied = 0;
  for (const { tag, start, end } of elementsIn(xml, "row")) {
    last = Number(attribute(tag, "r") ?? last + 1);
    const patches = patchOf(last);
    if (patches === undefined) continue;
    isPatched = true;
    patched += xml.slice(copied, start) + patchedRow(xml.slice(start, end), last, patches);
    copied = end;
  }
  patched += xml.slice(copied);
  // The extent of the sheet is a hint that would be wrong now.
  return isPatched ? patched.replace(/<(?:\w+:)?dimension\b[^>]*?\/>/, "") : patched;
}

function patchedRow(row: string, number: number, patches: CellPatches): string {
  const [, prefix = ""] = /^<(\w+:)?row/.exec(row) ?? [];
  const [, attributes = ""] = /^<(?:\w+:)?row((?:\s[^>]*?)?)\/?>/.exec(row) ?? [];
  const cells = new Map<number, string>();
  let at = 0;
  let end = row.indexOf(">") + 1;
  for (const { start, end: cellEnd } of elementsIn(row, "c")) {
    const cell = row.slice(start, cellEnd);
    const place = attribute(cell.slice(0, cell.indexOf(">")), "r");
    if (place !== undefined) at = columnIndex(place);
    cells.set(
      at,
      place === undefined ? cell.replace(/^<((?:\w+:)?c)/, `<$1 r="${columnLetters(at)}${number}"`) : cell,
    );
    at += 1;
    end = cellEnd;
  }
  for (const [column, text] of patches) {
    const old = cells.get(column) ?? "";
    const style = attribute(old.slice(0, old.indexOf(">")), "s");
    const kept = style === undefined ? "" : ` s="${style}"`;
    const inner = inlineText(text).replace(/<(\/?)(is|t)\b/g, `<$1${prefix}$2`);
    cells.set(
      column,
      `<${prefix}c r="${columnLetters(column)}${number}"${kept} t="inlineStr">${inner}</${prefix}c>`,
    );
  }
  const tail = row.endsWith("/>") && cells.size === patches.size
    ? ""
    : row.slice(end).replace(/<\/(?:\w+:)?row>$/, "");
  const ordered = [...cells].sort(([a], [b]) => a - b).map(([, cell]) => cell).join("");
  const kept = attributes.replace(/\sspans="[^"]*"/, "");
  return `<${prefix}row${kept}>${ordered}${tail}</${prefix}row>`;
}
