import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import { PlatformAds, type ProfileClient } from "../../mod.ts";
import type { Change, EntityFields } from "../../src/plans/model/change.ts";
import { withCopies } from "../../src/plans/state/copy_steps.ts";
import { planState } from "../../src/plans/state/plan_state.ts";
import { type PriorState, Unread } from "../../src/plans/model/prior_state.ts";
import { PolicyError } from "../../src/plans/model/plan_errors.ts";
import { FolderLedger } from "../../src/plans/policy/folder_ledger.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { emulated } from "../support/emulated.ts";

const NOW = Date.parse("2026-09-30T12:00:00Z");

interface Scene extends AsyncDisposable {
  readonly us: ProfileClient;
  readonly campaignId: string;
  readonly adGroupId: string;
  readonly targetId: string;
}

/** A client with a policy, and a global campaign with an ad group and a keyword that has a bid in one marketplace. */
async function scene(policy: string): Promise<Scene> {
  const folder = await temporaryFolder();
  const ledger = new FolderLedger(`${folder.path}/days`);
  const world = await emulated({
    client: { policy: parsePolicy(`version: 1\n${policy}`, { now: () => NOW, ledger }) },
  });
  const { emulator, time } = world;
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    now: time.now,
    sleep: time.sleep,
  });
  const { sp } = await ads.profile("US");
  const [campaignId] = (await sp.globalCampaigns.create([{
    name: "Everywhere",
    state: "ENABLED",
    targetingType: "MANUAL",
    dynamicBidding: {
      strategy: "LEGACY_FOR_SALES",
      placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 100 }],
    },
    marketplaces: { US: 20, DE: 15 },
  }])).ids;
  const [adGroupId] = (await sp.globalAdGroups.create([
    { campaignId: campaignId!, name: "Shoes", state: "ENABLED", marketplaces: { US: 0.5, DE: 0.4 } },
  ])).ids;
  const [targetId] = (await sp.globalTargets.create([{
    campaignId: campaignId!,
    adGroupId: adGroupId!,
    negative: false,
    state: "ENABLED",
    keywordText: "shoes",
    matchType: "EXACT",
    marketplaces: { US: 0.5, DE: {} },
  }])).ids;
  return {
    us: world.us,
    campaignId: campaignId!,
    adGroupId: adGroupId!,
    targetId: targetId!,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The reasons why a plan is denied. */
function denied(plan: { readonly findings: readonly { level: string; message: string }[] }): string[] {
  return plan.findings.filter(({ level }) => level === "deny").map(({ message }) => message);
}

Deno.test("a limit of bids judges each marketplace by its own bid and in its own currency", async () => {
  await using world = await scene("max_bid: { US: 1, DE: 0.8, default: 5 }");
  const { us, adGroupId, targetId } = world;
  const { sp } = us;
  const groups = await sp.globalAdGroups.planUpdate([{ adGroupId, marketplaces: { US: 0.9, DE: 0.9 } }]);
  const [message, ...others] = denied(groups);
  match(message ?? "", /^sp\.ad_groups \d+ Shoes in DE: bid 0\.9 EUR is above 0\.8 EUR$/);
  deepEqual(others, []);
  await rejects(groups.apply(us), PolicyError);
  const targets = await sp.globalTargets.planUpdate([{ targetId, marketplaces: { US: 1.01, DE: 0.7 } }]);
  const [target, ...more] = denied(targets);
  match(target ?? "", /^sp\.keywords \d+ "shoes" \(EXACT\) in US: bid 1\.01 USD is above 1 USD$/);
  deepEqual(more, []);
});

Deno.test("placements of the copy's campaign count with a bid", async () => {
  await using world = await scene("max_effective_bid: { US: 1, DE: 1.2, default: 5 }");
  const { us, targetId } = world;
  const plan = await us.sp.globalTargets.planUpdate([{ targetId, marketplaces: { US: 0.5, DE: 0.7 } }]);
  const [message, ...others] = denied(plan);
  match(message ?? "", /in DE: with placements and strategy, the bid 1\.4 EUR is above 1\.2 EUR$/);
  deepEqual(others, []);
});

Deno.test("a first bid is measured against the default bid of the ad group there", async () => {
  await using world = await scene("max_increase: 30%");
  const { us, targetId, adGroupId } = world;
  const small = await us.sp.globalTargets.planUpdate([{ targetId, marketplaces: { DE: 0.5 } }]);
  deepEqual(denied(small), [], "0.4 to 0.5 is a quarter more");
  const large = await us.sp.globalTargets.planUpdate([{ targetId, marketplaces: { DE: 0.6 } }]);
  match(denied(large)[0] ?? "", /^sp\.keywords \d+ "shoes" \(EXACT\) in DE: an increase of 50\.0 %/);
  equal((await small.apply(us)).ok, true);
  const group = await us.sp.globalAdGroups.planUpdate([{ adGroupId, marketplaces: { US: 0.6, DE: 0.6 } }]);
  const [message, ...others] = denied(group);
  match(
    message ?? "",
    /^sp\.ad_groups \d+ Shoes in DE: .* sp\.keywords \d+ was changed today and is in another profile/,
  );
  deepEqual(others, [], "what is in the profile itself is read: 0.5 to 0.6 is a fifth more");
});

Deno.test("small steps of one day count as one for a bid in a marketplace", async () => {
  await using world = await scene("max_increase: 30%");
  const { us, adGroupId } = world;
  const first = await us.sp.globalAdGroups.planUpdate([{ adGroupId, marketplaces: { DE: 0.5 } }]);
  equal((await first.apply(us)).ok, true);
  const second = await us.sp.globalAdGroups.planUpdate([{ adGroupId, marketplaces: { DE: 0.6 } }]);
  match(denied(second).join(), /in DE: .*\b50\.0 %/);
});

Deno.test("what is protected by its whole is protected in its copies, and below them", async () => {
  await using world = await scene("protect: { names: ['Every*'] }");
  const { us, adGroupId, targetId } = world;
  for (
    const plan of [
      await us.sp.globalAdGroups.planUpdate([{ adGroupId, marketplaces: { DE: 0.41 } }]),
      await us.sp.globalTargets.planUpdate([{ targetId, marketplaces: { DE: 0.41 } }]),
      await us.sp.globalTargets.planArchive([targetId]),
    ]
  ) match(denied(plan).join(), /protected/);
});

Deno.test("a target that is archived and created anew has the bid that it had in each marketplace", async () => {
  await using world = await scene("max_increase: 30%");
  const { us, campaignId, adGroupId, targetId } = world;
  const archive = await us.sp.globalTargets.planArchive([targetId]);
  equal((await archive.apply(us)).ok, true);
  const again = (marketplaces: Record<string, number>) =>
    us.sp.globalTargets.planCreate([{
      campaignId,
      adGroupId,
      negative: false,
      state: "ENABLED",
      keywordText: "Shoes",
      matchType: "EXACT",
      marketplaces,
    }]);
  const [message, ...others] = denied(await again({ US: 1, DE: 0.5 }));
  match(message ?? "", /in US: an increase of 100\.0 %/);
  deepEqual(others, []);
  deepEqual(denied(await again({ US: 0.6, DE: 0.4 })), []);

  // Placements count on top of what the new one costs more: 0.5 at 100 % was 1, 0.6 at 130 % is 1.38.
  equal((await (await again({ US: 0.6, DE: 0.4 })).apply(us)).ok, true);
  const dynamicBidding = {
    strategy: "LEGACY_FOR_SALES",
    placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 130 }],
  };
  const placements = await us.sp.globalCampaigns.planUpdate([{ campaignId, dynamicBidding }]);
  match(denied(placements)[0] ?? "", /in US: .*an increase of 38\.0 %/);
});

Deno.test("a target that one plan archives and creates anew is no new one", () => {
  const target = {
    campaignId: "1",
    adGroupId: "2",
    keywordText: "shoes",
    matchType: "EXACT",
    state: "ENABLED",
  };
  const change = { kind: "sp.global_targets", label: "shoes", before: {} };
  const before = {
    ...target,
    negative: false,
    marketplaces: { US: { bid: 0.5, targetId: "7" }, DE: { bid: 0.4, targetId: "8" } },
  };
  const changes: Change[] = [
    { ...change, op: "archive", id: "9", after: { state: "ARCHIVED" } },
    {
      ...change,
      op: "create",
      id: null,
      after: { ...before, marketplaces: { US: { bid: 1 }, DE: { bid: 0.4 } } },
    },
  ];
  const { steps } = planState(changes, {
    entity: (kind) => kind === "sp.global_targets" ? before : undefined,
    below: () => new Unread("not asked"),
  });
  deepEqual(
    withCopies(steps, "US").map(({ op, change, market, bid, replacedId }) => [
      op,
      change.kind,
      market?.country,
      bid,
      replacedId,
    ]),
    [
      ["archive", "sp.keywords", "US", { before: 0.5, after: 0.5 }, undefined],
      ["archive", "sp.keywords", "DE", { before: 0.4, after: 0.4 }, undefined],
      ["create", "sp.keywords", "US", { before: 0.5, after: 1 }, "7"],
      ["create", "sp.keywords", "DE", { before: 0.4, after: 0.4 }, "8"],
    ],
  );
});

Deno.test("copies are of the kind that a target is in one marketplace", () => {
  const copy = (fields: EntityFields): unknown[] => {
    const change = {
      kind: "sp.global_targets",
      op: "create" as const,
      id: null,
      label: "",
      before: {},
      after: { state: "ENABLED", marketplaces: { US: {} }, ...fields },
    };
    const { steps } = planState([change], UNREAD_ACCOUNT);
    const [step] = withCopies(steps, "US");
    return [step?.change.kind, step?.after["matchType"]];
  };
  const keyword = { keywordText: "shoes", matchType: "EXACT" };
  deepEqual(copy({ ...keyword, adGroupId: "2", negative: false }), ["sp.keywords", "EXACT"]);
  deepEqual(copy({ ...keyword, adGroupId: "2", negative: true }), ["sp.negative_keywords", "NEGATIVE_EXACT"]);
  deepEqual(copy({ ...keyword, campaignId: "1", negative: true }), [
    "sp.campaign_negative_keywords",
    "NEGATIVE_EXACT",
  ]);
  const expression = [{ type: "ASIN_SAME_AS", value: "B000000001" }];
  deepEqual(copy({ expression, adGroupId: "2", negative: false }), ["sp.targets", undefined]);
  deepEqual(copy({ expression, campaignId: "1", negative: true }), [
    "sp.campaign_negative_targets",
    undefined,
  ]);
});

const UNREAD_ACCOUNT: PriorState = {
  entity: () => new Unread("not read"),
  below: () => new Unread("not read"),
};
