import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { denied, keyword, place, scene } from "./attack_scene.ts";

Deno.test("a create whose parents are no ids is denied where ids are protected", async () => {
  await scene('protect: { ids: ["111111111111"] }', async (scene) => {
    const { campaignId, adGroupId } = await place(scene);
    const item = { keywordText: "hat", matchType: "EXACT", state: "ENABLED", bid: 1 };
    for (
      const parents of [
        { campaignId: "x1", adGroupId: "x2" },
        { campaignId: ` ${campaignId}`, adGroupId: `${adGroupId} ` },
        { campaignId: "0x1", adGroupId: [adGroupId] },
      ]
    ) {
      const json = { keywords: [{ ...item, ...parents }] };
      const contentType = "application/vnd.spKeyword.v3+json";
      await denied(
        scene,
        () => scene.held.request("POST", "/sp/keywords", { json, contentType, accept: contentType }),
        /unknown whether it is protected/,
      );
      const { profileId, countryCode } = scene.held;
      const change = { kind: "sp.keywords", op: "create", id: null, before: {}, label: "x" } as const;
      const changes = [{ ...change, after: { ...item, ...parents } }];
      await denied(
        scene,
        () => new ChangePlan({ profileId, countryCode, changes }).apply(scene.held, { sendAnyway: true }),
        /unknown whether it is protected/,
      );
    }
    await keyword(scene.held, { campaignId, adGroupId }, { bid: 1 });
  });
});

Deno.test("a pattern of protected names covers ad groups and portfolios, and all that is in them", async () => {
  await scene('protect: { names: ["Brand*"] }', async (scene) => {
    const { free, held } = scene;
    const [portfolioId = ""] = (await free.portfolios.create([{ name: "Brand caps", state: "ENABLED" }])).ids;
    const covered = /"Brand caps" is protected by the pattern "Brand\*"/;
    const inside = await place(scene, { campaign: { portfolioId } });
    const { campaignId } = inside;
    const keywordId = await keyword(free, inside);
    const outside = await place(scene);
    await denied(scene, () => held.sp.campaigns.update([{ campaignId, state: "PAUSED" }]), covered);
    await denied(scene, () => held.sp.keywords.update([{ keywordId, bid: 0.4 }]), covered);
    await denied(scene, () => keyword(held, inside, { keywordText: "cap" }), covered);
    // Into a protected portfolio is a change of it too.
    await denied(
      scene,
      () => held.sp.campaigns.update([{ campaignId: outside.campaignId, portfolioId }]),
      covered,
    );

    const { adGroupId } = outside;
    const below = await keyword(free, outside);
    (await free.sp.adGroups.update([{ adGroupId, name: "Brand words" }])).raiseForErrors();
    const group = /"Brand words" is protected/;
    await denied(scene, () => held.sp.adGroups.update([{ adGroupId, defaultBid: 0.4 }]), group);
    await denied(scene, () => held.sp.keywords.update([{ keywordId: below, bid: 0.4 }]), group);
    await denied(scene, () => held.sp.keywords.delete([below]), group);
    await denied(scene, () => keyword(held, outside, { keywordText: "cap" }), group);
    (await held.sp.campaigns.update([{ campaignId: outside.campaignId, state: "PAUSED" }])).raiseForErrors();
  });
});
