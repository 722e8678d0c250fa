import { deepEqual, equal, rejects } from "../support/assert.ts";
import { ChangePlan, PlanStateError, PlatformAds, type ProfileClient, resumePlan } from "../../mod.ts";
import type { NewKeyword } from "../../src/client/entities/sp.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { FakeTime } from "../support/fake_time.ts";
import { type Judging, withAndWithoutPolicy } from "../support/judging.ts";

type FetchLike = (input: string, init?: RequestInit) => Promise<Response>;

/** Every write acts, but its answer is lost, as when the process dies then. */
const dyingFetch: FetchLike = async (input, init) => {
  const isWrite = init?.method === "PUT" || (init?.method === "POST" && /\/(keywords|delete)$/.test(input));
  const answer = await fetch(input, init);
  if (!isWrite) return answer;
  await answer.body?.cancel();
  throw new TypeError("connection reset");
};

interface Scene {
  client: (options?: { fetch?: FetchLike }) => Promise<ProfileClient>;
  journal: string;
}

async function scene(judging: Judging, run: (scene: Scene) => Promise<void>): Promise<void> {
  const emulator = await Emulator.start();
  const folder = await Deno.makeTempDir();
  try {
    const client = async (options: { fetch?: FetchLike } = {}): Promise<ProfileClient> => {
      const { now, sleep } = new FakeTime();
      const ads = new PlatformAds(emulator.credentials, {
        platform: emulator.platform,
        now,
        sleep,
        ...judging.client,
        ...options,
      });
      return await ads.profile("CA");
    };
    await run({ client, journal: `${folder}/plan.journal.jsonl` });
  } finally {
    await emulator.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

/** What a killed process leaves: its last line cut short. */
async function forgetLastAnswer(journal: string): Promise<void> {
  const text = await Deno.readTextFile(journal);
  await Deno.writeTextFile(journal, text.slice(0, text.lastIndexOf('{"event":"answered"') + 7));
}

async function newKeywords(
  ca: ProfileClient,
  count: number,
): Promise<(NewKeyword & { adGroupId: string })[]> {
  const [keyword] = await ca.sp.keywords.list({ states: ["ENABLED"] });
  return Array.from({ length: count }, (_, index) => ({
    campaignId: keyword!.campaignId,
    adGroupId: keyword!.adGroupId,
    keywordText: `brandnew word ${index}`,
    matchType: "EXACT",
    state: "ENABLED",
    bid: 0.5,
  }));
}

withAndWithoutPolicy(
  "a create whose answer was lost in a crash is found in the account and not sent again",
  (judging) =>
    scene(judging, async ({ client, journal }) => {
      const ca = await client();
      const items = await newKeywords(ca, 3);
      const plan = await ca.sp.keywords.planCreate(items);
      await plan.apply(await client({ fetch: dyingFetch }), { journal });
      await forgetLastAnswer(journal);

      const result = await resumePlan(ChangePlan.fromJson(plan.toJson()), ca, { journal });
      equal(result.ok, true, result.summary());
      const found = await ca.sp.keywords.list({ adGroupIds: [items[0]!.adGroupId] });
      equal(found.filter((keyword) => keyword.keywordText.startsWith("brandnew word")).length, 3);
      const undo = result.rollbackPlan();
      equal(undo.changes.length, 3);
      equal((await undo.apply(ca)).ok, true);
    }),
);

withAndWithoutPolicy(
  "a plan cut off before anything was sent is applied whole, and resuming once more sends nothing",
  (judging) =>
    scene(judging, async ({ client, journal }) => {
      const ca = await client();
      const plan = await ca.sp.keywords.planCreate(await newKeywords(ca, 2));
      await plan.apply(ca, { journal, stop: AbortSignal.abort() });
      const looked = await resumePlan(plan, ca, { journal, lookOnly: true });
      deepEqual(looked.failures.map(({ error }) => error.code), ["NOT_SENT", "NOT_SENT"]);
      equal((await resumePlan(plan, ca, { journal })).ok, true);
      equal((await resumePlan(plan, await client({ fetch: dyingFetch }), { journal })).ok, true);
    }),
);

withAndWithoutPolicy(
  "an abandoned plan is rolled back, and its rest is never sent",
  (judging) =>
    scene(judging, async ({ client, journal }) => {
      const ca = await client();
      const keywords = (await ca.sp.keywords.list()).filter((keyword) => keyword.bid !== undefined).slice(
        0,
        2,
      );
      const creates = await ca.sp.keywords.planCreate(await newKeywords(ca, 2));
      const bids = await ca.sp.keywords.planUpdate(
        keywords.map(({ keywordId }) => ({ keywordId, bid: 0.91 })),
      );
      const { profileId, countryCode } = ca;
      const plan = new ChangePlan({ profileId, countryCode, changes: [...bids.changes, ...creates.changes] });
      // The first group is done, but nobody heard; the second never leaves.
      await plan.apply(await client({ fetch: dyingFetch }), { journal });
      await forgetLastAnswer(journal);

      await rejects(resumePlan(plan, ca, { journal, abandon: true, lookOnly: true }), TypeError);
      const result = await resumePlan(plan, ca, { journal, abandon: true });
      deepEqual(result.changes.map(({ outcome }) => outcome), ["done", "done", "not_sent", "not_sent"]);
      equal((await result.rollbackPlan().apply(ca)).ok, true);
      equal((await ca.sp.keywords.get(keywords[0]!.keywordId))!.bid, keywords[0]!.bid);
      await rejects(
        resumePlan(plan, ca, { journal }),
        (error) => error instanceof PlanStateError && /was abandoned/.test(error.message),
      );
      const looked = await resumePlan(plan, ca, { journal, lookOnly: true });
      equal(looked.failures.length, 2);
    }),
);

withAndWithoutPolicy(
  "an update whose answer was lost is settled by reading, and the rest of the plan is sent",
  (judging) =>
    scene(judging, async ({ client, journal }) => {
      const ca = await client();
      const keywords = (await ca.sp.keywords.list()).filter((keyword) => keyword.bid !== undefined).slice(
        0,
        2,
      );
      const [campaign] = await ca.sp.campaigns.list();
      const bids = await ca.sp.keywords.planUpdate(
        keywords.map(({ keywordId }) => ({ keywordId, bid: 0.91 })),
      );
      const names = await ca.sp.campaigns.planUpdate([{
        campaignId: campaign!.campaignId,
        name: "Renamed by resume",
      }]);
      const { profileId, countryCode } = ca;
      const plan = new ChangePlan({ profileId, countryCode, changes: [...bids.changes, ...names.changes] });
      await plan.apply(await client({ fetch: dyingFetch }), { journal });
      await forgetLastAnswer(journal);

      const result = await resumePlan(plan, ca, { journal });
      equal(result.ok, true, result.summary());
      equal((await ca.sp.keywords.get(keywords[0]!.keywordId))!.bid, 0.91);
      equal((await ca.sp.campaigns.get(campaign!.campaignId))!.name, "Renamed by resume");
      equal(result.rollbackPlan().changes.length, 3);
    }),
);

withAndWithoutPolicy(
  "a journal stops a plan from being applied twice, and belongs to one plan",
  (judging) =>
    scene(judging, async ({ client, journal }) => {
      const ca = await client();
      const plan = await ca.sp.keywords.planCreate(await newKeywords(ca, 1));
      await plan.apply(ca, { journal });
      const again = ChangePlan.fromJson(plan.toJson());
      await rejects(again.apply(ca, { journal }), (error: Error) => {
        return error instanceof PlanStateError && /journal/.test(error.message);
      });
      const other = await ca.sp.keywords.planCreate(await newKeywords(ca, 2));
      await rejects(resumePlan(other, ca, { journal }), /does not belong to plan/);
    }),
);

withAndWithoutPolicy(
  "default bids and bidding that were cut off are finished",
  (judging) =>
    scene(judging, async ({ client, journal }) => {
      const ca = await client();
      const [campaign] = await ca.sp.campaigns.list({ states: ["ENABLED"] });
      const groups = (await ca.sp.adGroups.list({ states: ["ENABLED"] })).slice(0, 2);
      const { profileId, countryCode } = ca;
      const bids = await ca.sp.adGroups.planUpdate(
        groups.map(({ adGroupId }) => ({ adGroupId, defaultBid: 0.77 })),
      );
      const strategy = campaign!.dynamicBidding?.strategy === "LEGACY_FOR_SALES"
        ? "MANUAL"
        : "LEGACY_FOR_SALES";
      const bidding = await ca.sp.campaigns.planUpdate([{
        campaignId: campaign!.campaignId,
        dynamicBidding: { strategy },
      }]);
      const plan = new ChangePlan({ profileId, countryCode, changes: [...bids.changes, ...bidding.changes] });
      await plan.apply(await client({ fetch: dyingFetch }), { journal });
      await forgetLastAnswer(journal);

      const result = await resumePlan(plan, ca, { journal });
      equal(result.ok, true, result.summary());
      equal((await ca.sp.adGroups.get(groups[1]!.adGroupId))?.defaultBid, 0.77);
      equal((await ca.sp.campaigns.get(campaign!.campaignId))?.dynamicBidding?.strategy, strategy);
    }),
);
