import type { DayRange } from "../../base/time/calendar.ts";
import { comparedText } from "../../client/entities/model/check_keyword_text.ts";
import { salesColumns } from "../../store/views/sales_columns.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";

/** A search term chosen by a person, and the ad group whose ads were shown for it. */
export interface NamedTerm {
  /** Text of the term, or an ASIN. */
  readonly searchTerm: string;
  /** Id of the ad group, digits as text. */
  readonly adGroupId: string;
}

const MAX_NAMED = 20;

export function chosenTerms(
  found: readonly SearchTermFigures[],
  named: readonly NamedTerm[] | undefined,
): readonly SearchTermFigures[] {
  if (named === undefined) return found;
  const wanted = new Set(named.map(keyOf));
  const chosen = found.filter((term) => wanted.has(keyOf(term)));
  const known = new Set(chosen.map(keyOf));
  const missing = named.filter((term) => !known.has(keyOf(term)));
  if (missing.length === 0) return chosen;
  const words = missing.slice(0, MAX_NAMED).map((one) => `"${one.searchTerm}" in ad group ${one.adGroupId}`);
  const more = missing.length > MAX_NAMED ? `, and ${missing.length - MAX_NAMED} more` : "";
  throw new RangeError(
    `Cannot plan these terms: nothing is stored in these days for ${
      words.join(", ")
    }${more}. Sync, or use more days`,
  );
}

function keyOf({ searchTerm, adGroupId }: NamedTerm): string {
  return `${adGroupId.trim()} ${comparedText(searchTerm)}`;
}

/** Figures of a search term in one ad group of Sponsored Products. */
export interface SearchTermFigures {
  /** Text typed by shoppers, or the ASIN of the product they looked at. */
  readonly searchTerm: string;
  /** Id of the campaign whose ads were shown for the term, digits as text. */
  readonly campaignId: string;
  /** Name of the campaign, as in the report. */
  readonly campaignName: string;
  /** Id of the ad group whose ads were shown for the term, digits as text. */
  readonly adGroupId: string;
  /** Name of the ad group, as in the report. */
  readonly adGroupName: string;
  /** Number of clicks, up to the last day whose clicks count. */
  readonly clicks: number;
  /** Cost in the account's currency. */
  readonly cost: number;
  /** Orders within 14 days after a click. */
  readonly orders: number;
  /** Sales within 14 days after a click, in the account's currency. */
  readonly sales: number;
}

const { orders: ORDERS, sales: SALES } = salesColumns("sp_search_terms");

const MAX_TERMS = 1_000_000;

/**
 * Sums up stored search terms by ad group, highest cost first.
 *
 * @param options `clicksUntil`: clicks and cost of later days are not counted, orders and sales are. `minClicks`,
 * `minOrders` and `maxOrders` leave out terms. `adGroupIds`: only terms of these ad groups.
 */
export async function readSearchTerms(
  store: Pick<Warehouse, "query">,
  { profileId, days, clicksUntil = days.end, minClicks = 0, minOrders = 0, maxOrders, adGroupIds }: {
    readonly profileId: string;
    readonly days: DayRange;
    readonly clicksUntil?: string;
    readonly minClicks?: number;
    readonly minOrders?: number;
    readonly maxOrders?: number;
    readonly adGroupIds?: readonly string[] | undefined;
  },
): Promise<SearchTermFigures[]> {
  if (!/^\d+$/.test(profileId)) return [];
  const counted = (column: string): string =>
    `SUM(CASE WHEN date <= '${clicksUntil}' THEN ${column} ELSE 0 END)`;
  const wanted = adGroupIds === undefined ? undefined : [...new Set(adGroupIds.map((id) => id.trim()))];
  const known = wanted?.filter((id) => /^\d+$/.test(id)).map((id) => `'${id}'`);
  if (known?.length === 0) return [];
  const within = known === undefined ? "" : `AND ad_group_id IN (${known.join(", ")}) `;
  const limits = [
    `${counted("clicks")} >= ${minClicks}`,
    `SUM(${ORDERS}) >= ${minOrders}`,
    ...(maxOrders === undefined ? [] : [`SUM(${ORDERS}) <= ${maxOrders}`]),
  ];
  const { rows } = await store.query(
    `SELECT search_term AS term, campaign_id AS campaign, ad_group_id AS ad_group, ` +
      `MAX(campaign_name) AS campaign_name, MAX(ad_group_name) AS ad_group_name, ` +
      `${counted("clicks")} AS clicks, ${counted("cost")} AS cost, ` +
      `SUM(${ORDERS}) AS orders, SUM(${SALES}) AS sales FROM sp_search_terms ` +
      `WHERE profile_id = '${profileId}' AND date >= '${days.start}' AND date <= '${days.end}' ${within}` +
      `GROUP BY search_term, campaign_id, ad_group_id HAVING ${limits.join(" AND ")} ` +
      `ORDER BY cost DESC, term, ad_group`,
    [],
    { maxRows: MAX_TERMS },
  );
  return rows.map((row) => ({
    searchTerm: String(row["term"]),
    campaignId: String(row["campaign"]),
    campaignName: String(row["campaign_name"] ?? ""),
    adGroupId: String(row["ad_group"]),
    adGroupName: String(row["ad_group_name"] ?? ""),
    clicks: Number(row["clicks"]),
    cost: Number(Number(row["cost"]).toFixed(4)),
    orders: Number(row["orders"]),
    sales: Number(Number(row["sales"]).toFixed(4)),
  }));
}
