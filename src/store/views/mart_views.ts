import type { Amounts } from "./amounts.ts";
import { attributionSql } from "./performance_views.ts";
import { salesColumns } from "./sales_columns.ts";
import type { SqlDialect } from "../tables/sql_dialect.ts";
import type { StoreView } from "../model/store_view.ts";

interface Mart {
  readonly name: string;
  readonly from: string;
  readonly keys: readonly string[];
  readonly more: readonly (readonly [name: string, sql: string])[];
  readonly join?: string;
}

const CAMPAIGNS = `(
    SELECT profile_id, campaign_id, name, portfolio_id, state, start_date, end_date, budget, budget_type,
      strategy, targeting_type FROM sp_campaigns_entities
    UNION ALL SELECT profile_id, campaign_id, name, portfolio_id, state, start_date, end_date, budget, budget_type,
      bid_optimization_strategy, CAST(NULL AS text) FROM sb_campaigns_entities
    UNION ALL SELECT profile_id, campaign_id, name, portfolio_id, state, start_date, end_date, budget, budget_type,
      CAST(NULL AS text), CAST(NULL AS text) FROM sd_campaigns_entities)`;
const AD_GROUPS = `(
    SELECT profile_id, ad_group_id, name, state, default_bid FROM sp_ad_groups_entities
    UNION ALL SELECT profile_id, ad_group_id, name, state, CAST(NULL AS double precision) FROM sb_ad_groups
    UNION ALL SELECT profile_id, ad_group_id, name, state, default_bid FROM sd_ad_groups_entities)`;
const ADS = `(
    SELECT profile_id, ad_id, state FROM sp_product_ads UNION ALL SELECT profile_id, ad_id, state FROM sd_product_ads)`;
const KEYWORDS = `(
    SELECT profile_id, keyword_id, bid FROM sp_keywords UNION ALL SELECT profile_id, target_id, bid FROM sp_targets
    UNION ALL SELECT profile_id, keyword_id, bid FROM sb_keywords UNION ALL SELECT profile_id, target_id, bid FROM sb_targets
    UNION ALL SELECT profile_id, target_id, bid FROM sd_targets)`;
const NONE = "CAST(NULL AS text)";
const CAMPAIGN = "LEFT JOIN " + CAMPAIGNS +
  " AS c ON c.profile_id = f.profile_id AND c.campaign_id = f.campaign_id";

export function martViews(dialect: SqlDialect, amounts: Amounts): StoreView[] {
  const marts: readonly Mart[] = [
    { name: "mart_account_day", from: "budget_pressure", keys: [], more: [] },
    {
      name: "mart_portfolio_day",
      from: "budget_pressure",
      keys: ["c.portfolio_id"],
      more: [
        ["portfolio_name", "max(p.name)"],
        ["budget_policy", "max(p.policy)"],
        ["budget_amount", "max(p.amount)"],
        ["in_budget", "max(p.in_budget)"],
        ["start_date", "max(p.start_date)"],
        ["end_date", "max(p.end_date)"],
        ["serving_status", NONE],
        ["state", "max(p.state)"],
      ],
      join:
        `${CAMPAIGN} LEFT JOIN portfolios AS p ON p.profile_id = f.profile_id AND p.portfolio_id = c.portfolio_id`,
    },
    {
      name: "mart_campaign_day",
      from: "budget_pressure",
      keys: ["f.ad_product", "f.campaign_id"],
      more: [
        ["campaign_name", "coalesce(max(c.name), max(f.campaign_name))"],
        ["portfolio_id", "max(c.portfolio_id)"],
        ["campaign_bidding_strategy", "max(c.strategy)"],
        ["budget", "max(c.budget)"],
        ["budget_type", "max(c.budget_type)"],
        ["budget_currency_code", "max(f.currency)"],
        ["targeting_type", "max(c.targeting_type)"],
        ["serving_status", NONE],
        ["state", "max(c.state)"],
        ["start_date", "max(c.start_date)"],
        ["end_date", "max(c.end_date)"],
      ],
      join: CAMPAIGN,
    },
    {
      name: "mart_ad_group_day",
      from: "performance",
      keys: ["f.ad_product", "f.campaign_id", "f.ad_group_id"],
      more: [
        ["campaign_name", "max(f.campaign_name)"],
        ["ad_group_name", "coalesce(max(g.name), max(f.ad_group_name))"],
        ["default_bid", "max(g.default_bid)"],
        ["serving_status", NONE],
        ["state", "max(g.state)"],
      ],
      join: `LEFT JOIN ${AD_GROUPS} AS g ON g.profile_id = f.profile_id AND g.ad_group_id = f.ad_group_id`,
    },
    {
      name: "mart_ad_day",
      from: adFigures(amounts),
      keys: ["f.ad_product", "f.campaign_id", "f.ad_group_id", "f.ad_id"],
      more: [
        ["campaign_name", "max(f.campaign_name)"],
        ["ad_group_name", "max(f.ad_group_name)"],
        ["advertised_asin", "max(f.advertised_asin)"],
        ["advertised_sku", "max(f.advertised_sku)"],
        ["serving_status", NONE],
        ["state", "max(a.state)"],
      ],
      join: `LEFT JOIN ${ADS} AS a ON a.profile_id = f.profile_id AND a.ad_id = f.ad_id`,
    },
    {
      name: "mart_keyword_day",
      from: "performance",
      keys: ["f.ad_product", "f.campaign_id", "f.ad_group_id", "f.keyword_id"],
      more: [
        ["campaign_name", "max(f.campaign_name)"],
        ["ad_group_name", "max(f.ad_group_name)"],
        ["keyword_text", "max(f.keyword)"],
        ["keyword_bid", "max(k.bid)"],
        ["keyword_type", NONE],
        ["match_type", "max(f.match_type)"],
      ],
      join: `LEFT JOIN ${KEYWORDS} AS k ON k.profile_id = f.profile_id AND k.keyword_id = f.keyword_id`,
    },
    {
      name: "mart_search_day",
      from: "search_term_performance",
      keys: ["f.ad_product", "f.campaign_id", "f.ad_group_id", "f.keyword_id", "f.search_term"],
      more: [
        ["campaign_name", "max(f.campaign_name)"],
        ["ad_group_name", "max(f.ad_group_name)"],
        ["targeting", "max(f.keyword)"],
        ["match_type", "max(f.match_type)"],
      ],
    },
  ];
  return marts.map((mart) => ({ name: mart.name, sql: martSql(mart, dialect) }));
}

function martSql({ from, keys, more, join = "" }: Mart, { wholeSum, amountSum }: SqlDialect): string {
  const groups = ["f.date", "f.country_code", "f.profile_id", "f.currency", ...keys];
  return `SELECT 'platform_ads' AS source_relation, f.date AS date_day, ${NONE} AS account_id,
      ${NONE} AS account_name, f.country_code, f.profile_id, f.currency${
    [...keys, ...more.map(([name, sql]) => `${sql} AS ${name}`)].map((one) => `, ${one}`)
      .join("")
  }, ${amountSum("sum(f.cost)")} AS cost, ${wholeSum("sum(f.clicks)")} AS clicks,
      ${wholeSum("sum(f.impressions)")} AS impressions,
      CAST(NULL AS double precision) AS purchases_30_d, CAST(NULL AS double precision) AS sales_30_d,
      ${wholeSum(`sum(${counted(14, "orders")})`)} AS purchases_14_d,
      ${amountSum(`sum(${counted(14, "sales")})`)} AS sales_14_d,
      ${wholeSum(`sum(${counted(7, "orders")})`)} AS purchases_7_d,
      ${amountSum(`sum(${counted(7, "sales")})`)} AS sales_7_d
    FROM ${from} AS f ${join} GROUP BY ${groups.join(", ")}`;
}

function counted(days: 7 | 14, figure: string): string {
  return `CASE WHEN f.attribution_days = ${days} THEN f.${figure} END`;
}

function adFigures(amounts: Amounts): string {
  const selected = (
    report: string,
    product: string,
    [asin, sku]: readonly [string, string],
  ): string => {
    const { orders, sales } = salesColumns(report, "r");
    return `SELECT r.country_code, r.profile_id, ${
      amounts.currency("r")
    } AS currency, '${product}' AS ad_product, r.date,
        r.campaign_id, r.campaign_name, r.ad_group_id, r.ad_group_name, r.ad_id, ${asin} AS advertised_asin,
        ${sku} AS advertised_sku, r.impressions, r.clicks, ${
      amounts.money("r.cost")
    } AS cost, ${orders} AS orders,
        ${amounts.money(sales)} AS sales, ${attributionSql(report)} AS attribution_days FROM ${report} AS r ${
      amounts.join("r")
    }`;
  };
  const [sp, sd] = [
    selected("sp_advertised_products", "SPONSORED_PRODUCTS", [
      "r.advertised_asin",
      "r.advertised_sku",
    ]),
    selected("sd_advertised_products", "SPONSORED_DISPLAY", [
      "r.promoted_asin",
      "r.promoted_sku",
    ]),
  ];
  return `(${amounts.before} ${sp} UNION ALL ${sd})`;
}
