import { equal, match, ok, rejects } from "../support/assert.ts";
import {
  type Change,
  ChangePlan,
  PlanStateError,
  PlatformAds,
  PolicyError,
  type ProfileClient,
} from "../../mod.ts";
import { judge } from "../../src/plans/review/judge.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { onBothWires } from "../support/on_both_wires.ts";
import type { EmulatedOptions } from "../support/emulated.ts";

interface Scene {
  readonly world: Emulated;
  readonly us: ProfileClient;
  readonly keyword: { keywordId: string; campaignId: string; adGroupId: string };
  /** A campaign that the policy excepts from its limit of bids. */
  readonly excepted: string;
  plan(change: Partial<Change>): ChangePlan;
}

async function scene(options: EmulatedOptions, run: (scene: Scene) => Promise<void>): Promise<void> {
  await using world = await emulated({ checkRequests: false, ...options });
  const [keyword] = await world.us.sp.keywords.list({ states: ["ENABLED"] });
  const campaigns = await world.us.sp.campaigns.list({ states: ["ENABLED"] });
  const { campaignId: excepted } = campaigns.find(({ campaignId }) => campaignId !== keyword!.campaignId)!;
  const policy = parsePolicy(`version: 1
max_bid: 2
exceptions: [{ rule: max_bid, reason: launch, until: 2099-12-31, ids: ["${excepted}"] }]
`);
  const ads = new PlatformAds(world.emulator.credentials, {
    platform: world.emulator.platform,
    now: world.time.now,
    sleep: world.time.sleep,
    ...options.client,
    policy,
  });
  const us = await ads.profile("US");
  const { profileId, countryCode } = us;
  await run({
    world,
    us,
    keyword: keyword!,
    excepted,
    plan: (change) =>
      ChangePlan.fromJson(
        new ChangePlan({
          profileId,
          countryCode,
          changes: [{
            ...{ kind: "sp.keywords", op: "update", id: keyword!.keywordId, label: "shoes" },
            ...{ before: {}, after: {} },
            ...change,
          }],
        }).toJson(),
      ),
  });
}

const edited = (what: RegExp) => (error: Error): boolean => {
  ok(error instanceof PlanStateError, String(error));
  equal(error.reason, "edited");
  match(error.message, /its contents differ from the requests it would send/);
  match(error.message, what);
  return true;
};

onBothWires(
  "a plan file with a field that its write drops is refused, and lifts no limit",
  (options) =>
    scene(options, async ({ world, us, keyword, excepted, plan }) => {
      const claim = plan({ after: { bid: 9, campaignId: excepted } });
      await rejects(claim.apply(us), edited(/campaignId is not sent/));
      await rejects(judge(claim, us), edited(/campaignId is not sent/));
      const free = world.us;
      await rejects(claim.apply(free), edited(/campaignId is not sent/));
      const named = plan({ after: { bid: 9 }, campaignId: excepted });
      await rejects(named.apply(us), (error: Error) => error instanceof PolicyError);
      equal((await free.sp.keywords.get(keyword.keywordId))?.bid === 9, false);
    }),
);

onBothWires(
  "a plan file whose field is sent under another name is refused",
  (options) =>
    scene(options, async ({ us, keyword, plan }) => {
      const { adGroupId: id } = keyword;
      const renamed = plan({ kind: "sp.ad_groups", id, after: { default_bid: 50 } });
      await rejects(renamed.apply(us), edited(/default_bid is not sent/));
      await rejects(judge(renamed, us), edited(/default_bid is not sent/));
      const archive = plan({ op: "archive", after: { state: "ARCHIVED", bid: 0.1 } });
      await rejects(archive.apply(us), edited(/bid is not sent by an archive/));
    }),
);

onBothWires(
  "an exception holds for what is in the campaign by the account",
  (options) =>
    scene(options, async ({ world, us, excepted, plan }) => {
      const [group] = await world.us.sp.adGroups.list({ campaignIds: [excepted], states: null });
      const inside = {
        kind: "sp.keywords",
        op: "create",
        id: null,
        after: {
          campaignId: excepted,
          adGroupId: group!.adGroupId,
          keywordText: "excepted words",
          matchType: "EXACT",
          state: "ENABLED",
          bid: 2.5,
        },
      } as const;
      const findings = await us.review(plan(inside));
      equal(findings.findings.some(({ level }) => level === "deny"), false);
      const [elsewhere] = (await world.us.sp.adGroups.list({ states: ["ENABLED"] }))
        .filter(({ campaignId }) => campaignId !== excepted);
      const outside = { ...inside, after: { ...inside.after, adGroupId: elsewhere!.adGroupId } };
      await rejects(plan(outside).apply(us), PolicyError);
    }),
);
