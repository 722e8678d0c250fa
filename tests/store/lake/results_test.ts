import { parquetReadObjects } from "hyparquet";
import { deepEqual, equal, match, ok, rejects } from "../../support/assert.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import type { WorkflowResult, WorkflowRow } from "../../../src/store/model/workflow_tables.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import type { LakePlace } from "../../../src/store/lake/lake_place.ts";
import { readManifest } from "../../../src/store/lake/manifest.ts";
import { openLake } from "../../../src/store/lake/open_lake.ts";
import { publishLake, type PublishOptions } from "../../../src/store/lake/publish_lake.ts";
import { tapCatalog } from "../../../src/store/lake/tap_catalog.ts";
import { tapMessages, type TapOptions } from "../../../src/store/lake/tap_messages.ts";
import { verifyLake } from "../../../src/store/lake/verify_lake.ts";
import { put } from "../contract/workflows.ts";
import { Target } from "./loader_target.ts";

const WEEKS = [
  { start: "2026-08-31", end: "2026-09-06" },
  { start: "2026-09-07", end: "2026-09-13" },
] as const;
const BRANDS = { instanceId: "101", workflowId: "report:brand_metrics" };
const DSP = { instanceId: "590001", workflowId: "advertiser-report:dsp_campaigns" };

interface World extends AsyncDisposable {
  readonly store: Warehouse;
  readonly place: LakePlace;
  /** Stores a result a minute later, in the version of this text. */
  put(sql: string, more: Partial<WorkflowResult>, ...rows: WorkflowRow[]): Promise<void>;
  publish(options?: PublishOptions): Promise<number>;
  rows(table: string): Promise<Record<string, unknown>[]>;
  paths(table: string): Promise<(string | null)[]>;
}

async function world(): Promise<World> {
  const folder = await temporaryFolder();
  let now = Date.parse("2026-09-20T08:00:00Z");
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: () => now });
  const place = await openLake(folder.file("lake"));
  const files = async (table: string) => (await readManifest(place)).manifest.tables[table]?.files ?? [];
  return {
    store,
    place,
    put: async (sql, more, ...rows) => {
      now += 60_000;
      const storedAt = new Date(now).toISOString();
      const of = { instanceId: "amc1", workflowId: "reach", ...more };
      const version = await store.workflows.useVersion({ ...of, sql, settings: "{}" }, storedAt);
      await put(store, { ...of, version, storedAt }, ...rows);
    },
    publish: async (options) => (await publishLake(store, place, options)).written,
    paths: async (table) => (await files(table)).map(({ path }) => path),
    rows: async (table) => {
      const found: Record<string, unknown>[] = [];
      for (const { path, rows } of await files(table)) {
        if (path === null) continue;
        const { buffer } = await Deno.readFile(folder.file(`lake/${path}`));
        const read = await parquetReadObjects({ file: buffer });
        equal(read.length, rows);
        found.push(...read);
      }
      return found.sort((a, b) => String(a["run_id"]) < String(b["run_id"]) ? -1 : 1);
    },
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await folder.remove();
    },
  };
}

const day = (text: string): Date => new Date(`${text}T00:00:00Z`);

Deno.test("results are tables of the lake, with columns of their types, in folders of their month and owner", async () => {
  await using made = await world();
  await made.put(
    "SELECT 1",
    { ...WEEKS[0], columns: { dt: "day", users: null }, parameters: '{"a":"1"}' },
    { dt: "2026-09-01", users: 3, is_new: true, filtered: false, withheld_columns: "", month: "x", "a b": 1 },
    { dt: null, users: null, is_new: null, filtered: true, withheld_columns: "dt, users" },
  );
  const profile = { profileId: "101", countryCode: "US" };
  await made.put("{}", { ...BRANDS, ...WEEKS[1], profile }, { brand_name: "Zelt", awareness_index: 0.5 });
  await made.put("{}", { ...DSP, ...WEEKS[1], profile }, { order_id: "9007199254740993", total_cost: 7 });
  equal(await made.publish({ tables: ["results"] }), 3);
  equal(await made.publish({ tables: ["results"] }), 0);
  const owners = async (table: string): Promise<string | undefined> =>
    (await made.paths(table))[0]?.replace(/[^/]*$/, "");
  deepEqual(await Promise.all(["clean_room_reach", "brand_metrics", "dsp_campaigns"].map(owners)), [
    "clean_room_reach/instance_id=amc1/month=2026-08/",
    "brand_metrics/country_code=US/profile_id=101/month=2026-09/",
    "dsp_campaigns/advertiser_id=590001/month=2026-09/",
  ]);
  const rows = (await made.rows("clean_room_reach")).map(({ run_id: _, ...row }) => row);
  const run = {
    version: 1n,
    window_start: day("2026-08-31"),
    window_end: day("2026-09-06"),
    zone: "UTC",
    parameters: '{"a":"1"}',
  };
  deepEqual(rows, [
    {
      ...{ row_number: 1n, ...run, dt: day("2026-09-01"), users: 3, is_new: true },
      ...{ filtered: false, withheld_columns: "", month_2: "x", extra: '{"a b":1}' },
    },
    // What privacy left empty is empty and named.
    {
      ...{ row_number: 2n, ...run, dt: null, users: null, is_new: null },
      ...{ filtered: true, withheld_columns: "dt, users", month_2: null, extra: null },
    },
  ]);
  const [order] = await made.rows("dsp_campaigns");
  deepEqual([order?.["order_id"], order?.["total_cost"]], ["9007199254740993", 7]);
  deepEqual((await verifyLake(made.place)).wrong, []);
  equal((await verifyLake(made.place)).files, 3);
});

Deno.test("only months with new or restated windows are written, and a replaced window leaves its month", async () => {
  await using made = await world();
  const tables = ["clean-room-reach"];
  for (const week of WEEKS) await made.put("SELECT 1", week, { users: 1 });
  equal(await made.publish({ tables }), 2);
  const [old] = await made.paths("clean_room_reach");
  await made.put("SELECT 2", WEEKS[1], { users: 2 });
  equal(await made.publish({ tables }), 1);
  equal((await made.paths("clean_room_reach"))[0], old);
  const shown = async () =>
    (await made.rows("clean_room_reach")).map(({ version, window_start, users }) =>
      [Number(version), (window_start as Date).toISOString().slice(0, 10), users] as const
    ).sort(([, a], [, b]) => a < b ? -1 : 1);
  deepEqual(await shown(), [[1, "2026-08-31", 1], [2, "2026-09-07", 2]]);
  // A longer window from August covers both weeks: September has no rows left.
  await made.put("SELECT 3", { start: "2026-08-25", end: "2026-09-20" }, { users: 3 });
  equal(await made.publish({ tables }), 2);
  deepEqual(await shown(), [[3, "2026-08-25", 3]]);
  equal((await made.paths("clean_room_reach"))[1], null);
  // A column that is text from now on is text in every month.
  await made.put("SELECT 3", { start: "2026-09-21", end: "2026-09-27" }, { users: "many" });
  equal(await made.publish({ tables }), 2);
  deepEqual((await shown()).map(([, , users]) => users), ["3", "many"]);
  equal((await readManifest(made.place)).manifest.tables["clean_room_reach"]?.schema_version, 2);
});

Deno.test("a part of a result whose columns changed is published with all its files, so that they have one type", async () => {
  await using made = await world();
  for (const week of WEEKS) await made.put("SELECT 1", week, { users: 1 });
  const of = (profileId: string, countryCode: string) => ({
    ...BRANDS,
    ...WEEKS[1],
    instanceId: profileId,
    profile: { profileId, countryCode },
  });
  await made.put("{}", of("101", "US"), { awareness_index: 0.5 });
  await made.put("{}", of("102", "DE"), { awareness_index: 1 });
  equal(await made.publish(), 4);
  await made.put("SELECT 1", WEEKS[1], { users: "many" });
  equal(await made.publish({ tables: ["clean_room_reach"], since: "2026-09" }), 2);
  deepEqual((await made.rows("clean_room_reach")).map((row) => row["users"]).sort(), ["1", "many"]);
  await made.put("SELECT 1", WEEKS[0], { users: "few" });
  equal(
    await made.publish({ tables: ["clean_room_reach"], since: "2026-09" }),
    0,
    "the columns are the same",
  );
  await made.put("{}", of("101", "US"), { awareness_index: "high" });
  equal(await made.publish({ market: "US", tables: ["results"] }), 2);
  deepEqual((await made.rows("brand_metrics")).map((row) => row["awareness_index"]).sort(), ["1", "high"]);
});

Deno.test("a publication that others were quicker than takes the columns that a result has by then", async () => {
  await using made = await world();
  for (const week of WEEKS) await made.put("SELECT 1", week, { users: 1 });
  const { place } = made;
  let tries = 0;
  await publishLake(made.store, {
    ...place,
    replaceText: async (...given) => {
      if (++tries > 1) return await place.replaceText(...given);
      await made.put("SELECT 1", WEEKS[1], { users: "many" });
      return false;
    },
  });
  equal(tries, 2);
  deepEqual((await made.rows("clean_room_reach")).map((row) => row["users"]).sort(), ["1", "many"]);
  const { columns = [] } = (await readManifest(place)).manifest.tables["clean_room_reach"] ?? {};
  equal(columns.find(({ name }) => name === "users")?.type, "text");
  equal(await made.publish(), 0);
});

Deno.test("a killed publication leaves the last results, whole", async () => {
  await using made = await world();
  for (const week of WEEKS) await made.put("SELECT 1", week, { users: 1 });
  await made.publish();
  await made.put("SELECT 2", WEEKS[0], { users: 10 }, { users: 20 });
  await made.put("SELECT 2", WEEKS[1], { users: 30 });
  let steps = 0;
  for (let at = 0;; at++) {
    steps = 0;
    const step = <Result>(work: () => Promise<Result>): Promise<Result> =>
      steps++ === at ? Promise.reject(new Error("killed")) : work();
    const { place } = made;
    const failing: LakePlace = {
      ...place,
      put: (...given) => step(() => place.put(...given)),
      replaceText: (...given) => step(() => place.replaceText(...given)),
    };
    const ended = await publishLake(made.store, failing).then(() => true, () => false);
    const users = (await made.rows("clean_room_reach")).map((row) => Number(row["users"])).sort();
    deepEqual(users, ended ? [10, 20, 30] : [1, 1]);
    deepEqual((await verifyLake(place)).wrong, []);
    if (ended) break;
  }
  ok(steps >= 3, `${steps} steps`);
});

Deno.test("ids that make one name are tables of their own, and owners cannot leave their folder", async () => {
  await using made = await world();
  for (const workflowId of ["a-b", "a_b", "A.B", "../../etc"]) {
    await made.put("SELECT 1", { workflowId, instanceId: "../amc/1" }, { id: workflowId });
  }
  equal(await made.publish({ tables: ["results"] }), 4);
  const { manifest: { tables } } = await readManifest(made.place);
  const found = await Promise.all(Object.keys(tables).map((table) => made.rows(table)));
  deepEqual(found.flat().map((row) => row["id"]).sort(), ["../../etc", "A.B", "a-b", "a_b"]);
  for (const { files: [file] } of Object.values(tables)) {
    match(
      file?.path ?? "",
      /^clean_room_[a-z0-9_]+\/instance_id=\.\.%2Famc%2F1\/month=2026-09\/\w+\.parquet$/,
    );
  }
});

Deno.test("a market leaves out what belongs to no profile, and refuses it by name", async () => {
  await using made = await world();
  await made.put("SELECT 1", WEEKS[0], { users: 1 });
  const profile = { profileId: "101", countryCode: "US" };
  await made.put("{}", { ...BRANDS, ...WEEKS[0], profile }, { awareness_index: 0.5 });
  const other = { profileId: "102", countryCode: "DE" };
  await made.put("{}", { ...BRANDS, ...WEEKS[0], instanceId: "102", profile: other }, { awareness_index: 1 });
  await rejects(
    made.publish({ market: "FR" }),
    /nothing is stored of FR, only of DE, US\. Fetch it with sync/,
  );
  equal(await made.publish({ market: "US", tables: ["results"] }), 1);
  deepEqual((await made.rows("brand_metrics")).map((row) => row["awareness_index"]), [0.5]);
  const named: TapOptions = { market: "US", tables: ["results", "clean_room_reach"] };
  const reason = /Cannot choose clean_room_reach of US: .* belong to no profile\. Leave out the market/;
  await rejects(made.publish(named), reason);
  await rejects(Array.fromAsync(tapMessages(made.store, named)), reason);
  const streams = (await Array.fromAsync(tapMessages(made.store, { market: "US" })))
    .flatMap((message) => message.type === "SCHEMA" ? [message.stream] : []);
  deepEqual(streams, ["brand_metrics"]);
  const catalog = await tapCatalog(made.store, ["results"]) as { streams: Record<string, unknown>[] };
  deepEqual(catalog.streams.map(({ stream, key_properties }) => [stream, key_properties]), [
    ["brand_metrics", ["run_id", "row_number"]],
    ["clean_room_reach", ["run_id", "row_number"]],
  ]);
});

Deno.test("a loader has the shown rows after every run, and goes back over restated windows only", async () => {
  await using made = await world();
  const { store } = made;
  const target = new Target();
  const users = (): unknown[] =>
    [...target.tables.get("clean_room_reach")?.values() ?? []].map((row) =>
      [row["window_start"], row["version"], row["users"], row["instance_id"]].join(" ")
    ).sort();
  const run = async (): Promise<number> => {
    const sent = await Array.fromAsync(tapMessages(store, { state: target.state }));
    for (const message of sent) target.take(message);
    return sent.filter(({ type }) => type === "RECORD").length;
  };
  for (const week of WEEKS) await made.put("SELECT 1", week, { users: 1 }, { users: 2 });
  deepEqual([await run(), await run()], [4, 0]);
  deepEqual(users(), [1, 2].flatMap((n) => WEEKS.map(({ start }) => `${start} 1 ${n} amc1`)).sort());
  // A second version of one week: its rows come, those of the first go.
  await made.put("SELECT 2", WEEKS[1], { users: 5 });
  equal(await run(), 3);
  deepEqual(users(), ["2026-08-31 1 1 amc1", "2026-08-31 1 2 amc1", "2026-09-07 2 5 amc1"]);
  // The same version again, with fewer rows.
  await made.put("SELECT 1", WEEKS[0], { users: 7 });
  await made.put("SELECT 2", WEEKS[1], { users: 5 });
  equal(await run(), 1 + 1 + 1);
  deepEqual(users(), ["2026-08-31 1 7 amc1", "2026-09-07 2 5 amc1"]);
  // The first version is the current one again.
  await made.put("SELECT 1", WEEKS[1], { users: 8 });
  await run();
  deepEqual(users(), ["2026-08-31 1 7 amc1", "2026-09-07 1 8 amc1"]);
  equal(await run(), 0);
  // Numbers of a column with text are text.
  await made.put("SELECT 1", WEEKS[0], { users: 9 }, { users: "few" });
  await run();
  deepEqual(users(), ["2026-08-31 1 9 amc1", "2026-08-31 1 few amc1", "2026-09-07 1 8 amc1"]);
});

Deno.test("a loader gets the rows again whose columns or country changed, though nothing stored them anew", async () => {
  await using made = await world();
  const target = new Target();
  const run = async (): Promise<number> => {
    const sent = await Array.fromAsync(tapMessages(made.store, { state: target.state }));
    for (const message of sent) target.take(message);
    return sent.filter(({ type }) => type === "RECORD").length;
  };
  const values = (table: string, column: string): unknown[] =>
    [...target.tables.get(table)?.values() ?? []].map((row) => row[column]).sort();
  await made.put("SELECT 1", WEEKS[0], { users: 1 });
  await made.put("{}", { ...BRANDS, ...WEEKS[0] }, { awareness_index: 0.5 });
  deepEqual([await run(), await run()], [2, 0]);
  deepEqual(values("brand_metrics", "country_code"), [""]);
  await made.put("SELECT 1", WEEKS[1], { users: "many" });
  const profile = { profileId: "101", countryCode: "US" };
  await made.put("{}", { ...BRANDS, ...WEEKS[1], profile }, { awareness_index: 0.5 });
  deepEqual([await run(), await run()], [4, 0]);
  deepEqual(values("clean_room_reach", "users"), ["1", "many"]);
  deepEqual(values("brand_metrics", "country_code"), ["US", "US"]);
});

Deno.test("a loader that is cut off at any message goes on from its last state", async () => {
  await using made = await world();
  for (const week of WEEKS) await made.put("SELECT 1", week, { users: 1 }, { users: 2 });
  const before = await Array.fromAsync(tapMessages(made.store));
  await made.put("SELECT 2", WEEKS[1], { users: 5 });
  const after = await Array.fromAsync(tapMessages(made.store, {
    state: before.findLast((message) => message.type === "STATE")?.value,
  }));
  for (let cut = 0; cut <= after.length; cut++) {
    const target = new Target();
    for (const message of [...before, ...after.slice(0, cut)]) target.take(message);
    for await (const message of tapMessages(made.store, { state: target.state })) target.take(message);
    const rows = [...target.tables.get("clean_room_reach")?.values() ?? []];
    deepEqual(rows.map(({ users }) => users).sort(), [1, 2, 5], `cut at ${cut}`);
  }
});

Deno.test("a run that is replaced while it is read stops the publication, with what to do", async () => {
  await using made = await world();
  const many = Array.from({ length: 2500 }, (_, users) => ({ users }));
  await made.put("SELECT 1", WEEKS[0], ...many);
  const [run] = await made.store.workflows.allRuns("reach");
  const reading = made.store.workflows.rows(run!)[Symbol.asyncIterator]();
  await reading.next();
  await made.put("SELECT 1", WEEKS[0], ...many);
  await rejects(async () => {
    while (!(await reading.next()).done);
  }, /Cannot read all rows of reach from 2026-08-31 to 2026-09-06: they were replaced meanwhile\. Try again/);
});
