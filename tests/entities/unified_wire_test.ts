import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { ChangePlan, KINDS, type ProfileClient, RESOURCE_KINDS, type ResourceKind } from "../../mod.ts";
import type { ResourceSpec } from "../../src/client/entities/model/resource_spec.ts";
import { wireDifferences } from "../../src/client/entities/wire/wire_differences.ts";
import { wireOf } from "../../src/client/entities/wire/wire_of.ts";
import { fakeScope } from "../support/fake_scope.ts";
import { twoWires, writes } from "./two_wires.ts";

const UNIFIED = RESOURCE_KINDS.filter((kind) => KINDS[kind].unified !== undefined);

async function all(profile: ProfileClient, kind: ResourceKind): Promise<Record<string, unknown>[]> {
  return await profile.resource(kind as string).list({ states: null });
}

Deno.test("every kind of the unified family reads field by field as on the older wire", async () => {
  await using wires = await twoWires();
  for (const kind of UNIFIED) {
    const [older, newer] = [await all(wires.older, kind), await all(wires.newer, kind)];
    ok(older.length > 0, `${kind} has entities`);
    deepEqual(wireDifferences(KINDS[kind], older, newer), [], kind);
    const { lost = () => [] } = KINDS[kind].unified!;
    deepEqual(
      new Set(newer.flatMap((entity) => Object.keys(entity))),
      new Set(
        older.flatMap((entity) => Object.keys(entity).filter((field) => !lost(entity).includes(field))),
      ),
      `the fields of ${kind}`,
    );
  }
});

Deno.test("what is known of a wire before it is loaded agrees with its code", async () => {
  for (const kind of RESOURCE_KINDS) {
    const { wire, unified, operations }: ResourceSpec = KINDS[kind];
    for (const late of [wire, ...unified === undefined ? [] : [unified]]) {
      const loaded = await late.load();
      equal(loaded, await late.load(), `${kind} is loaded once`);
      equal(loaded.archive !== undefined, late.archivable ?? true, `archives of ${kind}`);
      const list = String(loaded.operations?.["list"] ?? operations["list"]);
      equal(late.name === "unified", list.startsWith("v1-"), `the family of ${kind}`);
      equal(late.sharesIds ?? false, /-targets:/.test(list), `the ids of ${kind}`);
    }
  }
});

Deno.test("a kind that the unified family has alone goes by it, whatever the wire is set to", () => {
  const { unified: alone, ...others } = KINDS["sp.keywords"];
  const warnings: string[] = [];
  const scope = fakeScope(() => ({}));
  Object.assign(scope.transport, { warn: (text: string) => void warnings.push(text) });
  for (const wire of ["legacy", "unified", "compare"] as const) {
    equal(wireOf({ ...others, wire: alone! }, { ...scope, wireOf: () => wire }), alone);
  }
  deepEqual(warnings, []);
});

Deno.test("a difference names the kind, the id, the field and both values", () => {
  const spec = KINDS["sp.keywords"];
  const keyword = { keywordId: "1", adGroupId: "2", keywordText: "lamp", matchType: "EXACT", bid: 1 };
  deepEqual(wireDifferences(spec, [keyword], [{ ...keyword, bid: 2 }]), [
    { kind: "sp.keywords", id: "1", field: "bid", legacy: 1, unified: 2 },
  ]);
  deepEqual(wireDifferences(spec, [keyword], [{ ...keyword, keywordId: "9" }]), [
    { kind: "sp.keywords", id: "1", field: "keywordId", legacy: "1", unified: "9" },
  ]);
  deepEqual(wireDifferences(spec, [keyword], []), [
    { kind: "sp.keywords", id: "1", field: "keywordId", legacy: "1" },
  ]);
  deepEqual(wireDifferences(spec, [], [keyword]), [
    { kind: "sp.keywords", id: "1", field: "keywordId", unified: "1" },
  ]);
});

Deno.test("null empties the last day, the portfolio and the bid on both wires", async () => {
  await using wires = await twoWires();
  const { newer, older } = wires;
  const [portfolio] = await newer.portfolios.list();
  const [campaign] = await newer.sp.campaigns.list({ states: ["ENABLED"] });
  const { campaignId } = campaign!;
  const set = { campaignId, endDate: "2026-12-31", portfolioId: portfolio!.portfolioId };
  (await newer.sp.campaigns.update([set])).raiseForErrors();
  const before = await older.sp.campaigns.get(campaignId);
  deepEqual([before!.endDate, before!.portfolioId], ["2026-12-31", portfolio!.portfolioId]);
  (await newer.sp.campaigns.update([{ campaignId, endDate: null, portfolioId: null }])).raiseForErrors();
  const after = await older.sp.campaigns.get(campaignId);
  deepEqual([after!.endDate, after!.portfolioId], [undefined, undefined]);
  const keyword = (await newer.sp.keywords.list({ states: ["ENABLED"] })).find(({ bid }) =>
    bid !== undefined
  )!;
  (await newer.sp.keywords.update([{ keywordId: keyword.keywordId, bid: null }])).raiseForErrors();
  equal((await older.sp.keywords.get(keyword.keywordId))!.bid, undefined);
});

Deno.test("what the unified family cannot express is a finding of the plan, and is never sent", async () => {
  await using wires = await twoWires();
  const { newer, world } = wires;
  const [campaign] = await newer.sp.campaigns.list({ states: ["ENABLED"] });
  const [keyword] = await newer.sp.keywords.list({ states: ["ENABLED"] });
  const [target] = (await newer.sp.targets.list({ states: ["ENABLED"] })).filter(({ expressionType }) =>
    expressionType === "MANUAL"
  );
  const plan = await newer.sp.targets.planUpdate([{
    targetId: target!.targetId,
    expression: [{ type: "ASIN_SAME_AS", value: "B000000001" }],
  }]);
  const finding = plan.findings.find(({ code }) => code === "NOT_ON_WIRE");
  match(finding!.message, /cannot change expression/);
  world.asked();
  const cases: [string, Record<string, unknown>, RegExp][] = [
    [
      "sp.campaigns",
      { campaignId: campaign!.campaignId, targetingType: "AUTO" },
      /cannot change targetingType/,
    ],
    ["sp.keywords", { keywordId: keyword!.keywordId, state: "PROPOSED" }, /cannot set the state "PROPOSED"/],
    ["sp.campaigns", {
      campaignId: campaign!.campaignId,
      dynamicBidding: { strategy: "OTHER" },
    }, /no word for the bidding strategy "OTHER"/],
  ];
  for (const [kind, item, message] of cases) {
    const { errors, ok: isOk } = await newer.resource(kind).update([item]);
    equal(isOk, false);
    deepEqual([errors[0]!.code, errors[0]!.outcome], ["NOT_ON_WIRE", "not_sent"]);
    match(errors[0]!.message, message);
  }
  const { campaignId, adGroupId } = keyword!;
  const created = await newer.resource("sp.keywords").create([{
    campaignId,
    adGroupId,
    keywordText: "lampe",
    matchType: "EXACT",
    state: "ENABLED",
    nativeLanguageLocale: "en_GB",
  }]);
  match(created.errors[0]!.message, /no locale "en_GB"/);
  const ad = { campaignId, adGroupId, asin: "B000000001", sku: "S-1", state: "ENABLED" };
  match((await newer.resource("sp.product_ads").create([ad])).errors[0]!.message, /one product for each ad/);
  deepEqual(writes(world), []);
});

Deno.test("an item that cannot be expressed holds up none of the others", async () => {
  await using wires = await twoWires();
  const { newer } = wires;
  const [a, b] = await newer.sp.keywords.list({ states: ["ENABLED"] });
  const result = await newer.sp.keywords.update([
    { keywordId: a!.keywordId, state: "PROPOSED" },
    { keywordId: b!.keywordId, bid: 0.77 },
  ]);
  deepEqual(result.errors.map(({ index, code }) => [index, code]), [[0, "NOT_ON_WIRE"]]);
  deepEqual(result.successes.map(({ index, id }) => [index, id]), [[1, b!.keywordId]]);
});

Deno.test("an update whose list the platform merges says which entries were kept", async () => {
  await using wires = await twoWires({ emulator: { quirks: { unifiedLists: "merge" } } });
  const { newer } = wires;
  const [campaign] = await newer.sp.campaigns.list({ states: ["ENABLED"] });
  const { campaignId } = campaign!;
  const bidding = (placement: string, percentage: number) => ({
    strategy: "MANUAL",
    placementBidding: [{ placement, percentage }],
  });
  const first = { campaignId, dynamicBidding: bidding("PLACEMENT_TOP", 40), tags: { team: "blue" } };
  await newer.sp.campaigns.update([first]);
  const part = { campaignId, dynamicBidding: bidding("PLACEMENT_PRODUCT_PAGE", 20) };
  (await newer.sp.campaigns.update([part])).raiseForErrors();
  const now = await newer.sp.campaigns.get(campaignId);
  deepEqual(now?.dynamicBidding?.placementBidding, [
    { placement: "PLACEMENT_TOP", percentage: 40 },
    { placement: "PLACEMENT_PRODUCT_PAGE", percentage: 20 },
  ], "an object without all of its parts is completed, placements included");
  const whole = { ...bidding("PLACEMENT_PRODUCT_PAGE", 20), shopperCohortBidding: [] };
  const result = await newer.sp.campaigns.update([{ campaignId, dynamicBidding: whole }]);
  deepEqual(result.errors.map(({ code, outcome }) => [code, outcome]), [["LIST_MERGED", "partial"]]);
  match(result.errors[0]!.message, /kept placements that the update left out: PLACEMENT_TOP 40%/);
  const tags = await newer.sp.campaigns.update([{ campaignId, tags: { region: "west" } }]);
  match(tags.errors[0]!.message, /kept tags that the update left out: .*team/);
});

Deno.test("Brands keeps placements that an update does not name on both wires", async () => {
  await using wires = await twoWires();
  const { newer, older } = wires;
  const [campaign] = await newer.sb.campaigns.list({ states: ["ENABLED"] });
  const { campaignId } = campaign!;
  for (const [profile, placement] of [[older, "HOME"], [newer, "OTHER"]] as const) {
    const bidding = { bidOptimization: false, bidAdjustmentsByPlacement: [{ placement, percentage: 15 }] };
    (await profile.sb.campaigns.update([{ campaignId, bidding }])).raiseForErrors();
  }
  const adjustments = (await newer.sb.campaigns.get(campaignId))!.bidding!.bidAdjustmentsByPlacement!;
  const of = (name: string) => adjustments.find(({ placement }) => placement === name)?.percentage;
  deepEqual([of("HOME"), of("OTHER")], [15, 15]);
});

Deno.test("verdicts without a position, and targets without a campaign, are read all the same", async () => {
  await using wires = await twoWires({
    emulator: { quirks: { unifiedSingleIndex: "left out", unifiedTargetCampaigns: false } },
    checkRequests: false,
  });
  const { newer, older } = wires;
  const [keyword] = await older.sp.keywords.list({ states: ["ENABLED"] });
  const { keywordId } = keyword!;
  const result = await newer.resource("sp.keywords").update([{ keywordId, bid: 0.66 }]);
  deepEqual(result.ids, [keywordId]);
  const refused = await newer.resource("sp.keywords").update([{ keywordId: "123", bid: 0.66 }]);
  deepEqual(refused.errors.map(({ errorType }) => errorType), ["entityNotFoundError"]);
  deepEqual(await newer.sp.keywords.get(keywordId), { ...keyword, bid: 0.66 });
});

Deno.test("a response to one item whose errors are no verdicts leaves open whether it was processed", async () => {
  const body = { errors: [{ errorType: "x", message: "y" }] };
  await using wires = await twoWires({
    // No platform answers so, and nothing that is published says what it means.
    client: { fetch },
    emulator: {
      faults: [{
        match: { operation: "*UpdateTarget" },
        effects: { response: { status: 200, acted: true, body } },
      }],
    },
  });
  const { newer, older } = wires;
  const [keyword] = await older.sp.keywords.list({ states: ["ENABLED"] });
  const { keywordId } = keyword!;
  const { errors } = await newer.resource("sp.keywords").update([{ keywordId, bid: 0.68 }]);
  deepEqual(errors.map(({ outcome }) => outcome), ["unknown"]);
  equal((await older.sp.keywords.get(keywordId))!.bid, 0.68);
});

Deno.test("queries name at most 100 targets, and each write at most what is published", async () => {
  await using wires = await twoWires();
  const { newer, world } = wires;
  const ids = (await newer.sp.keywords.list({ states: null })).slice(0, 250).map(({ keywordId }) =>
    keywordId
  );
  world.asked();
  equal((await newer.sp.keywords.getMany(ids)).size, 250);
  deepEqual(world.asked(), Array(3).fill("POST /adsApi/v1/query/targets"));
  const updates = ids.map((keywordId) => ({ keywordId, state: "PAUSED" as const }));
  await newer.sp.keywords.update(updates);
  deepEqual(writes(world), ["POST /adsApi/v1/update/targets"]);
});

Deno.test("days are those of the profile's zone, on the days when its clocks change too", async () => {
  await using wires = await twoWires();
  const { newer, older } = wires;
  for (const [startDate, endDate] of [["2026-10-31", "2026-11-01"], ["2027-03-13", "2027-03-14"]]) {
    const made = await newer.sp.campaigns.create([{
      name: `Days ${startDate}`,
      state: "PAUSED",
      targetingType: "MANUAL",
      budget: 10,
      startDate: startDate!,
      endDate: endDate!,
    }]);
    made.raiseForErrors();
    for (const profile of [older, newer]) {
      const campaign = await profile.sp.campaigns.get(made.ids[0]!);
      deepEqual([campaign!.startDate, campaign!.endDate], [startDate, endDate]);
    }
  }
});

Deno.test("a new campaign without a first day begins today, as on the older wire", async () => {
  await using wires = await twoWires();
  const item = { state: "PAUSED", targetingType: "MANUAL", budget: 10 } as const;
  const made = await wires.newer.sp.campaigns.create([{ ...item, name: "No day" }]);
  equal((await wires.older.sp.campaigns.get(made.ids[0]!))!.startDate, "2026-09-30");
});

Deno.test("a plan made on one wire applies, and is undone, on the other", async () => {
  await using wires = await twoWires();
  for (const [maker, sender] of [[wires.older, wires.newer], [wires.newer, wires.older]] as const) {
    const [keyword] = await maker.sp.keywords.list({ states: ["ENABLED"] });
    const { keywordId, campaignId, adGroupId, bid } = keyword!;
    const draft = maker.plan();
    draft.update("sp.keywords", { keywordId, bid: 1.11 });
    const name = `Both ways ${maker === wires.older}`;
    draft.create("sp.ad_groups", { campaignId, name, defaultBid: 0.5, state: "ENABLED" }, { as: "group" });
    draft.create("sp.negative_keywords", {
      campaignId,
      adGroupId,
      keywordText: name,
      matchType: "NEGATIVE_PHRASE",
      state: "ENABLED",
    });
    const plan = ChangePlan.fromJson((await draft.build({ note: "both ways" })).toJson());
    const result = await plan.apply(sender, { checkDrift: true });
    result.raiseForErrors();
    equal((await maker.sp.keywords.get(keywordId))!.bid, 1.11);
    (await result.rollbackPlan().apply(maker, { checkDrift: true })).raiseForErrors();
    equal((await sender.sp.keywords.get(keywordId))!.bid, bid);
    for (const { id, change } of result.changes.filter(({ change }) => change.op === "create")) {
      equal((await sender.resource(change.kind).get(id!))!["state"], "ARCHIVED");
    }
  }
});

Deno.test("compare reads on both wires and warns of what differs, and writes by the older one", async () => {
  const warnings: string[] = [];
  await using wires = await twoWires({
    client: { wire: "compare", onWarning: (text) => void warnings.push(text) },
    emulator: { quirks: { unifiedTargetIds: "other" } },
  });
  const { newer, world } = wires;
  const [campaign] = await newer.sp.campaigns.list({ states: ["ENABLED"] });
  deepEqual(warnings, []);
  const keywords = await newer.sp.keywords.list({ campaignIds: [campaign!.campaignId] });
  equal(warnings.length > 0, keywords.length > 0);
  match(
    warnings.join("\n"),
    /sp\.keywords \d+: keywordId is "\d+" on the older wire and "7\d+" on the unified/,
  );
  world.asked();
  await newer.sp.campaigns.update([{ campaignId: campaign!.campaignId, budget: 55 }]);
  deepEqual(writes(world), ["PUT /sp/campaigns"]);
});

Deno.test("a write by ids that mean another target in the unified family is stopped before it is sent", async () => {
  await using wires = await twoWires({ emulator: { quirks: { unifiedTargetIds: "other" } } });
  const { newer, older, world } = wires;
  const [keyword] = await older.sp.keywords.list({ states: ["ENABLED"] });
  const { keywordId } = keyword!;
  await rejects(
    newer.sp.keywords.update([{ keywordId, bid: 0.5 }]),
    /Brands? keyword|keyword \d+ is ".*" \(\w+\) in the older one and is not there in the unified one/,
  );
  await rejects(newer.sp.keywords.delete([keywordId]), /so their ids differ\. Use wireIds: "mapped"/);
  const [foreign] = await newer.sp.keywords.list({ states: ["ENABLED"] });
  await rejects(newer.sp.keywords.pause([foreign!.keywordId]), /which the older one lacks/);
  deepEqual(writes(world), []);
  const plan = await older.sp.keywords.planUpdate([{ keywordId, bid: 0.51 }]);
  await rejects(plan.apply(newer), /so their ids differ/);
  deepEqual(writes(world), []);
});

Deno.test("ids are proved once for a kind, not before every write", async () => {
  await using wires = await twoWires();
  const { newer, world } = wires;
  const [a, b] = await newer.sp.keywords.list({ states: ["ENABLED"] });
  await newer.sp.keywords.update([{ keywordId: a!.keywordId, bid: 0.5 }]);
  world.asked();
  await newer.sp.keywords.update([{ keywordId: b!.keywordId, bid: 0.5 }]);
  deepEqual(world.asked(), ["POST /adsApi/v1/update/targets"]);
});

Deno.test("mapped ids: targets are read and named by the older family, and found in the unified one by content", async () => {
  await using wires = await twoWires({
    emulator: { quirks: { unifiedTargetIds: "other" } },
    client: { wireIds: "mapped" },
  });
  const { newer, older, world } = wires;
  for (
    const kind of [
      "sp.keywords",
      "sp.targets",
      "sp.negative_keywords",
      "sp.campaign_negative_keywords",
      "sd.targets",
      "sd.negative_targets",
    ] as const
  ) {
    const resource = newer.resource(kind as string);
    const { idField } = resource;
    const list = await resource.list();
    deepEqual(list, await older.resource(kind as string).list());
    const [entity, other] = list.filter((one) => one["expressionType"] !== "AUTO");
    const id = String(entity![idField]);
    world.asked();
    const result = await resource.update([{ [idField]: id, state: "PAUSED" }, {
      [idField]: "404",
      state: "PAUSED",
    }]);
    deepEqual(result.ids, [id]);
    deepEqual(result.errors.map(({ index, errorType, outcome }) => [index, errorType, outcome]), [
      [1, "entityNotFoundError", "not_sent"],
    ]);
    deepEqual(writes(world), ["POST /adsApi/v1/update/targets"]);
    match(String((await older.resource(kind as string).get(id))!["state"]), /^paused$/i);
    const gone = String(other![idField]);
    deepEqual((await resource.delete([gone])).ids, [gone]);
    match(String((await older.resource(kind as string).get(gone))!["state"]), /^archived$/i);
  }
  const { campaignId, adGroupId } = (await newer.sp.keywords.list())[0]!;
  const plan = await newer.sp.keywords.planCreate([{
    campaignId,
    adGroupId,
    keywordText: "mapped lamp",
    matchType: "EXACT",
    state: "ENABLED",
  }]);
  const made = await plan.apply(newer);
  made.raiseForErrors();
  equal((await older.sp.keywords.get(made.changes[0]!.id!))!.keywordText, "mapped lamp");
  (await made.rollbackPlan().apply(newer)).raiseForErrors();
  equal((await older.sp.keywords.get(made.changes[0]!.id!))!.state, "ARCHIVED");
});

Deno.test("a filter that the unified family lacks is refused by its name", async () => {
  await using wires = await twoWires();
  await rejects(
    wires.newer.sp.campaigns.list({ filters: { marketplaceBudgetAllocationFilter: { include: ["AUTO"] } } }),
    /by "marketplaceBudgetAllocationFilter": it has no such filter/,
  );
});

Deno.test("audiences of campaigns and parts of targets read the same on both wires, in Brands too", async () => {
  await using wires = await twoWires();
  const { older, newer } = wires;
  const cohorts = (id: string) => [{
    shopperCohortType: "AUDIENCE_SEGMENT",
    percentage: 40,
    audienceSegments: [{ audienceId: id }],
  }];
  const [product] = await older.sp.campaigns.list({ states: ["ENABLED"] });
  const { campaignId } = product!;
  (await older.sp.campaigns.update([{
    campaignId,
    dynamicBidding: { ...product!.dynamicBidding, shopperCohortBidding: cohorts("414141") },
  }])).raiseForErrors();
  deepEqual(
    (await newer.sp.campaigns.get(campaignId))!.dynamicBidding!.shopperCohortBidding,
    cohorts("414141"),
  );
  const [brand] = await older.sb.campaigns.list({ states: ["ENABLED"] });
  (await newer.sb.campaigns.update([{
    campaignId: brand!.campaignId,
    bidding: { shopperCohortBidAdjustments: cohorts("424242") },
  }])).raiseForErrors();
  for (const profile of [older, newer]) {
    const { bidding } = (await profile.sb.campaigns.get(brand!.campaignId))!;
    deepEqual(bidding!.shopperCohortBidAdjustments, cohorts("424242"));
  }
  const plan = await newer.sp.campaigns.planUpdate([{
    campaignId,
    dynamicBidding: { placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 33 }] },
  }]);
  deepEqual(plan.findings.filter(({ code }) => code === "NOT_ON_WIRE"), []);

  const [target] = (await older.sp.targets.list({ states: ["ENABLED"] })).filter(({ expressionType }) =>
    expressionType === "MANUAL"
  );
  const { successes } = await older.sp.targets.create([{
    campaignId: target!.campaignId,
    adGroupId: target!.adGroupId,
    state: "ENABLED",
    expressionType: "MANUAL",
    bid: 0.5,
    expression: [
      { type: "ASIN_REVIEW_RATING_BETWEEN", value: "3-5" },
      { type: "ASIN_PRICE_LESS_THAN", value: "50" },
      { type: "ASIN_BRAND_SAME_AS", value: "4242" },
      { type: "ASIN_CATEGORY_SAME_AS", value: "2313" },
    ],
  }]);
  const id = successes[0]!.id!;
  const read = await older.sp.targets.get(id);
  deepEqual(read!.expression!.map(({ type }) => type), [
    "ASIN_CATEGORY_SAME_AS",
    "ASIN_BRAND_SAME_AS",
    "ASIN_PRICE_LESS_THAN",
    "ASIN_REVIEW_RATING_BETWEEN",
  ]);
  deepEqual((await newer.sp.targets.get(id))!.expression, read!.expression);
});
