import assert from "node:assert/strict";
import { namedReport } from "../../../src/client/reports/requests/named_report.ts";
import { REPORT_PRESET_NAMES } from "../../../src/client/reports/requests/presets.ts";
import { reportTypes } from "../../../src/client/reports/requests/report_types.ts";
import { layoutOf } from "../../../src/store/model/report_layout.ts";
import { OvertakenError, type StoredEntity } from "../../../src/store/model/entity_pull.ts";
import { storeSchema } from "../../../src/store/warehouse/store_schema.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { keyword, pull } from "./entities.ts";
import { type AddTest, DE, plain, T0, US } from "./ground.ts";

const HOUR = 3600_000;
const MANY = { maxRows: Infinity };

/** The account in the store: entities with every version, and views in the words of the field. */
export function accounts(it: AddTest): void {
  it("entities that others stored while they were read are refused", async ({ driver, store }) => {
    await driver.replaceEntities({ ...pull(T0), since: 0 }, [keyword("7")]);
    await driver.replaceEntities({ ...pull(T0 + HOUR), since: T0 }, [keyword("7", { bid: 2 })]);
    for (const since of [0, T0]) {
      await assert.rejects(driver.replaceEntities({ ...pull(T0), since }, [keyword("7")]), OvertakenError);
    }
    assert.deepEqual(plain((await store.query("SELECT bid FROM sp_keywords")).rows), [{ bid: 2 }]);
  });

  it("entities are queried by views of their kinds, and an unchanged one keeps its version", async ({ driver, store }) => {
    const first = await driver.replaceEntities(pull(T0), [keyword("7"), keyword("8", { bid: 2 })]);
    assert.deepEqual(first, { entities: 2, added: 2, changed: 0, removed: 0 });
    const second = await driver.replaceEntities(pull(T0 + HOUR), [keyword("7"), keyword("9")]);
    assert.deepEqual(second, { entities: 2, added: 1, changed: 0, removed: 1 });
    const third = await driver.replaceEntities(pull(T0 + 2 * HOUR), [keyword("7", { bid: 1 }), keyword("9")]);
    assert.deepEqual(third, { entities: 2, added: 0, changed: 1, removed: 0 });
    const { rows } = await store.query("SELECT * FROM sp_keywords ORDER BY keyword_id LIMIT 1");
    assert.deepEqual(plain(rows), [{
      country_code: "US",
      profile_id: "1001",
      keyword_id: "7",
      keyword: "Red Shoes",
      match_type: "EXACT",
      state: "ENABLED",
      bid: 1,
      campaign_id: "1",
      ad_group_id: "5",
      native_language_keyword: null,
      native_language_locale: null,
      tags: null,
      keyword_text: "red shoes",
      data: keyword("7", { bid: 1 }).data,
    }]);
    const history = await store.query(
      'SELECT "keywordId" AS id, bid, known_from, known_to FROM sp_keywords_history ORDER BY 1, 3',
    );
    const at = (hours: number): string => new Date(T0 + hours * HOUR).toISOString();
    assert.deepEqual(plain(history.rows), [
      { id: "7", bid: 0.5, known_from: at(0), known_to: at(2) },
      { id: "7", bid: 1, known_from: at(2), known_to: null },
      { id: "8", bid: 2, known_from: at(0), known_to: at(1) },
      { id: "9", bid: 0.5, known_from: at(1), known_to: null },
    ]);
    const past = await store.query('SELECT "keywordId" AS id FROM sp_keywords ORDER BY 1', [], {
      asOf: at(0.5),
    });
    assert.deepEqual(plain(past.rows), [{ id: "7" }, { id: "8" }]);
  });

  it("entities of other profiles and kinds stay as they are, and odd values do not stop a query", async ({ driver, store }) => {
    await driver.replaceEntities(pull(T0), [keyword("7")]);
    await driver.replaceEntities(pull(T0, DE), [keyword("7", { bid: "dear", state: "x" })]);
    await driver.replaceEntities(pull(T0, { kind: "sp.negative_keywords" }), [
      keyword("7", { matchType: 5 }),
    ]);
    await driver.replaceEntities(pull(T0 + HOUR, { kind: "sp.negative_keywords" }), []);
    const { rows } = await store.query("SELECT country_code, bid, state FROM sp_keywords ORDER BY 1");
    assert.deepEqual(plain(rows), [
      { country_code: "DE", bid: null, state: "x" },
      { country_code: "US", bid: 0.5, state: "ENABLED" },
    ]);
    assert.deepEqual((await store.query("SELECT * FROM sp_negative_keywords")).rows, []);
  });

  it("every kind has a view, whatever its entities hold", async ({ driver, store }) => {
    const campaign = {
      budget: { budget: 25, budgetType: "DAILY" },
      campaignId: "1",
      dynamicBidding: { placementBidding: [{ percentage: 10 }], strategy: "LEGACY_FOR_SALES" },
      name: "A",
      state: "ENABLED",
    };
    const stored = { id: "1", data: JSON.stringify(campaign), keywordText: null };
    await driver.replaceEntities(pull(T0, { kind: "sp.campaigns" }), [stored]);
    const { rows } = await store.query(
      'SELECT name, budget, "budgetType", strategy, "placementBidding" FROM sp_campaigns_entities',
    );
    assert.deepEqual(plain(rows), [{
      name: "A",
      budget: 25,
      budgetType: "DAILY",
      strategy: "LEGACY_FOR_SALES",
      placementBidding: '[{"percentage":10}]',
    }]);
    const portfolio = { id: "4", data: '{"inBudget":true,"portfolioId":"4"}', keywordText: null };
    await driver.replaceEntities(pull(T0, { kind: "portfolios" }), [portfolio]);
    const found = await store.query('SELECT "portfolioId", "inBudget", amount FROM portfolios');
    assert.deepEqual(plain(found.rows), [{ portfolioId: "4", inBudget: "true", amount: null }]);
    for (
      const view of ["sb_campaigns_entities", "sb_ads", "sb_negative_keywords", "sp_product_ads_history"]
    ) {
      assert.deepEqual((await store.query(`SELECT * FROM ${view}`)).rows, []);
    }
  });

  it("any moment between random pulls of entities shows what was read last before it", async ({ driver, store }) => {
    const random = new SeededRandom(7);
    let now = T0;
    const known: { at: number; bids: Map<string, number> }[] = [];
    for (let round = 0; round < 60; round++) {
      now += random.pick([1, HOUR]);
      const bids = new Map(
        ["1", "2", "3", "4"].filter(() => random.next() < 0.7).map((id) => [id, random.integer(1, 3)]),
      );
      await driver.replaceEntities(pull(now), [...bids].map(([id, bid]) => keyword(id, { bid })));
      known.push({ at: now, bids });
    }
    for (const { at, bids } of known) {
      const { rows } = await store.query('SELECT "keywordId" AS id, bid FROM sp_keywords ORDER BY 1', [], {
        ...MANY,
        asOf: new Date(at).toISOString(),
      });
      assert.deepEqual(plain(rows), [...bids].map(([id, bid]) => ({ id, bid })));
    }
  });

  it("performance has the metrics of keywords by day, week and month, in the currency of the market", async ({ store }) => {
    const row = {
      date: "2026-09-02",
      campaignId: "1",
      campaignName: "A",
      adGroupId: "5",
      adGroupName: "B",
      keywordId: "7",
      keyword: "red shoes",
      matchType: "EXACT",
      impressions: 1000,
      clicks: 20,
      cost: 10,
      purchases14d: 4,
      sales14d: 50,
    };
    const day = { start: "2026-09-02", end: "2026-09-02" };
    await store.replace({ ...DE, report: "sp_targeting", ...day }, [row]);
    const brands = {
      date: "2026-09-02",
      adGroupId: "6",
      targetingId: "9",
      keywordId: "9",
      keywordText: "boots",
      impressions: 0,
      clicks: 0,
      cost: 0,
      purchases: 0,
      sales: 0,
    };
    await store.replace({ ...US, report: "sb_targeting", ...day }, [brands]);
    const { rows } = await store.query("SELECT * FROM performance ORDER BY country_code");
    assert.deepEqual(plain(rows), [{
      country_code: "DE",
      profile_id: "2002",
      currency: "EUR",
      ad_product: "SPONSORED_PRODUCTS",
      attribution_days: 14,
      date: "2026-09-02",
      week: "2026-08-31",
      month: "2026-09",
      campaign_id: "1",
      campaign_name: "A",
      ad_group_id: "5",
      ad_group_name: "B",
      keyword_id: "7",
      keyword: "red shoes",
      match_type: "EXACT",
      impressions: 1000,
      clicks: 20,
      cost: 10,
      orders: 4,
      sales: 50,
      ctr: 0.02,
      cpc: 0.5,
      acos: 0.2,
      roas: 5,
      cvr: 0.2,
      immature: null,
    }, {
      ...Object.fromEntries(Object.keys(rows[0]!).map((name) => [name, null])),
      country_code: "US",
      profile_id: "1001",
      currency: "USD",
      ad_product: "SPONSORED_BRANDS",
      attribution_days: 14,
      date: "2026-09-02",
      week: "2026-08-31",
      month: "2026-09",
      campaign_name: null,
      ad_group_id: "6",
      keyword_id: "9",
      keyword: "boots",
      impressions: 0,
      clicks: 0,
      cost: 0,
      orders: 0,
      sales: 0,
    }]);
    const conversion = {
      currency: "USD",
      rates: [{ currency: "EUR", rate: 1.1 }, { currency: "EUR", rate: 1.2, from: "2026-09-01" }],
    };
    const converted = await store.query(
      "SELECT currency, cost, sales, cpc, acos, roas FROM performance WHERE country_code = 'DE'",
      [],
      { conversion },
    );
    assert.deepEqual(plain(converted.rows), [
      { currency: "USD", cost: 12, sales: 60, cpc: 0.6, acos: 0.2, roas: 5 },
    ]);
    assert.deepEqual(
      (await store.query("SELECT * FROM performance", [], { asOf: new Date(T0 - 1).toISOString() })).rows,
      [],
    );
  });

  it("search_term_performance names the exact keyword that a term has already", async ({ driver, store }) => {
    const archived = keyword("6", { state: "ARCHIVED" });
    await driver.replaceEntities(pull(T0), [archived, keyword("7"), keyword("8", { matchType: "BROAD" })]);
    const term = { date: "2026-09-02", adGroupId: "5", keywordId: "8", clicks: 3 };
    const terms = ["red shoes", "blue shoes"].map((searchTerm) => ({ ...term, searchTerm }));
    await store.replace({ ...US, report: "sp_search_terms", start: "2026-09-02", end: "2026-09-02" }, terms);
    const { rows } = await store.query(
      "SELECT search_term, exact_keyword_id AS has FROM search_term_performance ORDER BY 1",
    );
    assert.deepEqual(plain(rows), [
      { search_term: "blue shoes", has: null },
      { search_term: "red shoes", has: "7" },
    ]);
  });

  it("budget_pressure has the budget of the day, whatever it was when the report was made", async ({ driver, store }) => {
    const campaign = (amount: number): StoredEntity => ({
      id: "1",
      data: JSON.stringify({ budget: { budget: amount }, campaignId: "1" }),
      keywordText: null,
    });
    const kind = "sp.campaigns" as const;
    await driver.replaceEntities(pull(Date.parse("2026-09-01T05:00Z"), { kind }), [campaign(20)]);
    await driver.replaceEntities(pull(Date.parse("2026-09-03T05:00Z"), { kind }), [campaign(40)]);
    const row = (date: string, fields: Record<string, number | string>) => ({
      date,
      campaignId: "1",
      campaignBudgetAmount: 99,
      ...fields,
    });
    const range = { start: "2026-08-31", end: "2026-09-03" };
    await store.replace({ ...US, report: "sp_placement", ...range }, [
      row("2026-08-31", { placementClassification: "a", cost: 9 }),
      row("2026-09-01", { placementClassification: "a", cost: 9 }),
      row("2026-09-01", { placementClassification: "b", cost: 10 }),
      row("2026-09-03", { placementClassification: "a", cost: 5 }),
    ]);
    await store.replace({ ...US, report: "sp_campaigns", start: "2026-09-03", end: "2026-09-03" }, [
      row("2026-09-03", { cost: 10 }),
    ]);
    const { rows } = await store.query(
      "SELECT date, budget, cost, budget_used FROM budget_pressure ORDER BY date",
    );
    assert.deepEqual(
      plain(rows).map((line) => ({ ...line, budget_used: Number(line["budget_used"]).toFixed(3) })),
      [
        { date: "2026-08-31", budget: 99, cost: 9, budget_used: "0.091" },
        { date: "2026-09-01", budget: 20, cost: 19, budget_used: "0.950" },
        { date: "2026-09-03", budget: 40, cost: 10, budget_used: "0.250" },
      ],
    );
  });

  it("ready views have the targets and campaigns of Display", async ({ store }) => {
    const day = { start: "2026-09-02", end: "2026-09-02" };
    const row = { date: "2026-09-02", cost: 5, purchases: 1, sales: 20 };
    await store.replace({ ...US, report: "sd_targeting", ...day }, [
      { ...row, adGroupId: "6", targetingId: "9", targetingText: 'asin="B000000001"' },
    ]);
    await store.replace({ ...US, report: "sd_campaigns", ...day }, [
      { ...row, campaignId: "1", campaignBudgetAmount: 10 },
    ]);
    const targets = await store.query(
      "SELECT ad_product, keyword_id, keyword, match_type, acos FROM performance",
    );
    assert.deepEqual(plain(targets.rows), [{
      ad_product: "SPONSORED_DISPLAY",
      keyword_id: "9",
      keyword: 'asin="B000000001"',
      match_type: null,
      acos: 0.25,
    }]);
    const campaigns = await store.query("SELECT ad_product, budget_used FROM budget_pressure");
    assert.deepEqual(plain(campaigns.rows), [{ ad_product: "SPONSORED_DISPLAY", budget_used: 0.5 }]);
  });

  it("query() refuses rates that nothing can be converted by", ({ store }) => {
    const convert = (currency: string, rate: number): unknown =>
      store.query("SELECT 1", [], { conversion: { currency, rates: [{ currency: "USD", rate }] } });
    assert.throws(() => convert("EURO", 1), /"EURO" is not a currency/);
    assert.throws(() => convert("EUR", 0), /the rate 0 is not a number above 0/);
    return Promise.resolve();
  });

  it("immature says how much of a day's sales is still to come, by the days that are final", async ({ driver }) => {
    let now = T0;
    const store = new Warehouse(driver, { now: () => now });
    const stored = async (day: string, age: number, sales: number): Promise<void> => {
      now = Date.parse(`${day}T12:00:00Z`) + age * 24 * HOUR;
      const row = { date: day, adGroupId: "5", keywordId: "7", cost: 5, sales14d: sales };
      await store.replace({ ...US, report: "sp_targeting", start: day, end: day }, [row]);
    };
    await stored("2026-07-01", 1, 60);
    await stored("2026-07-01", 5, 90);
    await stored("2026-07-01", 9, 100);
    await stored("2026-09-01", 1, 6);
    await stored("2026-08-27", 6, 9);
    now = Date.parse("2026-09-03T00:00:00Z");
    await driver.replaceMaturity(await store.maturity(), new Date(now).toISOString());
    const { rows } = await store.query(
      "SELECT date, age, sales_to_come FROM immature WHERE report = 'sp_targeting' ORDER BY date",
    );
    assert.deepEqual(
      plain(rows).map((line) => [line["date"], line["age"], Number(line["sales_to_come"]).toFixed(2)]),
      [
        ["2026-07-01", 9, "0.00"],
        ["2026-08-27", 6, "0.10"],
        ["2026-09-01", 1, "0.40"],
      ],
    );
    const performance = await store.query("SELECT immature FROM performance WHERE date = '2026-09-01'");
    assert.equal(Number(performance.rows[0]!["immature"]).toFixed(2), "0.40");
  });

  it("every table and column that storeSchema() names is there, and its examples run", async ({ store }) => {
    for (const { name, columns, examples } of storeSchema()) {
      const found = await store.query(`SELECT * FROM ${name} LIMIT 1`);
      const described = columns.map((column) => column.name);
      assert.deepEqual([...found.columns].sort(), [...described].sort(), name);
      for (const sql of examples) await store.query(sql);
    }
  });

  it("a report of a published type is stored by the types of its columns, and stays when the store is opened again", async ({ driver, store, reopen }) => {
    const layout = layoutOf(await namedReport("sdCampaigns:matchedTarget"));
    assert.equal(layout.view, "sd_campaigns_by_matched_target");
    await driver.addReport(layout);
    await driver.addReport(layout);
    const row = {
      date: "2026-09-02",
      campaignId: "1",
      matchedTargetAsin: "B01",
      clicks: 2,
      cost: 1.5,
      odd: "x",
    };
    const day = { start: "2026-09-02", end: "2026-09-02" };
    await store.replace({ ...US, report: "sd_campaigns_by_matched_target", ...day }, [row]);
    const again = new Warehouse(await reopen(), { now: () => T0 + HOUR });
    await again.replace({ ...US, report: "sd-campaigns-by-matched-target", ...day }, [{ ...row, clicks: 3 }]);
    const sql =
      'SELECT "campaignId" AS id, "matchedTargetAsin" AS asin, clicks, cost, extra FROM sd_campaigns_by_matched_target';
    const line = { id: "1", asin: "B01", cost: 1.5, extra: '{"odd":"x"}' };
    assert.deepEqual(plain((await again.query(sql)).rows), [{ ...line, clicks: 3 }]);
    const asOf = new Date(T0 + 1000).toISOString();
    assert.deepEqual(plain((await again.query(sql, [], { asOf })).rows), [{ ...line, clicks: 2 }]);
    const [line1] = await again.coverage();
    assert.deepEqual([line1!.report, line1!.rows], ["sd_campaigns_by_matched_target", 1]);
    assert.equal(again.layouts.length, REPORT_PRESET_NAMES.length + 1);
    for (const { name } of storeSchema(again.layouts)) await again.query(`SELECT * FROM ${name} LIMIT 1`);
  });

  it("every published type with daily rows can be stored", async ({ driver, store }) => {
    for (const { reportTypeId, groups, timeUnits } of (await reportTypes()).values()) {
      if (!timeUnits.includes("DAILY")) continue;
      for (const group of groups.keys()) {
        const layout = layoutOf(await namedReport(`${reportTypeId}:${group}`));
        assert.equal((await namedReport(layout.report)).report, layout.report, "found by its own name");
        if (reportTypeId.startsWith("dsp") && group !== [...groups.keys()][0]) continue;
        await driver.addReport(layout);
        const day = { report: layout.report, start: "2026-09-02", end: "2026-09-02" };
        assert.equal(await store.replace({ ...US, ...day }, [{ date: "2026-09-02" }]), 1, layout.report);
      }
    }
  }, "dear");
}
