import { deepEqual } from "../support/assert.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { denied, keyword, place, scene } from "./attack_scene.ts";

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

Deno.test("no limit lets through what may start or raise an entity that could not be read", async () => {
  const campaignId = "999999999999999";
  const updates: readonly (readonly [policy: string, fields: Record<string, unknown>])[] = [
    ["max_effective_bid: 2", { state: "ENABLED" }],
    ["max_budget: 100", { state: "ENABLED" }],
    ["max_increase: 30%", { budget: { budget: 500, budgetType: "DAILY" } }],
    ["protect: { ids: [7] }", { name: "Other" }],
  ];
  for (const [policy, fields] of updates) {
    await scene(policy, async ({ held, ...rest }) => {
      const update = () => held.sp.campaigns.update([{ campaignId, ...fields }]);
      await denied({ held, ...rest }, update, /unknown.*, because sp\.campaigns \d+ is not in this profile/);
    });
  }
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
    await denied(scene, set(900), /the bid of sp\.keywords \d+ 15 USD .*\b3 USD/);
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
    await denied(scene, enable, /starts sp\.keywords \d+, whose bid 7 USD .*\b2 USD/);

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
    await denied(scene, () => keyword(scene.held, at), /the ad group's bid 5 USD .*\b2 USD/);
    const keywordId = await keyword(scene.held, at, { bid: 1 });
    await denied(
      scene,
      () => scene.held.sp.keywords.update([{ keywordId, bid: null }]),
      /5 USD .*\b2 USD/,
    );
  });
});

Deno.test("moves of a bid and of its campaign's placements count together, in one plan or in two", async () => {
  await scene("max_increase: 50%", async (scene) => {
    const at = await place(scene);
    const keywordId = await keyword(scene.free, at, { bid: 1 });
    const adjust = (percentage: number) =>
      scene.held.sp.campaigns.update([{
        campaignId: at.campaignId,
        dynamicBidding: {
          strategy: "LEGACY_FOR_SALES" as const,
          placementBidding: [{ placement: "PLACEMENT_TOP", percentage }],
        },
      } as never]);
    (await scene.held.sp.keywords.update([{ keywordId, bid: 1.4 }])).raiseForErrors();
    await denied(scene, () => adjust(40), /an increase of 96\.0 %/);
    (await adjust(5)).raiseForErrors();
    await denied(
      scene,
      () => scene.held.sp.keywords.update([{ keywordId, bid: 1.5 }]),
      /an increase of 57\.5 %/,
    );
    // What lowers a bid is no increase.
    (await scene.held.sp.keywords.update([{ keywordId, bid: 1.2 }])).raiseForErrors();
  });
});

Deno.test("a default bid that is raised is compared with the bids that were cleared for it", async () => {
  await scene("max_increase: 50%", async (scene) => {
    const at = await place(scene, { defaultBid: 1.4 });
    const keywordId = await keyword(scene.free, at, { bid: 1 });
    (await scene.held.sp.keywords.update([{ keywordId, bid: null }])).raiseForErrors();
    const { adGroupId } = at;
    await denied(
      scene,
      () => scene.held.sp.adGroups.update([{ adGroupId, defaultBid: 2 }]),
      /an increase of 100\.0 %/,
    );
    (await scene.held.sp.adGroups.update([{ adGroupId, defaultBid: 1.5 }])).raiseForErrors();
  });
});

Deno.test("a first bid of its own is compared with the default bid that the ad group had in the morning", async () => {
  await scene("max_increase: 50%", async (scene) => {
    const at = await place(scene, { defaultBid: 1 });
    const { adGroupId } = at;
    const keywordId = await keyword(scene.free, at);
    (await scene.held.sp.adGroups.update([{ adGroupId, defaultBid: 1.2 }])).raiseForErrors();
    const set = (bid: number) => scene.held.sp.keywords.update([{ keywordId, bid }]);
    await denied(scene, () => set(1.7), /an increase of 70\.0 %/);
    (await set(1.4)).raiseForErrors();
    await denied(scene, () => set(1.6), /an increase of 60\.0 %/);
    (await set(1.5)).raiseForErrors();
  });
});

Deno.test("a keyword that is created anew is compared with the one that was archived in another plan", async () => {
  await scene("max_increase: 50%", async (scene) => {
    const at = await place(scene);
    for (const bid of [1, undefined]) {
      const keywordText = bid === undefined ? "inherits" : "has a bid";
      const keywordId = await keyword(scene.free, at, { keywordText, ...(bid === undefined ? {} : { bid }) });
      (await scene.held.sp.keywords.delete([keywordId])).raiseForErrors();
      await denied(
        scene,
        () => keyword(scene.held, at, { keywordText, bid: 3 }),
        /an increase of (200|500)\.0 %/,
      );
    }
    const again = await keyword(scene.held, at, { keywordText: "has a bid", bid: 1.4 });
    await denied(
      scene,
      () => scene.held.sp.keywords.update([{ keywordId: again, bid: 1.6 }]),
      /an increase of 60\.0 %/,
    );
    const adjust = {
      strategy: "LEGACY_FOR_SALES" as const,
      placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 40 }],
    };
    await denied(
      scene,
      () => scene.held.sp.campaigns.update([{ campaignId: at.campaignId, dynamicBidding: adjust } as never]),
      /an increase of 96\.0 %/,
    );
  });
});
