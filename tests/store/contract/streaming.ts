import assert from "node:assert/strict";
import { consumeStream } from "../../../src/store/stream/consume_stream.ts";
import type { StreamAccount } from "../../../src/store/model/stream_tables.ts";
import { textSource } from "../../../src/store/stream/text_source.ts";
import { hourRecords } from "../../../src/store/sync/sync_hours.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { type AddTest, plain, T0, US } from "./ground.ts";

const ACCOUNT: StreamAccount = {
  advertiserId: "ENTITY1",
  marketplaceId: "M1",
  ...US,
  timeZone: "America/Los_Angeles",
};

function traffic(id: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    dataset_id: "sp-traffic",
    idempotency_id: id,
    advertiser_id: "ENTITY1",
    marketplace_id: "M1",
    currency: "USD",
    time_window_start: "2026-09-01T15:00:00Z",
    campaign_id: "900719925474099312",
    ad_group_id: "2",
    keyword_id: "3",
    keyword_text: "tent",
    clicks: 1,
    impressions: 10,
    cost: 0.5,
    ...fields,
  };
}

function lines(...records: unknown[]): string {
  return records.map((record) => JSON.stringify(record)).join("\n");
}

/** One keyword that reported hours are found by. */
const IDS = new Map([["SPONSORED_PRODUCTS", {
  find: (_adGroup: unknown, text: unknown) => text === "tent" ? "3" : undefined,
}]]);

/** The hourly stream: every record counts once, in the hour and day of its market. */
export function streaming(it: AddTest): void {
  it("records of the stream are summed up to hours and days of the market, each once", async ({ driver, store }) => {
    await driver.stream.putAccounts([ACCOUNT]);
    const now = (): number => T0;
    const first = await consumeStream(
      store,
      textSource(lines(traffic("a"), traffic("a"), traffic("b", { clicks: 2 }))),
      { now },
    );
    assert.deepEqual([first.messages, first.stored, first.duplicates], [3, 2, 1]);
    // Before midnight in the market, after it in UTC; late, negative, and one that was there already.
    const late = traffic("c", { time_window_start: "2026-09-01T22:00:00-07:00", impressions: 4 });
    const second = await consumeStream(
      store,
      textSource(lines(late, traffic("d", { clicks: -1, impressions: -10, cost: -0.5 }), traffic("b"))),
      { now },
    );
    assert.deepEqual([second.stored, second.duplicates, second.unknownAdvertisers], [2, 1, []]);
    const hourly = await store.query(
      `SELECT country_code, profile_id, date, hour, campaign_id, keyword_text, clicks, impressions, cost, records
       FROM sp_traffic_hourly ORDER BY starts_at`,
    );
    const key = {
      country_code: "US",
      profile_id: "1001",
      date: "2026-09-01",
      campaign_id: "900719925474099312",
      keyword_text: "tent",
    };
    assert.deepEqual(plain(hourly.rows), [
      { ...key, hour: 8, clicks: 2, impressions: 10, cost: 0.5, records: 3 },
      { ...key, hour: 22, clicks: 1, impressions: 4, cost: 0.5, records: 1 },
    ]);
    const daily = await store.query("SELECT date, clicks, impressions, records FROM sp_traffic_daily");
    assert.deepEqual(plain(daily.rows), [{ date: "2026-09-01", clicks: 3, impressions: 14, records: 4 }]);
  });

  it("reported hours are replaced, add what the stream lacks, and give way to its hours", async ({ driver, store }) => {
    await driver.stream.putAccounts([ACCOUNT]);
    const put = (rows: readonly Record<string, string | number>[]) => {
      const fields = rows.map((row) => ({
        "date.value": "2026-09-01",
        "adProduct.value": "SPONSORED_PRODUCTS",
        "campaign.id": "900719925474099312",
        "adGroup.id": "2",
        "budgetCurrency.value": "USD",
        ...row,
      }));
      const records = hourRecords(fields, { account: ACCOUNT, days: 7, receivedAt: T0, ids: IDS });
      return driver.stream.putHours({
        profileId: US.profileId,
        start: "2026-09-01",
        end: "2026-09-01",
        records: async function* () {
          yield* records;
        },
      });
    };
    const figures = { "metric.impressions": 30, "metric.clicks": 3, "metric.totalCost": 1.5 };
    const eight = { ...figures, "hour.value": 8, "metric.purchases": 1, "metric.sales": 20 };
    assert.equal(await put([eight, { ...figures, "hour.value": 9, "metric.clicks": 1 }]), 3);
    // An invalid click, which the stream takes back: no impressions, so the hour stays a reported one.
    const taken = traffic("a", { impressions: 0, clicks: -1, cost: -0.5 });
    await consumeStream(store, textSource(lines(taken)));
    // What the report has of no keyword is left out under its name, so that the ad group has what was reported.
    assert.equal(await put([eight, { ...figures, "hour.value": 9 }]), 4);
    const read = async () =>
      plain(
        (await store.query(
          `SELECT hour, sum(impressions) AS impressions, sum(clicks) AS clicks, sum(cost) AS cost, sum(orders) AS orders,
           sum(sales) AS sales FROM performance_hourly GROUP BY hour ORDER BY hour`,
        )).rows,
      );
    const reported = { impressions: 30, clicks: 3, cost: 1.5 };
    const nine = { hour: 9, ...reported, orders: 0, sales: 0 };
    assert.deepEqual(await read(), [{ hour: 8, ...reported, orders: 1, sales: 20 }, nine]);
    await consumeStream(store, textSource(lines(traffic("b"))));
    const streamed = { hour: 8, impressions: 10, clicks: 0, cost: 0, orders: 0, sales: 0 };
    assert.deepEqual(await read(), [streamed, nine]);
    assert.equal(await put([eight, { ...figures, "hour.value": 9 }]), 1);
    assert.deepEqual(await read(), [streamed, nine]);

    const [tent, lamp] = ["tent", "lamp"].map((text) => ({
      ...figures,
      "hour.value": 10,
      "target.value": text,
      "target.matchType": "EXACT",
    }));
    await consumeStream(
      store,
      textSource(lines(
        traffic("c", { time_window_start: "2026-09-01T17:00:00Z", impressions: 0, clicks: -1, cost: 0 }),
        traffic("d", { time_window_start: "2026-09-01T17:00:00Z", impressions: 0, keyword_id: "9" }),
      )),
    );
    assert.equal(await put([tent!, lamp!]), 3);
    const { rows } = await store.query(
      `SELECT keyword_id, keyword, impressions, clicks FROM performance_hourly WHERE hour = 10 ORDER BY 1 NULLS LAST`,
    );
    assert.deepEqual(plain(rows), [
      { keyword_id: "3", keyword: "tent", impressions: 30, clicks: 3 },
      { keyword_id: "9", keyword: "tent", impressions: 0, clicks: 0 },
      { keyword_id: null, keyword: null, impressions: 30, clicks: 3 },
    ]);
    const texts = await store.query(
      "SELECT keyword_text, match_type FROM stream_sp_traffic WHERE keyword_id IS NULL AND hour = 10",
    );
    assert.deepEqual(plain(texts.rows), [{ keyword_text: "lamp", match_type: "EXACT" }]);
  });

  it("sums of amounts have no noise in their last digits", async ({ driver, store }) => {
    await driver.stream.putAccounts([ACCOUNT]);
    const amounts = [0.1, 0.2, -0.3, 0.7, 0.1, -0.8];
    await consumeStream(
      store,
      textSource(lines(...amounts.map((cost, index) => traffic(`${index}`, { cost })))),
    );
    for (const view of ["sp_traffic_hourly", "sp_traffic_daily", "performance_hourly"]) {
      const { rows } = await store.query(`SELECT cost FROM ${view}`);
      assert(Object.is(rows[0]?.["cost"], 0), `${view}: ${rows[0]?.["cost"]}`);
    }
  });

  it("the two hours of a day that have one name when clocks go back stay apart", async ({ driver, store }) => {
    await driver.stream.putAccounts([ACCOUNT]);
    const hour = (id: string, zone: string): unknown =>
      traffic(id, { time_window_start: `2026-11-01T01:00:00${zone}` });
    await consumeStream(store, textSource(lines(hour("a", "-07:00"), hour("b", "-08:00"))));
    const { rows } = await store.query("SELECT date, hour FROM sp_traffic_hourly ORDER BY starts_at");
    assert.deepEqual(plain(rows), Array(2).fill({ date: "2026-11-01", hour: 1 }));
  });

  it("traffic and conversions of a keyword meet in performance_hourly", async ({ driver, store }) => {
    await driver.stream.putAccounts([ACCOUNT]);
    const records = ["sp", "sb"].flatMap((product) => [
      traffic("a", { dataset_id: `${product}-traffic` }),
      {
        ...traffic("a", { dataset_id: `${product}-conversion` }),
        attributed_conversions_14d: 2,
        attributed_sales_14d: 20,
      },
    ]);
    await consumeStream(store, textSource(lines(...records)));
    const { rows } = await store.query(
      `SELECT currency, ad_product, date, hour, keyword, clicks, cost, orders, sales, acos
       FROM performance_hourly ORDER BY ad_product`,
    );
    const figures = { clicks: 1, cost: 0.5, orders: 2, sales: 20, acos: 0.025 };
    const hour = { currency: "USD", date: "2026-09-01", hour: 8, keyword: "tent", ...figures };
    assert.deepEqual(plain(rows), [
      { ...hour, ad_product: "SPONSORED_BRANDS" },
      { ...hour, ad_product: "SPONSORED_PRODUCTS" },
    ]);
    const converted = await store.query("SELECT currency, cost FROM performance_hourly", [], {
      conversion: { currency: "EUR", rates: [{ currency: "USD", rate: 0.5 }] },
    });
    assert.deepEqual(plain(converted.rows), Array(2).fill({ currency: "EUR", cost: 0.25 }));
  });

  it("amounts of the stream are not converted without a rate of their day", async ({ driver, store }) => {
    await driver.stream.putAccounts([ACCOUNT]);
    await consumeStream(store, textSource(lines(traffic("a"))));
    const convert = (from: string): ReturnType<Warehouse["query"]> =>
      store.query("SELECT cost FROM performance_hourly", [], {
        conversion: { currency: "EUR", rates: [{ currency: "USD", rate: 0.5, from }] },
      });
    await assert.rejects(convert("2026-09-02"), /USD begin on 2026-09-02, and the store on 2026-09-01$/);
    assert.deepEqual(plain((await convert("2026-09-01")).rows), [{ cost: 0.25 }]);
  });

  it("what cannot be read is set aside once, and the rest of its batch is stored", async ({ driver, store }) => {
    const bad = [
      "not json",
      '{"dataset_id":"sp-traffic"',
      lines(traffic("", {})),
      lines(traffic("x", { time_window_start: "yesterday" })),
      lines(traffic("x", { clicks: 1.5 })),
      lines(traffic("x", { cost: "much" })),
      lines(traffic("x", { advertiser_id: null })),
      lines({ ...traffic("x"), dataset_id: "new-traffic" }),
      lines(traffic("x", { cost: "a\0b\uD800" })),
      "42",
    ];
    const text = [bad[0], lines(traffic("good", { new_field: [1] })), ...bad.slice(1)].join("\n");
    for (const rejected of [bad.length, 0]) {
      const result = await consumeStream(store, textSource(text, "file.jsonl"), { now: () => T0 });
      assert.equal(result.rejected, rejected);
    }
    const { rows } = await store.query("SELECT message_id, source, reason FROM stream_rejected");
    assert.equal(rows.length, bad.length);
    assert(
      rows.some(({ message_id, reason }) =>
        message_id === "file.jsonl:11" && reason === "it is not an object"
      ),
    );
    assert(rows.some(({ reason }) => reason === "clicks is 1.5, not a whole number"));
    const kept = await store.query("SELECT id, message_id, extra FROM stream_sp_traffic");
    assert.equal(JSON.stringify(kept.rows[0]?.["extra"]).replace(/[\\"]/g, ""), "{new_field:[1]}");
    assert.equal(kept.rows[0]?.["message_id"], "file.jsonl:2");
    assert.deepEqual(await driver.stream.accounts(), []);
  });

  it("objects that were read are known by their version, and forgotten in the range where they are gone", async ({ driver }) => {
    const at = (path: string): string => `s3://hourly/ads/${path}`;
    const put = (objects: readonly { address: string; version: string }[]) =>
      driver.stream.write({
        source: "s3://hourly/ads",
        receivedAt: T0,
        records: [],
        rejected: [],
        confirmations: [],
        objects,
      });
    const names = ["B", "a", "b", "é", "😀"];
    await put(names.map((name) => ({ address: at(name), version: "1" })));
    await put([{ address: at("b"), version: "2" }]);
    const known = async (): Promise<string[]> =>
      [...await driver.stream.objects([...names, "c"].map(at))].map(([address, version]) =>
        `${address.slice(at("").length)} ${version}`
      ).sort();
    assert.deepEqual(await known(), ["B 1", "a 1", "b 2", "é 1", "😀 1"].sort());
    // In the order of bytes, not of letters.
    await driver.stream.forgetObjects({ after: at("B"), upTo: at("b") }, new Set([at("a")]));
    assert.deepEqual(await known(), ["B 1", "a 1", "é 1", "😀 1"].sort());
    await driver.stream.forgetObjects({ after: at(""), upTo: at("\u{10FFFF}") }, new Set([at("é")]));
    assert.deepEqual(await known(), ["é 1"]);
  });

  it("records of an advertiser that is not known yet get their day once it is", async ({ driver, store }) => {
    const result = await consumeStream(
      store,
      textSource(lines(traffic("a", { time_window_start: "2026-09-02T03:00:00Z" }))),
    );
    assert.deepEqual(result.unknownAdvertisers, ["ENTITY1"]);
    const shown = async (): Promise<unknown> =>
      plain((await store.query("SELECT profile_id, country_code, date, hour FROM sp_traffic_hourly")).rows);
    assert.deepEqual(await shown(), [{ profile_id: "", country_code: null, date: "2026-09-02", hour: 3 }]);
    await driver.stream.putAccounts([ACCOUNT]);
    assert.deepEqual(await shown(), [{
      profile_id: "1001",
      country_code: "US",
      date: "2026-09-01",
      hour: 20,
    }]);
    assert.deepEqual(await driver.stream.accounts(), [ACCOUNT]);
  });

  it("datasets without hours are kept, told apart by their content", async ({ store }) => {
    const usage = {
      dataset_id: "budget-usage",
      advertiser_id: "ENTITY1",
      marketplace_id: "M1",
      budget_scope_id: "9",
      budget: 10,
      budget_usage_percentage: 55.5,
      usage_updated_timestamp: "2026-09-01T10:00:00Z",
    };
    const campaign = {
      dataset_id: "campaigns",
      advertiser_id: "ENTITY1",
      marketplace_id: "M1",
      campaignId: "9",
      version: 3,
      state: "ENABLED",
      budget: { budgetCap: { monetaryBudget: { amount: 12.5, currencyCode: "USD" } } },
      tags: { a: "b" },
    };
    const { stored, duplicates } = await consumeStream(
      store,
      textSource(lines(usage, usage, { ...usage, budget: 11 }, campaign)),
    );
    assert.deepEqual([stored, duplicates], [3, 1]);
    const { rows } = await store.query(
      'SELECT "campaignId", version, "budget_budgetCap_monetaryBudget_amount" AS amount FROM stream_campaigns',
    );
    assert.deepEqual(plain(rows), [{ campaignId: "9", version: 3, amount: 12.5 }]);
  });

  it("a query as of a moment sums up what had been received by then", async ({ driver, store }) => {
    await driver.stream.putAccounts([ACCOUNT]);
    for (const [index, id] of ["a", "b"].entries()) {
      await consumeStream(store, textSource(lines(traffic(id))), { now: () => T0 + index * 3_600_000 });
    }
    const clicks = async (asOf?: string): Promise<unknown> =>
      (await store.query("SELECT sum(clicks) AS clicks FROM performance_hourly", [], { asOf })).rows[0]
        ?.["clicks"];
    assert.equal(Number(await clicks()), 2);
    assert.equal(Number(await clicks(new Date(T0 + 1000).toISOString())), 1);
  });

  it("a confirmation is kept until it is given", async ({ driver, store }) => {
    const message = {
      Type: "SubscriptionConfirmation",
      TopicArn: "arn:aws:sns:us-east-1:1:topic",
      SubscribeURL: "https://sns.us-east-1.platformaws.com/?Action=ConfirmSubscription&Token=1",
      Timestamp: "2026-09-01T10:00:00.000Z",
    };
    const notification = { Type: "Notification", Message: JSON.stringify(traffic("a")) };
    const result = await consumeStream(store, textSource(lines(message, message, notification)));
    assert.deepEqual([result.confirmations, result.stored, result.rejected], [2, 1, 0]);
    const [kept, ...others] = await driver.stream.confirmations();
    assert.deepEqual(others, []);
    assert.deepEqual([kept?.sentAt, kept?.confirmedAt], ["2026-09-01T10:00:00.000Z", null]);
    await driver.stream.confirm(kept!.url, "2026-09-01T11:00:00.000Z");
    assert.equal((await driver.stream.confirmations())[0]?.confirmedAt, "2026-09-01T11:00:00.000Z");
  });

  it("two consumers that are given the same messages at once store each record once", async ({ store, reopen }) => {
    const other = new Warehouse(await reopen());
    const all = Array.from({ length: 500 }, (_, index) => traffic(`r${index}`));
    const texts = Array.from({ length: 20 }, (_, part) => lines(...all.slice(part * 25, part * 25 + 25)));
    const [one, two] = await Promise.all([
      consumeStream(store, textSource(texts)),
      consumeStream(other, textSource(texts.toReversed())),
    ]);
    assert.equal(one.stored + two.stored, 500);
    const { rows } = await store.query("SELECT sum(clicks) AS clicks FROM sp_traffic_daily");
    assert.equal(Number(rows[0]?.["clicks"]), 500);
  });
}
