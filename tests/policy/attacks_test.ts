import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { PolicyError } from "../../src/plans/policy_error.ts";
import { FolderLedger } from "../../src/policy/folder_ledger.ts";
import { parsePolicy } from "../../src/policy/parse_policy.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** An account with two clients: one free to prepare it, one held by a policy that remembers the day. */
interface Scene {
  readonly free: ProfileClient;
  readonly held: ProfileClient;
  /** Writes that reached the platform. */
  readonly writes: () => number;
}

async function scene(policy: string, step: (scene: Scene) => Promise<void>): Promise<void> {
  const emulator = await Emulator.start();
  await using folder = await temporaryFolder();
  try {
    const place = { platform: emulator.platform };
    const free = await new PlatformAds(emulator.credentials, place).profile("US");
    const ledger = new FolderLedger(folder.path);
    const held = await new PlatformAds(emulator.credentials, {
      ...place,
      policy: parsePolicy(`version: 1\n${policy}`, { ledger }),
    }).profile("US");
    const writes = (): number =>
      emulator.requests().filter(({ method, path }) =>
        method === "PUT" || method === "DELETE" ||
        method === "POST" && /^\/na\/(sp|sb|sd|portfolios)(\/v\d)?\/\w+(\/delete)?$/.test(path) &&
          !path.endsWith("/list")
      ).length;
    await step({ free, held, writes });
  } finally {
    await emulator.stop();
  }
}

/** Expects that the policy refuses, for a reason that matches, and that nothing was written. */
async function denied({ writes }: Scene, act: () => Promise<unknown>, why: RegExp): Promise<void> {
  const before = writes();
  await rejects(act(), (error: Error) => {
    ok(error instanceof PolicyError, String(error));
    match(error.message, why);
    return true;
  });
  equal(writes(), before, "a write reached the platform");
}

interface Place {
  readonly campaignId: string;
  readonly adGroupId: string;
}

/** A manual campaign of its own with one ad group. */
async function place(
  { free }: Scene,
  { budget = 50, defaultBid = 0.5, state = "ENABLED" as const, campaign = {} } = {},
): Promise<Place> {
  const made = await free.sp.campaigns.create([{
    name: `Attack ${crypto.randomUUID()}`,
    targetingType: "MANUAL",
    state,
    startDate: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    budget: { budget, budgetType: "DAILY" },
    ...campaign,
  }]);
  made.raiseForErrors();
  const campaignId = made.ids[0]!;
  const groups = await free.sp.adGroups.create([{ campaignId, name: "Group", state: "ENABLED", defaultBid }]);
  groups.raiseForErrors();
  return { campaignId, adGroupId: groups.ids[0]! };
}

async function keyword(
  client: ProfileClient,
  { campaignId, adGroupId }: Place,
  fields: { keywordText?: string; bid?: number; state?: "ENABLED" | "PAUSED" } = {},
): Promise<string> {
  const item = {
    campaignId,
    adGroupId,
    keywordText: "red shoes",
    matchType: "EXACT",
    state: "ENABLED",
    ...fields,
  } as const;
  const made = await client.sp.keywords.create([item]);
  made.raiseForErrors();
  return made.ids[0]!;
}

Deno.test("a bid that is cleared and then set is compared with what it was when the day began", async () => {
  await scene("max_increase: 30%", async (scene) => {
    const keywordId = await keyword(scene.free, await place(scene), { bid: 1 });
    (await scene.held.sp.keywords.update([{ keywordId, bid: null }])).raiseForErrors();
    await denied(
      scene,
      () => scene.held.sp.keywords.update([{ keywordId, bid: 9 }]),
      /an increase of 800\.0 %/,
    );
    (await scene.held.sp.keywords.update([{ keywordId, bid: 1.2 }])).raiseForErrors();
  });
});

Deno.test("a first bid is compared with the default bid that held before", async () => {
  await scene("max_increase: 30%", async (scene) => {
    const keywordId = await keyword(scene.free, await place(scene, { defaultBid: 0.5 }));
    await denied(
      scene,
      () => scene.held.sp.keywords.update([{ keywordId, bid: 1 }]),
      /an increase of 100\.0 %/,
    );
    (await scene.held.sp.keywords.update([{ keywordId, bid: 0.6 }])).raiseForErrors();
  });
});

Deno.test("a removed cap of a portfolio is a rise without end", async () => {
  await scene("max_increase: 30%", async (scene) => {
    const made = await scene.free.portfolios.create([{
      name: `Capped ${crypto.randomUUID()}`,
      state: "ENABLED",
      budget: { amount: 100, currencyCode: "USD", policy: "MONTHLY_RECURRING" },
    }]);
    made.raiseForErrors();
    const portfolioId = made.ids[0]!;
    const uncap = { portfolioId, budget: { policy: "NO_CAP" as const, amount: null } };
    await denied(scene, () => scene.held.portfolios.update([uncap as never]), /an increase/);
  });
});

Deno.test("protect holds below ad groups of Brands and Display, whose entities name no campaign", async () => {
  await scene("protect: { names: ['*'] }", async (scene) => {
    for await (const { keywordId, bid } of scene.free.sb.keywords.iter()) {
      if (bid === undefined) continue;
      await denied(
        scene,
        () => scene.held.sb.keywords.update([{ keywordId, bid: bid + 0.01 } as never]),
        /is protected/,
      );
      break;
    }
    for await (const { targetId } of scene.free.sd.negativeTargets.iter()) {
      await denied(scene, () => scene.held.sd.negativeTargets.delete([targetId]), /is protected/);
      break;
    }
    for await (const { targetId, bid } of scene.free.sd.targets.iter()) {
      await denied(
        scene,
        () => scene.held.sd.targets.update([{ targetId, bid: (bid ?? 1) + 0.01 }]),
        /is protected/,
      );
      break;
    }
  });
});

Deno.test("protect denies an entity that could not be read", async () => {
  await scene("protect: { names: ['Brand*'] }", async (scene) => {
    await denied(
      scene,
      () => scene.held.sp.keywords.update([{ keywordId: "999999999999999", bid: 1 }]),
      /unknown|could not be read/,
    );
  });
});

Deno.test("what refers to a campaign that the plan updates is not new", async () => {
  await scene("protect: { names: ['Brand*'] }", async (scene) => {
    const { campaignId } = await place(scene, { campaign: { name: `Brand ${crypto.randomUUID()}` } });
    const draft = scene.free.plan();
    draft.update("sp.campaigns", { campaignId, budget: { budget: 60, budgetType: "DAILY" } }, { as: "c" });
    draft.create("sp.ad_groups", {
      campaignId: { ref: "c" },
      name: "Hidden",
      state: "ENABLED",
      defaultBid: 1,
    });
    const plan = await draft.build();
    const onlyGroup = plan.changes.map(({ kind }) => kind);
    deepEqual(onlyGroup, ["sp.campaigns", "sp.ad_groups"]);
    const findings = parsePolicy("version: 1\nprotect: { names: ['Brand*'] }");
    const found = await findings.review(plan, scene.free);
    deepEqual(found.map(({ change }) => change), [0, 1]);
  });
});

Deno.test("placement adjustments raise what a click may cost", async () => {
  const adjust = (percentage: number, placement = "PLACEMENT_TOP") => ({
    dynamicBidding: { strategy: "LEGACY_FOR_SALES" as const, placementBidding: [{ placement, percentage }] },
  });
  await scene("max_effective_bid: 3", async (scene) => {
    const at = await place(scene, { campaign: adjust(10) });
    await keyword(scene.free, at, { bid: 1.5 });
    const set = (percentage: number) => () =>
      scene.held.sp.campaigns.update([{ campaignId: at.campaignId, ...adjust(percentage) } as never]);
    await denied(scene, set(900), /the bid of sp\.keywords \d+ 15 USD is above 3 USD/);
    (await set(90)()).raiseForErrors();
  });
  await scene("max_increase: 30%", async (scene) => {
    const at = await place(scene, { campaign: adjust(100) });
    const update = (dynamicBidding: object) => () =>
      scene.held.sp.campaigns.update([{ campaignId: at.campaignId, dynamicBidding } as never]);
    // Another placement than the highest one.
    await denied(
      scene,
      update(adjust(90, "PLACEMENT_PRODUCT_PAGE").dynamicBidding),
      /an increase of 90\.0 %/,
    );
    await denied(scene, update({ strategy: "AUTO_FOR_SALES" }), /an increase of 100\.0 %/);
    (await update(adjust(120).dynamicBidding)()).raiseForErrors();
    await denied(scene, update(adjust(180).dynamicBidding), /an increase of 40\.0 %/);
  });
});

Deno.test("a limit holds for what an ad group or campaign brings to life", async () => {
  await scene("max_bid: 2\nmax_budget: 100", async (scene) => {
    const at = await place(scene);
    await keyword(scene.free, at, { bid: 7 });
    (await scene.free.sp.adGroups.update([{ adGroupId: at.adGroupId, state: "PAUSED" }])).raiseForErrors();
    const enable = () => scene.held.sp.adGroups.update([{ adGroupId: at.adGroupId, state: "ENABLED" }]);
    await denied(scene, enable, /starts sp\.keywords \d+, whose bid 7 USD is above 2 USD/);

    const rich = await place(scene, { budget: 9000 });
    const { campaignId } = rich;
    const until = (days: number): string =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    (await scene.free.sp.campaigns.update([{ campaignId, endDate: until(5) }])).raiseForErrors();
    await denied(
      scene,
      () => scene.held.sp.campaigns.update([{ campaignId, endDate: until(50) }]),
      /budget 9000 USD/,
    );
    (await scene.free.sp.campaigns.update([{ campaignId, state: "PAUSED" }])).raiseForErrors();
    await denied(
      scene,
      () => scene.held.sp.campaigns.update([{ campaignId, state: "ENABLED" }]),
      /budget 9000 USD/,
    );
    (await scene.held.sp.campaigns.update([{ campaignId, name: `Renamed ${crypto.randomUUID()}` }]))
      .raiseForErrors();
  });
});

Deno.test("a keyword without a bid is judged by the default bid of its ad group", async () => {
  await scene("max_bid: 2", async (scene) => {
    const at = await place(scene, { defaultBid: 5 });
    await denied(scene, () => keyword(scene.held, at), /the bid of its ad group, 5 USD is above 2 USD/);
    const keywordId = await keyword(scene.held, at, { bid: 1 });
    await denied(
      scene,
      () => scene.held.sp.keywords.update([{ keywordId, bid: null }]),
      /5 USD is above 2 USD/,
    );
  });
});

Deno.test("archive and create of one keyword in a plan is a move of its bid", async () => {
  await scene("max_increase: 30%", async (scene) => {
    const at = await place(scene);
    const keywordId = await keyword(scene.free, at, { bid: 1 });
    const changes = [
      {
        kind: "sp.keywords",
        op: "archive",
        id: keywordId,
        before: { state: "ENABLED" },
        after: { state: "ARCHIVED" },
        label: "x",
      },
      {
        kind: "sp.keywords",
        op: "create",
        id: null,
        before: {},
        after: { ...at, keywordText: "Red shoes", matchType: "EXACT", state: "ENABLED", bid: 3 },
        label: "x",
      },
    ] as const;
    const { ChangePlan } = await import("../../mod.ts");
    const { profileId, countryCode } = scene.free;
    const plan = new ChangePlan({ profileId, countryCode, changes });
    await denied(scene, () => plan.apply(scene.held), /an increase of 200\.0 %/);
  });
});

Deno.test("archived negatives may raise spend, which a limit of spend cannot take for nothing", async () => {
  await scene("max_spend_increase_per_day: 5", async (scene) => {
    const at = await place(scene, { budget: 40 });
    const item = { ...at, keywordText: "free", matchType: "NEGATIVE_EXACT", state: "ENABLED" } as const;
    const made = await scene.held.sp.negativeKeywords.create([item]);
    made.raiseForErrors();
    await denied(
      scene,
      () => scene.held.sp.negativeKeywords.delete([made.ids[0]!]),
      /up to 40\.00 USD more a day/,
    );
  });
});

Deno.test("an archive of a negative keyword is judged as an archive, whatever its verdict calls the id", async () => {
  await scene("max_archives: 0", async (scene) => {
    for await (const { keywordId } of scene.free.sp.negativeKeywords.iter()) {
      await denied(scene, () => scene.held.sp.negativeKeywords.delete([keywordId]), /1 archives today/);
      const id = "sponsored-products:DeleteSponsoredProductsNegativeKeywords";
      const body = { negativeKeywordIdFilter: { include: [keywordId] } };
      const plan = await scene.free.planCall(id, body);
      deepEqual(plan.changes.map(({ op, id }) => [op, id]), [["archive", keywordId]]);
      break;
    }
  });
});

Deno.test("a policy that allows every operation still judges what it can read", async () => {
  await scene("max_bid: 2\nallow_operations: ['*']", async (scene) => {
    const keywordId = await keyword(scene.free, await place(scene), { bid: 1 });
    await denied(
      scene,
      () => scene.held.sp.keywords.update([{ keywordId, bid: 9 }]),
      /bid 9 USD is above 2 USD/,
    );
  });
});
