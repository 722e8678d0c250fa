import assert from "node:assert/strict";
import type { ProfileClient, ResourceKind } from "../../../mod.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { exportTest, exportTests, moved, wait } from "./ground.ts";
import { long } from "../../support/long.ts";

const onBoth = exportTests();

/** Changes an entity to something that it never was before. */
type Change = (us: ProfileClient, id: string, round: number) => Promise<{ readonly ok: boolean }>;

/** What may change of a kind between two pulls; each row of an export says it in another way, or not at all. */
const CHANGES: Readonly<Partial<Record<ResourceKind, readonly Change[]>>> = {
  "sp.campaigns": [
    (us, campaignId, round) =>
      us.sp.campaigns.update([{ campaignId, budget: { budget: 20 + round, budgetType: "DAILY" } }]),
    (us, campaignId, round) =>
      us.sp.campaigns.update([{ campaignId, name: `Campaign ${campaignId} ${round}` }]),
    (us, campaignId, round) => us.sp.campaigns.update([{ campaignId, tags: { round: String(round) } }]),
  ],
  "sp.ad_groups": [
    (us, adGroupId, round) => us.sp.adGroups.update([{ adGroupId, defaultBid: 4 + round / 100 }]),
  ],
  "sp.keywords": [
    (us, keywordId, round) => us.sp.keywords.update([{ keywordId, bid: 4 + round / 100 }]),
    (us, keywordId) => us.sp.keywords.delete([keywordId]),
  ],
  "sp.targets": [(us, targetId, round) => us.sp.targets.update([{ targetId, bid: 4 + round / 100 }])],
  "sp.negative_keywords": [(us, id) => us.sp.negativeKeywords.delete([id])],
  "sp.product_ads": [(us, adId) => us.sp.productAds.delete([adId])],
  "sb.campaigns": [(us, campaignId, round) => us.sb.campaigns.update([{ campaignId, budget: 50 + round }])],
  "sb.ads": [(us, adId, round) => us.sb.ads.update([{ adId, name: `Ad ${adId} ${round}` }])],
  "sb.keywords": [(us, keywordId, round) => us.sb.keywords.update([{ keywordId, bid: 4 + round / 100 }])],
  "sb.targets": [(us, targetId, round) => us.sb.targets.update([{ targetId, bid: 4 + round / 100 }])],
  "sb.negative_targets": [(us, targetId) => us.sb.negativeTargets.delete([targetId])],
  "sd.campaigns": [(us, campaignId, round) => us.sd.campaigns.update([{ campaignId, budget: 50 + round }])],
  "sd.targets": [(us, targetId, round) => us.sd.targets.update([{ targetId, bid: 4 + round / 100 }])],
};
const KINDS = Object.keys(CHANGES) as ResourceKind[];

for (const seed of [1, 2]) {
  const test = seed === 1 ? onBoth : exportTest;
  if (seed === 1) long();
  test(
    `and by lists stores what changed and nothing else, whatever the order (${seed})`,
    async ({ world, store, sync, us }) => {
      const random = new SeededRandom(seed);
      const ids = new Map<ResourceKind, string[]>();
      for (const kind of KINDS) {
        const resource = us.resource(kind);
        const entities: readonly Record<string, unknown>[] = await resource.list({ states: ["ENABLED"] });
        ids.set(kind, entities.map((entity) => String(entity[resource.idField])));
      }
      let changes = 0;
      for (let round = 1; round <= 6; round++) {
        const changed = new Map<ResourceKind, Set<string>>();
        for (let count = random.integer(0, 4); count > 0; count--) {
          const kind = random.pick(KINDS);
          const own = ids.get(kind)!;
          // An entity that was archived is not touched again.
          const [id] = own.splice(random.integer(0, own.length - 1), 1);
          // What the platform refuses, as the bid of an archived campaign, changes nothing.
          if (!(await random.pick(CHANGES[kind]!)(us, id!, round)).ok) continue;
          changes++;
          changed.set(kind, (changed.get(kind) ?? new Set()).add(id!));
        }
        wait(world, random.pick([60, 1800, 7200]));
        const entitySource = random.pick(["export", "export", "list"] as const);
        const result = await sync({ entitySource });
        assert(result.ok, result.summary());
        const expected = Array.from(changed, ([kind, { size }]) => `${kind} +0 ~${size} -0`).sort();
        assert.deepEqual(moved(result), expected, `round ${round}, by ${entitySource}`);
      }
      wait(world, 7200);
      assert.deepEqual(moved(await sync({ entitySource: "list" })), []);
      const { rows } = await store.query("SELECT count(*) AS n FROM entities_history");
      assert.equal(Number(rows[0]?.["n"]), changes);
      assert(changes > 3);
    },
    { emulator: { seed: `changes ${seed}` } },
  );
}
