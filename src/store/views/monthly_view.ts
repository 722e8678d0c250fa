import type { Amounts } from "./amounts.ts";
import { metricsSql } from "./performance_views.ts";
import type { SqlDialect } from "./sql_dialect.ts";
import type { SessionViews, StoreView } from "./store_view.ts";

/** A row for each campaign and whole month, with the field's usual metrics. */
export function monthlyPerformanceView(
  dialect: SqlDialect,
  amounts: Amounts,
  { asOf, conversion }: SessionViews,
): StoreView {
  const currency = conversion === undefined ? "r.currency" : amounts.currency("r");
  const known = asOf === undefined ? "" : `WHERE pulls.pulled_at <= ${asOf}`;
  return {
    name: "performance_monthly",
    sql: `${amounts.before} SELECT r.country_code, r.profile_id, ${currency} AS currency, r.ad_product,
        r.date, r.campaign_id, ${metricsSql({ orders: "r.orders", sales: "r.sales" }, amounts)}
      FROM (
        SELECT profiles.country_code, months.* FROM ${dialect.table("months")} AS months
        JOIN ${dialect.table("month_pulls")} AS pulls
          ON pulls.profile_id = months.profile_id AND pulls.date = months.date
        LEFT JOIN ${dialect.table("profiles")} AS profiles ON profiles.profile_id = months.profile_id ${known}
      ) AS r ${amounts.join("r")}`,
  };
}
