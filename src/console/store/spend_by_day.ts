import { addDays, dayIn } from "../../internal/calendar.ts";
import { decimalsOf, marketOf, timeZoneOf } from "../../markets.ts";
import type { Coverage } from "../../store/coverage.ts";
import type { Warehouse } from "../../store/warehouse.ts";

/** Reports that hold all of a product's spend, the best first; which columns hold sales. */
const SOURCES = [
  { sales: "sales14d", reports: ["sp_campaigns", "sp_placement", "sp_targeting", "sp_ad_groups"] },
  { sales: "sales", reports: ["sb_campaigns", "sb_targeting"] },
  { sales: "sales", reports: ["sd_campaigns", "sd_ad_groups", "sd_targeting"] },
] as const;

/** Days after which figures of a day hardly change: clicks count for sales of two weeks. */
export const IMMATURE_DAYS = 14;

/** One day of a profile. */
export interface SpendDay {
  readonly date: string;
  readonly cost: number;
  readonly sales: number;
}

/** Spend and sales of a profile. */
export interface ProfileSpend {
  readonly profile_id: string;
  readonly country_code: string;
  readonly currency: string | null;
  readonly decimals: number;
  readonly time_zone: string;
  readonly days: readonly SpendDay[];
  /** First day whose figures still change. */
  readonly immature_from: string;
}

/** Spend and sales of the last days of each stored profile, by the reports that are there. */
export async function spendByDay(
  store: Warehouse,
  { coverage, days, now }: { coverage: readonly Coverage[]; days: number; now: number },
): Promise<ProfileSpend[]> {
  const found: ProfileSpend[] = [];
  for (const [profileId, own] of Map.groupBy(coverage, ({ profileId }) => profileId)) {
    const countryCode = own[0]?.countryCode ?? "";
    const zone = timeZoneOf({ countryCode });
    const today = dayIn(zone, now);
    const sums = new Map<string, { cost: number; sales: number }>();
    for (const { reports, sales } of SOURCES) {
      const report = reports.find((name) => own.some((one) => one.report === name));
      if (report === undefined) continue;
      const { rows } = await store.query(
        `SELECT date, sum(cost) AS cost, sum("${sales}") AS sales FROM ${report} WHERE profile_id = ? AND date >= ? GROUP BY date`,
        [profileId, addDays(today, -days)],
      );
      for (const row of rows) {
        const date = String(row["date"]).slice(0, 10);
        const sum = sums.get(date) ?? { cost: 0, sales: 0 };
        sums.set(date, {
          cost: sum.cost + Number(row["cost"] ?? 0),
          sales: sum.sales + Number(row["sales"] ?? 0),
        });
      }
    }
    found.push({
      profile_id: profileId,
      country_code: countryCode,
      currency: marketOf(countryCode)?.currency ?? null,
      decimals: decimalsOf(countryCode),
      time_zone: zone,
      days: [...sums].map(([date, sum]) => ({ date, ...sum })).sort((a, b) => a.date < b.date ? -1 : 1),
      immature_from: addDays(today, -IMMATURE_DAYS),
    });
  }
  return found;
}
