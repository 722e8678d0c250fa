import { columnType } from "../../client/reports/file/report_row.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";

/** Words with which a row of totals begins, in the languages of the markets. */
const TOTAL =
  /^(?:(?:grand |sub)?totals?|sum|gesamt(?:summe|ergebnis)?|summe|total général|totale(?: complessivo)?|suma(?: końcowa)?|razem|totaal|eindtotaal|totalsumma|summa|toplam|genel toplam|合計|総計|总计|合计|總計|الإجمالي|المجموع)(?![\p{L}\p{N}])/iu;

/** True for a row of totals: one that names neither a day nor a campaign, or that says what it is. */
export function isTotalsRow(
  { cells }: SheetLine,
  { at, dayColumns }: { readonly at: ReadonlyMap<string, number>; readonly dayColumns: readonly string[] },
): boolean {
  const cell = (name: string): string => cells[at.get(name) ?? -1]?.trim() ?? "";
  const first = cells.find((text) => text.trim() !== "")?.trim() ?? "";
  const hasWord = TOTAL.test(first) || TOTAL.test(cell("campaignName"));
  const hasDay = dayColumns.some((name) => /\d/.test(cell(name)));
  return hasWord ? !hasDay : !hasDay && cell("campaignName") === "" && /\d/.test(cells.join(""));
}

/** A sum of rounded amounts may differ by as much, for each row. */
const ROUNDED = 0.006;

/** Adds up the numbers of the rows of a report, to compare rows of totals with them. */
export class ColumnSums {
  readonly #sums: Map<string, number>;
  #rows = 0;

  constructor(names: readonly string[]) {
    this.#sums = new Map(names.filter((name) => ADDED.test(name)).map((name) => [name, 0]));
  }

  take(numberOf: (name: string) => number | undefined): void {
    this.#rows += 1;
    for (const [name, sum] of this.#sums) this.#sums.set(name, sum + (numberOf(name) ?? 0));
  }

  /** The first number of a row of totals that is not the sum of the rows; where all fit, how many were compared. */
  compared(
    totalOf: (name: string) => number | undefined,
  ): { readonly name: string; readonly message: string } | { readonly compared: number } {
    let compared = 0;
    for (const [name, sum] of this.#sums) {
      const total = totalOf(name);
      if (total === undefined) continue;
      compared += 1;
      const slack = columnType(name) === "integer" ? 0 : ROUNDED * (this.#rows + 1);
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
}

/** Columns that can be added up. */
const ADDED = /^(?:impressions|clicks|cost|sales|purchases|unitsSold|attributedSales|orders)/;
