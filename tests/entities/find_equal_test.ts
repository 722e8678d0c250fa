import { deepEqual, equal, rejects } from "../support/assert.ts";
import { SponsoredBrands, SponsoredProducts } from "../../mod.ts";
import type { Fields } from "../../src/client/entities/model/resource_wire.ts";
import { emulated } from "../support/emulated.ts";
import { fakeScope } from "../support/fake_scope.ts";
import { CONTRACT_KINDS, makeParents } from "./contract_kinds.ts";

for (const { kind, item } of CONTRACT_KINDS) {
  Deno.test(`what was created of ${kind} is found again by the item it was created from, and nothing else is`, async () => {
    await using world = await emulated();
    const resource = world.us.resource(kind);
    const parents = await makeParents(world.us, "legacy");
    const plan = await resource.planCreate([item(parents, 1), item(parents, 2)]);
    const [one, two] = plan.changes.map(({ after }) => ({ ...after })) as [Fields, Fields];
    deepEqual(await resource.findEqual([one, two]), [[], []], "nothing is taken for it before");
    const { ids } = await resource.create([one, two]);
    equal(ids.length, 2);
    deepEqual(await resource.findEqual([one, two]), [[ids[0]], [ids[1]]]);
    if (!resource.archivable) return;
    await resource.delete([ids[0]!]);
    deepEqual(await resource.findEqual([one, two]), [[], [ids[1]]], "archived ones do not count");
    deepEqual(await resource.findEqual([one, two], { archived: true }), [[ids[0]], [ids[1]]]);
  });
}

Deno.test("a created keyword is known again after somebody changed its bid and tags and paused it", async () => {
  await using world = await emulated({ client: { wire: "unified" } });
  const [near] = await world.us.sp.keywords.list();
  const { campaignId, adGroupId } = near!;
  const item = {
    campaignId,
    adGroupId,
    keywordText: "Found Again",
    matchType: "EXACT",
    bid: 0.5,
    state: "ENABLED",
    tags: { team: "blue" },
  };
  const { ids } = await world.us.sp.keywords.create([item]);
  const change = { keywordId: ids[0]!, bid: 0.9, state: "PAUSED" as const, tags: { team: "red" } };
  (await world.us.sp.keywords.update([change])).raiseForErrors();
  deepEqual(await world.us.sp.keywords.findEqual([item]), [ids]);
  deepEqual(await world.us.sp.keywords.findEqual([{ ...item, matchType: "PHRASE" }]), [[]]);
});

Deno.test("a clause of one predicate is not taken for one of two", async () => {
  const brand = { type: "ASIN_BRAND_SAME_AS", value: "7" };
  const category = { type: "ASIN_CATEGORY_SAME_AS", value: "8" };
  const item = { campaignId: "11", adGroupId: "21", expressionType: "MANUAL", state: "ENABLED" };
  const there = { ...item, targetId: "1", expression: [category, brand] };
  const { targets } = new SponsoredProducts(fakeScope(() => ({ targetingClauses: [there] })));
  const items = [{ ...item, expression: [category] }, { ...item, expression: [category, brand] }];
  deepEqual(await targets.findEqual(items), [[], ["1"]]);
});

Deno.test("of the same name in one campaign, the ad of the same ad group is the one", async () => {
  const ad = { campaignId: "11", name: "Spring", state: "ENABLED" };
  const there = [{ ...ad, adId: "1", adGroupId: "21" }, { ...ad, adId: "2", adGroupId: "22" }];
  const { ads } = new SponsoredBrands(fakeScope(() => ({ ads: there })));
  deepEqual(await ads.findEqual([{ ...ad, adGroupId: "22" }, { ...ad, adGroupId: "23" }]), [["2"], []]);
});

Deno.test("of the same keyword in two ad groups, the one of the item's ad group is the one", async () => {
  const keyword = { campaignId: "11", keywordText: "pan", matchType: "EXACT", state: "ENABLED" };
  const there = [{ ...keyword, keywordId: "1", adGroupId: "21" }, {
    ...keyword,
    keywordId: "2",
    adGroupId: "22",
  }];
  const { keywords } = new SponsoredProducts(fakeScope(() => ({ keywords: there })));
  const items = ["22", "21"].map((adGroupId) => ({ ...keyword, adGroupId }));
  deepEqual(await keywords.findEqual(items), [["2"], ["1"]]);
});

for (const kind of ["portfolios", "sp.campaigns", "sb.campaigns", "sd.campaigns"]) {
  Deno.test(`a new entity of ${kind} whose name differs in case alone from one that is there is left out of a plan`, async () => {
    await using world = await emulated();
    const { item } = CONTRACT_KINDS.find((one) => one.kind === kind)!;
    const resource = world.us.resource(kind);
    const parents = await makeParents(world.us, "legacy");
    const [there, ...rest] = (await resource.planCreate([item(parents, 1)])).changes.map(({ after }) => ({
      ...after,
    }));
    deepEqual(rest, []);
    const { ids } = await resource.create([there!]);
    const name = String(there!["name"]).toUpperCase();
    equal(name === there!["name"], false);
    const plan = await resource.planCreate([{ ...item(parents, 1), name }]);
    deepEqual(plan.changes, []);
    deepEqual(plan.findings.map(({ code, message }) => [code, message.includes(ids[0]!)]), [[
      "ALREADY_THERE",
      true,
    ]]);
  });
}

Deno.test("names are listed as they are written, or with nameMatch in any case as a part", async () => {
  await using world = await emulated();
  const { campaigns } = world.us.sp;
  const { name } = (await campaigns.list())[0]!;
  const upper = name.toUpperCase();
  deepEqual(await campaigns.list({ name: upper }), []);
  const found = await campaigns.list({ name: upper, nameMatch: "BROAD" });
  equal(found.some((campaign) => campaign.name === name), true);
  await rejects(
    world.us.sp.keywords.list({ nameMatch: "BROAD" }),
    /Cannot list sp.keywords by "nameMatch": this kind does not have that filter/,
  );
});
