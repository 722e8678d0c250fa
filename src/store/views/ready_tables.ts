import type { SchemaColumn, SchemaTable } from "../schema_table.ts";

function columns(lines: string): SchemaColumn[] {
  return lines.trim().split("\n").map((line) => {
    const [name = "", type = "", ...words] = line.trim().split(" ");
    return { name, type: type as SchemaColumn["type"], meaning: words.join(" ") };
  });
}

const BEGIN = `
  country_code text country of the profile
  profile_id text profile
  currency text ISO 4217 code of all amounts of the row
  ad_product text SPONSORED_PRODUCTS, SPONSORED_BRANDS or SPONSORED_DISPLAY
  date date day, in the time zone of the profile
  week date Monday of the week
  month text month, as 2026-09
  campaign_id text campaign
  campaign_name text its name`;
const KEYWORD = `
  ad_group_id text ad group
  ad_group_name text its name
  keyword_id text keyword or target
  keyword text text of the keyword, or expression of the target
  match_type text match type`;
const METRICS = `
  impressions integer times an ad was shown
  clicks integer clicks on ads
  cost real spend
  orders integer orders within 14 days of a click
  sales real sales within 14 days of a click
  ctr real clicks for each impression; of several rows use sum(clicks) and sum(impressions)
  cpc real cost of a click
  acos real cost for each unit of sales: 0.25 is 25 %
  roas real sales for each unit of cost
  cvr real orders for each click`;
const IMMATURE =
  "\nimmature real share of the day's sales that is still to come, from 0 to 1; empty where the store cannot judge it yet";

const SUMS = "sum(cost) AS cost, sum(sales) AS sales, sum(cost) / nullif(sum(sales), 0) AS acos";

/** The views with the field's usual metrics. */
export const READY_TABLES: readonly SchemaTable[] = [
  {
    name: "performance",
    about:
      "Keywords and targets of all products by day, with the field's usual metrics (sp_targeting, sb_targeting and sd_targeting)",
    columns: columns(BEGIN + KEYWORD + METRICS + IMMATURE),
    examples: [
      `SELECT week, currency, ${SUMS} FROM performance GROUP BY week, currency ORDER BY week`,
      `SELECT p.keyword, k.bid, ${SUMS} FROM performance AS p JOIN sp_keywords AS k ON k.profile_id = p.profile_id ` +
      "AND k.keyword_id = p.keyword_id WHERE k.state = 'ENABLED' GROUP BY p.keyword, k.bid ORDER BY cost DESC LIMIT 20",
    ],
  },
  {
    name: "search_term_performance",
    about: "Search terms of both products by day (sp_search_terms and sb_search_terms)",
    columns: columns(
      `${BEGIN}${KEYWORD}
      search_term text what the shopper searched for; terms with a click only
      exact_keyword_id text an exact keyword of this text in the profile that is not archived; empty where there is none
      ${METRICS.trim()}${IMMATURE}`,
    ),
    examples: [
      "SELECT search_term, sum(orders) AS orders, " + SUMS +
      " FROM search_term_performance WHERE exact_keyword_id IS NULL GROUP BY search_term HAVING sum(orders) >= 2 " +
      "ORDER BY sales DESC LIMIT 20",
    ],
  },
  {
    name: "budget_pressure",
    about:
      "Campaigns by day with the budget of the day (sp_campaigns, where it is not stored sp_placement; sb_campaigns; sd_campaigns)",
    columns: columns(
      `${BEGIN}
      budget real budget that was known at the end of the day; where entities were not stored yet, when the report was made
      budget_used real cost for each unit of the budget; empty for budgets over a lifetime
      ${METRICS.trim()}`,
    ),
    examples: [
      "SELECT campaign_name, count(*) AS days_at_the_limit, avg(budget_used) AS budget_used, " + SUMS +
      " FROM budget_pressure WHERE budget_used >= 0.95 GROUP BY campaign_name ORDER BY 2 DESC LIMIT 20",
    ],
  },
  {
    name: "performance_hourly",
    about: "Keywords and targets of all products by hour of the stream, with the field's usual metrics",
    columns: columns(
      `country_code text country of the profile
      profile_id text profile; empty while the profile of the advertiser is not known
      currency text ISO 4217 code of all amounts of the row
      ad_product text SPONSORED_PRODUCTS, SPONSORED_BRANDS or SPONSORED_DISPLAY
      date date day, in the time zone of the market
      hour integer hour of the day there, 0 to 23
      starts_at time when the hour begins
      campaign_id text campaign
      ad_group_id text ad group
      keyword_id text keyword or target
      keyword text text of the keyword, or expression of the target
      ${METRICS.trim()}`,
    ),
    examples: [
      `SELECT hour, ${SUMS} FROM performance_hourly GROUP BY hour ORDER BY hour`,
      "SELECT date, hour, sum(clicks) AS clicks, sum(cost) AS cost FROM performance_hourly " +
      "GROUP BY date, hour ORDER BY date DESC, hour DESC LIMIT 24",
    ],
  },
  {
    name: "immature",
    about:
      "How much of each stored day is still to come, by what was known at the same age of days that are final",
    columns: columns(`
      country_code text country of the profile
      profile_id text profile
      report text name of the report
      date date day
      age integer days between the day and its last pull
      sales_to_come real share of the sales that is still to come, from 0 to 1; empty where the store cannot judge it yet
      orders_to_come real the same of the orders`),
    examples: [
      "SELECT date, sales_to_come FROM immature WHERE report = 'sp_targeting' ORDER BY date DESC LIMIT 14",
    ],
  },
];
