import assert from "node:assert/strict";
import type { FaultRule } from "../../../src/emulator/mod.ts";
import { ShrinkError } from "../../../src/store/model/store_error.ts";
import type { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { exportTest, moved, outcomeOf, type Row, wait } from "./ground.ts";

const NAMES = ["ad_groups_export", "ads_export", "campaigns_export", "targets_export"];

async function ledger(store: Warehouse): Promise<string[]> {
  return (await store.requests({})).map(({ report, state }) => `${report} ${state}`).sort();
}

exportTest(
  "reads lists when an export takes too long, and the next sync resumes it",
  async ({ world, store, sync }) => {
    world.emulator.setQuirks({ reportSeconds: 1200 });
    const warnings: string[] = [];
    const slow = await sync({ timeout: 100, onWarning: (text) => void warnings.push(text) });
    assert(slow.ok, slow.summary());
    assert.deepEqual(new Set(slow.entities.map(({ source }) => source)), new Set(["list"]));
    assert.equal(warnings.length, 4);
    assert.match(
      warnings[0]!,
      /^US \d+: Cannot read the export of \/\w+\/export: it is still PROCESSING after \d+ s/,
    );
    assert.deepEqual(await ledger(store), NAMES.map((name) => `${name} building`));
    wait(world, 1200);
    world.asked();
    const next = await sync();
    assert.equal(outcomeOf(next, "sp.keywords").source, "export");
    assert.deepEqual(world.asked().filter((line) => line.endsWith("/export")), []);
    assert.deepEqual(await ledger(store), NAMES.map((name) => `${name} stored`));
  },
);

exportTest(
  "goes on after a process that was killed while exports were built, without asking again",
  async (listed) => {
    const { world, us, store, reopen, sync } = listed;
    world.emulator.setQuirks({ reportSeconds: 600 });
    const [keyword] = await us.sp.keywords.list({ states: ["ENABLED"] });
    await us.sp.keywords.update([{ keywordId: keyword!.keywordId, bid: 1.23 }]);
    const killed = new AbortController();
    const stopped = await sync({
      signal: killed.signal,
      onProgress: ({ kind, report }) => {
        if (kind === "waiting" && report === "targets_export") killed.abort();
      },
    });
    assert(stopped.stopped);
    assert.equal(outcomeOf(stopped, "sp.keywords").state, "left");
    assert.deepEqual(moved(stopped), []);
    const open = (await store.requests({ unfinished: true })).filter(({ state }) => state === "building");
    assert(open.some(({ report }) => report === "targets_export"));
    wait(world, 600);
    world.asked();
    const other = await reopen();
    const result = await other.sync(us, { entities: "only", entitySource: "export" });
    assert(result.ok, result.summary());
    assert.deepEqual(moved(result), ["sp.keywords +0 ~1 -0"]);
    assert(!world.asked().includes("POST /targets/export"));
    assert.deepEqual(await ledger(store), NAMES.map((name) => `${name} stored`));
  },
);

exportTest("asks anew for one that was being built an hour ago", async ({ world, sync, store }) => {
  world.emulator.setQuirks({ reportSeconds: 100_000 });
  await sync({ timeout: 60 });
  world.emulator.setQuirks({ reportSeconds: 0 });
  wait(world, 3600);
  world.asked();
  assert.equal(outcomeOf(await sync(), "sp.keywords").source, "export");
  assert(world.asked().includes("POST /targets/export"));
  assert.deepEqual(await ledger(store), NAMES.map((name) => `${name} stored`));
});

exportTest(
  "reads lists when an export fails, is refused, or its file is damaged twice",
  async ({ world, store, sync }) => {
    const why = async (...faults: FaultRule[]): Promise<string> => {
      world.emulator.setFaults(faults);
      const result = await sync();
      world.emulator.setFaults([]);
      assert(result.ok, result.summary());
      assert.deepEqual(moved(result), []);
      wait(world, 7200);
      return `${outcomeOf(result, "sp.keywords").source}: ${outcomeOf(result, "sp.keywords").why}`;
    };
    const match = { operation: "v1-exports:TargetExport" };
    assert.match(
      await why({ match, effects: { reportOutcome: "FAILED" } }),
      /^list: .*INTERNAL_ERROR: The export failed\. Lists/,
    );
    assert.match(await why({ match, effects: { response: { status: 403 } } }), /^list: .*403/);
    const file = { path: "/files/*" };
    assert.match(await why({ match: file, effects: { corruptGzip: true } }), /^list: .*Lists take its place/);
    assert.match(await why({ match: file, times: 1, effects: { truncate: 900 } }), /^export: /);
    const problems = (await store.requests({ report: "targets_export" })).map(({ state, problem }) =>
      `${state} ${typeof problem}`
    );
    assert.deepEqual(problems, ["stored object", "failed string", "failed string", "failed string"]);
  },
);

exportTest("does not believe an export that lost most of its rows", async ({ sync, files }) => {
  const alterations: readonly ((rows: Row[]) => Row[])[] = [
    () => [],
    (rows) => rows.filter((_, index) => index % 3 === 0),
  ];
  for (const alter of alterations) {
    files.alter = alter;
    const warnings: string[] = [];
    const result = await sync({ onWarning: (text) => void warnings.push(text) });
    assert(result.ok, result.summary());
    assert.deepEqual(moved(result), []);
    assert.match(
      outcomeOf(result, "sp.keywords").why,
      /lacks \d+ of \d+ keywords that are stored\. A list takes its place/,
    );
    assert(warnings.some((text) => /lacks \d+ of \d+ keywords/.test(text)));
  }
}, { alters: true });

exportTest(
  "looks up what an export lacks, and keeps what is there and what was archived",
  async ({ sync, files, store }) => {
    files.alter = (rows) => rows.filter(({ state }, index) => state !== "ARCHIVED" && index % 10 !== 0);
    const before = await store.query("SELECT kind, count(*) AS n FROM entities GROUP BY kind ORDER BY 1");
    const result = await sync();
    assert(result.ok, result.summary());
    assert.deepEqual(moved(result), []);
    assert.equal(outcomeOf(result, "sp.keywords").source, "export");
    const after = await store.query("SELECT kind, count(*) AS n FROM entities GROUP BY kind ORDER BY 1");
    assert.deepEqual(after.rows, before.rows);
  },
  { alters: true },
);

exportTest(
  "passes over rows of kinds that are not stored, and counts rows without an id",
  async ({ sync, files }) => {
    const strange: Row[] = [
      { targetId: "1", campaignId: "1", adId: "1", adGroupId: "1", adProduct: "SPONSORED_TV" },
      {
        adProduct: "SPONSORED_PRODUCTS",
        state: "ENABLED",
        targetType: "KEYWORD",
        negative: false,
        adGroupId: "1",
      },
    ];
    const warnings: string[] = [];
    for (const row of strange) {
      files.alter = (rows) => [...rows, row];
      const result = await sync({ onWarning: (message) => warnings.push(message) });
      assert.deepEqual([moved(result), outcomeOf(result, "sp.keywords").source], [[], "export"]);
    }
    assert.deepEqual(
      warnings.filter((text) => text.includes("returns no keywordId")).map((text) =>
        text.replace(/^\S+ \d+: /, "")
      ),
      ["the platform returns no keywordId for 1 keywords, so they are not stored"],
      warnings.join("; "),
    );
  },
  { alters: true },
);

exportTest(
  "holds back a list that is far shorter than what is stored, until that is accepted",
  async ({ world, sync, store }) => {
    const empty = { status: 200, body: { keywords: [], totalResults: 0 } };
    const match = { operation: "sponsored-products:ListSponsoredProductsKeywords" };
    world.emulator.setFaults([{ match, effects: { response: empty } }]);
    const held = await sync({ entitySource: "list" });
    const { state, error } = outcomeOf(held, "sp.keywords");
    assert.deepEqual([held.ok, state], [false, "held"]);
    assert(error instanceof ShrinkError);
    assert.match(
      held.summary(),
      /sp\.keywords: Held back: the platform lists 0 keywords, and \d+ are stored.*the option acceptShrink/,
    );
    const count = async (): Promise<number> =>
      Number((await store.query("SELECT count(*) AS n FROM sp_keywords")).rows[0]?.["n"]);
    assert(await count() > 100);
    wait(world, 60);
    const accepted = await sync({ entitySource: "list", acceptShrink: true });
    assert(accepted.ok, accepted.summary());
    assert.equal(await count(), 0);
  },
);

exportTest(
  "finds what changed by the platform's clock, where this machine's is hours ahead",
  async (listed) => {
    const { world, sync, us } = listed;
    world.time.advance(5 * 3600);
    assert((await sync({ entitySource: "list" })).ok);
    wait(world, 600);
    const [campaign] = await us.sp.campaigns.list({ states: ["ENABLED"] });
    const { campaignId } = campaign!;
    (await us.sp.campaigns.update([{ campaignId, tags: { said: "by no row" } }])).raiseForErrors();
    wait(world, 600);
    assert.deepEqual(moved(await sync()), ["sp.campaigns +0 ~1 -0"]);
  },
);
