import { presetName, REPORT_PRESETS } from "../../reports/presets.ts";
import type { Row } from "../results/text_table.ts";

/** Cost for each unit of sales, which the server computes. */
export const ACOS = "acos";
/** Columns of sales, the preferred one first. */
const SALES = ["sales14d", "sales"];
/** Columns of a preset that an answer has where none are named. */
const USUAL: ReadonlySet<string> = new Set(
  ("campaignId campaignName adGroupId adGroupName adId keywordId keyword keywordText keywordBid targeting " +
    "targetingId targetingText matchType placementClassification searchTerm advertisedAsin advertisedSku " +
    "promotedAsin promotedSku purchasedAsin asinBrandHalo attributionType impressions clicks cost purchases14d " +
    "purchases sales14d sales orders14d purchasesOtherSku14d salesOtherSku14d conversionsBrandHalo salesBrandHalo")
    .split(" "),
);

/**
 * Columns to ask the platform for: those that were named, or the usual ones of a preset; `undefined` leaves those of a
 * configuration. `acos` brings cost and sales.
 */
export function reportColumns(report: unknown, named: readonly string[] | undefined): string[] | undefined {
  const preset = typeof report === "string" ? REPORT_PRESETS[presetName(report)].columns : undefined;
  if (named === undefined) return preset?.filter((column) => USUAL.has(column));
  if (!named.includes(ACOS)) return [...named];
  const sales = SALES.find((column) => named.includes(column)) ??
    SALES.find((column) => preset?.includes(column) ?? true);
  const others = named.filter((column) => column !== ACOS);
  return [...new Set([...others, "cost", ...sales === undefined ? [] : [sales]])];
}

/** The column of sales that ACOS is computed from; `undefined` where the columns do not give it. */
export function acosSales(columns: readonly string[]): string | undefined {
  return columns.includes("cost") ? SALES.find((column) => columns.includes(column)) : undefined;
}

/** A row with its ACOS; `null` without sales. */
export function withAcos(row: Row, sales: string | undefined): Row {
  if (sales === undefined) return row;
  const [cost, sold] = [row["cost"], row[sales]];
  const isKnown = typeof cost === "number" && typeof sold === "number" && sold > 0;
  return { ...row, [ACOS]: isKnown ? Math.round(cost / sold * 10_000) / 10_000 : null };
}
