import { equal, match } from "../support/assert.ts";
import { judge } from "../../src/plans/review/judge.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import type { Change } from "../../src/plans/model/change.ts";
import { denied, keyword, place, type Scene, scene } from "./attack_scene.ts";

const adjust = (...placementBidding: { placement: string; percentage: number }[]) => ({
  dynamicBidding: { strategy: "LEGACY_FOR_SALES" as const, placementBidding },
});

function plan({ free: { profileId, countryCode } }: Scene, changes: readonly Partial<Change>[]): ChangePlan {
  const whole = changes.map((
    change,
  ) => ({ op: "update", id: null, before: {}, label: "x", ...change } as Change));
  return new ChangePlan({ profileId, countryCode, changes: whole });
}

Deno.test("of a placement that is given twice the highest adjustment counts, and others stay as they are", async () => {
  await scene("max_effective_bid: 3", async (scene) => {
    const at = await place(scene, {
      campaign: adjust({ placement: "PLACEMENT_PRODUCT_PAGE", percentage: 100 }),
    });
    const { campaignId } = at;
    const keywordId = await keyword(scene.free, at, { bid: 1.2 });
    const twice = (a: number, b: number) =>
      adjust({ placement: "PLACEMENT_TOP", percentage: a }, { placement: "PLACEMENT_TOP", percentage: b });
    for (const [a, b] of [[900, 10], [10, 900]] as const) {
      await denied(
        scene,
        () => scene.held.sp.campaigns.update([{ campaignId, ...twice(a, b) } as never]),
        /12 USD .*\b3 USD/,
      );
    }
    const both = plan(scene, [
      { kind: "sp.campaigns", id: campaignId, after: twice(0, 0), ref: "c" },
      { kind: "sp.keywords", id: keywordId, after: { bid: 2 }, dependsOn: ["c"] },
    ]);
    await denied(scene, () => both.apply(scene.held), /the bid 4 USD .*\b3 USD/);
  });
});

Deno.test("a campaign or ad group that is created anew is compared with the one that was archived", async () => {
  await scene("max_increase: 30%", async (scene) => {
    const one = await place(scene, { budget: 20 });
    const [campaign] = await scene.free.sp.campaigns.list({ campaignIds: [one.campaignId] });
    const { name, startDate } = campaign!;
    const anew = (budget: number) => ({
      name,
      startDate,
      targetingType: "MANUAL",
      state: "ENABLED",
      budget: { budget, budgetType: "DAILY" },
    } as const);
    const archive = {
      kind: "sp.campaigns",
      op: "archive",
      id: one.campaignId,
      after: { state: "ARCHIVED" },
    } as const;
    const renamed = { kind: "sp.campaigns", id: one.campaignId, after: { name: `Gone ${name}` }, ref: "r" };
    for (const first of [[archive], [renamed, { ...archive, dependsOn: ["r"] }]]) {
      const create = { kind: "sp.campaigns", op: "create", after: anew(60) } as const;
      const last = { ...create, dependsOn: ["a"] };
      const changes = [
        ...first.map((change, at) => at === first.length - 1 ? { ...change, ref: "a" } : change),
        last,
      ];
      await denied(scene, () => plan(scene, changes).apply(scene.held), /an increase of 200\.0 %/);
    }
    const group = await place(scene, { defaultBid: 0.5 });
    const groups = plan(scene, [
      { kind: "sp.ad_groups", op: "archive", id: group.adGroupId, after: { state: "ARCHIVED" } },
      {
        kind: "sp.ad_groups",
        op: "create",
        after: { campaignId: group.campaignId, name: "GROUP ", state: "ENABLED", defaultBid: 2 },
      },
    ]);
    await denied(scene, () => groups.apply(scene.held), /an increase of 300\.0 %/);
    (await scene.held.sp.campaigns.delete([one.campaignId])).raiseForErrors();
    await denied(scene, () => scene.held.sp.campaigns.create([anew(60)]), /an increase of 200\.0 %/);
    const made = await scene.held.sp.campaigns.create([anew(25)]);
    made.raiseForErrors();
    await denied(
      scene,
      () => scene.held.sp.campaigns.update([{ campaignId: made.ids[0]!, budget: 30 }]),
      /an increase of 50\.0 %/,
    );
    (await scene.held.sp.adGroups.delete([group.adGroupId])).raiseForErrors();
    const again = { campaignId: group.campaignId, name: "Group", state: "ENABLED", defaultBid: 2 } as const;
    await denied(scene, () => scene.held.sp.adGroups.create([again]), /an increase of 300\.0 %/);
  });
});

Deno.test("a target that is created anew is compared with its equal, in whatever order its predicates stand", async () => {
  await scene("max_increase: 30%", async (scene) => {
    const at = await place(scene);
    const expression = [
      { type: "ASIN_CATEGORY_SAME_AS", value: "1" },
      { type: "ASIN_PRICE_LESS_THAN", value: "20" },
    ];
    const target = { ...at, expression, expressionType: "MANUAL", state: "ENABLED", bid: 1 };
    const made = await scene.free.sp.targets.create([target as never]);
    made.raiseForErrors();
    const changes = plan(scene, [
      { kind: "sp.targets", op: "archive", id: made.ids[0]!, after: { state: "ARCHIVED" } },
      { kind: "sp.targets", op: "create", after: { ...target, expression: expression.toReversed(), bid: 3 } },
    ]);
    await denied(scene, () => changes.apply(scene.held), /an increase of 200\.0 %/);
  });
});

Deno.test("what lowers a bid beside its start counts only where the start waits for it", async () => {
  await scene("max_bid: 2", async (scene) => {
    const at = await place(scene);
    const keywordId = await keyword(scene.free, at, { bid: 5 });
    (await scene.free.sp.adGroups.update([{ adGroupId: at.adGroupId, state: "PAUSED" }])).raiseForErrors();
    const lower = { kind: "sp.keywords", id: keywordId, after: { bid: 0.001 }, ref: "k" };
    const start = { kind: "sp.ad_groups", id: at.adGroupId, after: { state: "ENABLED" } };
    for (const changes of [[start, lower], [lower, start]]) {
      await denied(scene, () => plan(scene, changes).apply(scene.held), /whose bid 5 USD .*\b2 USD/);
    }
    // The platform refuses a bid of 0.001, and then nothing starts.
    const waiting = plan(scene, [lower, { ...start, dependsOn: ["k"] }]);
    const result = await waiting.apply(scene.held);
    equal(result.changes.map(({ outcome }) => outcome).join(), "refused,not_sent");
    const both = [{ ...lower, after: { bid: 1 } }, { ...start, dependsOn: ["k"] }];
    (await plan(scene, both).apply(scene.held)).raiseForErrors();
  });
});

Deno.test("rules compare the bid that holds, also where a keyword inherits it", async () => {
  const rule =
    "{ name: mine, when: 'change.op == \"update\" && after.bid > before.bid', level: deny, message: raised }";
  await scene(`rules:\n  - ${rule}`, async (scene) => {
    const at = await place(scene, { defaultBid: 1 });
    const keywordId = await keyword(scene.free, at);
    await denied(scene, () => scene.held.sp.keywords.update([{ keywordId, bid: 1.2 }]), /raised/);
    (await scene.held.sp.keywords.update([{ keywordId, bid: 0.8 }])).raiseForErrors();
    await denied(scene, () => scene.held.sp.keywords.update([{ keywordId, bid: null }]), /raised/);
  });
});

Deno.test("what lowers a strategy or a default bid beside a bid counts only where the bid waits for it", async () => {
  const [raised, lowered] = (["AUTO_FOR_SALES", "LEGACY_FOR_SALES"] as const)
    .map((strategy) => ({ dynamicBidding: { strategy } }));
  for (
    const [policy, why] of [
      ["max_effective_bid: 3", /the bid 4 USD .*\b3 USD/],
      ["max_increase: 30%", /an increase of 66\.7 %/],
    ] as const
  ) {
    await scene(policy, async (scene) => {
      const at = await place(scene, { campaign: raised! });
      const keywordId = await keyword(scene.free, at, { bid: 1.2 });
      const campaign = { kind: "sp.campaigns", id: at.campaignId, after: lowered!, ref: "c" };
      const bid = { kind: "sp.keywords", id: keywordId, after: { bid: 2 } };
      await denied(scene, () => plan(scene, [campaign, bid]).apply(scene.held), why);
      const waiting = plan(scene, [campaign, { ...bid, dependsOn: ["c"] }]);
      (await waiting.apply(scene.held)).raiseForErrors();
    });
  }
  await scene("max_bid: 2", async (scene) => {
    const at = await place(scene, { defaultBid: 5 });
    const keywordId = await keyword(scene.free, at, { bid: 1 });
    const group = { kind: "sp.ad_groups", id: at.adGroupId, after: { defaultBid: 1 }, ref: "g" };
    const clear = { kind: "sp.keywords", id: keywordId, after: { bid: null } };
    await denied(
      scene,
      () => plan(scene, [group, clear]).apply(scene.held),
      /the ad group's bid 5 USD /,
    );
    (await plan(scene, [group, { ...clear, dependsOn: ["g"] }]).apply(scene.held)).raiseForErrors();
  });
});

Deno.test("a campaign that moves from portfolio to portfolio is compared with the cap that it had in the morning", async () => {
  await scene("max_increase: 30%", async (scene) => {
    const made = await scene.free.portfolios.create([100, 129, 165].map((amount) => ({
      name: `Capped ${crypto.randomUUID()}`,
      state: "ENABLED" as const,
      budget: { amount, currencyCode: "USD", policy: "MONTHLY_RECURRING" as const },
    })));
    made.raiseForErrors();
    const [portfolioId, second, third] = made.ids;
    const { campaignId } = await place(scene, { campaign: { portfolioId } });
    (await scene.held.sp.campaigns.update([{ campaignId, portfolioId: second! }])).raiseForErrors();
    await denied(
      scene,
      () => scene.held.sp.campaigns.update([{ campaignId, portfolioId: third! }]),
      /an increase of 65\.0 %/,
    );
  });
});

Deno.test("a request that mixes kinds is judged for each, even where every operation is allowed", async () => {
  await scene("max_bid: 2\nallow_operations: ['*']", async (scene) => {
    const at = await place(scene);
    const keywordId = await keyword(scene.free, at, { bid: 1 });
    const [target] = await scene.free.sp.targets.list({ states: ["ENABLED"] });
    const send = (path: string, targets: readonly object[]) => () =>
      scene.held.request("POST", `/adsApi/v1/${path}/targets`, { json: { targets } });
    for (const other of [target!.targetId, "999"]) {
      await denied(
        scene,
        send("update", [{ targetId: other, bid: { bid: 1 } }, { targetId: keywordId, bid: { bid: 9 } }]),
        /bid 9 USD .*\b2 USD/,
      );
    }
    const shared = {
      ...at,
      adProduct: "SPONSORED_PRODUCTS",
      state: "ENABLED",
      negative: false,
      targetLevel: "AD_GROUP",
      bid: { bid: 9 },
    };
    const words = { keywordTarget: { keyword: "blue hat", matchType: "EXACT" } };
    const product = { productId: "B0ABCDEFGH", productIdType: "ASIN" };
    await denied(
      scene,
      send("create", [
        { ...shared, targetType: "KEYWORD", targetDetails: words },
        {
          ...shared,
          targetType: "PRODUCT",
          targetDetails: { productTarget: { matchType: "PRODUCT_EXACT", product } },
        },
      ]),
      /bid 9 USD .*\b2 USD/,
    );
  });
});

Deno.test("a write for a profile that nobody opened is judged, and one without a profile is denied", async () => {
  await scene("max_bid: 2\nallow_operations: ['*']", async (scene) => {
    const { transport, baseUrl } = scene.held;
    const canada = await scene.free.loginProfiles().then((all) =>
      all.find(({ countryCode }) => countryCode === "CA")
    );
    const keywords = [{ keywordId: "1", bid: 9 }];
    const request = {
      method: "PUT",
      baseUrl,
      path: "/sp/keywords",
      json: { keywords },
      idempotent: false,
    } as const;
    const sent = transport.send({ ...request, scope: canada!.profileId });
    match(await sent.then(() => "sent", (error: Error) => error.message), /bid 9 CAD .*\b2 CAD/);
    await denied(scene, () => transport.send(request), /the effect of .* cannot be checked/);
  });
});

Deno.test("what a plan file calls an entity is neither judged nor shown", async () => {
  const rule =
    `rules: [{ name: own, level: deny, message: our brand, when: 'change.label.contains("brand")' }]`;
  await scene(rule, async (scene) => {
    const keywordId = await keyword(scene.free, await place(scene), { bid: 1, keywordText: "our brand" });
    const forged = plan(scene, [{
      kind: "sp.keywords",
      id: keywordId,
      before: { bid: 1 },
      after: { bid: 9 },
    }]);
    await denied(scene, () => forged.apply(scene.held), /sp\.keywords \d+ "our brand" \(EXACT\): our brand/);
    const { asks, denied: found } = await judge(forged, scene.held);
    match(found[0]!.message, /"our brand" \(EXACT\): our brand/);
    match(asks[0]!.message, /sp\.keywords \d+ "our brand" \(EXACT\): 9 USD is 9\.0 times/);
  });
});
