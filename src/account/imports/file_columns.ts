import { columnType } from "../../client/reports/file/report_row.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import { reportLayout } from "../../store/model/report_layout.ts";
import { BRANDS_TARGETING } from "../tables/console_headers.ts";
import type { RecognizedTable } from "./recognize_table.ts";

/** Columns of a table that are stored, by the way their cells are read. */
export interface ReadColumns {
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
  /** Day of each row, or first and last day. */
  readonly days: readonly [string, ...string[]];
}

export function readColumns({ at, preset }: RecognizedTable): ReadColumns {
  const stored = new Set(reportLayout(preset).columns.map(({ name }) => name));
  const names = [...at.keys()].filter((name) => stored.has(targetColumn(name, preset)));
  return {
    // Shares come as texts such as "<5%", which cannot be summed.
    numbers: names.filter((name) => isNumeric(name) && !name.includes("Share")),
    texts: [
      ...names.filter((name) => columnType(name) === "text"),
      ...(at.has(BRANDS_TARGETING) ? [BRANDS_TARGETING] : []),
    ],
    days: at.has("date") ? ["date"] : ["startDate", "endDate"],
  };
}

const BOUGHT: Readonly<Record<string, string>> = {
  sales: "sales14d",
  purchases: "orders14d",
  unitsSold: "unitsSold14d",
  newToBrandPurchases: "newToBrandPurchases14d",
  newToBrandSales: "newToBrandSales14d",
  newToBrandUnitsSold: "newToBrandUnitsSold14d",
};

export function targetColumn(name: string, preset: ReportPresetName): string {
  return preset === "sb_purchased_products" ? BOUGHT[name] ?? name : name;
}

function isNumeric(name: string): boolean {
  const type = columnType(name);
  return type === "integer" || type === "real";
}

const MATCH_TYPES: ReadonlySet<string> = new Set(["EXACT", "PHRASE", "BROAD"]);

export function textFields(name: string, text: string, { preset }: RecognizedTable): Record<string, string> {
  if (name === "matchType") {
    return { matchType: MATCH_TYPES.has(text.toUpperCase()) ? text.toUpperCase() : text };
  }
  if (name !== BRANDS_TARGETING) return { [name]: text };
  const isTarget = /^(?:asin|asin-expanded|category|brand|keyword-group)\s*=/i.test(text);
  if (preset === "sb_search_terms" || !isTarget) return { keywordText: text };
  return { targetingText: text };
}
