import { columnType } from "../../client/reports/file/report_row.ts";
import type { ReportPresetName } from "../../client/reports/requests/presets.ts";
import { reportLayout } from "../../store/model/report_layout.ts";
import { BRANDS_TARGETING } from "../tables/console_headers.ts";
import type { RecognizedTable } from "./recognize_table.ts";

export function storedColumns(preset: ReportPresetName): ReadonlySet<string> {
  return new Set(reportLayout(preset).columns.map(({ name }) => name));
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

export function isNumeric(name: string): boolean {
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
