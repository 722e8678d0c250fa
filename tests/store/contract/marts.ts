import assert from "node:assert/strict";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import { storeSchema } from "../../../src/store/warehouse/store_schema.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { keyword, pull } from "./entities.ts";
import { type AddTest, days, DE, plain, T0, US } from "./ground.ts";

const HOUR = 3600_000;
const RANGE = days("2026-09-01", "2026-09-05");

/** Marts, each with the table of the warehouses that it stands in for and what they expect beside day and profile. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  mart_account_day: [],
  mart_portfolio_day: [
    ...[
      "portfolio_id",
      "portfolio_name",
      "budget_policy",
      "budget_amount",
      "in_budget",
      "start_date",
      "end_date",
    ],
    ...["serving_status", "state"],
  ],
  mart_campaign_day: [
    ...[
      "campaign_id",
      "campaign_name",
      "campaign_bidding_strategy",
      "budget",
      "budget_type",
      "budget_currency_code",
    ],
    ...["targeting_type", "serving_status", "state", "start_date", "end_date"],
  ],
  mart_ad_group_day: ["ad_group_id", "ad_group_name", "default_bid", "serving_status", "state"],
  mart_ad_day: ["ad_id", "advertised_asin", "advertised_sku", "serving_status", "state"],
  mart_keyword_day: ["keyword_id", "keyword_text", "keyword_bid", "keyword_type", "match_type"],
  mart_search_day: ["search_term", "targeting"],
};
const COMMON = [
  ...["source_relation", "date_day", "account_id", "account_name", "country_code", "profile_id"],
  ...["cost", "clicks", "impressions", "purchases_30_d", "sales_30_d"],
];

/** The tables of one row a day that analysts join by name. */
export function marts(it: AddTest): void {
  it("marts have the columns that warehouses of this field expect, and those that the schema tells", async ({ store }) => {
    for (const [name, own] of Object.entries(EXPECTED)) {
      const { columns } = await store.query(`SELECT * FROM ${name}`);
      for (const column of [...COMMON, ...own]) assert.ok(columns.includes(column), `${name}.${column}`);
      const told = storeSchema().find((table) => table.name === name);
      assert.deepEqual(told?.columns.map((column) => column.name), columns, name);
    }
  });

  it("marts add up to the reports that they are made of, to the cent, with the entities of now", async (ground) => {
    const { store, driver } = ground;
    const random = new SeededRandom(7);
    const figures = (): ReportRow => ({
      impressions: random.integer(0, 500),
      clicks: random.integer(0, 30),
      cost: random.integer(0, 9999) / 100,
      purchases14d: random.integer(0, 4),
      sales14d: random.integer(0, 99999) / 100,
    });
    const all: Record<string, ReportRow[]> = {};
    for (const [who, campaigns] of [[US, ["1", "2"]], [DE, ["3"]]] as const) {
      const rows = (more: (id: string) => ReportRow): ReportRow[] =>
        campaigns.flatMap((campaignId) =>
          ["01", "02", "03", "04", "05"].map((day) => ({
            date: `2026-09-${day}`,
            campaignId,
            campaignName: `Then ${campaignId}`,
            ...more(campaignId),
            ...figures(),
          }))
        );
      const reports: Record<string, ReportRow[]> = {
        sp_campaigns: rows(() => ({})),
        sp_targeting: rows((id) => ({
          adGroupId: `5${id}`,
          adGroupName: "G",
          keywordId: `7${id}`,
          keyword: "red shoes",
        })),
        sp_search_terms: rows((id) => ({
          adGroupId: `5${id}`,
          keywordId: `7${id}`,
          keyword: "red shoes",
          searchTerm: "red",
        })),
        sp_advertised_products: rows((id) => ({
          adGroupId: `5${id}`,
          adId: `9${id}`,
          advertisedAsin: "B0",
          advertisedSku: "S",
        })),
      };
      for (const [report, own] of Object.entries(reports)) {
        await store.replace({ ...who, report: report as "sp_campaigns", ...RANGE }, own);
        all[report] = [...all[report] ?? [], ...own.map((row) => ({ ...row, profile: who.profileId }))];
      }
    }
    const campaign = (id: string, more: object): { id: string; data: string; keywordText: null } => ({
      id,
      data: JSON.stringify({ campaignId: id, name: `Now ${id}`, state: "ENABLED", ...more }),
      keywordText: null,
    });
    await driver.replaceEntities(pull(T0, { kind: "sp.campaigns" }), [
      campaign("1", {
        portfolioId: "77",
        budget: { budget: 12.5, budgetType: "DAILY" },
        targetingType: "MANUAL",
      }),
      campaign("2", {}),
    ]);
    await driver.replaceEntities(pull(T0, { kind: "portfolios" }), [
      {
        id: "77",
        data: JSON.stringify({ portfolioId: "77", name: "Shoes", inBudget: true }),
        keywordText: null,
      },
    ]);
    await driver.replaceEntities(pull(T0), [keyword("71", { bid: 0.5 })]);
    await driver.replaceEntities(pull(T0 + 2 * HOUR), [keyword("71", { bid: 0.75 })]);

    const source = {
      mart_account_day: "sp_campaigns",
      mart_portfolio_day: "sp_campaigns",
      mart_campaign_day: "sp_campaigns",
      mart_ad_group_day: "sp_targeting",
      mart_ad_day: "sp_advertised_products",
      mart_keyword_day: "sp_targeting",
      mart_search_day: "sp_search_terms",
    };
    for (const [mart, report] of Object.entries(source)) {
      const { rows } = await store.query(
        `SELECT profile_id, date_day, sum(cost) AS cost, sum(clicks) AS clicks, sum(sales_14_d) AS sales FROM ${mart} ` +
          "GROUP BY profile_id, date_day ORDER BY 1, 2",
      );
      const expected = [...Map.groupBy(all[report]!, ({ profile, date }) => `${profile} ${date}`)].sort().map(
        (
          [key, own],
        ) => {
          const sum = (name: string): string =>
            own.reduce((total, row) => total + Number(row[name]), 0).toFixed(2);
          return `${key} ${sum("cost")} ${sum("clicks")} ${sum("sales14d")}`;
        },
      );
      const found = rows.map(({ profile_id, date_day, cost, clicks, sales }) =>
        `${profile_id} ${String(date_day).slice(0, 10)} ${Number(cost).toFixed(2)} ${
          Number(clicks).toFixed(2)
        } ${Number(sales).toFixed(2)}`
      );
      assert.deepEqual(found, expected, mart);
    }
    const names = await store.query(
      "SELECT DISTINCT campaign_id, campaign_name, portfolio_id, budget, targeting_type, budget_currency_code " +
        "FROM mart_campaign_day ORDER BY campaign_id",
    );
    const none = { portfolio_id: null, budget: null, targeting_type: null };
    assert.deepEqual(plain(names.rows), [
      {
        ...{ campaign_id: "1", campaign_name: "Now 1", portfolio_id: "77", budget: 12.5 },
        ...{ targeting_type: "MANUAL", budget_currency_code: "USD" },
      },
      { campaign_id: "2", campaign_name: "Now 2", ...none, budget_currency_code: "USD" },
      { campaign_id: "3", campaign_name: "Then 3", ...none, budget_currency_code: "EUR" },
    ]);
    const portfolios = await store.query(
      "SELECT portfolio_name, count(*) AS days FROM mart_portfolio_day GROUP BY 1 ORDER BY 2 DESC, 1",
    );
    assert.deepEqual(plain(portfolios.rows.filter(({ portfolio_name: name }) => name !== null)), [
      { portfolio_name: "Shoes", days: 5 },
    ]);
    const bid = async (asOf?: string): Promise<unknown> =>
      (await store.query("SELECT max(keyword_bid) AS bid FROM mart_keyword_day WHERE keyword_id = '71'", [], {
        asOf,
      }))
        .rows[0]?.["bid"];
    assert.deepEqual([await bid(), await bid(new Date(T0 + HOUR).toISOString())], [0.75, 0.5]);
    const [before] = (await store.query("SELECT count(*) AS n FROM mart_ad_day", [], {
      asOf: new Date(T0 - HOUR).toISOString(),
    })).rows;
    assert.equal(before?.["n"], 0, "nothing was known before the first pull");
    const [euro] =
      (await store.query("SELECT sum(cost) AS cost, max(currency) AS currency FROM mart_account_day", [], {
        conversion: { currency: "EUR", rates: [{ currency: "USD", rate: 0.5 }] },
      })).rows;
    const cost = all["sp_campaigns"]!.reduce(
      (sum, { profile, cost }) => sum + Number(cost) * (profile === US.profileId ? 0.5 : 1),
      0,
    );
    assert.deepEqual([Number(euro?.["cost"]).toFixed(2), euro?.["currency"]], [cost.toFixed(2), "EUR"]);
  });
}
