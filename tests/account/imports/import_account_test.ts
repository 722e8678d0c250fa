import assert from "node:assert/strict";
import { PlatformAds } from "../../../mod.ts";
import {
  importedAccount,
  importFiles,
  planBids,
  planNegatives,
  planSheet,
  sheetOfPlan,
} from "../../../src/account/mod.ts";
import { BULK_HEADERS } from "../../../src/interfaces/demo/bulk_lines.ts";
import { CONSOLE_REPORTS } from "../../../src/interfaces/demo/console_reports.ts";
import { writeConsoleFiles } from "../../../src/interfaces/demo/write_console_files.ts";
import { Emulator } from "../../../src/emulator/mod.ts";
import { figures, Warehouse } from "../../../src/store/mod.ts";
import { storedWorld } from "../jobs/stored_world.ts";
import { long } from "../../support/long.ts";

const DAYS = { start: "2026-09-16", end: "2026-09-29" };
const WEEK = { start: "2026-09-23", end: "2026-09-29" };
const DAILY = { ...DAYS, isSummary: false, language: "en" } as const;

/** Header rows of the facts, by report and language; spaces at the end of a header are written out. */
async function factHeaders(): Promise<Map<string, string>> {
  const text = await Deno.readTextFile(
    new URL("../../../catalog/listing/console_headers.tsv", import.meta.url),
  );
  const lists = new Map<string, string[]>();
  for (const line of text.trim().split("\n").slice(1)) {
    const [report = "", product, language, header = ""] = line.split("\t");
    const name = `${report} ${product} ${language}`;
    lists.set(name, [...lists.get(name) ?? [], header.replace("␠", " ")]);
  }
  return new Map([...lists].map(([report, headers]) => [headers.join("|"), report]));
}

Deno.test("the demo writes header rows that stand in the facts, each in its order", async () => {
  const facts = await factHeaders();
  const found = CONSOLE_REPORTS.map(({ headers }) => facts.get(headers));
  assert.deepEqual(found.map((name) => name?.slice(0, 20)), [
    "search term (daily, ",
    "targeting (daily, 20",
    "advertised product (",
    "campaign (CSV, daily",
    "search term (summary",
    "targeting (summary, ",
    "search term (summary",
    "advertised product (",
  ]);
  assert.match(
    facts.get(BULK_HEADERS.join("|")) ?? "",
    /^bulk file: sheet Sponsored Products Campaigns \(2026/,
  );
});

long();
Deno.test("figures of imported files are those of the account to the cent, by the ids of the bulk sheet", async () => {
  await using at = await storedWorld();
  const { us } = at.world;
  const files = await writeConsoleFiles(us, { ...DAILY, ...WEEK });
  await using store = await Warehouse.open(`${await Deno.makeTempDir()}/files.sqlite`);
  const { names, profileId, entities } = await importFiles(store, files, { countryCode: "US" });
  assert.deepEqual([names.named, names.missing, names.several], [0, [], []]);
  assert.equal(entities["sp.keywords"], (await us.sp.keywords.list({ states: null })).length);

  await at.store.sync(us, {
    reports: ["sp_campaigns", "sp_targeting", "sp_search_terms", "sp_advertised_products"],
    ...WEEK,
  });
  for (
    const [report, keys, where] of [
      ["sp_campaigns", "date, campaign_id", ""],
      ["sp_targeting", "date, keyword_id", ""],
      ["sp_search_terms", "date, keyword_id, search_term", "WHERE clicks > 0"],
      ["sp_advertised_products", "date, ad_id", ""],
    ] as const
  ) {
    const sql =
      `SELECT ${keys}, sum(clicks) AS clicks, round(sum(cost), 2) AS cost, round(sum(sales_7d), 2) AS sales,
      sum(purchases_7d) AS orders FROM ${report} ${where} GROUP BY ${keys} ORDER BY ${keys}`;
    const [own, synced] = [
      await store.query(sql, [], { maxRows: 1e6 }),
      await at.store.query(sql, [], { maxRows: 1e6 }),
    ];
    assert.ok(synced.rows.length > 100, report);
    assert.deepEqual(own.rows, synced.rows, report);
  }
  const { rows, notes } = await figures(store, {
    by: ["campaign"],
    from: WEEK.start,
    to: WEEK.end,
    today: "2026-09-30",
  });
  const sums = await store.query("SELECT sum(sales_7d) AS sales FROM sp_campaigns");
  assert.equal(
    rows.reduce((sum, { sales }) => sum + sales, 0).toFixed(2),
    Number(sums.rows[0]?.["sales"]).toFixed(2),
  );
  assert.ok(notes.includes("Orders and sales of US count 7 days after a click, as their files do"));
  const mart = await store.query(
    "SELECT sum(sales_14_d) AS long, sum(sales_7_d) AS short FROM mart_campaign_day",
  );
  assert.deepEqual([mart.rows[0]?.["long"], Number(mart.rows[0]?.["short"]).toFixed(2)], [
    null,
    Number(sums.rows[0]?.["sales"]).toFixed(2),
  ]);
  assert.equal(profileId, "98583");
});

long();
Deno.test("plans out of files become bulk sheets that ask the account for the same changes", async () => {
  await using at = await storedWorld();
  const { us } = at.world;
  await using store = await Warehouse.open(`${await Deno.makeTempDir()}/files.sqlite`);
  const { profileId } = await importFiles(store, await writeConsoleFiles(us, DAILY), { countryCode: "US" });
  const { copy, entities } = await importedAccount(store, profileId);
  const emulator = await Emulator.start({ account: copy });
  try {
    const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
    const fromFiles = await ads.profile(profileId);
    const options = { store, sync: false as const, today: "2026-09-30" };
    const plans = [
      (await planNegatives(fromFiles, { ...options, minClicks: 6, lag: 0, days: 14 })).plan,
      (await planBids(fromFiles, {
        ...options,
        where: "acos14d > 0.3",
        change: "-10%",
        lag: 0,
        kinds: ["sp.keywords", "sp.targets"],
      })).plan,
    ];
    for (const plan of plans) {
      assert.ok(plan.changes.length > 3);
      const { bytes, rows, left } = sheetOfPlan(plan, entities);
      assert.deepEqual([rows, left], [{ "Sponsored Products": plan.changes.length }, []]);
      const { plan: uploaded, problems } = await planSheet(us, { bytes, name: "upload.xlsx" });
      assert.deepEqual(problems, []);
      const changes = (of: typeof plan): unknown[] =>
        of.changes.map(({ kind, op, id, after }) =>
          JSON.stringify([kind, op, id, Object.entries(after).sort()])
        ).sort();
      assert.deepEqual(changes(uploaded), changes(plan));
    }
    const [negatives] = plans;
    assert.ok(
      negatives!.changes.every(({ evidence }) => evidence?.orders === 0 && (evidence.clicks ?? 0) >= 6),
    );
  } finally {
    await emulator.stop();
  }
});

long();
Deno.test("names without a bulk sheet stay names, and get their ids when one comes", async () => {
  await using at = await storedWorld();
  const files = await writeConsoleFiles(at.world.us, { ...DAILY, only: ["sp_search_terms", "bulk"] });
  const bulk = files.filter(({ name }) => name.startsWith("bulk"));
  const terms = files.filter(({ name }) => name.includes("Search term"));
  await using store = await Warehouse.open(`${await Deno.makeTempDir()}/files.sqlite`);
  const first = await importFiles(store, terms, { countryCode: "US" });
  assert.deepEqual([first.names.joined, first.names.named], [0, terms[0]!.rows]);
  const count = "SELECT count(*) AS n FROM sp_search_terms WHERE campaign_id LIKE 'name:%'";
  assert.equal((await store.query(count)).rows[0]?.["n"], terms[0]!.rows);
  await assert.rejects(importedAccount(store, "98583"), /has no bulk sheet of US/);
  const sum = "SELECT sum(clicks) AS clicks, sum(cost) AS cost, count(*) AS n FROM sp_search_terms";
  const before = (await store.query(sum)).rows;

  const second = await importFiles(store, bulk, { countryCode: "US" });
  assert.equal(second.rejoined, terms[0]!.rows);
  assert.equal((await store.query(count)).rows[0]?.["n"], 0);
  assert.deepEqual((await store.query(sum)).rows, before);
});

long();
Deno.test("a second import of the same days adds nothing, and overlapping sums are refused", async () => {
  await using at = await storedWorld();
  const { us } = at.world;
  const terms = async (days: { start: string; end: string }, isSummary = false) =>
    (await writeConsoleFiles(us, { ...days, isSummary, language: "en", only: ["sp_search_terms"] })).filter((
      { name },
    ) => /Search/.test(name))
      .map((file) => ({ ...file, name: `${days.start}.xlsx` }));
  await using store = await Warehouse.open(`${await Deno.makeTempDir()}/files.sqlite`);
  const clicks = async (): Promise<unknown> =>
    (await store.query("SELECT sum(clicks) AS n FROM sp_search_terms")).rows[0]?.["n"];
  const us1 = { countryCode: "US" };
  const early = await terms({ start: "2026-09-01", end: "2026-09-10" });
  await importFiles(store, early, us1);
  const once = await clicks();
  const again = await importFiles(store, early, us1);
  assert.deepEqual([again.notices, await clicks()], [["2026-09-01.xlsx is stored already"], once]);

  const later = await importFiles(store, await terms({ start: "2026-09-06", end: "2026-09-15" }), us1);
  assert.deepEqual(later.notices, [
    "2026-09-06.xlsx takes the place of 2026-09-06 to 2026-09-10 of 2026-09-01.xlsx",
  ]);
  const { length } = await us.reports.run("sp_search_terms", "2026-09-01", "2026-09-15");
  assert.ok(length > 0);
  const all = (await us.reports.run("sp_search_terms", "2026-09-01", "2026-09-15"))
    .reduce((sum, row) => sum + Number(row.clicks), 0);
  assert.equal(await clicks(), all);

  const sum = await terms({ start: "2026-09-10", end: "2026-09-20" }, true);
  await assert.rejects(importFiles(store, sum, us1), /are in 2026-09-06\.xlsx too.*would count them twice/s);
  assert.equal(await clicks(), all);

  await using sums = await Warehouse.open(`${await Deno.makeTempDir()}/sums.sqlite`);
  await importFiles(sums, await terms({ start: "2026-09-01", end: "2026-09-14" }, true), us1);
  const two = await terms({ start: "2026-09-08", end: "2026-09-20" }, true);
  await assert.rejects(importFiles(sums, two, us1), /2026-09-08 to 2026-09-14 are in 2026-09-01\.xlsx too/);
  const ask = (from: string, to: string, by: "week" | "search_term") =>
    figures(sums, { by: ["search_term", by], from, to });
  await assert.rejects(
    ask("2026-09-05", "2026-09-20", "search_term"),
    /"2026-09-01\.xlsx" is one sum of 2026-09-01 to 2026-09-14\. Choose 2026-09-01 to 2026-09-20/,
  );
  await assert.rejects(
    ask("2026-09-01", "2026-09-20", "week"),
    /by week: .*Do not group by day, week or month/,
  );
  assert.ok((await ask("2026-09-01", "2026-09-20", "search_term")).rows.length > 10);
});

Deno.test("files of 7 and of 14 days, and days of the account itself, are kept apart", async () => {
  await using at = await storedWorld();
  const { us } = at.world;
  const text = (window: number, day: string): string =>
    "Date,Campaign Name,Ad Group Name,Targeting,Match Type,Customer Search Term,Impressions,Clicks,Spend," +
    `${window} Day Total Sales,${window} Day Total Orders (#)\n${day},A,B,x,EXACT,x,9,3,1.25,2.50,1\n`;
  const file = (window: number, day: string) => ({
    name: `Sponsored Products ${window}.csv`,
    bytes: new TextEncoder().encode(text(window, day)),
  });
  await using store = await Warehouse.open(`${await Deno.makeTempDir()}/files.sqlite`);
  await importFiles(store, [file(7, "2026-09-02")], { countryCode: "US" });
  await assert.rejects(
    importFiles(store, [file(14, "2026-09-03")], { countryCode: "US" }),
    /it counts orders within 14 days of a click, and Sponsored Products 7\.csv within 7/,
  );
  const { profileId } = us;
  await at.store.sync(us, { reports: ["sp_search_terms"], start: "2026-09-01", end: "2026-09-03" });
  await assert.rejects(
    importFiles(at.store, [file(7, "2026-09-02")], { countryCode: "US" }),
    /it holds US profile \d+ from the account, and figures of both would add up/,
  );
  await assert.rejects(
    importFiles(at.store, [file(7, "2026-09-02")], { countryCode: "US", profileId }),
    /2026-09-02 of sp_search_terms are stored from the account itself/,
  );
});
