import type { Comparison, Moved, MovedPart } from "./compare_periods.ts";

/** A row of a comparison table: the total first, then the parts of each breakdown. */
export interface ComparisonRow {
  /** `total`, or the breakdown of the part: `campaign`, `keyword`, `placement`. */
  readonly by: string;
  /** Id of the part; empty for the total. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Name of the part's campaign; empty if it has none. */
  readonly campaign: string;
  /** Cost of the earlier days, in the account's currency, like all amounts. */
  readonly cost_before: number;
  /** Cost of the later days. */
  readonly cost_after: number;
  /** Change in cost: after minus before. */
  readonly cost_change: number;
  /** Fraction of the total change in cost: 0.5 for half of it. */
  readonly cost_share: number | null;
  /** Sales of the earlier days, within 14 days after a click; `null` if sales cannot be compared yet. */
  readonly sales_before: number | null;
  /** Sales of the later days, within 14 days after a click. */
  readonly sales_after: number;
  /** Change in sales: after minus before; `null` if sales cannot be compared yet. */
  readonly sales_change: number | null;
  /** Fraction of the total change in sales. */
  readonly sales_share: number | null;
  /** ACOS of the earlier days: cost divided by sales, 0.3 for 30 %; `null` without sales. */
  readonly acos_before: number | null;
  /** ACOS of the later days; `null` without sales. */
  readonly acos_after: number | null;
  /** Clicks of the earlier days. */
  readonly clicks_before: number;
  /** Clicks of the later days. */
  readonly clicks_after: number;
}

/**
 * Returns the rows of a comparison; each breakdown is limited to the parts with the largest change in cost.
 *
 * @param options.limit Rows of each breakdown.
 *
 * @example
 * ```ts
 * import { type Comparison, comparisonRows } from "@platform/ads/account";
 *
 * const top = (comparison: Comparison) => comparisonRows(comparison, { limit: 5 });
 * console.log(top.length); // 1
 * ```
 */
export function comparisonRows(
  { total, parts, isComparable = true, products }: Pick<Comparison, "total" | "parts"> & Partial<Comparison>,
  { limit }: { limit: number },
): ComparisonRow[] {
  const isChanged = ({ cost, sales }: Moved["change"]): number | null => cost === 0 && sales === 0 ? null : 1;
  const share = isChanged(total.change);
  const whole = { ...total, id: "", name: totalName(products), share: { cost: share, sales: share } };
  const rows = Object.entries(parts).flatMap(([by, list]) =>
    list.slice(0, limit).map((part) => comparisonRow(by, part, isComparable))
  );
  return [comparisonRow("total", whole, isComparable), ...rows];
}

function totalName(products: readonly string[] | undefined): string {
  return products === undefined || products.includes("sd") ? "All campaigns" : "All of Products and Brands";
}

function comparisonRow(by: string, part: MovedPart, isComparable: boolean): ComparisonRow {
  const { before, after, change, share } = part;
  return {
    by,
    id: part.id,
    name: part.name,
    campaign: part.campaignName ?? "",
    cost_before: money(before.cost),
    cost_after: money(after.cost),
    cost_change: money(change.cost),
    cost_share: share.cost,
    sales_before: isComparable ? money(before.sales) : null,
    sales_after: money(after.sales),
    sales_change: change.sales === null ? null : money(change.sales),
    sales_share: share.sales,
    acos_before: isComparable ? before.acos : null,
    acos_after: after.acos,
    clicks_before: before.clicks,
    clicks_after: after.clicks,
  };
}

function money(amount: number): number {
  return Number(amount.toFixed(2));
}
