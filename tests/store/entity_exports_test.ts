import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProfileClient, ResourceKind } from "../../mod.ts";
import type { FaultRule } from "../../src/emulator/mod.ts";
import type { EntityOutcome } from "../../src/store/entities/entity_outcome.ts";
import type { SyncOptions } from "../../src/store/sync/sync_options.ts";
import type { SyncResult } from "../../src/store/sync/sync_result.ts";
import { Warehouse } from "../../src/store/warehouse.ts";
import { type Emulated, emulated, type EmulatedOptions } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const NOW = "2026-09-30T12:00:00Z";

/** The demo account, listed into a store once. */
interface Listed {
  readonly world: Emulated;
  readonly store: Warehouse;
  readonly us: ProfileClient;
  readonly sync: (options?: SyncOptions) => Promise<SyncResult>;
}

function exportTest(
  what: string,
  run: (listed: Listed) => Promise<void>,
  options: EmulatedOptions = {},
): void {
  test(`sync() by exports ${what}`, async () => {
    const quirks = { reportSeconds: 0 };
    await using world = await emulated({
      emulator: { clock: { now: NOW, frozen: true }, quirks },
      ...options,
    });
    const folder = await temporaryFolder();
    const store = await Warehouse.open(folder.file("ads.sqlite"), { now: world.time.now });
    const sync = (more: SyncOptions = {}): Promise<SyncResult> =>
      store.sync(world.us, { entities: "only", entitySource: "export", ...more });
    try {
      const first = await sync({ entitySource: "list" });
      assert(first.ok, first.summary());
      wait(world, 2 * 3600);
      await run({ world, store, us: world.us, sync });
    } finally {
      await store.close();
      await folder.remove();
    }
  });
}

function wait({ time, emulator }: Emulated, seconds: number): void {
  time.advance(seconds);
  emulator.advance(seconds);
}

function moved({ entities }: SyncResult): string[] {
  return entities.filter(({ added, changed, removed }) => added + changed + removed > 0)
    .map(({ kind, added, changed, removed }) => `${kind} +${added} ~${changed} -${removed}`);
}

function outcomeOf({ entities }: SyncResult, kind: ResourceKind): EntityOutcome {
  return entities.find((outcome) => outcome.kind === kind)!;
}

exportTest(
  "and by lists in turns opens no version of an unchanged entity",
  async ({ world, store, sync }) => {
    const versions = async (): Promise<unknown> =>
      (await store.query("SELECT count(*) AS n FROM sp_keywords_history")).rows[0]?.["n"];
    const before = await versions();
    for (const entitySource of ["export", "list", "export"] as const) {
      const result = await sync({ entitySource });
      assert(result.ok, result.summary());
      assert.deepEqual(moved(result), [], entitySource);
      const sources = new Set(
        result.entities.filter(({ kind }) => kind !== "portfolios").map(({ source }) => source),
      );
      assert.deepEqual([...sources], [entitySource]);
      assert.equal(outcomeOf(result, "portfolios").source, "list");
      wait(world, 2 * 3600);
    }
    assert.equal(await versions(), before);
    const { rows } = await store.query(
      "SELECT source, count(*) AS n FROM entity_pulls GROUP BY source ORDER BY 1",
    );
    assert.deepEqual(rows.map(({ source }) => source), ["export", "list"]);
  },
);

exportTest("asks for four files, and reads by their ids only what changed", async ({ world, sync, us }) => {
  world.asked();
  const quiet = await sync();
  const asked = world.asked();
  assert.deepEqual(asked.filter((line) => line.startsWith("POST /") && line.endsWith("/export")).sort(), [
    "POST /adGroups/export",
    "POST /ads/export",
    "POST /campaigns/export",
    "POST /targets/export",
  ]);
  assert.deepEqual(asked.filter((line) => /list|\/s[bd]\//.test(line)), ["POST /portfolios/list"]);
  assert.match(outcomeOf(quiet, "sp.keywords").why, /^as asked: \d+ rows, 0 read by their ids$/);
  wait(world, 2 * 3600);
  const [keyword] = await us.sp.keywords.list({ states: ["ENABLED"] });
  await us.sp.keywords.update([{ keywordId: keyword!.keywordId, bid: 1.23 }]);
  wait(world, 2 * 3600);
  world.asked();
  const result = await sync();
  assert.deepEqual(moved(result), ["sp.keywords +0 ~1 -0"]);
  assert.deepEqual(world.asked().filter((line) => line.endsWith("/list")).sort(), [
    "POST /portfolios/list",
    "POST /sp/keywords/list",
  ]);
});

exportTest(
  "finds what changed of every kind, also where rows have no word for it",
  async ({ world, store, sync, us }) => {
    const live = async (kind: ResourceKind): Promise<Record<string, unknown>> => {
      const entities: readonly Record<string, unknown>[] = await us.resource(kind).list({ states: null });
      return entities.find(({ state }) => String(state).toUpperCase() === "ENABLED")!;
    };
    const idOf = async (kind: ResourceKind, field: string): Promise<string> =>
      String((await live(kind))[field]);
    const campaignId = await idOf("sp.campaigns", "campaignId");
    const placementBidding = [{ placement: "PLACEMENT_TOP", percentage: 33 }];
    await us.sp.campaigns.update([{ campaignId, dynamicBidding: { strategy: "MANUAL", placementBidding } }]);
    await us.sp.adGroups.update([{ adGroupId: await idOf("sp.ad_groups", "adGroupId"), name: "Renamed" }]);
    await us.sp.productAds.pause([await idOf("sp.product_ads", "adId")]);
    await us.sp.campaignNegativeKeywords.delete([await idOf("sp.campaign_negative_keywords", "keywordId")]);
    await us.sp.negativeTargets.delete([await idOf("sp.negative_targets", "targetId")]);
    const brands = await live("sb.campaigns");
    await us.sb.campaigns.update([{ campaignId: String(brands["campaignId"]), budget: 77 }]);
    const { keywordId, adGroupId, campaignId: of } = await live("sb.keywords");
    await us.sb.keywords.update([
      { keywordId: String(keywordId), adGroupId: String(adGroupId), campaignId: String(of), bid: 2.22 },
    ]);
    await us.sd.targets.pause([await idOf("sd.targets", "targetId")]);
    await us.sd.adGroups.update([{ adGroupId: await idOf("sd.ad_groups", "adGroupId"), defaultBid: 1.11 }]);
    const place = { campaignId, adGroupId: await idOf("sp.ad_groups", "adGroupId") };
    await us.sp.negativeKeywords.create([
      { ...place, keywordText: "very new", matchType: "NEGATIVE_EXACT", state: "ENABLED" },
    ]);
    wait(world, 2 * 3600);
    const result = await sync();
    assert.deepEqual(moved(result).sort(), [
      "sb.campaigns +0 ~1 -0",
      "sb.keywords +0 ~1 -0",
      "sd.ad_groups +0 ~1 -0",
      "sd.targets +0 ~1 -0",
      "sp.ad_groups +0 ~1 -0",
      "sp.campaign_negative_keywords +0 ~1 -0",
      "sp.campaigns +0 ~1 -0",
      "sp.negative_keywords +1 ~0 -0",
      "sp.negative_targets +0 ~1 -0",
      "sp.product_ads +0 ~1 -0",
    ]);
    const { rows } = await store.query(
      `SELECT "placementBidding" AS placements FROM sp_campaigns_entities WHERE "campaignId" = ?`,
      [campaignId],
    );
    assert.match(String(rows[0]?.["placements"]), /33/);
    wait(world, 2 * 3600);
    assert.deepEqual(
      moved(await sync({ entitySource: "list" })),
      [],
      "a list finds no more than the export did",
    );
  },
);

exportTest("leaves to lists what was never stored, and says why", async ({ sync, store, world }) => {
  const folder = await temporaryFolder();
  const other = await Warehouse.open(folder.file("new.sqlite"), { now: world.time.now });
  try {
    const result = await other.sync(world.us, { entities: "only", entitySource: "export" });
    assert.deepEqual(new Set(result.entities.map(({ source }) => source)), new Set(["list"]));
    assert.match(outcomeOf(result, "sp.keywords").why, /nothing is stored yet/);
  } finally {
    await other.close();
    await folder.remove();
  }
  const auto = await sync({ entitySource: "auto" });
  assert.match(outcomeOf(auto, "sp.keywords").why, /^about \d+ requests; an export pays from 30$/);
  assert.equal((await store.requests({})).length, 0);
});

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
    const ledger = async (): Promise<string[]> =>
      (await store.requests({})).map(({ report, state }) => `${report} ${state}`).sort();
    const names = ["ad_groups_export", "ads_export", "campaigns_export", "targets_export"];
    assert.deepEqual(await ledger(), names.map((name) => `${name} building`));
    wait(world, 1200);
    world.asked();
    const next = await sync();
    assert.equal(outcomeOf(next, "sp.keywords").source, "export");
    assert.deepEqual(world.asked().filter((line) => line.endsWith("/export")), []);
    assert.deepEqual(await ledger(), names.map((name) => `${name} stored`));
  },
);

exportTest("reads lists when an export fails or is refused", async ({ world, store, sync }) => {
  const fails = async (faults: readonly FaultRule[], why: RegExp): Promise<void> => {
    world.emulator.setFaults(faults);
    const result = await sync();
    world.emulator.setFaults([]);
    assert(result.ok, result.summary());
    const { source, why: told } = outcomeOf(result, "sp.keywords");
    assert.equal(source, "list");
    assert.match(told, why);
    wait(world, 7200);
  };
  const match = { operation: "v1-exports:TargetExport" };
  await fails([{ match, effects: { reportOutcome: "FAILED" } }], /INTERNAL_ERROR: The export failed\. Lists/);
  await fails([{ match, effects: { response: { status: 403 } } }], /403/);
  const problems = (await store.requests({ report: "targets_export" })).map((
    { state, problem },
  ) => [state, problem]);
  assert.equal(problems.length, 2);
  for (const [state, problem] of problems) assert.deepEqual([state, typeof problem], ["failed", "string"]);
});
