import fc from "fast-check";
import { deepEqual, equal, match, ok } from "../../support/assert.ts";
import { consumeStream } from "../../../src/store/stream/consume_stream.ts";
import { datasetLayout, streamColumns } from "../../../src/store/model/dataset_layout.ts";
import { reconcileStream } from "../../../src/store/stream/reconcile_stream.ts";
import { AddedHours, REPORTED } from "../../../src/store/model/reported_hours.ts";
import { textSource } from "../../../src/store/stream/text_source.ts";
import { streamStatus } from "../../../src/store/stream/stream_status.ts";
import { hourOf } from "../../../src/client/reports/field_periods.ts";
import { hourRecords } from "../../../src/store/sync/sync_hours.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { editedReports } from "../../support/edited_reports.ts";
import { emulated } from "../../support/emulated.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { long } from "../../support/long.ts";

const ACCOUNT = {
  advertiserId: "ENTITY1",
  marketplaceId: "M1",
  profileId: "1",
  countryCode: "US",
  timeZone: "America/Los_Angeles",
};
const RANGE = { start: "2026-09-28", end: "2026-09-29" };
/** Enough where no day is told from another: a day of hours costs a second. */
const ONE_DAY = { start: RANGE.end, end: RANGE.end };

long();
Deno.test("hours of the new reports sum up to the days of reports, and give way to hours of the stream", async () => {
  await using world = await emulated({ emulator: { quirks: { reportSeconds: 0 } } });
  await using folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
  const reports = ["sp_campaigns", "sb_campaigns", "sd_campaigns"];
  const pulled = await store.sync([world.us], { reports, ...ONE_DAY, reporting: 1, hours: true });
  equal(pulled.ok, true, pulled.summary());
  const hours = pulled.outcomes.find(({ report }) => report === "hours")!;
  ok(hours.rows > 100);
  const differing = async () =>
    (await reconcileStream(store, ONE_DAY)).filter(({ difference }) => difference !== 0);
  const lines = await reconcileStream(store, { ...ONE_DAY, byCampaign: true });
  deepEqual(new Set(lines.map(({ ad_product }) => ad_product)).size, 3);
  deepEqual(await differing(), []);
  ok(lines.some(({ metric, stream }) => metric === "sales" && stream > 0));
  match(lines[0]!.note, /24 hours of new reports/);
  const { datasets } = await streamStatus(store);
  deepEqual(datasets, [], "no dataset of the stream");

  const again = await store.sync([world.us], { ...ONE_DAY, hours: "only" });
  deepEqual(again.outcomes.map(({ report, rows }) => [report, rows]), [["hours", hours.rows]]);
  deepEqual(await differing(), [], "hours that are pulled again take the place of the others");

  const hour = async () =>
    (await store.query(
      `SELECT campaign_id, sum(impressions) AS impressions FROM sp_traffic_hourly WHERE date = ? AND hour = 20
       GROUP BY campaign_id ORDER BY campaign_id`,
      [RANGE.end],
    )).rows.map((row) => Object.values(row));
  ok((await hour()).length > 3);
  const [named] = await store.stream.accounts();
  const record = {
    dataset_id: "sp-traffic",
    idempotency_id: "a",
    advertiser_id: named!.advertiserId,
    marketplace_id: named!.marketplaceId,
    time_window_start: `${RANGE.end}T20:00:00-07:00`,
    campaign_id: "9",
    ad_group_id: "8",
    impressions: 7,
    clicks: 1,
    cost: 1,
  };
  await consumeStream(store, textSource(JSON.stringify(record)));
  deepEqual(await hour(), [["9", 7]], "nothing counts twice when the stream comes later");
  await store.sync([world.us], { ...ONE_DAY, hours: "only" });
  deepEqual(await hour(), [["9", 7]], "nor when hours are pulled again");
  const { rows: [sold] } = await store.query(
    "SELECT count(*) AS n FROM stream_sp_conversion WHERE date = ? AND hour = 20",
    [RANGE.end],
  );
  equal(Number(sold!["n"]), 0);
  await store.close();
});

Deno.test("sync of hours asks for the last 14 days, before today, and reports what fails", async () => {
  await using world = await emulated({ emulator: { quirks: { reportSeconds: 0 } } });
  await using folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
  world.emulator.setFaults([{
    match: { path: "/adsApi/v1/create/reports" },
    effects: { reportOutcome: "FAILURE", reportSeconds: 0 },
  }]);
  const warnings: string[] = [];
  const failed = await store.sync([world.us], {
    hours: "only",
    start: "2026-09-01",
    end: "2026-09-30",
    onWarning: (text) => warnings.push(text),
  });
  const [outcome] = failed.outcomes;
  deepEqual([outcome!.start, outcome!.end, outcome!.state], ["2026-09-16", "2026-09-29", "failed"]);
  match(failed.summary(), /US \d+ hours 2026-09-16 to 2026-09-29: .*the platform says FAILED/);
  deepEqual(warnings, ["Hours before 2026-09-16 are not kept by the platform and not asked for"]);
  const none = await store.sync([world.us], { hours: "only", start: "2026-08-01", end: "2026-08-02" });
  deepEqual(none.outcomes, []);
  await store.close();
});

long();
Deno.test("a sync of hours takes up the report of one that was cut off, unless it is old or forgotten", async () => {
  await using world = await emulated({ emulator: { quirks: { reportSeconds: 1200 } } });
  await using folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
  const kinds: string[] = [];
  const pull = async (timeout?: number) => {
    const { outcomes: [outcome] } = await store.sync([world.us], {
      ...ONE_DAY,
      hours: "only",
      timeout,
      onProgress: ({ kind }) => kinds.push(kind),
    });
    return outcome!;
  };
  const created = (): number => world.asked().filter((line) => line.endsWith("/create/reports")).length;
  const left = await pull(60);
  deepEqual([left.state, left.resumed, created()], ["left", false, 1]);
  const entries = async () =>
    (await store.requests()).map(({ report, state, reportId }) => [report, state, reportId]);
  deepEqual(await entries(), [["hours", "building", left.reportId]]);
  world.emulator.clock.advance(1200);
  const taken = await pull();
  deepEqual([taken.state, taken.resumed, taken.reportId, created()], ["stored", true, left.reportId, 0]);
  ok(kinds.includes("resumed") && taken.rows > 50);
  deepEqual(await entries(), [["hours", "stored", left.reportId]]);

  const second = await pull(60);
  deepEqual([second.state, created()], ["left", 1]);
  await world.us.request("POST", "/adsApi/v1/delete/reports", {
    json: { reportIds: [second.reportId] },
    scoped: false,
  });
  world.asked();
  const third = await pull(60);
  deepEqual([third.state, third.resumed, created()], ["left", true, 1]);
  ok(third.reportId !== second.reportId);
  world.time.advance(13 * 3600);
  world.emulator.clock.advance(13 * 3600);
  const fourth = await pull(60);
  deepEqual([fourth.resumed, created()], [false, 1]);
  deepEqual((await store.requests()).map(({ state }) => state).toSorted(), [
    "building",
    "dropped",
    "dropped",
    "stored",
  ]);
  await store.close();
});

long();
Deno.test("rows of hours whose ad product has no table are counted in a warning, and the others stored", async () => {
  const pulled = async (edit: (text: string) => string): Promise<[rows: number, warnings: string[]]> => {
    await using world = await emulated({
      emulator: { quirks: { reportSeconds: 0 } },
      fetchOf: () => editedReports(edit),
    });
    await using folder = await temporaryFolder();
    const warnings: string[] = [];
    const store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
    const { ok: isOk, outcomes } = await store.sync([world.us], {
      ...ONE_DAY,
      hours: "only",
      onWarning: (text) => warnings.push(text),
    });
    equal(isOk, true);
    await store.close();
    return [outcomes[0]!.rows, warnings.filter((text) => !text.includes("that the account does not list"))];
  };
  const [all, none] = await pulled((text) => text);
  deepEqual(none, []);
  const [left, warnings] = await pulled((text) => text.replaceAll("SPONSORED_BRANDS", "PLATFORM_DSP"));
  ok(left > 0 && left < all, `${left} of ${all} rows`);
  equal(warnings.length, 1);
  match(
    warnings[0]!,
    /^US hours 2026-09-29 to 2026-09-29: \d+ rows of ad product "PLATFORM_DSP" not stored\. /,
  );
});

Deno.test("hours begin where the clock of the market says, also on days on which it changes", () => {
  const rows = [["2026-11-01", 0], ["2026-11-01", 1], ["2026-11-01", 2], ["2026-03-08", 3]].map((
    [date, hour],
  ) => ({
    "date.value": date!,
    "hour.value": hour!,
    "adProduct.value": "SPONSORED_BRANDS",
    "campaign.id": "1",
    "adGroup.id": "2",
    "metric.clicks": 1,
  }));
  const [group] = hourRecords(rows, { account: ACCOUNT, days: 7, receivedAt: 0, ids: new Map() });
  equal(group!.layout.dataset, "sb-traffic");
  const at = streamColumns(group!.layout).indexOf("starts_at");
  deepEqual(group!.rows.map((row) => new Date(Number(row[at])).toISOString().slice(0, 13)), [
    "2026-11-01T07",
    "2026-11-01T08",
    "2026-11-01T10",
    "2026-03-08T10",
  ]);
  deepEqual(["7", 7, "07:00:00", "2026-11-01T07:00"].map(hourOf), [7, 7, 7, 7]);
});

Deno.test("what reported hours add to the stream and the stream together are what was reported", () => {
  const layout = datasetLayout("sp-traffic")!;
  const names = streamColumns(layout);
  const at = (name: string): number => names.indexOf(name);
  const clicks = fc.integer({ min: 0, max: 50 });
  // Names of keywords; a null has no id.
  const keywords = fc.dictionary(fc.constantFrom("1", "2", "3", "null"), clicks, { noNullPrototype: true });
  const idOf = (keyword: string): string | null => keyword === "null" ? null : keyword;
  const hours = fc.array(fc.record({ reported: keywords, streamed: keywords, isOwn: fc.boolean() }));
  fc.assert(fc.property(hours, fc.nat(20), (all, cut) => {
    const rows = all.flatMap(({ reported }, hour) =>
      Object.entries(reported).map(([keyword, clicks]) => {
        const cells: Readonly<Record<string, string | number | null>> = {
          id: `${hour} ${keyword}`,
          starts_at: hour,
          clicks,
          message_id: REPORTED,
          keyword_id: idOf(keyword),
          keyword_text: "lamp",
          impressions: null,
          cost: null,
        };
        return names.map((name) => cells[name] === undefined ? "1" : cells[name]);
      })
    );
    const sums = all.flatMap(({ streamed }, starts_at) =>
      Object.entries(streamed).map(([keyword, clicks]) => ({
        ...{ starts_at, campaign_id: "1", ad_group_id: "1", keyword_id: idOf(keyword), clicks },
      }))
    );
    const taken = all.flatMap(({ isOwn }, starts_at) => isOwn ? [{ starts_at }] : []);
    const hours = new AddedHours(layout, { taken, sums });
    const added = [...hours.add(rows.slice(0, cut)), ...hours.add(rows.slice(cut)), ...hours.rest()];
    equal(new Set(added.map((row) => row[at("id")])).size, added.length);
    const sum = (counts: Readonly<Record<string, number>>) =>
      Object.values(counts).reduce((a, b) => a + b, 0);
    for (const [hour, { reported, streamed, isOwn }] of all.entries()) {
      const own = added.filter((row) => row[at("starts_at")] === hour);
      const clicksOf = (list: typeof own) => list.reduce((sum, row) => sum + Number(row[at("clicks")]), 0);
      const isReported = !isOwn && Object.keys(reported).length > 0;
      equal(clicksOf(own) + sum(streamed), isReported ? sum(reported) : sum(streamed), "by ad group");
      for (const keyword of ["1", "2", "3"]) {
        const ours = clicksOf(own.filter((row) => row[at("keyword_id")] === keyword));
        const [there = 0, wanted = 0] = [streamed[keyword], reported[keyword]];
        equal(ours + there, isReported ? wanted : there, "by keyword");
      }
    }
  }));
});

long();
Deno.test("hours are by keyword and target with their ids, what has none is counted and kept, and sums stay those of ad groups", async () => {
  await using world = await emulated({ emulator: { quirks: { reportSeconds: 0 } } });
  await using folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
  const warnings: string[] = [];
  const onWarning = (text: string) => void warnings.push(text);
  const { ok: isOk, outcomes } = await store.sync([world.us], { ...RANGE, hours: "only", onWarning });
  equal(isOk, true);
  const query = async (sql: string) => (await store.query(sql, [], { maxRows: Infinity })).rows;
  // The emulator divides the impressions of a row by hours, so that only those of the day add up for any rows.
  const given = ["SPONSORED_PRODUCTS", "SPONSORED_BRANDS", "SPONSORED_DISPLAY"];
  const filter = { "adProduct.value": given };
  for (const [time, metric] of [["hour", "clicks"], ["date", "impressions"]] as const) {
    const times = time === "hour" ? ["date", "hour"] : ["date"];
    const fields = [...times.map((name) => `${name}.value`), "campaign.id", "adGroup.id", `metric.${metric}`];
    const wanted: [string, number][] = [];
    for await (const row of world.us.reports.stream({ fields, ...RANGE, filter })) {
      const [count, ...key] = [`metric.${metric}`, ...fields.slice(0, -1)].map((name) => row[name]);
      if (Number(count) > 0) wanted.push([key.join(" "), Number(count)]);
    }
    const key = [...times, "campaign_id", "ad_group_id"].join(", ");
    const sums = await query(
      `SELECT ${key}, sum(${metric}) AS count FROM performance_hourly GROUP BY ${key} HAVING sum(${metric}) > 0`,
    );
    ok(wanted.length > 20);
    deepEqual(
      new Map(sums.map(({ count, ...key }) => [Object.values(key).join(" "), Number(count)])),
      new Map(wanted),
    );
  }

  const keywords = new Map(
    (await world.us.sp.keywords.list({ states: null })).map((one) => [one.keywordId, one]),
  );
  const rows = await query(
    "SELECT ad_group_id, keyword_id, keyword FROM performance_hourly WHERE ad_product = 'SPONSORED_PRODUCTS'",
  );
  const known = rows.filter(({ keyword_id }) => keywords.has(String(keyword_id)));
  ok(known.length > 100, "most hours are those of keywords");
  for (const { ad_group_id, keyword_id, keyword } of known) {
    const { adGroupId, keywordText } = keywords.get(String(keyword_id))!;
    deepEqual([ad_group_id, String(keyword ?? keywordText).toLowerCase()], [
      adGroupId,
      keywordText.toLowerCase(),
    ]);
  }
  const targets = await world.us.sp.targets.list({ states: null });
  ok(rows.some(({ keyword_id }) => targets.some(({ targetId }) => targetId === keyword_id)));
  ok((await query("SELECT 1 FROM stream_sd_traffic WHERE target_id IS NOT NULL")).length > 0);

  const [, named = ""] =
    /: (\d+) of \d+ rows are of keywords or targets that the account does not list/.exec(warnings.join()) ??
      [];
  equal(warnings.length, 1);
  const unjoined = await query(
    ["sp", "sb", "sd"].map((product) =>
      `SELECT count(*) AS n FROM stream_${product}_traffic WHERE ${
        product === "sd" ? "target_id IS NULL AND targeting_text" : "keyword_id IS NULL AND keyword_text"
      } IS NOT NULL`
    ).join(" UNION ALL "),
  );
  // Themes of Brands are no keywords and no targets.
  deepEqual(unjoined.map(({ n }) => Number(n)), [0, Number(named), 0]);
  ok(Number(named) > 0);
  equal(outcomes[0]!.state, "stored");
  await store.close();
});
