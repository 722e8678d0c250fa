import { columnType } from "../../client/reports/file/report_row.ts";
import type { SheetLine } from "../tables/sheet_lines.ts";
import type { ReportCells } from "./report_cells.ts";

const TOTAL =
  /^(?:(?:grand |sub)?totals?|sum|gesamt(?:summe|ergebnis)?|summe|total général|totale(?: complessivo)?|suma(?: końcowa)?|razem|totaal|eindtotaal|totalsumma|summa|toplam|genel toplam|合計|総計|总计|合计|總計|الإجمالي|المجموع)(?![\p{L}\p{N}])/iu;

export function isTotalsRow(cells: ReportCells, line: SheetLine): boolean {
  if (cells.columns.days.some((name) => /\d/.test(cells.text(line, name)))) return false;
  const campaign = cells.text(line, "campaignName");
  const first = line.cells.find((text) => text.trim() !== "")?.trim() ?? "";
  return TOTAL.test(first) || TOTAL.test(campaign) || (campaign === "" && /\d/.test(line.cells.join("")));
}

/** Maximum rounding error per row in a sum of rounded amounts. */
const ROUNDED = 0.006;

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

const ADDED = /^(?:impressions|clicks|cost|sales|purchases|unitsSold|attributedSales|orders)/;
