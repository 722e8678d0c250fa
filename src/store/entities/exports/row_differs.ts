import { valueAt } from "../../../internal/field_path.ts";
import { fieldsOf } from "../../../internal/fields_of.ts";
import type { ResourceKind } from "../../../resources/kinds.ts";
import type { ExportRow } from "./export_endpoint.ts";

/** Bidding strategies as lists write them, by the words met in exports; one that is not here says nothing. */
const STRATEGIES: Readonly<Record<string, string>> = {
  SALES_DOWN_ONLY: "LEGACY_FOR_SALES",
  SALES: "AUTO_FOR_SALES",
  SALES_UP_AND_DOWN: "AUTO_FOR_SALES",
  RULE_BASED: "RULE_BASED",
};

/** Compares what a row says with what is stored; `undefined` says nothing. */
type Comparison = (said: unknown, stored: unknown) => boolean;

/**
 * True if a row of an export differs from the stored entity, which has the shape of a list. Fields that a row leaves
 * out count as equal, but for those which every entity without them leaves out; the moment of the last update shows
 * differences that a row has no column for.
 */
export function rowDiffers(
  kind: ResourceKind,
  row: ExportRow,
  stored: Readonly<Record<string, unknown>>,
): boolean {
  return facts(kind, row).some(([path, said, differs]) =>
    said !== undefined && differs(said, valueAt(stored, path))
  );
}

function facts(kind: ResourceKind, row: ExportRow): [path: string, said: unknown, differs: Comparison][] {
  const common: [string, unknown, Comparison][] = [
    ["state", row["state"], word],
    ["name", row["name"], text],
  ];
  const bid = fieldsOf(row["bid"]);
  if (kind.endsWith(".ad_groups")) return [...common, ["defaultBid", bid["defaultBid"], amount]];
  if (kind.endsWith(".keywords") || kind.endsWith(".targets")) {
    // Both an object and a bare number were met.
    return [common[0]!, ["bid", typeof row["bid"] === "object" ? bid["bid"] : row["bid"], amount]];
  }
  if (!kind.endsWith(".campaigns")) return common;
  const { monetaryBudget } = fieldsOf(fieldsOf(row["budgetCaps"])["budgetValue"]);
  const isProducts = kind === "sp.campaigns";
  return [
    ...common,
    [isProducts ? "budget.budget" : "budget", fieldsOf(monetaryBudget)["amount"], amount],
    ["startDate", row["startDate"], day],
    ["endDate", row["endDate"] ?? "", day],
    ["portfolioId", row["portfolioId"] ?? "", text],
    ...isProducts
      ? [
        ["targetingType", row["targetingSettings"], word],
        ["dynamicBidding.strategy", STRATEGIES[String(fieldsOf(row["optimization"])["bidStrategy"])], word],
      ] satisfies [string, unknown, Comparison][]
      : [],
  ];
}

function text(said: unknown, stored: unknown): boolean {
  return String(said).replaceAll("\0", "\uFFFD") !== String(stored ?? "");
}

function word(said: unknown, stored: unknown): boolean {
  return String(said).toUpperCase() !== String(stored).toUpperCase();
}

/** An entity without an amount of its own has that of its ad group, which a row may give it. */
function amount(said: unknown, stored: unknown): boolean {
  return stored !== undefined && stored !== null && Number(said) !== Number(stored);
}

/** Display writes days without hyphens, and a day may come as a moment. */
function day(said: unknown, stored: unknown): boolean {
  const digits = (value: unknown): string => String(value ?? "").replace(/T.*/, "").replaceAll("-", "");
  return digits(said) !== digits(stored);
}
