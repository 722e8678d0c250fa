import { deepEqual, ok } from "../support/assert.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { ChangePlan, type PlanResult } from "../../src/plans/change_plan/change_plan.ts";
import { FolderLedger } from "../../src/plans/policy/folder_ledger.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type LiveBids, readLiveBids } from "./support/live_bids.ts";
import { fetchOf } from "./support/fetch_of.ts";
import { amount, SEED } from "./support/size.ts";

const MAX_BID = 3;
const MAX_EFFECTIVE_BID = 5;
const MAX_BUDGET = 90;
const MAX_INCREASE = 0.5;
const POLICY = `
version: 1
max_bid: ${MAX_BID}
max_effective_bid: ${MAX_EFFECTIVE_BID}
max_budget: ${MAX_BUDGET}
max_increase: ${MAX_INCREASE * 100}%
protect: { names: ["*Protected*"] }
`;

/** What moves choose from. */
interface World {
  readonly us: ProfileClient;
  readonly random: SeededRandom;
  readonly now: LiveBids;
  readonly campaignId: string;
  readonly adGroupId: string;
  readonly keyword: Keyword | undefined;
  /** Results of plans that were applied, newest last. */
  readonly results: PlanResult[];
}

interface Keyword {
  readonly keywordId: string;
  readonly keywordText: string;
  readonly matchType: string;
  readonly bid?: number;
}

/** A bid: anything, or near another, where a limit is easily crossed by several moves. */
const money = (random: SeededRandom, near = 1): number =>
  random.integer(0, 2) === 0
    ? random.integer(5, 450) / 100
    : Math.max(0.05, Math.round(near * random.integer(70, 150)) / 100);
const state = (random: SeededRandom): "ENABLED" | "PAUSED" => random.pick(["ENABLED", "PAUSED"]);
const bidding = (random: SeededRandom): object => ({
  strategy: random.pick(["LEGACY_FOR_SALES", "AUTO_FOR_SALES", "MANUAL"]),
  placementBidding: ["PLACEMENT_TOP", "PLACEMENT_PRODUCT_PAGE", "PLACEMENT_REST_OF_SEARCH"]
    .filter(() => random.integer(0, 1) === 0)
    .map((placement) => ({ placement, percentage: random.pick([0, 10, 20, 30, 45, 60, 80, 200, 900]) })),
});

/** Single changes, which one plan may hold several of. */
type Move = (world: World, draft: ReturnType<ProfileClient["plan"]>) => void;

const MOVES: readonly Move[] = [
  ({ keyword, random }, draft) => {
    if (keyword === undefined) return;
    const { keywordId } = keyword;
    draft.update("sp.keywords", {
      keywordId,
      bid: random.pick([null, money(random, keyword.bid), money(random, keyword.bid)]),
    });
  },
  ({ keyword, random }, draft) =>
    keyword && draft.update("sp.keywords", { keywordId: keyword.keywordId, state: state(random) }),
  ({ keyword, campaignId, adGroupId, random }, draft) => {
    if (keyword === undefined) return;
    const { keywordId, keywordText, matchType } = keyword;
    draft.archive("sp.keywords", keywordId);
    const bid = random.pick([undefined, money(random, keyword.bid)]);
    draft.create("sp.keywords", {
      campaignId,
      adGroupId,
      keywordText,
      matchType,
      state: "ENABLED",
      ...(bid === undefined ? {} : { bid }),
    });
  },
  ({ campaignId, adGroupId, random }, draft) =>
    draft.create("sp.keywords", {
      campaignId,
      adGroupId,
      keywordText: `new ${random.integer(1, 999_999)}`,
      matchType: "BROAD",
      state: "ENABLED",
      bid: money(random),
    }),
  ({ adGroupId, random }, draft) => draft.update("sp.ad_groups", { adGroupId, defaultBid: money(random) }),
  ({ adGroupId, random }, draft) => draft.update("sp.ad_groups", { adGroupId, state: state(random) }),
  ({ campaignId, random }, draft) => draft.update("sp.campaigns", { campaignId, state: state(random) }),
  ({ campaignId, random }, draft) =>
    draft.update("sp.campaigns", { campaignId, dynamicBidding: bidding(random) }),
  ({ campaignId, random }, draft) =>
    draft.update("sp.campaigns", {
      campaignId,
      budget: { budget: random.integer(10, 120), budgetType: "DAILY" },
    }),
  ({ keyword }, draft) => keyword && draft.archive("sp.keywords", keyword.keywordId),
  ({ campaignId, adGroupId, random }, draft) =>
    draft.create("sp.keywords", {
      campaignId,
      adGroupId,
      keywordText: `word ${random.integer(0, 3)}`,
      matchType: "EXACT",
      state: "ENABLED",
      bid: money(random),
    }),
  // A new ad group below a reference to the campaign that the plan updates, and a keyword that inherits its bid.
  ({ campaignId, random }, draft) => {
    const name = `n${random.integer(1, 999_999)}`;
    draft.update("sp.campaigns", { campaignId, state: "ENABLED" }, { as: `c${name}` });
    const campaign = { ref: `c${name}` };
    draft.create(
      "sp.ad_groups",
      { campaignId: campaign, name, state: "ENABLED", defaultBid: money(random) },
      {
        as: name,
      },
    );
    draft.create("sp.keywords", {
      campaignId: campaign,
      adGroupId: { ref: name },
      keywordText: name,
      matchType: "EXACT",
      state: "ENABLED",
    });
  },
];

/** Makes a plan of some moves and applies it, forged or not; or undoes one that was applied. */
async function act(world: World): Promise<void> {
  const { us, random, results, keyword } = world;
  const dice = random.integer(0, 9);
  if (dice === 0 && results.length > 0) {
    results.push(await random.pick(results).rollbackPlan().apply(us));
    return;
  }
  if (dice === 1 && keyword !== undefined) {
    // A file that somebody wrote: what was before is made up, and it says that it undoes a plan.
    const { profileId, countryCode } = us;
    const change = { kind: "sp.keywords", op: "update" as const, id: keyword.keywordId, label: "x" };
    const bid = money(random, keyword.bid);
    const reverses = results.at(-1)?.plan.id ?? "20261101-000000-abcdef01";
    const changes = [{ ...change, before: { bid: 99 }, after: { bid } }];
    const forged = new ChangePlan({ profileId, countryCode, changes, reverses });
    results.push(await ChangePlan.fromJson(forged.toJson()).apply(us));
    return;
  }
  if (dice === 2 && keyword !== undefined) {
    await us.request("PUT", "/sp/keywords", {
      json: { keywords: [{ keywordId: keyword.keywordId, bid: money(random, keyword.bid) }] },
      contentType: "application/vnd.spKeyword.v3+json",
    });
    return;
  }
  const draft = us.plan();
  for (let more = random.integer(1, 3); more > 0; more--) random.pick(MOVES)(world, draft);
  const plan = await draft.build();
  if (plan.changes.length === 0) return;
  results.push(await plan.apply(us, { sendAnyway: random.integer(0, 4) === 0 }));
}

/** Prepares campaigns without a policy, one of them protected. */
async function prepare(free: ProfileClient): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, name] of ["Open one", "Open two", "The Protected one"].entries()) {
    const made = await free.sp.campaigns.create([{
      name: `${name} ${crypto.randomUUID()}`,
      targetingType: "MANUAL",
      state: "ENABLED",
      startDate: "2026-10-01",
      budget: { budget: 40 + index * 20, budgetType: "DAILY" },
      dynamicBidding: {
        strategy: "LEGACY_FOR_SALES",
        placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 20 }],
      },
    }]);
    made.raiseForErrors();
    const campaignId = made.ids[0]!;
    ids.push(campaignId);
    const groups = await free.sp.adGroups.create(
      [0.8, 1.5].map((defaultBid, at) => ({ campaignId, name: `Group ${at}`, state: "ENABLED", defaultBid })),
    );
    groups.raiseForErrors();
    const keywords = await free.sp.keywords.create(
      groups.ids.flatMap((adGroupId) =>
        [undefined, 0.7, 2, 6].map((bid, at) => ({
          campaignId,
          adGroupId: adGroupId!,
          keywordText: `word ${at}`,
          matchType: "EXACT" as const,
          state: at === 3 ? "PAUSED" as const : "ENABLED" as const,
          ...(bid === undefined ? {} : { bid }),
        }))
      ),
    );
    keywords.raiseForErrors();
  }
  return ids;
}

/** What a policy forbids and one write did, judged by the lists of the platform alone. */
function violations(start: LiveBids, before: LiveBids, after: LiveBids): string[] {
  const found: string[] = [];
  const over = (value: number, limit: number): boolean => value > limit * (1 + 1e-9);
  const startOf = new Map([...start.bids.values()].map((bid) => [bid.identity, bid]));
  const highest = (campaign: { factors: ReadonlyMap<string, number> } | undefined): number =>
    Math.max(...campaign?.factors.values() ?? [1]);
  for (const [id, campaign] of after.campaigns) {
    const was = before.campaigns.get(id);
    const first = start.campaigns.get(id);
    if (
      campaign.name.includes("Protected") &&
      JSON.stringify([...campaign.factors, campaign]) !== JSON.stringify([...first!.factors, first])
    ) {
      found.push(`protected campaign ${id} changed`);
    }
    const spends = campaign.isOn && (was?.isOn !== true || was.budget < campaign.budget);
    if (spends && over(campaign.budget, MAX_BUDGET)) found.push(`budget ${campaign.budget} in ${id}`);
    if (
      first !== undefined && over(campaign.budget, first.budget * (1 + MAX_INCREASE)) &&
      campaign.budget > was!.budget
    ) {
      found.push(`budget ${first.budget} -> ${campaign.budget} in ${id}`);
    }
  }
  for (const [id, { campaignId, identity, bid, isOn, text }] of after.bids) {
    const campaign = after.campaigns.get(campaignId)!;
    const was = before.bids.get(id);
    const first = startOf.get(identity);
    if (campaign.name.includes("Protected") && text !== start.bids.get(id)?.text) {
      found.push(`${id} in a protected campaign: ${text}`);
    }
    if (!isOn) continue;
    const top = bid * highest(campaign);
    const wasTop = was?.isOn ? was.bid * highest(before.campaigns.get(campaignId)) : 0;
    if (over(bid, MAX_BID) && over(bid, was?.isOn ? was.bid : 0)) found.push(`bid ${bid} of ${identity}`);
    if (over(top, MAX_EFFECTIVE_BID) && over(top, wasTop)) found.push(`${top} a click for ${identity}`);
    if (first === undefined) continue;
    const firstFactors = start.campaigns.get(campaignId)!.factors;
    for (const [placement, factor] of campaign.factors) {
      const [from, to] = [first.bid * firstFactors.get(placement)!, bid * factor];
      const previous = was === undefined
        ? 0
        : was.bid * before.campaigns.get(campaignId)!.factors.get(placement)!;
      if (over(to, from * (1 + MAX_INCREASE)) && over(to, previous)) {
        found.push(`${from} -> ${to} a click in ${placement} for ${identity}`);
      }
    }
  }
  return found;
}

Deno.test("random moves under a policy leave nothing on the platform that it forbids", async () => {
  const tries = amount(40, 10_000);
  const random = new SeededRandom(SEED);
  let sent = 0;
  for (let done = 0; done < tries;) {
    const emulator = await Emulator.start({
      seed: "moves",
      clock: { now: "2026-09-30T20:00:00Z", frozen: true },
    });
    try {
      await using folder = await temporaryFolder();
      const open = async (policy?: string): Promise<ProfileClient> => {
        const { platform } = emulator;
        const ledger = new FolderLedger(folder.path);
        const now = (): number => Date.parse("2026-09-30T20:00:00Z");
        return await new PlatformAds(emulator.credentials, {
          platform,
          fetch: fetchOf(emulator),
          ...(policy === undefined ? {} : { policy: parsePolicy(policy, { ledger, now }) }),
        }).profile("US");
      };
      const free = await open();
      const campaignIds = await prepare(free);
      const start = await readLiveBids(free, campaignIds);
      let before = start;
      let us = await open(POLICY);
      const results: PlanResult[] = [];
      // A day of forty moves: limits of the day grow tight, then another account begins.
      for (let at = 0; at < 40; at++, done++) {
        if (random.integer(0, 9) === 0) us = await open(POLICY);
        const campaignId = random.pick(campaignIds);
        const groups = await free.sp.adGroups.list({ campaignIds: [campaignId] });
        const { adGroupId } = random.pick(groups);
        const keywords = await free.sp.keywords.list({ adGroupIds: [adGroupId] });
        const keyword = keywords.length === 0 ? undefined : random.pick(keywords) as Keyword;
        const count = writes(emulator);
        let why = "";
        await act({ us, random, now: before, campaignId, adGroupId, keyword, results })
          .catch((error: Error) => why = error.message);
        if (writes(emulator) === count) continue;
        sent++;
        const after = await readLiveBids(free, campaignIds);
        const bodies = emulator.requests().filter(isWrite).slice(count).map(({ body }) => body);
        deepEqual(
          violations(start, before, after),
          [],
          `move ${at} of seed ${SEED}: ${bodies.join("\n")} ${why}`,
        );
        before = after;
      }
    } finally {
      await emulator.stop();
    }
  }
  ok(sent > tries / 10, `${sent} of ${tries} moves were sent`);
});

function isWrite({ method, path }: { method: string; path: string }): boolean {
  return method !== "GET" && /\/(sp|sb|sd|portfolios)\b/.test(path) && !path.endsWith("/list");
}

function writes(emulator: Emulator): number {
  return emulator.requests().filter(isWrite).length;
}
