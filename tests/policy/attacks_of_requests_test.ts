import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import { ChangePlan, type PlanResult } from "../../src/plans/change_plan/change_plan.ts";
import { denied, keyword, place, scene } from "./attack_scene.ts";

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
      /\b40\.00 USD/,
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
      /bid 9 USD .*\b2 USD/,
    );
  });
});

Deno.test("an undo passes limits of moves only where the tool recorded what was there", async () => {
  await scene("max_changes: 1", async (scene) => {
    const keywordId = await keyword(scene.free, await place(scene), { bid: 1 });
    const plan = await scene.free.sp.keywords.planUpdate([{ keywordId, bid: 2.5 }]);
    const done = await plan.apply(scene.held);
    // A file that claims more than was there is judged like any other plan.
    const forged = new ChangePlan({
      ...plan,
      id: undefined!,
      reverses: plan.id,
      changes: [{ ...plan.changes[0]!, before: { bid: 2.5 }, after: { bid: 0.3 } }],
    });
    await denied(scene, () => forged.apply(scene.held), /2 changes today/);
    // The account moved in between: no restoring any more.
    (await scene.free.sp.keywords.update([{ keywordId, bid: 2.6 }])).raiseForErrors();
    await denied(scene, () => done.rollbackPlan().apply(scene.held), /2 changes today/);
    (await scene.free.sp.keywords.update([{ keywordId, bid: 2.5 }])).raiseForErrors();
    const undone = await done.rollbackPlan().apply(scene.held);
    equal(undone.ok, true);
    match(undone.findings[0]?.message ?? "", /restores the value from before the change/);
  });
});

Deno.test("an undo of placements asks a person where a bid below them was raised meanwhile, and the reverse", async () => {
  await scene("max_increase: 50%", async (scene) => {
    const at = await place(scene);
    const { campaignId } = at;
    const keywordId = await keyword(scene.free, at, { bid: 2 });
    const campaign = async (percentage: number): Promise<PlanResult> => {
      const placementBidding = [{ placement: "PLACEMENT_TOP", percentage }];
      const dynamicBidding = { strategy: "LEGACY_FOR_SALES" as const, placementBidding };
      const plan = await scene.held.sp.campaigns.planUpdate([{ campaignId, dynamicBidding }]);
      return await plan.apply(scene.held);
    };
    const bid = async (bid: number): Promise<PlanResult> =>
      await (await scene.held.sp.keywords.planUpdate([{ keywordId, bid }])).apply(scene.held);
    await campaign(30);
    const lowered = await campaign(0);
    const raised = await bid(2.42);
    // 2.42 with 30 % on top is 57 % more than the 2 of this morning, although both were there today.
    const both = /\b57\.3 % .*\b50\.0 %.*restores/;
    await denied(scene, () => lowered.rollbackPlan().apply(scene.held), both);
    equal((await raised.rollbackPlan().apply(scene.held)).ok, true);
    equal((await lowered.rollbackPlan().apply(scene.held)).ok, true);

    await bid(2.2);
    const cut = await bid(1);
    await campaign(45);
    await denied(
      scene,
      () => cut.rollbackPlan().apply(scene.held),
      /an increase of 59\.5 %.*It restores an earlier value/,
    );
  });
});

Deno.test("an undo of what a plan created passes a limit of archives, which holds for any other archive of it", async () => {
  await scene("max_archives: 0", async (scene) => {
    const item = {
      ...await place(scene),
      keywordText: "hat",
      matchType: "EXACT",
      state: "ENABLED",
      bid: 1,
    } as const;
    const plan = await scene.held.sp.keywords.planCreate([item]);
    const done = await plan.apply(scene.held);
    await denied(scene, () => scene.held.sp.keywords.delete([done.changes[0]!.id!]), /1 archives today/);
    const undone = await done.rollbackPlan().apply(scene.held);
    equal(undone.ok, true);
    match(undone.findings[0]?.message ?? "", /restores the value from before the change/);
  });
});

Deno.test("a limit of falls alone lets placements move above a bid that was changed today", async () => {
  await scene("max_decrease: 10%", async (scene) => {
    const at = await place(scene);
    const { campaignId } = at;
    const keywordId = await keyword(scene.free, at, { bid: 1 });
    (await scene.held.sp.keywords.update([{ keywordId, bid: 1.05 }])).raiseForErrors();
    const placements = (percentage: number) => {
      const placementBidding = [{ placement: "PLACEMENT_TOP" as const, percentage }];
      const dynamicBidding = { strategy: "LEGACY_FOR_SALES" as const, placementBidding };
      return scene.held.sp.campaigns.update([{ campaignId, dynamicBidding }]);
    };
    (await placements(50)).raiseForErrors();
  });
});

Deno.test("an undo of what was frozen since asks a person", async () => {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const later = new Date(Date.now() + 172_800_000).toISOString().slice(0, 10);
  await scene(`freeze: [{ from: ${day}, to: ${later} }]`, async (scene) => {
    const keywordId = await keyword(scene.free, await place(scene), { bid: 1 });
    const plan = await scene.free.sp.keywords.planUpdate([{ keywordId, bid: 1.1 }]);
    const done = await plan.apply(scene.free);
    await denied(scene, () => done.rollbackPlan().apply(scene.held), /frozen/);
  });
});

Deno.test("a request in the name of another profile is refused", async () => {
  await scene("max_bid: 2", async (scene) => {
    const keywordId = await keyword(scene.free, await place(scene), { bid: 1 });
    const before = scene.writes();
    for (
      const name of ["Platform-Advertising-API-Scope", "PLATFORM-ADVERTISING-API-SCOPE", "Authorization"]
    ) {
      const headers = { [name]: "1" };
      const json = { keywords: [{ keywordId, bid: 1.1 }] };
      await rejects(scene.held.request("PUT", "/sp/keywords", { json, headers }), /Cannot send the header/);
      await rejects(scene.free.request("PUT", "/sp/keywords", { json, headers }), /Cannot send the header/);
    }
    equal(scene.writes(), before);
  });
});

Deno.test("a body that changes between judging and sending goes out as it was judged", async () => {
  await scene("max_bid: 2", async (scene) => {
    const keywordId = await keyword(scene.free, await place(scene), { bid: 1 });
    let looks = 0;
    const json = {
      keywords: [{
        keywordId,
        get bid() {
          return ++looks === 1 ? 1.5 : 99;
        },
      }],
    };
    const contentType = "application/vnd.spKeyword.v3+json";
    await scene.held.request("PUT", "/sp/keywords", { json, contentType, accept: contentType });
    const [now] = await scene.free.sp.keywords.list({ ids: [keywordId] });
    equal(now?.bid, 1.5);
    let turns = 0;
    const sly = { toJSON: () => ({ keywords: [{ keywordId, bid: ++turns === 1 ? 1.6 : 99 }] }) };
    await scene.held.request("PUT", "/sp/keywords", { json: sly, contentType, accept: contentType });
    equal((await scene.free.sp.keywords.list({ ids: [keywordId] }))[0]?.bid, 1.6);
  });
});

Deno.test("an item with a field that is not known is denied", async () => {
  await scene("max_bid: 2", async (scene) => {
    const keywordId = await keyword(scene.free, await place(scene), { bid: 1 });
    const json = { keywords: [{ keywordId, bid: 1.1, maxCpc: 99 }] };
    await denied(
      scene,
      () => scene.held.request("PUT", "/sp/keywords", { json }),
      /the effect of .* cannot be checked/,
    );
  });
});

Deno.test("a direct write that the platform refused whole gives its share of the day back", async () => {
  await scene("max_changes: 1", async (scene) => {
    const keywordId = await keyword(scene.free, await place(scene), { bid: 1 });
    const json = { keywords: [{ keywordId, bid: 1.1 }] };
    await rejects(scene.held.request("PUT", "/sp/keywords", { json, contentType: "text/plain" }), /415|400/);
    (await scene.held.sp.keywords.update([{ keywordId, bid: 1.2 }])).raiseForErrors();
    await denied(scene, () => scene.held.sp.keywords.update([{ keywordId, bid: 1.3 }]), /2 changes today/);
  });
});

Deno.test("what stands beside a bid does not hide it where every operation is allowed", async () => {
  await scene("max_bid: 2\nallow_operations: ['*']", async (scene) => {
    const { free, held } = scene;
    const keywordId = await keyword(free, await place(scene), { bid: 1 });
    const id = "sponsored-products:UpdateSponsoredProductsKeywords";
    const items = [{ keywordId, bid: 7 }];
    const type = "application/vnd.spKeyword.v3+json";
    const put = (path: string, more = {}): Promise<unknown> =>
      held.request("PUT", path, { json: { keywords: items }, contentType: type, accept: type, ...more });
    const ways: readonly (() => Promise<unknown>)[] = [
      () => held.call(id, { keywords: items, note: 1 } as never, { check: "off" }),
      () => held.call(id, { keywords: [{ ...items[0], boost: 1 }] } as never, { check: "off" }),
      () => put("/sp/keywords", { params: { v: 1 } }),
      () => put("/sp/keywords/"),
      () => put("//sp/%6beywords"),
    ];
    for (const way of ways) await denied(scene, way, /bid 7 USD .*\b2 USD/);
    // A plan file may hold the same as a call, which the list alone would let through.
    const after = { operation: id, request: "PUT /sp/keywords", body: { keywords: items } };
    const { profileId, countryCode } = free;
    const call = { kind: "call", op: "call", id: null, before: {}, after, label: "x" } as const;
    const plan = new ChangePlan({ profileId, countryCode, changes: [call] });
    const before = scene.writes();
    const result = await plan.apply(held).catch((error: Error) => error);
    match(
      result instanceof Error ? result.message : result.summary() + result.stoppedBy?.message,
      /bid 7 USD|0 succeeded/,
    );
    equal(scene.writes(), before);
  });
});

Deno.test("a cap that ends, or that a campaign leaves, is a rise without end", async () => {
  await scene("max_increase: 20%", async (scene) => {
    const { free, held } = scene;
    const budget = { amount: 500, currencyCode: "USD", policy: "MONTHLY_RECURRING" };
    const made = await free.portfolios.create([
      { name: "Capped", state: "ENABLED", budget },
      { name: "Larger", state: "ENABLED", budget: { ...budget, amount: 5000 } },
      { name: "Open", state: "ENABLED" },
    ]);
    made.raiseForErrors();
    const [capped = "", larger = "", open = ""] = made.ids;
    const { campaignId } = await place(scene, { campaign: { portfolioId: capped } });
    const rise = /an increase (?:without end|of 900\.0 %)/;
    for (const portfolioId of [null, larger, open]) {
      await denied(scene, () => held.sp.campaigns.update([{ campaignId, portfolioId }]), rise);
    }
    const noCap = { policy: "NO_CAP" };
    await denied(scene, () => held.portfolios.update([{ portfolioId: capped, budget: noCap }]), rise);
    const range = { ...budget, policy: "DATE_RANGE", startDate: "2030-01-01", endDate: "2030-01-02" };
    await denied(
      scene,
      () => held.portfolios.update([{ portfolioId: capped, budget: range }]),
      /its cap period changes from MONTHLY_RECURRING to DATE_RANGE/,
    );
    const { campaignId: free2 } = await place(scene);
    (await held.sp.campaigns.update([{ campaignId: free2, portfolioId: capped }])).raiseForErrors();
  });
});
