import type { Amounts } from "./amounts.ts";
import { attributionSql, metricsSql } from "./performance_views.ts";
import { salesColumns } from "./sales_columns.ts";
import { ratioSql, type SqlDialect } from "../tables/sql_dialect.ts";
import type { SessionViews, StoreView } from "../model/store_view.ts";

export function budgetPressureView(
  dialect: SqlDialect,
  amounts: Amounts,
  session: SessionViews,
): StoreView {
  const part = (source: Parameters<typeof selected>[0]): string =>
    selected(source, { dialect, amounts, session });
  const products = {
    adProduct: "SPONSORED_PRODUCTS",
    kind: "sp.campaigns",
    path: "budget.budget",
    ...salesColumns("sp", "r"),
  };
  const brands = {
    from: "sb_campaigns",
    adProduct: "SPONSORED_BRANDS",
    kind: "sb.campaigns",
    path: "budget",
    ...salesColumns("sb", "r"),
    budgetType: `r.campaign_budget_type`,
  };
  const display = {
    from: "sd_campaigns",
    adProduct: "SPONSORED_DISPLAY",
    kind: "sd.campaigns",
    path: "budget",
    ...salesColumns("sd", "r"),
  };
  return {
    name: "budget_pressure",
    sql: `${amounts.before} ${part({ ...products, from: "sp_campaigns" })}
      UNION ALL ${part({ ...products, from: placements(dialect) })}
      UNION ALL ${part(brands)} UNION ALL ${part(display)}`,
  };
}

function placements({ table }: SqlDialect): string {
  return `(SELECT p.country_code, p.profile_id, p.date, p.campaign_id, max(p.campaign_name) AS campaign_name,
      max(p.campaign_budget_amount) AS campaign_budget_amount, sum(p.impressions) AS impressions,
      sum(p.clicks) AS clicks, sum(p.cost) AS cost, sum(p.purchases_14d) AS purchases_14d,
      sum(p.sales_14d) AS sales_14d, sum(p.purchases_7d) AS purchases_7d, sum(p.sales_7d) AS sales_7d
    FROM sp_placement AS p
    WHERE NOT EXISTS (SELECT 1 FROM ${table("days")} AS whole WHERE whole.profile_id = p.profile_id
      AND whole.report = 'sp_campaigns' AND whole.date = p.date)
    GROUP BY p.country_code, p.profile_id, p.date, p.campaign_id)`;
}

function selected(
  { from, adProduct, kind, path, orders, sales, budgetType }: {
    from: string;
    adProduct: string;
    kind: string;
    path: string;
    orders: string;
    sales: string;
    budgetType?: string;
  },
  { dialect, amounts, session: { asOf } }: {
    dialect: SqlDialect;
    amounts: Amounts;
    session: SessionViews;
  },
): string {
  const { table, json, week, month, endOfDay } = dialect;
  const known = asOf === undefined ? "" : ` AND e.known_from <= ${asOf}`;
  const versions = (of: string): string =>
    `SELECT ${json("e.data", path, "number")} AS budget, e.known_from FROM ${table(of)} AS e
      WHERE e.kind = '${kind}' AND e.profile_id = r.profile_id AND e.id = r.campaign_id
      AND e.known_from <= ${endOfDay("r.date")}${known}`;
  const budget = `coalesce((SELECT v.budget FROM (${versions("entities")} UNION ALL ${
    versions("entities_history")
  }) AS v ORDER BY v.known_from DESC LIMIT 1), r.campaign_budget_amount)`;
  const daily = budgetType === undefined
    ? ratioSql("r.cost", budget)
    : `CASE WHEN ${budgetType} = 'LIFETIME' THEN NULL ELSE ${ratioSql("r.cost", budget)} END`;
  return `SELECT r.country_code, r.profile_id, ${
    amounts.currency("r")
  } AS currency, '${adProduct}' AS ad_product,
      r.date, ${week("r.date")} AS week, ${month("r.date")} AS month,
      r.campaign_id, r.campaign_name,
      ${amounts.money(budget)} AS budget, ${daily} AS budget_used,
      ${metricsSql({ orders, sales }, amounts)}, ${attributionSql(kind.replace(".", "_"))} AS attribution_days
    FROM ${from} AS r ${amounts.join("r")}`;
}
