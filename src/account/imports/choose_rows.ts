import { columnType } from "../../client/reports/file/report_row.ts";
import { isBlank, type SheetLine } from "../tables/sheet_lines.ts";
import type { Spill } from "../tables/spill.ts";
import type { ReportCells } from "./report_cells.ts";

const TOTAL =
  /^(?:(?:grand |sub)?totals?|sum|gesamt(?:summe|ergebnis)?|summe|total général|totale(?: complessivo)?|suma(?: końcowa)?|razem|totaal|eindtotaal|totalsumma|summa|toplam|genel toplam|合計|総計|总计|合计|總計|الإجمالي|المجموع)(?![\p{L}\p{N}])/iu;

function isTotalsRow(cells: ReportCells, line: SheetLine): boolean {
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

const COUNTRY = "- (marketplace country)";
const PROGRAM = "- (ad product)";

/** Rows of a report that are imported. */
interface ChosenRows {
  /** Number of rows. */
  readonly count: number;
  /** False for rows of another ad product or country; only for lines of {@linkcode figureLines}. */
  readonly isChosen: (line: SheetLine) => boolean;
}

/** Yields the lines with figures: all but empty lines and rows of totals. */
export function* figureLines(cells: ReportCells, lines: Iterable<SheetLine>): Generator<SheetLine> {
  for (const line of lines) if (!isBlank(line) && !isTotalsRow(cells, line)) yield line;
}

/**
 * Leaves out rows of other ad products and countries, with a notice. Refuses several countries without a choice.
 *
 * @param options.country Country to import, spelled as in the file.
 * @param options.totals Receives the rows of totals.
 */
export function chooseRows(
  cells: ReportCells,
  { lines, country, totals }: {
    readonly lines: Iterable<SheetLine>;
    readonly country: string | undefined;
    readonly totals: Spill<SheetLine>;
  },
): ChosenRows {
  const counts = new Map<string, Map<string, number>>();
  for (const line of lines) {
    if (isBlank(line)) continue;
    if (isTotalsRow(cells, line)) {
      totals.push(line);
      continue;
    }
    const program = cells.text(line, PROGRAM);
    const own = counts.get(program) ?? new Map<string, number>();
    counts.set(program, own);
    addTo(own, cells.text(line, COUNTRY), 1);
  }
  const others = [...counts.keys()].filter((name) => /brand|display|television|\btv\b/i.test(name));
  for (const name of others) {
    const left = added(counts.get(name)?.values() ?? []);
    cells.notices.push(`${left} rows of ${name} are left out: download its own report`);
  }
  const byCountry = new Map<string, number>();
  for (const [program, own] of counts) {
    if (others.includes(program)) continue;
    for (const [name, count] of own) addTo(byCountry, name, count);
  }
  const total = added(byCountry.values());
  const wanted = wantedCountries(cells, { counts: byCountry, total, country });
  return {
    count: wanted === undefined ? total : added([...wanted].map((name) => byCountry.get(name) ?? 0)),
    isChosen: (line) =>
      !others.includes(cells.text(line, PROGRAM)) && (wanted?.has(cells.text(line, COUNTRY)) ?? true),
  };
}

/** Returns the spellings of the country to import, `undefined` for all rows. */
function wantedCountries(
  cells: ReportCells,
  { counts, total, country }: {
    readonly counts: ReadonlyMap<string, number>;
    readonly total: number;
    readonly country: string | undefined;
  },
): ReadonlySet<string> | undefined {
  const names = [...counts.keys()].filter((name) => name !== "");
  if (country === undefined) {
    if (names.length > 1) {
      cells.refuseColumn(
        COUNTRY,
        `it holds ${names.join(", ")}: choose the one for ${cells.countryCode} with --country`,
      );
    }
    return undefined;
  }
  if (names.length === 0) return undefined;
  const wanted = new Set(names.filter((name) => name.toLowerCase() === country.trim().toLowerCase()));
  const count = added([...wanted].map((name) => counts.get(name) ?? 0));
  if (count === 0) {
    cells.refuseColumn(COUNTRY, `it has no rows of "${country}": it holds ${names.join(", ")}`);
  } else if (count < total) {
    cells.notices.push(`${total - count} rows of other countries than ${country} are left out`);
  }
  return wanted;
}

function addTo(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function added(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}
