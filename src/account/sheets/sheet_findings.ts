import type { HeaderList } from "../tables/console_headers.ts";
import { bestReport } from "../tables/console_headers.ts";
import { formatOf, mapAdvice, seenIn } from "../tables/known_formats.ts";
import type { FoundTable, TableSource } from "../tables/open_tables.ts";
import { SheetFileError } from "../tables/sheet_lines.ts";
import type { BulkTable } from "./bulk_table.ts";
import { READ_ME } from "./sheet_layout.ts";

export function noBulkSheet(
  { name, tabs }: TableSource,
  others: readonly FoundTable[],
  { lists, wanted }: { readonly lists: readonly HeaderList[]; readonly wanted: string | undefined },
): SheetFileError {
  if (wanted !== undefined && !tabs.some((tab) => tab.name === wanted)) {
    const known = tabs.map((tab) => `"${tab.name}"`).join(", ");
    return new SheetFileError(name, `it has no tab "${wanted}", only ${known}`);
  }
  const hidden = hiddenTabs({ tabs });
  if (others.length === 0) return new SheetFileError(name, `it is empty${hidden}`);
  const seen = others.filter(({ tab }) => tab !== READ_ME).map((found) => {
    const lines = found.head === undefined ? found.above : [found.head];
    if (formatOf(lines) !== undefined) return seenIn(found, lists);
    const report = lines.flatMap(({ cells }) => bestReport(cells, lists) ?? [])[0];
    if (report === undefined) return seenIn(found, lists) + mapAdvice(found, "Entity");
    const where = found.tab === "" ? "it is" : `tab "${found.tab}" is`;
    return `${where} a report (${report}). Read it with importFiles()`;
  });
  const [only] = seen;
  if (seen.length === 1 && only !== undefined) {
    return new SheetFileError(
      name,
      `it has no bulk sheet with the columns Entity and Operation: ${only}${hidden}`,
    );
  }
  const each = seen.map((one) => `\n  ${one}`).join("");
  return new SheetFileError(
    name,
    `none of its tabs is a bulk sheet with the columns Entity and Operation:${each}${hidden}`,
  );
}

export function hiddenTabs({ tabs }: Pick<TableSource, "tabs">): string {
  const hidden = tabs.filter(({ isHidden }) => isHidden).map(({ name }) => `"${name}"`);
  return hidden.length === 0
    ? ""
    : `. Hidden tabs are not read, show those that are meant: ${hidden.join(", ")}`;
}

const MAX_NAMED = 5;

export function hiddenRowNotices(rows: readonly number[]): string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, MAX_NAMED).join(", ") + (rows.length > MAX_NAMED ? ", ..." : "");
  const those = rows.length === 1
    ? "1 hidden row has an operation and is"
    : `${rows.length} hidden rows have an operation and are`;
  return [`${those} read too (row ${shown})`];
}

export function turnedNotices(
  turned: readonly { readonly header: string; readonly text: string; readonly row: number }[],
): string[] {
  if (turned.length === 0) return [];
  const shown = turned.slice(0, MAX_NAMED).map(({ header, text, row }) =>
    `"${text}" in ${header}, row ${row}`
  );
  const more = turned.length > MAX_NAMED ? `; and ${turned.length - MAX_NAMED} more` : "";
  return [
    `A spreadsheet program may have changed these texts; compare them with the original: ${
      shown.join("; ")
    }${more}`,
  ];
}

export function sourceNotices({ guessed, tabs }: TableSource): string[] {
  const hidden = tabs.filter(({ isHidden }) => isHidden).map(({ name }) => `"${name}"`);
  return [
    ...(guessed === undefined ? [] : [`It is read as ${guessed}, not as UTF-8: check accented letters`]),
    ...(hidden.length === 0 ? [] : [`Hidden tabs are not read: ${hidden.join(", ")}`]),
  ];
}

export function titleNotices({ tab, above }: FoundTable): string[] {
  const [first, last] = [above[0], above.at(-1)];
  if (first === undefined || last === undefined) return [];
  const text = first.cells.filter((cell) => cell.trim() !== "").join(" ").slice(0, 60);
  const where = tab === "" ? "" : `Tab "${tab}": `;
  const lines = first === last
    ? `Line ${first.number} above the headers is`
    : `Lines ${first.number} to ${last.number} above the headers are`;
  return [`${where}${lines} not read: "${text}"`];
}

export function tableNotices({ calculated, turned, unconfirmed, unread }: BulkTable, tab: string): string[] {
  const where = tab === "" ? "" : `Tab "${tab}": `;
  const formulas = [...calculated].map(([header, count]) => `${count} in ${header}`);
  const columns = [...unread].map((head) => `"${head}"`);
  const words = [...unconfirmed].map((word) => `"${word}"`);
  return [
    ...turnedNotices(turned).map((notice) => `${where}${notice}`),
    ...(formulas.length === 0
      ? []
      : [`${where}Formulas are read with the values that were last calculated: ${formulas.join(", ")}`]),
    ...(columns.length === 0 ? [] : [
      `${where}Columns that are not known are not read: ${columns.join(", ")}. To read one: --map "${
        [...unread][0]
      }=known head"`,
    ]),
    ...(words.length === 0 ? [] : [
      `${where}These words were translated, but not confirmed with a real file: ${words.join(", ")}`,
    ]),
  ];
}
