import { deepEqual, equal, ok, rejects } from "../../support/assert.ts";
import type { Profile } from "../../../src/client/profile.ts";
import { consumeStream } from "../../../src/store/stream/consume_stream.ts";
import { textSource } from "../../../src/store/stream/text_source.ts";
import { profileAccounts } from "../../../src/store/model/profile_accounts.ts";
import {
  dayNotes,
  reconcileStream,
  type Reconciliation,
} from "../../../src/store/stream/reconcile_stream.ts";
import { streamSchema } from "../../../src/store/warehouse/store_schema.ts";
import { COMMON_COLUMNS } from "../../../src/store/model/dataset_layout.ts";
import { streamStatus } from "../../../src/store/stream/stream_status.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

type Row = Readonly<Record<string, unknown>>;

/** A store whose queries are answered by the first part of a text that their SQL has. */
function storeOf(answers: Readonly<Record<string, readonly Row[]>>, layouts: readonly string[] = []) {
  const asked: { sql: string; params: readonly unknown[]; maxRows: unknown }[] = [];
  const store = {
    layouts: layouts.map((report) => ({ report })),
    query: (sql: string, params: readonly unknown[] = [], { maxRows }: { maxRows?: number } = {}) => {
      asked.push({ sql, params, maxRows });
      const [, rows = []] = Object.entries(answers).find(([part]) => sql.includes(part)) ?? [];
      return Promise.resolve({ rows });
    },
    stream: { confirmations: () => Promise.resolve([{ confirmedAt: null }, { confirmedAt: "2026" }]) },
  };
  return { store: store as unknown as Warehouse, asked };
}

const DAY = { country_code: "US", profile_id: "1", date: "2026-11-01" };
const FIGURES = { impressions: 100, clicks: 10, cost: 5, orders: 2, sales: 40 };
const KNOWN = { profile_id: "1", date: "2026-11-01", known_at: "2026-11-03T00:00:00Z" };
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  ...DAY,
  starts_at: hour,
  received_at: Date.parse("2026-11-02T23:30:00Z"),
  records: 1,
}));

function sponsoredProducts(more: Readonly<Record<string, readonly Row[]>> = {}) {
  return storeOf({
    "ad_product = 'SPONSORED_PRODUCTS'": [{ ...DAY, ...FIGURES }],
    "report IN ('sp_campaigns'": [{ ...KNOWN, report: "sp_campaigns" }],
    "FROM stream_sp_traffic": HOURS,
    "FROM sp_campaigns": [{ ...DAY, ...FIGURES }],
    ...more,
  }, ["sp_campaigns", "sp_placement", "sp_targeting", "sd_campaigns"]);
}

const short = (lines: readonly Reconciliation[]): unknown[] =>
  lines.map((
    { metric, stream, report, difference, share, note },
  ) => [metric, stream, report, difference, share, note]);

Deno.test("the hours of a day and its report are compared figure by figure", async () => {
  const reported = { ...FIGURES, impressions: 80, clicks: 0, cost: 0.3, sales: 39.9999999 };
  const { store, asked } = sponsoredProducts({ "FROM sp_campaigns": [{ ...DAY, ...reported }] });
  const lines = await reconcileStream(store, { start: "2026-11-01", end: "2026-11-02" });
  deepEqual(short(lines), [
    ["impressions", 100, 80, 20, 0.25, ""],
    ["clicks", 10, 0, 10, null, ""],
    ["cost", 5, 0.3, 4.7, 15.6667, ""],
    ["orders", 2, 2, 0, 0, ""],
    ["sales", 40, 40, 0, 0, ""],
  ]);
  const { metric: _, stream: _stream, report: _report, difference: _difference, share: _share, ...of } =
    lines[0]!;
  deepEqual(of, { ...DAY, ad_product: "SPONSORED_PRODUCTS", source: "sp_campaigns", note: "" });
  ok(asked.every(({ params, maxRows }) => params.join() === "2026-11-01,2026-11-02" && maxRows === Infinity));
  ok(
    asked.every(({ sql }) => !/sb_|sd_targeting/.test(sql) || /stream|days/.test(sql)),
    "no report that is not there",
  );
});

Deno.test("every day is compared where no day is given, and what is no day is refused", async () => {
  const { store, asked } = sponsoredProducts();
  await reconcileStream(store);
  deepEqual(asked[0]?.params, ["0001-01-01", "9999-12-31"]);
  await rejects(reconcileStream(store, { start: "1 Nov" }), /first day/);
  await rejects(reconcileStream(store, { end: "1 Nov" }), /last day/);
});

Deno.test("campaigns are compared one by one, also those that only one side has", async () => {
  const { store } = sponsoredProducts({
    "ad_product = 'SPONSORED_PRODUCTS'": [{ ...DAY, ...FIGURES, campaign_id: "6" }],
    "FROM sp_campaigns": [{ ...DAY, ...FIGURES, campaign_id: "5" }],
  });
  const lines = await reconcileStream(store, { byCampaign: true });
  deepEqual(
    lines.filter(({ metric }) => metric === "clicks").map((line) => [
      line.campaign_id,
      line.stream,
      line.report,
      line.share,
    ]),
    [["5", 0, 10, -1], ["6", 10, 0, null]],
  );
  deepEqual(lines.map(({ campaign_id }) => campaign_id), [..."55555", ..."66666"]);
  equal("campaign_id" in (await reconcileStream(sponsoredProducts().store))[0]!, false);
});

Deno.test("a day without hours or without a report is not compared", async () => {
  const days = async (more: Readonly<Record<string, readonly Row[]>>): Promise<number> =>
    (await reconcileStream(sponsoredProducts(more).store)).length;
  equal(await days({}), 5);
  equal(await days({ "ad_product = 'SPONSORED_PRODUCTS'": [] }), 0);
  equal(await days({ "report IN ('sp_campaigns'": [] }), 0);
  equal(await days({ "ad_product = 'SPONSORED_PRODUCTS'": [{ ...DAY, ...FIGURES, profile_id: "2" }] }), 0);
  equal(await days({ "FROM sp_campaigns": [] }), 5, "a report of a day may be empty");
});

Deno.test("of the reports that are stored of a day the most reliable is taken, in whatever order they come", async () => {
  for (const reports of [["sp_campaigns", "sp_targeting"], ["sp_targeting", "sp_campaigns"]]) {
    const { store } = sponsoredProducts({
      "report IN ('sp_campaigns'": reports.map((report) => ({ ...KNOWN, report })),
      "FROM sp_targeting": [{ ...DAY, ...FIGURES, clicks: 999 }],
    });
    const lines = await reconcileStream(store);
    deepEqual([lines[1]?.source, lines[1]?.report], ["sp_campaigns", 10]);
  }
});

Deno.test("Display has no orders in the stream, and lines are sorted by country, profile, product and day", async () => {
  const other = { ...DAY, profile_id: "2", country_code: "CA", date: "2026-10-31" };
  const { store } = sponsoredProducts({
    "ad_product = 'SPONSORED_PRODUCTS'": [{ ...DAY, ...FIGURES }, { ...other, ...FIGURES }],
    "report IN ('sp_campaigns'": [{ ...KNOWN, report: "sp_campaigns" }, {
      ...KNOWN,
      profile_id: "2",
      date: "2026-10-31",
      report: "sp_campaigns",
    }],
    "ad_product = 'SPONSORED_DISPLAY'": [{ ...DAY, ...FIGURES }],
    "report IN ('sd_campaigns'": [{ ...KNOWN, report: "sd_campaigns" }],
    "FROM sd_campaigns": [{ ...DAY, ...FIGURES }],
    "ad_product = 'SPONSORED_BRANDS'": [{ ...DAY, ...FIGURES }],
    "report IN ('sb_campaigns'": [{ ...KNOWN, report: "sb_campaigns" }],
  });
  const lines = await reconcileStream(store);
  deepEqual(lines.map(({ country_code, ad_product, metric }) => `${country_code} ${ad_product} ${metric}`), [
    ...["impressions", "clicks", "cost", "orders", "sales"].map((metric) =>
      `CA SPONSORED_PRODUCTS ${metric}`
    ),
    ...["impressions", "clicks", "cost", "orders", "sales"].map((metric) => `US SPONSORED_BRANDS ${metric}`),
    ...["impressions", "clicks", "cost"].map((metric) => `US SPONSORED_DISPLAY ${metric}`),
    ...["impressions", "clicks", "cost", "orders", "sales"].map((metric) =>
      `US SPONSORED_PRODUCTS ${metric}`
    ),
  ]);
});

const MADE = Date.parse("2026-11-03T00:00:00Z");
const NOTES: readonly (readonly [what: string, rows: readonly Row[], note: string])[] = [
  ["all hours", HOURS, ""],
  ["23 hours, as on the day when clocks go forward", HOURS.slice(1), ""],
  ["22 hours", HOURS.slice(2), "22 hours in the stream"],
  ["no hour", [], "no traffic in the stream"],
  [
    "records that came after the report",
    [...HOURS, { ...HOURS[0], received_at: MADE + 1, records: 2 }, { ...HOURS[1], received_at: MADE + 2 }],
    "3 records came after the report",
  ],
  ["records that came with the report", [...HOURS, { ...HOURS[0], received_at: MADE }], ""],
  [
    "an hour's silence before the report",
    HOURS.map((row) => ({ ...row, received_at: MADE - 3_600_000 })),
    "",
  ],
  [
    "a longer silence",
    HOURS.map((row) => ({ ...row, received_at: MADE - 3_600_001 })),
    "the report is newer than the last record",
  ],
  [
    "a few hours and late records",
    [{ ...HOURS[0], received_at: MADE + 1 }],
    "1 hours in the stream; 1 records came after the report",
  ],
];

for (const [what, rows, note] of NOTES) {
  Deno.test(`the note of a day with ${what} is: ${note || "nothing"}`, async () => {
    const { store } = storeOf({ "FROM stream_x": rows });
    equal((await dayNotes(store, "stream_x", { start: "a", end: "b" }))("1 2026-11-01", MADE), note);
  });
}

Deno.test("the state of the stream says how far behind each dataset is, in whole minutes", async () => {
  const hour = Date.parse("2026-11-01T08:00:00Z");
  const row = {
    dataset: "sp-traffic",
    country_code: "US",
    profile_id: "1",
    advertiser_id: "E",
    records: "7",
    last_hour: hour,
    received_at: hour,
  };
  const answers = {
    "FROM stream_rejected": [{ n: "4" }],
    "UNION ALL": [row, { ...row, dataset: "campaigns", country_code: null, last_hour: null }],
  };
  const { store, asked } = storeOf(answers);
  const status = (minutes: number) => streamStatus(store, { now: () => hour + minutes * 60_000 });
  const { datasets: [traffic, campaigns], rejected, pendingConfirmations } = await status(75.9);
  deepEqual(traffic, {
    dataset: "sp-traffic",
    country_code: "US",
    profile_id: "1",
    advertiser_id: "E",
    records: 7,
    last_hour: "2026-11-01T08:00:00.000Z",
    behind_minutes: 15,
    received_at: "2026-11-01T08:00:00.000Z",
  });
  deepEqual([campaigns?.country_code, campaigns?.last_hour, campaigns?.behind_minutes], [null, null, null]);
  deepEqual([rejected, pendingConfirmations], [4, 1]);
  equal((await status(30)).datasets[0]?.behind_minutes, 0, "an hour that is not over");
  equal((await status(75)).datasets[0]?.behind_minutes, 15, "a whole minute is counted with its end");
  ok(asked.every(({ maxRows }) => maxRows === Infinity));
});

Deno.test("profiles are known to the stream by account and marketplace, in their own time zone or that of their market", () => {
  const profile = (more: object): Profile =>
    ({
      profileId: "7",
      countryCode: "US",
      timezone: "America/New_York",
      accountInfo: { id: "ENTITY1", marketplaceStringId: "M1" },
      ...more,
    }) as unknown as Profile;
  const account = { advertiserId: "ENTITY1", marketplaceId: "M1", profileId: "7", countryCode: "US" };
  deepEqual(profileAccounts([profile({})]), [{ ...account, timeZone: "America/New_York" }]);
  deepEqual(profileAccounts([profile({ timezone: undefined })]), [{
    ...account,
    timeZone: "America/Los_Angeles",
  }]);
  deepEqual(
    profileAccounts([
      profile({ accountInfo: { marketplaceStringId: "M1" } }),
      profile({ accountInfo: { id: "ENTITY1" } }),
      profile({ timezone: undefined, countryCode: "ZZ" }),
    ]),
    [],
  );
});

Deno.test("records of states have no day and no hour; everything else that is common to records is there", () => {
  const mayBeEmpty = COMMON_COLUMNS.filter(([, , required]) => !required).map(([name]) => name);
  deepEqual(mayBeEmpty, ["date", "hour", "starts_at"]);
});

Deno.test("the schema describes the views and the records of the stream in words", () => {
  const tables = new Map(streamSchema().map((table) => [table.name, table]));
  const meaning = (table: string, column: string): string | undefined =>
    tables.get(table)?.columns.find(({ name }) => name === column)?.meaning;
  const names = (table: string) => tables.get(table)?.columns.slice(0, 6).map(({ name }) => name);
  deepEqual(names("sp_traffic_hourly"), [
    "country_code",
    "profile_id",
    "advertiser_id",
    "date",
    "hour",
    "starts_at",
  ]);
  ok(!names("sp_traffic_daily")?.includes("hour"));
  equal(
    tables.get("sp_traffic_daily")?.about,
    "The hourly stream's sp-traffic, with records summed by day",
  );
  equal(
    tables.get("sp_traffic_hourly")?.about,
    "The hourly stream's sp-traffic, with records summed by hour",
  );
  equal(
    tables.get("sp_traffic_daily")?.examples[0],
    'SELECT date, sum("clicks") AS "clicks" FROM sp_traffic_daily GROUP BY date ORDER BY date DESC LIMIT 14',
  );
  equal(meaning("stream_sp_traffic", "id"), "idempotency_id of the record");
  equal(meaning("stream_campaigns", "id"), "SHA-256 of the record");
  equal(
    meaning("stream_sp_conversion", "attributed_sales_14d"),
    "attributed sales within 14 days; the sum of all changes",
  );
  equal(
    meaning("stream_sp_conversion", "attributed_sales_1d"),
    "attributed sales within 1 day; the sum of all changes",
  );
  equal(meaning("stream_sp_traffic", "keyword_text"), "keyword text");
  ok(!tables.has("campaigns_hourly"));
  for (const { name, columns, examples } of tables.values()) {
    ok(columns.length > 3 && examples.length === 1, name);
    ok(!examples[0]?.includes("undefined"), "every dataset with hours has a figure");
    equal(new Set(columns.map((column) => column.name)).size, columns.length, name);
  }
});

Deno.test("a store's hours are summed up by day, and by campaign when campaigns are compared", async () => {
  await using folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"));
  try {
    const profile = { profileId: "1", countryCode: "US" };
    const account = { advertiserId: "E1", marketplaceId: "M1", timeZone: "UTC" };
    await store.stream.putAccounts([{ ...profile, ...account }]);
    const records = [["5", 3], ["5", 4], ["6", 2]].map(([campaign_id, clicks], at) =>
      JSON.stringify({
        dataset_id: "sp-traffic",
        idempotency_id: `${at}`,
        advertiser_id: "E1",
        marketplace_id: "M1",
        time_window_start: "2026-11-01T08:00:00Z",
        campaign_id,
        clicks,
      })
    );
    await consumeStream(store, textSource(records.join("\n")));
    const [start, end] = ["2026-11-01", "2026-11-01"];
    const rows = [{ date: start, campaignId: "5", clicks: 7 }, { date: start, campaignId: "6", clicks: 1 }];
    await store.replace({ ...profile, report: "sp_campaigns", start, end }, rows);
    const clicks = async (byCampaign?: boolean): Promise<unknown[]> =>
      (await reconcileStream(store, { byCampaign })).filter(({ metric }) => metric === "clicks")
        .map(({ campaign_id, stream, report }) => [campaign_id, stream, report]);
    deepEqual(await clicks(), [[undefined, 9, 8]]);
    deepEqual(await clicks(true), [["5", 7, 7], ["6", 2, 1]]);
  } finally {
    await store.close();
  }
});
