import { parquetReadObjects } from "hyparquet";
import { deepEqual, equal, match, ok, rejects } from "../../support/assert.ts";
import { bucketServer } from "../../support/bucket_server.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import type { LakePlace } from "../../../src/store/lake/lake_place.ts";
import { type LakeFile, type LakeManifest, readManifest } from "../../../src/store/lake/manifest.ts";
import { openLake } from "../../../src/store/lake/open_lake.ts";
import { publishLake } from "../../../src/store/lake/publish_lake.ts";
import { verifyLake } from "../../../src/store/lake/verify_lake.ts";

const DAY = 24 * 3_600_000;
const BIG = "9007199254740993";
const ids = { US: "1001", CA: BIG };

interface World extends AsyncDisposable {
  readonly store: Warehouse;
  readonly place: LakePlace;
  readonly folder: string;
  now: number;
  /** Stores one day of placements, with as many clicks. */
  store1(market: keyof typeof ids, date: string, clicks: number): Promise<void>;
}

async function world(): Promise<World> {
  const folder = await temporaryFolder();
  const made = { now: Date.parse("2026-11-02T08:00:00Z") };
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: () => made.now });
  return Object.assign(made, {
    store,
    folder: folder.path,
    place: await openLake(folder.file("lake")),
    store1: async (market: keyof typeof ids, date: string, clicks: number): Promise<void> => {
      await store.replace(
        { profileId: ids[market], countryCode: market, report: "sp_placement", start: date, end: date },
        [
          {
            date,
            campaignId: BIG,
            campaignName: "Grüße '日本'",
            placementClassification: "Top",
            clicks,
            cost: 0.1,
          },
          { date, campaignId: "7", placementClassification: "Other", clicks: 0, cost: 0 },
        ],
      );
      made.now += 60_000;
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await folder.remove();
    },
  });
}

async function filled(): Promise<World> {
  const made = await world();
  await made.store1("US", "2026-09-30", 3);
  await made.store1("US", "2026-10-01", 4);
  await made.store1("CA", "2026-10-01", 5);
  return made;
}

async function files(place: LakePlace, table = "sp_placement"): Promise<readonly LakeFile[]> {
  return (await readManifest(place)).manifest.tables[table]?.files ?? [];
}

async function rowsOf(folder: string, path: string): Promise<Record<string, unknown>[]> {
  const bytes = await Deno.readFile(`${folder}/lake/${path}`);
  return await parquetReadObjects({ file: bytes.buffer });
}

/** Clicks by market and day that a reader of the manifest sees; fails for a file that is not whole. */
async function seen(world: World, manifest: LakeManifest): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { path, country_code: country, rows } of manifest.tables["sp_placement"]?.files ?? []) {
    const found = await rowsOf(world.folder, path ?? "");
    equal(found.length, rows);
    for (const { date, clicks } of found) {
      const key = `${country} ${(date as Date).toISOString().slice(0, 10)}`;
      sums[key] = (sums[key] ?? 0) + Number(clicks);
    }
  }
  return sums;
}

const tables = ["days"];

Deno.test("a lake has a file for each table, market, profile and month, with the rows of the store and exact ids", async () => {
  await using made = await filled();
  const { store, place, folder } = made;
  const result = await publishLake(store, place, { tables });
  deepEqual([result.written, result.unchanged, result.rows, result.unfit], [3, 0, 6, {}]);
  const found = await files(place);
  deepEqual(
    found.map(({ country_code, profile_id, month, rows }) => [country_code, profile_id, month, rows]),
    [
      ["CA", BIG, "2026-10", 2],
      ["US", "1001", "2026-09", 2],
      ["US", "1001", "2026-10", 2],
    ],
  );
  const [first] = found;
  match(
    first?.path ?? "",
    RegExp(`^sp_placement/country_code=CA/profile_id=${BIG}/month=2026-10/[\\da-f]{16}\\.parquet$`),
  );
  const [, top] = await rowsOf(folder, first?.path ?? "");
  deepEqual(
    [top?.["campaign_id"], top?.["campaign_name"], top?.["date"], top?.["clicks"], top?.["cost"]],
    [BIG, "Grüße '日本'", new Date("2026-10-01T00:00:00Z"), 5n, 0.1],
  );
  // Engines take these from the folders, and some refuse files that have them too.
  deepEqual(["country_code", "profile_id", "month"].filter((name) => top !== undefined && name in top), []);
  const list = await Deno.readTextFile(`${folder}/lake/_files/sp_placement.txt`);
  deepEqual(list, found.map(({ path }) => `${folder}/lake/${path}\n`).join(""));
});

Deno.test("only what changed in the store is written again, and what it replaces stays for a day", async () => {
  await using made = await filled();
  const { store, place } = made;
  const publish = () => publishLake(store, place, { tables, now: () => made.now });
  await publish();
  deepEqual([(await publish()).written, (await publish()).unchanged], [0, 3]);
  const old = (await files(place)).find(({ month, country_code }) =>
    month === "2026-10" && country_code === "US"
  );
  await made.store1("US", "2026-10-01", 9);
  deepEqual([(await publish()).written, (await publish()).written], [1, 0]);
  ok(await place.measure(old?.path ?? ""));
  const report = await verifyLake(place);
  deepEqual([report.files, report.rows, report.wrong, report.stray], [3, 6, [], []]);
  made.now += DAY;
  await publish();
  equal(await place.measure(old?.path ?? ""), undefined);
  deepEqual((await readManifest(place)).manifest.retired, []);
});

Deno.test("rows that are stored again as they were keep their file", async () => {
  await using made = await filled();
  const { store, place } = made;
  await publishLake(store, place, { tables });
  const before = (await files(place)).map(({ path }) => path);
  await made.store1("US", "2026-10-01", 4);
  await publishLake(store, place, { tables });
  deepEqual((await files(place)).map(({ path }) => path), before);
  deepEqual((await readManifest(place)).manifest.retired, []);
});

Deno.test("a day without rows is published, and has no file", async () => {
  await using made = await world();
  const { store, place } = made;
  const day = { start: "2026-10-01", end: "2026-10-01" };
  await store.replace({ profileId: "1", countryCode: "US", report: "sp_placement", ...day }, []);
  await publishLake(store, place, { tables });
  deepEqual((await files(place)).map(({ path, rows }) => [path, rows]), [[null, 0]]);
  deepEqual((await verifyLake(place)).wrong, []);
});

Deno.test("entities and their former versions are published when one changes, and marts with them", async () => {
  await using made = await filled();
  const { store, place, folder } = made;
  const put = (name: string) =>
    store.replaceEntities({ profileId: "1001", countryCode: "US", kind: "sp.campaigns" }, [
      { campaignId: BIG, name, state: "ENABLED" },
    ]);
  await put("first");
  const all = { tables: ["entities", "changes", "mart_account_day"] };
  await publishLake(store, place, all);
  made.now += 60_000;
  await put("second");
  const { written } = await publishLake(store, place, all);
  // Both kinds of table, and the two months of the profile.
  equal(written, 4);
  const [now] = await files(place, "sp_campaigns_entities");
  const [before] = await files(place, "sp_campaigns_entities_history");
  deepEqual((await rowsOf(folder, now?.path ?? "")).map(({ name }) => name), ["second"]);
  const versions = await rowsOf(folder, before?.path ?? "");
  deepEqual(versions.map(({ name, known_to }) => [name, known_to]), [
    ["first", new Date("2026-11-02T08:04:00.000Z")],
    ["second", null],
  ]);
  equal((await publishLake(store, place, all)).written, 0);
});

Deno.test("a mart is written again only when a report or a kind that it is made of changed", async () => {
  await using made = await filled();
  const { store, place } = made;
  const us = { profileId: "1001", countryCode: "US" };
  const day = { start: "2026-10-01", end: "2026-10-01" };
  const terms = (clicks: number) =>
    store.replace({ ...us, report: "sp_search_terms", ...day }, [
      { date: day.start, campaignId: "7", adGroupId: "8", keywordId: "9", searchTerm: "tent", clicks },
    ]);
  await terms(1);
  const published = async (): Promise<string[]> => {
    made.now += 60_000;
    const names: string[] = [];
    const onProgress = ({ table }: { table: string }) => names.push(table);
    await publishLake(store, place, { tables: ["marts", "ready"], market: "US", onProgress });
    return [...new Set(names)].sort();
  };
  const put = (kind: "portfolios" | "sp.campaigns" | "sp.product_ads", entity: Record<string, string>) =>
    store.replaceEntities({ ...us, kind }, [{ state: "ENABLED", ...entity }]);
  await published();
  deepEqual(await published(), []);
  await terms(2);
  deepEqual(await published(), ["mart_search_day", "search_term_performance"]);
  await put("portfolios", { portfolioId: "5", name: "Tents" });
  deepEqual(await published(), ["mart_portfolio_day"]);
  await put("sp.product_ads", { adId: "6" });
  deepEqual(await published(), []);
  const byCampaign = ["budget_pressure", "mart_account_day", "mart_campaign_day", "mart_portfolio_day"];
  await put("sp.campaigns", { campaignId: "7", name: "Tents", portfolioId: "5" });
  deepEqual(await published(), byCampaign);
  await made.store1("US", "2026-10-01", 9);
  deepEqual(await published(), byCampaign);
});

Deno.test("a market, months since one, and everything anew can be asked for; other files stay as they are", async () => {
  await using made = await filled();
  const { store, place } = made;
  const count = async (options: Parameters<typeof publishLake>[2]) =>
    (await publishLake(store, place, { tables, ...options })).written;
  equal(await count({ market: "CA" }), 1);
  equal(await count({ since: "2026-10" }), 1);
  equal(await count({ market: ids.US }), 1);
  equal(await count({ market: "US", full: true }), 2);
  equal((await files(place)).length, 3);
  await rejects(
    publishLake(store, place, { market: "JP" }),
    /nothing is stored of JP, only of CA, US\. Fetch it with sync/,
  );
});

Deno.test("a first month that is none, or has not begun anywhere, is refused before anything is written", async () => {
  await using made = await filled();
  const { store, place } = made;
  const now = (): number => Date.parse("2026-10-31T09:59:00Z");
  await rejects(publishLake(store, place, { since: "October", now }), /expected a month such as 2026-09/);
  await rejects(
    publishLake(store, place, { since: "2026-11", now }),
    /since 2026-11: the month has not begun/,
  );
  deepEqual(await Array.fromAsync(place.list()), []);
  const later = (): number => now() + 60_000;
  equal((await publishLake(store, place, { tables, since: "2026-11", now: later })).written, 0);
});

Deno.test("tables that there are none of are said all at once, and nothing is written", async () => {
  await using made = await filled();
  const { store, place } = made;
  await rejects(
    publishLake(store, place, { tables: ["days", "sp_placements", "performance_hourly"] }),
    /Cannot choose tables: "sp_placements" is not a table or group\. Did you mean "sp_placement"\?; "performance_hourly" is not a table or group/,
  );
  deepEqual(await Array.fromAsync(place.list()), []);
});

Deno.test("a manifest that is damaged, or names files outside of the lake, is refused with what to do, and nothing is removed", async () => {
  await using made = await filled();
  const { store, place, folder } = made;
  await publishLake(store, place, { tables });
  const path = `${folder}/lake/manifest.json`;
  const text = await Deno.readTextFile(path);
  const { retired: _, ...cut } = JSON.parse(text);
  const at = "2026-01-01T00:00:00Z";
  for (
    const [damaged, reason] of [
      [text.slice(0, 99), /it is not JSON\. Restore it from a backup, or publish to another folder/],
      [JSON.stringify(cut), /a part of it is missing/],
      [text.replace('"files":[', '"files":[null,'), /a part of it is missing/],
      [
        JSON.stringify({ ...cut, retired: [{ path: "../ads.sqlite", at }] }),
        /"..\/ads.sqlite", which no lake has/,
      ],
      [JSON.stringify({ ...cut, retired: [{ path: null, at }] }), /a part of it is missing/],
      [JSON.stringify({ ...cut, retired: [{ path: "notes.txt", at }] }), /"notes.txt", which no lake has/],
      [JSON.stringify({ ...cut, retired: [{ path: "manifest.json", at }] }), /which no lake has/],
      [
        JSON.stringify({ ...JSON.parse(text), tables: { "../../ads": { files: [] } } }),
        /"..\/..\/ads", which no lake has/,
      ],
    ] as const
  ) {
    await Deno.writeTextFile(path, damaged);
    await rejects(publishLake(store, place, { tables }), reason);
    await rejects(verifyLake(place, { clean: true }), reason);
  }
  ok((await Deno.stat(`${folder}/ads.sqlite`)).isFile);
});

Deno.test("files of others in the folder of a lake are neither stray nor removed", async () => {
  await using made = await filled();
  const { store, place, folder } = made;
  await publishLake(store, place, { tables });
  const others = [
    "notes.txt",
    "sales.parquet",
    "other/sales.parquet",
    "other/draft.tmp",
    "sp_keywords_entities/backup.parquet",
  ];
  const own = [
    "_work/1.parquet",
    "manifest.json.0f0f0f0f-0f0f.tmp",
    "sp_keywords_entities/country_code=US/profile_id=1/0123456789abcdef.parquet",
  ];
  for (const path of [...others, ...own]) await place.writeText(path, "rows");
  deepEqual((await verifyLake(place, { clean: true })).stray.toSorted(), own.toSorted());
  for (const path of others) ok((await Deno.stat(`${folder}/lake/${path}`)).isFile, path);
  deepEqual((await verifyLake(place)).stray, []);
});

/** A place that fails at its nth step that writes. */
function failing(place: LakePlace, at: number): LakePlace {
  let steps = 0;
  const step = <Result>(work: () => Promise<Result>): Promise<Result> =>
    steps++ === at ? Promise.reject(new Error("killed")) : work();
  return {
    ...place,
    writeText: (...given) => step(() => place.writeText(...given)),
    replaceText: (...given) => step(() => place.replaceText(...given)),
    put: (...given) => step(() => place.put(...given)),
    remove: (paths) => step(() => place.remove(paths)),
  };
}

Deno.test("whichever write is the last one, a reader sees the old state or the new one, whole, and the next run ends it", async () => {
  await using made = await filled();
  const { store, place } = made;
  await publishLake(store, place, { tables });
  const before = { "US 2026-09-30": 3, "US 2026-10-01": 4, "CA 2026-10-01": 5 };
  await made.store1("US", "2026-09-30", 30);
  await made.store1("CA", "2026-10-01", 50);
  const after = { "US 2026-09-30": 30, "US 2026-10-01": 4, "CA 2026-10-01": 50 };
  const copy = `${made.folder}/copy`;
  await Deno.rename(`${made.folder}/lake`, copy);
  let [olds, news] = [0, 0];
  for (let at = 0;; at++) {
    await Deno.remove(`${made.folder}/lake`, { recursive: true }).catch(() => {});
    await copyFolder(copy, `${made.folder}/lake`);
    const ended = await publishLake(store, failing(place, at), { tables }).then(() => true, () => false);
    const { manifest } = await readManifest(place);
    const state = await seen(made, manifest);
    if (state["US 2026-09-30"] === 3) olds++;
    else news++;
    deepEqual(state, state["US 2026-09-30"] === 3 ? before : after);
    deepEqual((await verifyLake(place)).wrong, []);
    await publishLake(store, place, { tables });
    deepEqual(await seen(made, (await readManifest(place)).manifest), after);
    for (
      const path of (await Deno.readTextFile(`${made.folder}/lake/_files/sp_placement.txt`)).trim().split(
        "\n",
      )
    ) {
      ok((await Deno.stat(path)).isFile);
    }
    if (ended) break;
  }
  ok(olds >= 3 && news >= 2, `${olds} old and ${news} new states`);
});

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const entry of Deno.readDir(from)) {
    if (entry.isDirectory) await copyFolder(`${from}/${entry.name}`, `${to}/${entry.name}`);
    else await Deno.copyFile(`${from}/${entry.name}`, `${to}/${entry.name}`);
  }
}

Deno.test("two that publish at once both end, and nothing of either is lost", async () => {
  await using made = await filled();
  await using server = bucketServer();
  const { store } = made;
  for (
    const place of [
      made.place,
      await openLake("s3://lake", {
        credentials: { accessKeyId: "reader", secretAccessKey: "secret" },
        region: "eu-west-1",
        endpoint: server.origin,
      }),
    ]
  ) {
    const results = await Promise.all([
      publishLake(store, place, { market: "US", tables }),
      publishLake(store, place, { market: "CA", tables }),
    ]);
    deepEqual(results.map(({ written }) => written), [2, 1]);
    deepEqual((await files(place)).length, 3);
    deepEqual((await verifyLake(place)).wrong, []);
  }
});

Deno.test("a lake that was edited is found out file by file, and written again as a whole", async () => {
  await using made = await filled();
  const { store, place, folder } = made;
  await rejects(verifyLake(place), /it has no manifest\.json\. Nothing was published there/);
  await publishLake(store, place, { tables });
  const [one, two] = (await files(place)).map(({ path }) => path ?? "");
  await Deno.writeTextFile(`${folder}/lake/${one}`, "edited");
  await Deno.remove(`${folder}/lake/${two}`);
  const left = `${two?.slice(0, two.lastIndexOf("/"))}/0123456789abcdef.parquet`;
  await place.writeText(left, "");
  const { wrong, stray } = await verifyLake(place, { clean: true });
  deepEqual(wrong.map(({ problem }) => problem), [
    "its content differs from the published file",
    "it is not there",
  ]);
  deepEqual(stray, [left]);
  await publishLake(store, place, { tables, full: true });
  const after = await verifyLake(place);
  deepEqual([after.wrong, after.stray], [[], []]);
});

for (
  const [text, reason] of [
    ["{", /it is not JSON/],
    ["[]", /it is not the manifest of a lake/],
    ['{"format":2,"tables":{}}', /it is of format 2, expected 1\. A newer release wrote it/],
  ] as const
) {
  Deno.test(`a manifest ${text} is refused, and nothing is written over it`, async () => {
    await using made = await filled();
    await made.place.writeText("manifest.json", text);
    await rejects(publishLake(made.store, made.place, { tables }), reason);
    equal((await made.place.readText("manifest.json"))?.text, text);
  });
}
