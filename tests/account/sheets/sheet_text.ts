import { csvOf } from "../../../src/account/tables/csv_lines.ts";
import { writeXlsxTabs } from "../../../src/account/sheets/write_xlsx.ts";
import { openTables, type SheetFile } from "../../../src/account/tables/open_tables.ts";

/** The lines of a sheet by tab, the head first. */
export function linesOf(file: SheetFile): Map<string, string[][]> {
  const tabs = new Map<string, string[][]>();
  for (const { tab, line: { cells } } of openTables(file).lines()) {
    if (cells.join("") === "" || tab === "Read me") continue;
    const lines = tabs.get(tab) ?? [];
    tabs.set(tab, lines);
    lines.push([...cells]);
  }
  return tabs;
}

/** A workbook of lines. */
export function xlsx(tabs: ReadonlyMap<string, readonly (readonly string[])[]>): SheetFile {
  const bytes = writeXlsxTabs([...tabs].map(([name, lines]) => ({ name, lines })));
  return { bytes, name: "bulk.xlsx" };
}

/** A CSV file of lines. */
export function csv(lines: readonly (readonly string[])[]): SheetFile {
  return { bytes: new TextEncoder().encode(csvOf(lines)), name: "bulk.csv" };
}

/** Rows of one product by the heads of their columns, as a CSV file. */
export function rows(records: readonly Readonly<Record<string, string>>[]): SheetFile {
  const heads = [
    ...new Set(["Product", "Entity", "Operation", ...records.flatMap((one) => Object.keys(one))]),
  ];
  return csv([heads, ...records.map((one) => heads.map((head) => one[head] ?? ""))]);
}
