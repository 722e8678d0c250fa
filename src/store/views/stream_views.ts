import { DATASET_LAYOUTS, type DatasetLayout } from "../model/dataset_layout.ts";
import type { Amounts } from "./amounts.ts";
import { metricsSql } from "./performance_views.ts";
import type { SqlDialect } from "../tables/sql_dialect.ts";
import type { SessionViews, StoreView } from "../model/store_view.ts";

/** Ignores records received after `asOf`, in epoch milliseconds. */
export function streamViews(dialect: SqlDialect, asOf?: number): StoreView[] {
  return DATASET_LAYOUTS.filter(({ isHourly }) => isHourly).flatMap((layout) => [
    { name: `${layout.view}_hourly`, sql: summed(layout, dialect, { isHourly: true, asOf }) },
    { name: `${layout.view}_daily`, sql: summed(layout, dialect, { isHourly: false, asOf }) },
  ]);
}

function summed(
  { table, columns }: DatasetLayout,
  dialect: SqlDialect,
  { isHourly, asOf }: { isHourly: boolean; asOf: number | undefined },
): string {
  const dimensions = [
    "profiles.country_code",
    "r.profile_id",
    "r.advertiser_id",
    "r.date",
    ...isHourly ? ["r.hour", "r.starts_at"] : [],
    ...columns.flatMap(({ name, isMetric }) => isMetric ? [] : [`r."${name}"`]),
  ];
  const shown = dimensions.map((column) =>
    column === "r.starts_at" ? `${dialect.time(column)} AS starts_at` : column
  );
  const metrics = columns.filter(({ isMetric }) => isMetric).map(({ name, type }) => {
    const sum = `sum(r."${name}")`;
    return `${type === "integer" ? dialect.wholeSum(sum) : dialect.amountSum(sum)} AS "${name}"`;
  });
  return `SELECT ${shown.join(", ")}, ${metrics.join(", ")}, count(*) AS records,
      ${dialect.time("max(r.received_at)")} AS received_at
    FROM ${dialect.table(table)} AS r
    LEFT JOIN ${dialect.table("profiles")} AS profiles ON profiles.profile_id = r.profile_id
    ${asOf === undefined ? "" : `WHERE r.received_at <= ${asOf}`}
    GROUP BY ${dimensions.join(", ")}`;
}

interface Product {
  readonly view: string;
  readonly adProduct: string;
  readonly keywordId: string;
  readonly keyword: string;
  readonly hasConversions: boolean;
}

const PRODUCTS: readonly Product[] = [
  {
    view: "sp",
    adProduct: "SPONSORED_PRODUCTS",
    keywordId: "keyword_id",
    keyword: "keyword_text",
    hasConversions: true,
  },
  {
    view: "sb",
    adProduct: "SPONSORED_BRANDS",
    keywordId: "keyword_id",
    keyword: "keyword_text",
    hasConversions: true,
  },
  {
    view: "sd",
    adProduct: "SPONSORED_DISPLAY",
    keywordId: "target_id",
    keyword: "targeting_text",
    hasConversions: false,
  },
];

export function hourlyPerformanceView(
  dialect: SqlDialect,
  amounts: Amounts,
  session: SessionViews,
): StoreView {
  const key =
    "country_code, profile_id, currency, date, hour, starts_at, campaign_id, ad_group_id, keyword_id";
  const selects = PRODUCTS.map(({ view, adProduct, keywordId, keyword, hasConversions }) => {
    const begin = `SELECT country_code, profile_id, currency, date, hour, starts_at, campaign_id, ad_group_id,
      ${keywordId} AS keyword_id`;
    // Reported hours of sellers count purchases of Sponsored Products for 7 days.
    const [orders, sales] = ["conversions", "sales"].map((what) => {
      const counted = `attributed_${what}_14d`;
      return view === "sp" ? `coalesce(${counted}, attributed_${what}_7d)` : counted;
    });
    const traffic =
      `${begin}, ${keyword} AS keyword, impressions, clicks, cost, 0 AS orders, 0.0 AS sales FROM ${view}_traffic_hourly`;
    const conversions = `${begin}, NULL AS keyword, 0, 0, 0.0, ${orders}, ${sales}
      FROM ${view}_conversion_hourly`;
    return `SELECT '${adProduct}' AS ad_product, ${key},
        CASE WHEN keyword_id IS NOT NULL THEN max(keyword) END AS keyword,
        ${dialect.wholeSum("sum(impressions)")} AS impressions, ${dialect.wholeSum("sum(clicks)")} AS clicks,
        ${dialect.amountSum("sum(cost)")} AS cost, ${dialect.wholeSum("sum(orders)")} AS orders, ${
      dialect.amountSum("sum(sales)")
    } AS sales
      FROM (${hasConversions ? `${traffic} UNION ALL ${conversions}` : traffic}) AS parts
      GROUP BY ${key}`;
  });
  const currency = session.conversion === undefined ? "r.currency" : amounts.currency("r");
  return {
    name: "performance_hourly",
    sql: `${amounts.before} SELECT r.country_code, r.profile_id, ${currency} AS currency, r.ad_product,
        r.date, r.hour, r.starts_at, r.campaign_id, r.ad_group_id, r.keyword_id, r.keyword,
        ${metricsSql({ orders: "r.orders", sales: "r.sales" }, amounts)}
      FROM (${selects.join(" UNION ALL ")}) AS r ${amounts.join("r")}`,
  };
}
