import type { Amounts } from "./amounts.ts";
import { salesToCome } from "./immature_view.ts";
import { ratioSql, type SqlDialect } from "../tables/sql_dialect.ts";
import type { SessionViews, StoreView } from "../model/store_view.ts";
import { salesColumns } from "./sales_columns.ts";

interface Source {
  readonly report: string;
  readonly adProduct: string;
  readonly keywordId: string;
  readonly keyword: string;
  readonly matchType?: string;
  readonly orders: string;
  readonly sales: string;
}

interface TermSource extends Source {
  readonly keywords: string;
  readonly exact: string;
}

const PRODUCTS = {
  adProduct: "SPONSORED_PRODUCTS",
  ...salesColumns("sp", "r"),
  keywords: "sp_keywords",
  exact: "EXACT",
  keywordId: `r.keyword_id`,
  keyword: `coalesce(nullif(r.keyword, ''), r.targeting)`,
};
const BRANDS = {
  adProduct: "SPONSORED_BRANDS",
  ...salesColumns("sb", "r"),
  keywords: "sb_keywords",
  exact: "exact",
};

const TARGETING: readonly Source[] = [
  { ...PRODUCTS, report: "sp_targeting" },
  {
    ...BRANDS,
    report: "sb_targeting",
    keywordId: `coalesce(nullif(r.keyword_id, ''), r.targeting_id)`,
    keyword: `coalesce(nullif(r.keyword, ''), r.targeting_text, r.targeting_expression)`,
  },
  {
    adProduct: "SPONSORED_DISPLAY",
    ...salesColumns("sd", "r"),
    report: "sd_targeting",
    keywordId: `r.targeting_id`,
    keyword: `coalesce(nullif(r.targeting_text, ''), r.targeting_expression)`,
    // Targets have none.
    matchType: "CAST(NULL AS text)",
  },
];
const SEARCH_TERMS: readonly TermSource[] = [
  { ...PRODUCTS, report: "sp_search_terms" },
  { ...BRANDS, report: "sb_search_terms", keywordId: `r.keyword_id`, keyword: `r.keyword` },
];

export function reportsOfView(view: string): string[] {
  if (/^(performance|mart_(ad_group|keyword)_day)$/.test(view)) return TARGETING.map(({ report }) => report);
  return /^(search_term_performance|mart_search_day)$/.test(view)
    ? SEARCH_TERMS.map(({ report }) => report)
    : [];
}

export function attributionSql(report: string, alias = "r"): string {
  return report.startsWith("sp_")
    ? `CASE WHEN ${alias}.sales_14d IS NULL AND ${alias}.sales_7d IS NOT NULL THEN 7 ELSE 14 END`
    : "14";
}

export function performanceView(dialect: SqlDialect, amounts: Amounts): StoreView {
  const selects = TARGETING.map((source) => selected(source, { dialect, amounts }));
  return { name: "performance", sql: `${amounts.before} ${selects.join(" UNION ALL ")}` };
}

export function searchTermView(dialect: SqlDialect, amounts: Amounts): StoreView {
  const selects = SEARCH_TERMS.map((source) => {
    const exact = `(SELECT min(k.keyword_id) FROM ${source.keywords} AS k WHERE k.keyword_text = r.search_term
        AND k.profile_id = r.profile_id AND k.match_type = '${source.exact}'
        AND upper(k.state) <> 'ARCHIVED')`;
    return selected(source, {
      dialect,
      amounts,
      more: `r.search_term, ${exact} AS exact_keyword_id,`,
    });
  });
  return { name: "search_term_performance", sql: `${amounts.before} ${selects.join(" UNION ALL ")}` };
}

function selected(
  source: Source,
  { dialect, amounts, more = "" }: { dialect: SqlDialect; amounts: Amounts; more?: string },
): string {
  const immature = salesToCome("r", source.report, dialect);
  const { report, adProduct, keywordId, keyword, matchType = `r.match_type` } = source;
  return `SELECT r.country_code, r.profile_id, ${
    amounts.currency("r")
  } AS currency, '${adProduct}' AS ad_product,
      r.date, ${dialect.week("r.date")} AS week, ${dialect.month("r.date")} AS month,
      r.campaign_id, r.campaign_name,
      r.ad_group_id, r.ad_group_name,
      ${keywordId} AS keyword_id, ${keyword} AS keyword, ${matchType} AS match_type, ${more}
      ${metricsSql(source, amounts)}, ${immature.value} AS immature, ${
    attributionSql(report)
  } AS attribution_days
    FROM ${report} AS r ${immature.join} ${amounts.join("r")}`;
}

export function metricsSql({ orders, sales }: { orders: string; sales: string }, { money }: Amounts): string {
  const [cost, sold] = [money("r.cost"), money(sales)];
  return `r.impressions, r.clicks, ${cost} AS cost, ${orders} AS orders, ${sold} AS sales,
      ${ratioSql("r.clicks", "r.impressions")} AS ctr, ${ratioSql(cost, "r.clicks")} AS cpc,
      ${ratioSql("r.cost", sales)} AS acos, ${ratioSql(sales, "r.cost")} AS roas, ${
    ratioSql(orders, "r.clicks")
  } AS cvr`;
}

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
