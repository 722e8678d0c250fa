import assert from "node:assert/strict";
import type { ResourceKind } from "../../../mod.ts";
import { exportTest, exportTests, moved, outcomeOf, wait } from "./ground.ts";

const onBoth = exportTests();

onBoth("and by lists in turns opens no version of an unchanged entity", async ({ world, store, sync }) => {
  const versions = async (): Promise<unknown> =>
    (await store.query("SELECT count(*) AS n FROM entities_history")).rows[0]?.["n"];
  const count = async (): Promise<unknown> =>
    (await store.query("SELECT count(*) AS n FROM entities")).rows[0]?.["n"];
  const before = [await versions(), await count()];
  for (const entitySource of ["export", "list", "export"] as const) {
    const result = await sync({ entitySource });
    assert(result.ok, result.summary());
    assert.deepEqual(moved(result), [], entitySource);
    const exported = result.entities.filter(({ kind }) => !LISTED.includes(kind));
    assert.deepEqual([...new Set(exported.map(({ source }) => source))], [entitySource]);
    for (const kind of LISTED) assert.equal(outcomeOf(result, kind).source, "list");
    wait(world, 2 * 3600);
  }
  assert.deepEqual([await versions(), await count()], before);
  const { rows } = await store.query("SELECT source FROM entity_pulls GROUP BY source ORDER BY 1");
  assert.deepEqual(rows.map(({ source }) => source), ["export", "list"]);
});

/** Kinds that no export has. */
const LISTED: readonly ResourceKind[] = ["portfolios", "sp.ad_extensions", "sb.ad_extensions"];

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
  assert.match(result.summary(), /1 changed, 0 gone \(21 of 24 kinds by export\)/);
  assert.deepEqual(world.asked().filter((line) => line.endsWith("/list")).sort(), [
    "POST /portfolios/list",
    "POST /sp/keywords/list",
  ]);
});

exportTest("finds what changed of every kind, also where rows have no word for it", async (listed) => {
  const { world, store, sync, us } = listed;
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
  const { keywordId, adGroupId, campaignId: of } = await live("sb.keywords");
  await us.sb.keywords.update([
    { keywordId: String(keywordId), adGroupId: String(adGroupId), campaignId: String(of), bid: 2.22 },
  ]);
  await us.sb.targets.update([{ targetId: await idOf("sb.targets", "targetId"), bid: 2.22 }]);
  await us.sb.negativeTargets.delete([await idOf("sb.negative_targets", "targetId")]);
  await us.sd.targets.pause([await idOf("sd.targets", "targetId")]);
  const place = { campaignId, adGroupId: await idOf("sp.ad_groups", "adGroupId") };
  await us.sp.negativeKeywords.create([
    { ...place, keywordText: "very new", matchType: "NEGATIVE_EXACT", state: "ENABLED" },
  ]);
  wait(world, 2 * 3600);
  assert.deepEqual(moved(await sync()), [
    "sb.keywords +0 ~1 -0",
    "sb.negative_targets +0 ~1 -0",
    "sb.targets +0 ~1 -0",
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
});

exportTest("leaves to lists what was never stored, and says why", async ({ sync, store }) => {
  await store.query("SELECT 1");
  const auto = await sync({ entitySource: "auto" });
  assert.match(outcomeOf(auto, "sp.keywords").why, /^about \d+ requests; exports are used from 30$/);
  assert.equal(outcomeOf(auto, "portfolios").why, "it has no export");
  assert.equal((await store.requests({})).length, 0);
  assert.match(outcomeOf(await sync({ entitySource: "list" }), "sp.keywords").why, /^as asked$/);
});
