import { FULL_SHARE } from "../model/full_share.ts";
import type { SchemaColumn, SchemaTable } from "../model/schema_table.ts";

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
  ctr real clicks per impression; for several rows, divide sum(clicks) by sum(impressions)
  cpc real cost per click
  acos real cost divided by sales: 0.25 is 25 %
  roas real sales divided by cost
  cvr real orders per click`;
const IMMATURE =
  "\nimmature real share of the day's sales that is still to come, from 0 to 1; empty where the store cannot judge it yet";

const ATTRIBUTION = "\nattribution_days integer attribution window in days: 14, or 7 in the files of sellers";

function mart(name: string, about: string, own: string): SchemaTable {
  return {
    name,
    about: `${about}, with the usual join columns of ad data warehouses`,
    columns: columns(`
      source_relation text platform_ads, to tell the rows from other sources
      date_day date day, in the time zone of the profile
      account_id text empty, because the store keeps no ids of advertisers
      account_name text empty, for the same reason
      country_code text country of the profile
      profile_id text profile
      currency text ISO 4217 code of all amounts of the row${own}
      cost real spend
      clicks integer clicks on ads
      impressions integer times an ad was shown
      purchases_30_d real empty, because reports of 14 days are stored
      sales_30_d real empty, for the same reason
      purchases_14_d integer orders within 14 days of a click
      sales_14_d real sales within 14 days of a click
      purchases_7_d integer orders within 7 days, from files with no other window
      sales_7_d real sales within 7 days, from the same files`),
    examples: [
      `SELECT date_day, sum(cost) AS cost, sum(sales_14_d) AS sales FROM ${name} GROUP BY date_day ORDER BY date_day`,
    ],
  };
}

const PRODUCT = "\n      ad_product text SPONSORED_PRODUCTS, SPONSORED_BRANDS or SPONSORED_DISPLAY";
const IN_CAMPAIGN = `${PRODUCT}
      campaign_id text campaign`;
const IN_AD_GROUP = `${IN_CAMPAIGN}
      ad_group_id text ad group`;
const NAMED = `
      campaign_name text name of the campaign
      ad_group_name text name of the ad group`;
const STATUS = `
      serving_status text empty, because it is not stored`;

const MARTS: readonly SchemaTable[] = [
  mart("mart_account_day", "Profiles by day, by the reports of budget_pressure", ""),
  mart(
    "mart_portfolio_day",
    "Portfolios by day, by the reports of budget_pressure; each campaign counts towards its current portfolio",
    `
      portfolio_id text portfolio; empty for campaigns in none
      portfolio_name text its name
      budget_policy text DATE_RANGE or MONTHLY_RECURRING
      budget_amount real its budget
      in_budget text true or false
      start_date text first day of the budget
      end_date text last day of the budget${STATUS}
      state text state now`,
  ),
  mart(
    "mart_campaign_day",
    "Campaigns by day, by the reports of budget_pressure",
    `${IN_CAMPAIGN}
      campaign_name text its name now
      portfolio_id text portfolio that it is in now
      campaign_bidding_strategy text how bids are adjusted
      budget real current budget; budget_pressure has the budget of each day
      budget_type text DAILY or LIFETIME, as the product spells it
      budget_currency_code text currency
      targeting_type text AUTO or MANUAL; only for Sponsored Products${STATUS}
      state text state now
      start_date text first day
      end_date text last day`,
  ),
  mart(
    "mart_ad_group_day",
    "Ad groups by day, by the reports on targeting",
    `${IN_AD_GROUP}
      campaign_name text name of the campaign
      ad_group_name text its name now
      default_bid real default bid now; Sponsored Brands has none${STATUS}
      state text state now`,
  ),
  mart(
    "mart_ad_day",
    "Ads by day, by the reports on advertised products",
    `${IN_AD_GROUP}
      ad_id text ad of a product${NAMED}
      advertised_asin text product
      advertised_sku text SKU of the product${STATUS}
      state text state now`,
  ),
  mart(
    "mart_keyword_day",
    "Keywords and targets by day, by the reports on targeting",
    `${IN_AD_GROUP}
      keyword_id text keyword or target${NAMED}
      keyword_text text text of the keyword, or expression of the target
      keyword_bid real current bid; empty if the ad group's default applies
      keyword_type text empty, because not all products report it
      match_type text match type`,
  ),
  mart(
    "mart_search_day",
    "Search terms by day and keyword",
    `${IN_AD_GROUP}
      keyword_id text keyword or target
      search_term text what the shopper searched for; terms with a click only${NAMED}
      targeting text text of the keyword, or expression of the target
      match_type text match type`,
  ),
];

const SUMS = "sum(cost) AS cost, sum(sales) AS sales, sum(cost) / nullif(sum(sales), 0) AS acos";

export const READY_TABLES: readonly SchemaTable[] = [
  {
    name: "performance",
    about:
      "Keywords and targets of all products by day, with the field's usual metrics (sp_targeting, sb_targeting and sd_targeting)",
    columns: columns(BEGIN + KEYWORD + METRICS + IMMATURE + ATTRIBUTION),
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
      exact_keyword_id text unarchived exact keyword with this text in the profile; empty if there is none
      ${METRICS.trim()}${IMMATURE}${ATTRIBUTION}`,
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
      "Campaigns by day with the budget of the day (sp_campaigns, or else sp_placement; sb_campaigns; sd_campaigns)",
    columns: columns(
      `${BEGIN}
      budget real budget at the end of the day, or at report time if entities were not stored yet
      budget_used real cost divided by the budget; empty for lifetime budgets
      ${METRICS.trim()}${ATTRIBUTION}`,
    ),
    examples: [
      "SELECT campaign_name, count(*) AS days_at_the_limit, avg(budget_used) AS budget_used, " + SUMS +
      ` FROM budget_pressure WHERE budget_used >= ${FULL_SHARE} GROUP BY campaign_name ORDER BY 2 DESC LIMIT 20`,
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
      keyword_id text keyword or target; empty for reported hours of targets that the account does not list
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
    name: "performance_monthly",
    about: "Campaigns of all products by whole month, for up to six years, with the field's usual metrics",
    columns: columns(
      `country_code text country of the profile
      profile_id text profile
      currency text ISO 4217 code of all amounts of the row
      ad_product text for example SPONSORED_PRODUCTS
      date date first day of the month
      campaign_id text campaign
      ${METRICS.trim()}`,
    ),
    examples: [
      `SELECT date, currency, ${SUMS} FROM performance_monthly GROUP BY date, currency ORDER BY date`,
    ],
  },
  ...MARTS,
  {
    name: "immature",
    about: "Share of each stored day that is still to come, based on final days at the same age",
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
