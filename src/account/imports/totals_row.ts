import { columnType } from "../../client/reports/file/report_row.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";

/** Words with which a row of totals begins, in the languages of the markets. */
const TOTAL =
  /^(?:(?:grand |sub)?totals?|sum|gesamt(?:summe|ergebnis)?|summe|total général|totale(?: complessivo)?|suma(?: końcowa)?|razem|totaal|eindtotaal|totalsumma|summa|toplam|genel toplam|合計|総計|总计|合计|總計|الإجمالي|المجموع)(?![\p{L}\p{N}])/iu;

/** Parts rows of totals from the others: rows that name neither a day nor a campaign, or that say what they are. */
export function splitTotals(
  lines: readonly SheetLine[],
  { at, dayColumns }: { readonly at: ReadonlyMap<string, number>; readonly dayColumns: readonly string[] },
): { readonly lines: readonly SheetLine[]; readonly totals: readonly SheetLine[] } {
  const cell = ({ cells }: SheetLine, name: string): string => cells[at.get(name) ?? -1]?.trim() ?? "";
  const isTotal = (line: SheetLine): boolean => {
    const first = line.cells.find((text) => text.trim() !== "")?.trim() ?? "";
    const hasWord = TOTAL.test(first) || TOTAL.test(cell(line, "campaignName"));
    const hasDay = dayColumns.some((name) => /\d/.test(cell(line, name)));
    return hasWord ? !hasDay : !hasDay && cell(line, "campaignName") === "" && /\d/.test(line.cells.join(""));
  };
  const { true: totals = [], false: others = [] } = Object.groupBy(
    lines,
    (line) => String(isTotal(line)),
  ) as {
    readonly true?: SheetLine[];
    readonly false?: SheetLine[];
  };
  return { lines: others, totals };
}

/** A sum of rounded amounts may differ by as much, for each row. */
const ROUNDED = 0.006;

/** The first number in a row of totals that is not the sum of the rows; where all fit, how many were compared. */
export function totalsProblem(
  totals: SheetLine,
  lines: readonly SheetLine[],
  { names, numberOf }: {
    readonly names: readonly string[];
    readonly numberOf: (line: SheetLine, name: string) => number | undefined;
  },
): { readonly name: string; readonly message: string } | { readonly compared: number } {
  let compared = 0;
  for (const name of names) {
    if (!ADDED.test(name)) continue;
    const total = numberOf(totals, name);
    if (total === undefined) continue;
    compared += 1;
    const sum = lines.reduce((before, line) => before + (numberOf(line, name) ?? 0), 0);
    const slack = columnType(name) === "integer" ? 0 : ROUNDED * (lines.length + 1);
    if (Math.abs(sum - total) <= slack + 1e-9) continue;
    const shown = Number(sum.toFixed(2));
    return {
      name,
      message:
        `the row of totals says ${total}, and the rows add up to ${shown}: rows are missing or were changed. ` +
        "Download the report once more, or remove the row of totals",
    };
  }
  return { compared };
}

/** Columns that can be added up. */
const ADDED = /^(?:impressions|clicks|cost|sales|purchases|unitsSold|attributedSales|orders)/;
