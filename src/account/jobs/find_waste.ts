import type { ProfileClient } from "../../client/profile_client.ts";
import { addDays } from "../../base/time/calendar.ts";
import { marketOf } from "../../base/markets/markets.ts";
import { ensureStored, type FigureOptions, type StoredReports } from "./ensure_stored.ts";
import { ATTRIBUTION_DAYS } from "../../store/figures/immature_note.ts";
import { readSearchTerms, type SearchTermFigures } from "./search_terms.ts";

/** Definition of waste. */
export interface WasteOptions extends FigureOptions {
  /** Minimum number of clicks. @default 15 */
  readonly minClicks?: number | undefined;
  /** Maximum number of orders. @default 0 */
  readonly maxOrders?: number | undefined;
  /** Number of days whose clicks are counted. @default 30 */
  readonly days?: number | undefined;
  /**
   * Most recent days whose clicks are left out, because they may still lead to orders; orders on these days count.
   *
   * @default 14
   */
  readonly lag?: number | undefined;
  /** Only these campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
  /** Only these ad groups. */
  readonly adGroupIds?: readonly string[] | undefined;
}

/** Search terms that cost money but sold nothing. */
export interface Waste {
  /** The search terms by ad group, highest cost first. */
  readonly terms: readonly SearchTermFigures[];
  /** Total cost of the search terms, in `currency`. */
  readonly cost: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** First and last day whose clicks are counted. */
  readonly clicksOf: { readonly firstDay: string; readonly lastDay: string };
  /** The stored reports that were read. */
  readonly figures: StoredReports;
}

const DAYS = 30;
/** Days for which the platform keeps search terms, minus one because its midnight may differ. */
const MAX_REACH = 64;

/**
 * Finds search terms of Sponsored Products that were clicked often but sold nothing, with their cost. Reads only the
 * store, which is brought up to date first.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { findWaste } from "@platform/ads/account";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function show(ca: ProfileClient): Promise<void> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const { terms, cost, currency } = await findWaste(ca, { store, minClicks: 15, maxOrders: 0 });
 *   for (const { searchTerm, adGroupName, clicks, cost } of terms) console.log(searchTerm, adGroupName, clicks, cost);
 *   console.log(cost, currency);
 * }
 * ```
 * @throws {RangeError} for limits that make no sense. Nothing was read.
 */
export async function findWaste(profile: ProfileClient, options: WasteOptions): Promise<Waste> {
  const {
    store,
    minClicks = 15,
    maxOrders = 0,
    days = DAYS,
    lag = ATTRIBUTION_DAYS,
    campaignIds,
    adGroupIds,
  } = options;
  checkCount("minClicks", minClicks, 1);
  checkCount("maxOrders", maxOrders, 0);
  checkCount("days", days, 1);
  checkCount("lag", lag, 0);
  if (days + lag > MAX_REACH) {
    throw new RangeError(
      `Cannot look at ${days} days before the last ${lag}: the platform keeps search terms for ${MAX_REACH} days`,
    );
  }
  const end = addDays(options.today ?? profile.reports.today, -1);
  const clicksUntil = addDays(end, -lag);
  const range = { start: addDays(clicksUntil, 1 - days), end };
  const figures = await ensureStored(profile, ["sp_search_terms"], { ...options, days: range });
  const found = await readSearchTerms(store, {
    profileId: profile.profileId,
    days: range,
    clicksUntil,
    minClicks,
    maxOrders,
    adGroupIds,
  });
  const wanted = campaignIds === undefined ? undefined : new Set(campaignIds);
  const terms = found.filter(({ campaignId }) => wanted?.has(campaignId) ?? true);
  return {
    terms,
    cost: Number(terms.reduce((sum, { cost }) => sum + cost, 0).toFixed(2)),
    currency: marketOf(profile.countryCode)?.currency ?? "",
    clicksOf: { firstDay: range.start, lastDay: clicksUntil },
    figures,
  };
}

export function checkCount(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new RangeError(`Cannot use ${value} as ${name}: expected a whole number from ${least} up`);
}
