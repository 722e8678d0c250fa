import { addDays, dayIn, type DayRange, eachDay } from "../../internal/calendar.ts";
import { decimalsOf, marketOf, timeZoneOf } from "../../markets.ts";
import type { Coverage } from "../../store/coverage.ts";
import type { Warehouse } from "../../store/warehouse.ts";

/** Reports that hold all of a product's spend, the best first of equal coverage; which columns hold sales. */
const SOURCES = [
  {
    product: "Sponsored Products",
    sales: "coalesce(sales_14d, sales_7d)",
    reports: ["sp_campaigns", "sp_placement", "sp_targeting", "sp_ad_groups"],
  },
  { product: "Sponsored Brands", sales: "sales", reports: ["sb_campaigns", "sb_targeting"] },
  { product: "Sponsored Display", sales: "sales", reports: ["sd_campaigns", "sd_ad_groups", "sd_targeting"] },
] as const;

/** Days after which figures of a day hardly change: clicks count for sales of two weeks. */
export const IMMATURE_DAYS = 14;

/** One day of a profile. */
export interface SpendDay {
  readonly date: string;
  readonly cost: number;
  readonly sales: number;
}

/** Spend and sales of the products of a profile that are stored for the same days. */
export interface ProfileSpend {
  readonly profile_id: string;
  readonly country_code: string;
  readonly currency: string | null;
  readonly decimals: number;
  readonly time_zone: string;
  /** Products that are summed, for example `Sponsored Products`. */
  readonly products: readonly string[];
  readonly days: readonly SpendDay[];
  /** First day whose figures still change. */
  readonly immature_from: string;
}

/**
 * Spend and sales of the last days of each stored profile, of each product by the report with the most stored days.
 * Products are summed only where the same days of them are stored.
 */
export async function spendByDay(
  store: Warehouse,
  { coverage, days, now }: { coverage: readonly Coverage[]; days: number; now: number },
): Promise<ProfileSpend[]> {
  const found: ProfileSpend[] = [];
  for (const [profileId, own] of Map.groupBy(coverage, ({ profileId }) => profileId)) {
    const countryCode = own[0]?.countryCode ?? "";
    const zone = timeZoneOf({ countryCode });
    const today = dayIn(zone, now);
    const window = { start: addDays(today, -days), end: addDays(today, -1) };
    const chosen = SOURCES.flatMap(({ product, reports, sales }) => {
      const [best] = reports.flatMap((report) =>
        own.filter((one) => one.report === report).map((one) => ({ report, stored: storedDays(one, window) }))
      ).sort((a, b) => b.stored.length - a.stored.length);
      return best === undefined || best.stored.length === 0 ? [] : [{ product, sales, ...best }];
    });
    for (const members of Map.groupBy(chosen, ({ stored }) => stored.join()).values()) {
      const sums = new Map(members[0]?.stored.map((date) => [date, { cost: 0, sales: 0 }]));
      for (const { report, sales } of members) {
        const { rows } = await store.query(
          `SELECT date, sum(cost) AS cost, sum(${sales}) AS sales FROM ${report} WHERE profile_id = ? AND date >= ? GROUP BY date`,
          [profileId, window.start],
        );
        for (const row of rows) {
          const sum = sums.get(String(row["date"]).slice(0, 10));
          if (sum === undefined) continue;
          sum.cost += Number(row["cost"] ?? 0);
          sum.sales += Number(row["sales"] ?? 0);
        }
      }
      found.push({
        profile_id: profileId,
        country_code: countryCode,
        currency: marketOf(countryCode)?.currency ?? null,
        decimals: decimalsOf(countryCode),
        time_zone: zone,
        products: members.map(({ product }) => product),
        days: [...sums].map(([date, sum]) => ({ date, ...sum })),
        immature_from: addDays(today, -IMMATURE_DAYS),
      });
    }
  }
  return found;
}

/** Stored days of a report within a range, in order. */
function storedDays({ firstDay, lastDay, gaps }: Coverage, { start, end }: DayRange): string[] {
  return [...eachDay({ start, end })].filter((day) =>
    firstDay <= day && day <= lastDay && !gaps.some((gap) => gap.start <= day && day <= gap.end)
  );
}
