import { deepEqual, ok } from "../support/assert.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { FolderLedger } from "../../src/plans/policy/folder_ledger.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { fetchOf } from "./support/fetch_of.ts";
import { amount, SEED } from "./support/size.ts";

const MAX_BID = 2.5;
const MAX_ARCHIVES = 3;
const POLICY = `
version: 1
max_bid: ${MAX_BID}
max_archives: ${MAX_ARCHIVES}
protect: { names: ["*Protected*"] }
allow_kinds: [sp.keywords, sp.ad_groups]
`;

interface Target {
  readonly keywordId: string;
  readonly adGroupId: string;
  readonly campaignId: string;
}

/** Bids above the limit, in every form that a program may give them. */
const HIGH: readonly unknown[] = [2.51, 2.7, 3, 4, "3", "2.9e0", " 3 ", "0x3", 999, "999", 2510000];

type Attempt = (us: ProfileClient, target: Target, random: SeededRandom) => Promise<unknown>;

/** A request written by hand, with the media type that the platform wants. */
function raw(us: ProfileClient, line: string, json: unknown): Promise<unknown> {
  const [method = "", path = ""] = line.split(" ");
  const kind = path.includes("campaigns")
    ? "spCampaign"
    : path.includes("adGroups")
    ? "spAdGroup"
    : "spKeyword";
  return us.request(method, path, { json, contentType: `application/vnd.${kind}.v3+json` });
}

/** Ways to send what the policy denies. None may succeed. */
const ATTEMPTS: readonly Attempt[] = [
  (us, { keywordId }, random) => us.sp.keywords.update([{ keywordId, bid: random.pick(HIGH) as number }]),
  (us, { keywordId }, random) =>
    raw(us, "PUT /sp/keywords", { keywords: [{ keywordId, bid: random.pick(HIGH) }] }),
  (us, { keywordId }, random) =>
    us.call("sponsored-products:UpdateSponsoredProductsKeywords", {
      keywords: [{ keywordId, bid: random.pick(HIGH) as number }],
    }),
  (us, { adGroupId }, random) =>
    raw(us, "PUT /sp/adGroups", { adGroups: [{ adGroupId, defaultBid: random.pick(HIGH) }] }),
  (us, { adGroupId, campaignId }, random) => {
    const keyword = { adGroupId, campaignId, keywordText: "x", matchType: "EXACT", state: "ENABLED" };
    return raw(us, "POST /sp/keywords", { keywords: [{ ...keyword, bid: random.pick(HIGH) }] });
  },
  (us, { adGroupId, campaignId }, random) =>
    raw(us, "PUT /sp/keywords", { keywords: [{ adGroupId, campaignId, bid: random.pick(HIGH) }] }),
  async (us, { keywordId, campaignId }, random) => {
    const { profileId, countryCode } = us;
    const place = { kind: "sp.keywords", op: "update" as const, id: keywordId, label: "x", campaignId };
    const changes = [{ ...place, before: { bid: 1 }, after: { bid: random.pick(HIGH) } }];
    const forged = new ChangePlan({ profileId, countryCode, changes, reverses: "20261101-000000-abc" });
    return await ChangePlan.fromJson(forged.toJson()).apply(us);
  },
  (us, { campaignId }) => us.sp.campaigns.update([{ campaignId, state: "PAUSED" }]),
  (us, { campaignId }) => us.sp.campaigns.delete([campaignId]),
  (us, { campaignId }) =>
    raw(us, "PUT /sp/campaigns", { campaigns: [{ campaignId, budget: { budget: 9, budgetType: "DAILY" } }] }),
  (us, { keywordId }) => raw(us, "PUT /sp/keywords/", { keywords: [{ keywordId, bid: 3 }] }),
  (us, { keywordId }) =>
    raw(us, "POST /sp/keywords/delete", { keywordIdFilter: { include: [keywordId] }, and: 1 }),
  (us, { keywordId }) => raw(us, "PUT /sp/keywords", { keywords: [], Keywords: [{ keywordId, bid: 3 }] }),
  (us, { campaignId }) => raw(us, `POST /sp/campaigns/${campaignId}/budgetRules`, { budgetRuleIds: ["1"] }),
  (us) => us.portfolios.create([{ name: "new", state: "ENABLED" }]),
];

/** What the policy allows, in between: it must not open a door for what comes after. */
const ALLOWED: readonly Attempt[] = [
  (us, { keywordId }, random) =>
    us.sp.keywords.update([{ keywordId, bid: 0.3 + random.integer(0, 199) / 100 }]),
  (us, { keywordId }) => us.sp.keywords.pause([keywordId]),
  async (us, { keywordId }, random) => {
    const plan = await us.sp.keywords.planUpdate([{ keywordId, bid: 0.3 + random.integer(0, 199) / 100 }]);
    const result = await plan.apply(us);
    return await result.rollbackPlan().apply(us);
  },
  (us, { keywordId }) => us.sp.keywords.delete([keywordId]),
  (us, { keywordId }) => raw(us, "PUT /sp/keywords", { keywords: [{ keywordId, state: "ARCHIVED" }] }),
];

Deno.test("no sequence of writes sends what a policy denies, whatever form it takes", async () => {
  const random = new SeededRandom(SEED);
  for (let day = 0; day < amount(1, 10); day++) await attack(random, amount(40, 1000));
});

/** A day of attempts, on an account and with a ledger of its own. */
async function attack(random: SeededRandom, tries: number): Promise<void> {
  const emulator = await Emulator.start({ seed: "policy" });
  const { platform } = emulator;
  const fetch = fetchOf(emulator);
  const folder = await Deno.makeTempDir();
  try {
    const plain = new PlatformAds(emulator.credentials, { platform, fetch });
    const account = await plain.profile("US");
    const targets: Target[] = [];
    for await (
      const { keywordId, adGroupId, campaignId, bid } of account.sp.keywords.iter({ states: ["ENABLED"] })
    ) {
      if (bid !== undefined && bid < MAX_BID) {
        targets.push({ keywordId, adGroupId: adGroupId!, campaignId: campaignId! });
      }
    }
    const before = await stateOf(account);
    // A program that is started anew each time: what it remembers is in the ledger alone.
    const fresh = async (): Promise<ProfileClient> => {
      const policy = parsePolicy(POLICY, { ledger: new FolderLedger(folder) });
      const ads = new PlatformAds(emulator.credentials, { platform, fetch, policy });
      return await ads.profile("US");
    };
    let us = await fresh();
    let denied = 0;
    for (let at = 0; at < tries; at++) {
      if (random.integer(0, 9) === 0) us = await fresh();
      const target = random.pick(targets);
      if (random.integer(0, 3) === 0) await random.pick(ALLOWED)(us, target, random).catch(() => {});
      else await random.pick(ATTEMPTS)(us, target, random).then(() => {}, () => denied++);
    }
    ok(denied > tries / 2, `${denied} of ${tries} were denied`);

    const after = await stateOf(account);
    const raised = after.bids.filter(([id, bid]) =>
      bid > MAX_BID && !before.bids.some(([one, was]) => one === id && was === bid)
    );
    deepEqual(raised, [], "no bid above the limit that was not there before");
    deepEqual(after.campaigns, before.campaigns, "no campaign changed");
    deepEqual(after.portfolios, before.portfolios, "no portfolio changed");
    ok(after.archived - before.archived <= MAX_ARCHIVES, `${after.archived - before.archived} were archived`);
    ok(after.keywords === before.keywords, "no keyword was created");
  } finally {
    await emulator.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

interface AccountState {
  readonly bids: readonly (readonly [id: string, bid: number])[];
  readonly campaigns: readonly unknown[];
  readonly portfolios: readonly unknown[];
  readonly archived: number;
  readonly keywords: number;
}

/** What the emulator holds, read without a policy. */
async function stateOf(us: ProfileClient): Promise<AccountState> {
  const keywords = await us.sp.keywords.list({ states: null });
  const adGroups = await us.sp.adGroups.list({ states: null });
  return {
    bids: [
      ...keywords.flatMap(({ keywordId, bid }) => bid === undefined ? [] : [[keywordId, bid] as const]),
      ...adGroups.map(({ adGroupId, defaultBid }) => [adGroupId, defaultBid] as const),
    ],
    campaigns: await us.sp.campaigns.list({ states: null }),
    portfolios: await us.portfolios.list({ states: null }),
    archived: keywords.filter(({ state }) => state.toUpperCase() === "ARCHIVED").length,
    keywords: keywords.length,
  };
}
