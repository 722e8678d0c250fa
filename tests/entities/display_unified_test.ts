import fc from "fast-check";
import { compareWires } from "../../mod.ts";
import { displayExpression } from "../../src/client/entities/wire/unified/sd_unified.ts";
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { twoWires, writes } from "./two_wires.ts";

const PLACE = { countryCode: "US", timeZone: "UTC", today: "2026-09-30", now: 0 };

Deno.test("what the unified family cannot express of Display is a finding with its reason, and is never sent", async () => {
  await using wires = await twoWires();
  const { newer, older, world } = wires;
  const [group] = await older.sd.adGroups.list({ states: ["ENABLED"] });
  const { campaignId, adGroupId } = group!;
  const [{ targetId } = { targetId: "" }] = await older.sd.targets.list({ states: ["ENABLED"] });
  const target = (expression: unknown) => ({
    adGroupId,
    expressionType: "manual",
    state: "enabled",
    expression,
  });
  const views = (...value: unknown[]) => target([{ type: "views", value }]);
  const ad = { campaignId, adGroupId, state: "enabled" };
  const campaign = { name: "Not there", budget: 10, state: "paused" };
  const creates: [string, Record<string, unknown>, RegExp][] = [
    ["sd.campaigns", { name: "Not there", budget: 10 }, /needs a state: give enabled or paused/],
    [
      "sd.targets",
      { adGroupId, expressionType: "manual", expression: [{ type: "similarProduct" }] },
      /needs a state: give enabled or paused/,
    ],
    [
      "sd.campaigns",
      { ...campaign, tactic: "T00030" },
      /no field for tactic: whom a campaign reaches follows/,
    ],
    ["sd.campaigns", { ...campaign, budgetType: "lifetime" }, /no budgetType "lifetime"/],
    [
      "sd.ad_groups",
      { campaignId, name: "x", state: "archived" },
      /cannot set the state "archived".*by a delete/,
    ],
    [
      "sd.ad_groups",
      { campaignId, name: "x", state: "paused", bidOptimization: "sales" },
      /"sales": it knows/,
    ],
    ["sd.product_ads", { ...ad, asin: "B000000001", sku: "S-1" }, /one product for each ad/],
    [
      "sd.product_ads",
      { ...ad, sku: "S-1", landingPageType: "OFF_PLATFORM_LINK", landingPageURL: "https://x" },
      /no product for an ad that leads off/,
    ],
    ["sd.product_ads", { ...ad, sku: "S-1", landingPageType: "STORE" }, /landingPageURL together/],
    ["sd.targets", { ...target([{ type: "similarProduct" }]), expressionType: "auto" }, /no expressionType/],
    ["sd.targets", target([{ type: "asinGenreSameAs", value: "1" }]), /"asinGenreSameAs" in Display/],
    [
      "sd.targets",
      target([{ type: "contentCategorySameAs", value: "1" }, { type: "asinBrandSameAs", value: "2" }]),
      /takes contentCategorySameAs alone/,
    ],
    [
      "sd.targets",
      views({ type: "asinCategorySameAs", value: "1" }, { type: "lookback", value: "30" }),
      /none of a category/,
    ],
    ["sd.targets", views({ type: "exactProduct" }, { type: "lookback", value: "15" }), /no lookback "15"/],
    ["sd.targets", views({ type: "exactProduct" }), /no lookback undefined/],
    [
      "sd.targets",
      views({ type: "exactProduct" }, { type: "negative" }, { type: "lookback", value: "30" }),
      /no views by "negative"/,
    ],
    [
      "sd.targets",
      views({ type: "exactProduct" }, { type: "similarProduct" }, { type: "lookback", value: "30" }),
      /one of exactProduct, similarProduct and asinSameAs/,
    ],
    ["sd.targets", target([{ type: "audience", value: [] }]), /one audienceSameAs for each audience/],
  ];
  world.asked();
  for (const [kind, item, message] of creates) {
    const { errors } = await newer.resource(kind).create([item]);
    deepEqual(
      errors.map(({ code, outcome }) => [code, outcome]),
      [["NOT_ON_WIRE", "not_sent"]],
      message.source,
    );
    match(errors[0]!.message, message);
    const plan = await newer.resource(kind).planCreate([item]);
    ok(plan.findings.some(({ refused }) => refused), message.source);
    // Some words are none of the older wire either, which is said first.
    for (const finding of plan.findings.filter(({ code }) => code === "NOT_ON_WIRE")) {
      match(finding.message, message);
    }
  }
  const updates: [string, Record<string, unknown>, RegExp][] = [
    ["sd.targets", { targetId, bid: null }, /cannot empty bid/],
    ["sd.targets", { targetId, state: "archived" }, /by a delete/],
    ["sd.campaigns", { campaignId, tactic: "T00020" }, /no field for tactic/],
    ["sd.campaigns", { campaignId, costType: "vcpm" }, /cannot change costType/],
  ];
  for (const [kind, item, message] of updates) {
    const { problems } = await unified(newer, kind);
    match(problems!(newer, item, "update").map((one) => one.message).join("\n"), message);
  }
  const plan = await newer.sd.targets.planUpdate([{ targetId, bid: null }]);
  deepEqual(plan.findings.map(({ code, refused }) => [code, refused]), [["NOT_ON_WIRE", true]]);
  deepEqual(writes(world), []);
});

function unified(profile: Awaited<ReturnType<typeof twoWires>>["newer"], kind: string) {
  return profile.resource(kind).spec.unified!.load();
}

Deno.test("a Display campaign with all that is in it is made on one wire, read on the other, and changed on both", async () => {
  await using wires = await twoWires();
  for (const [maker, reader] of [[wires.newer, wires.older], [wires.older, wires.newer]] as const) {
    const onUnified = maker === wires.newer;
    const campaign = {
      name: `Both ${onUnified}`,
      budget: 12.5,
      state: "paused",
      costType: "vcpm",
      startDate: "20261001",
      endDate: "20261031",
      ...(onUnified ? {} : { tactic: "T00030" }),
    };
    const made = await maker.resource("sd.campaigns").create([campaign]);
    made.raiseForErrors();
    const campaignId = made.ids[0]!;
    const read = await reader.sd.campaigns.get(campaignId!);
    const { tactic: _, ...shared } = campaign as Record<string, unknown>;
    for (const [field, value] of Object.entries(shared)) deepEqual(read![field], value, field);

    const groups = await maker.resource("sd.ad_groups").create([
      { campaignId, name: "one", state: "enabled", defaultBid: 2, bidOptimization: "conversions" },
      { campaignId, name: "films", state: "enabled", defaultBid: 2, creativeType: "VIDEO" },
    ]);
    groups.raiseForErrors();
    const adGroupId = groups.ids[0]!;
    deepEqual(
      (await reader.sd.adGroups.getMany(groups.ids)).values().toArray().map((
        { bidOptimization, creativeType },
      ) => [bidOptimization, creativeType]),
      [["conversions", undefined], ["reach", "VIDEO"]],
    );
    const ads = await maker.resource("sd.product_ads").create([
      { campaignId, adGroupId, sku: "SKU-1", state: "enabled", adName: "mine" },
      {
        campaignId,
        adGroupId,
        state: "paused",
        landingPageType: "OFF_PLATFORM_LINK",
        landingPageURL: "https://example.org",
      },
    ]);
    ads.raiseForErrors();
    const found = await reader.sd.productAds.list({ adGroupIds: [adGroupId!] });
    deepEqual(found.map(({ sku, adName, landingPageType, state }) => [sku, adName, landingPageType, state]), [
      ["SKU-1", "mine", undefined, "enabled"],
      [undefined, undefined, "OFF_PLATFORM_LINK", "paused"],
    ]);
    const target = { adGroupId, expressionType: "manual", state: "enabled", bid: 3 };
    const targets = await maker.resource("sd.targets").create([
      { ...target, expression: [{ type: "similarProduct" }] },
      { ...target, expression: [{ type: "contentCategorySameAs", value: "77" }] },
      { ...target, expression: [{ type: "audience", value: [{ type: "audienceSameAs", value: "9" }] }] },
      {
        ...target,
        expression: [{ type: "asinCategorySameAs", value: "5" }, {
          type: "asinPriceBetween",
          value: "2-9.5",
        }],
      },
    ]);
    targets.raiseForErrors();
    (await reader.resource("sd.targets").update([{ targetId: targets.ids[0]!, bid: 4, state: "paused" }]))
      .raiseForErrors();
    const changed = await maker.sd.targets.get(targets.ids[0]!);
    deepEqual([changed!.bid, changed!.state], [4, "paused"]);
    (await reader.sd.campaigns.update([{ campaignId: campaignId!, endDate: null, budget: 20 }]))
      .raiseForErrors();
    const now = await maker.sd.campaigns.get(campaignId!);
    deepEqual([now!.endDate, now!.budget], [undefined, 20]);
    (await reader.sd.targets.delete([targets.ids[1]!])).raiseForErrors();
    equal((await maker.sd.targets.get(targets.ids[1]!))!.state, "archived");
  }
  for await (const { kind, differences } of compareWires(wires.older)) {
    if (kind.startsWith("sd.")) deepEqual(differences, [], kind);
  }
});

Deno.test("lists of Display by ids, parents, states and names find the same on both wires", async () => {
  await using wires = await twoWires();
  const { newer, older, world } = wires;
  const [group] = await older.sd.adGroups.list();
  const { campaignId, adGroupId, name } = group!;
  for (
    const kind of ["sd.campaigns", "sd.ad_groups", "sd.product_ads", "sd.targets", "sd.negative_targets"]
  ) {
    const [a, b] = [newer.resource(kind), older.resource(kind)];
    const ids = (await b.list()).slice(0, 3).map((one) => String(one[a.idField]));
    const queries = [
      { ids },
      ...(kind === "sd.campaigns" ? [] : [{ campaignIds: [campaignId] }]),
      ...(kind === "sd.campaigns" || kind === "sd.ad_groups" ? [{ name }] : [{ adGroupIds: [adGroupId] }]),
      { states: ["PAUSED"] },
    ];
    for (const query of queries) {
      const [newest, oldest] = [await a.list(query), await b.list(query)];
      const idsOf = (list: readonly Record<string, unknown>[]) => list.map((one) => one[a.idField]);
      deepEqual(idsOf(newest), idsOf(oldest), `${kind} ${JSON.stringify(query)}`);
    }
  }
  world.asked();
  await newer.sd.productAds.getMany(
    (await older.sd.productAds.list({ states: null })).map(({ adId }) => adId),
  );
  const queries = world.asked().filter((line) => line.startsWith("POST /adsApi/v1/query/ads"));
  equal(queries.length > 0 && queries.length <= 2, true, "ads can only be read whole, and are read once");
});

Deno.test("extended fields of Display read alike, as far as the family gives reasons", async () => {
  await using wires = await twoWires();
  const { newer, older } = wires;
  for (const kind of ["sd.campaigns", "sd.ad_groups", "sd.product_ads"]) {
    const query = { extended: true, states: null };
    const [a, b] = [await newer.resource(kind).list(query), await older.resource(kind).list(query)];
    const of = (list: readonly Record<string, unknown>[]) =>
      list.map((
        { creationDate, lastUpdatedDate, servingStatus },
      ) => [creationDate, lastUpdatedDate, servingStatus]);
    deepEqual(of(a), of(b), kind);
  }
});

const DIGITS = fc.integer({ min: 1, max: 10 ** 9 }).map(String);
const ASIN = fc.stringMatching(/^B0[A-Z0-9]{8}$/);
const AMOUNT = fc.integer({ min: 1, max: 9_999 }).map((cents) => String(cents / 100));
const LOOKBACK = fc.constantFrom("7", "14", "30", "60", "90", "180", "365").map((value) => ({
  type: "lookback",
  value,
}));
const audience = (type: string, similar: string) =>
  fc.tuple(
    fc.oneof(
      fc.constantFrom([{ type: "exactProduct" }], [{ type: similar }]),
      ASIN.map((value) => [{ type: "asinSameAs", value }]),
      ASIN.map((value) => [{ type: similar }, { type: "asinSameAs", value }]),
    ),
    LOOKBACK,
  ).map(([parts, lookback]) => [{ type, value: [...parts, lookback] }]);
const EXPRESSION = fc.oneof(
  ASIN.map((value) => [{ type: "asinSameAs", value }]),
  fc.constant([{ type: "similarProduct" }]),
  DIGITS.map((value) => [{ type: "contentCategorySameAs", value }]),
  DIGITS.map((value) => [{ type: "audience", value: [{ type: "audienceSameAs", value }] }]),
  audience("views", "similarProduct"),
  audience("purchases", "relatedProduct"),
  fc.tuple(DIGITS, DIGITS, AMOUNT).map(([category, brand, price]) => [
    { type: "asinCategorySameAs", value: category },
    { type: "asinBrandSameAs", value: brand },
    { type: "asinPriceLessThan", value: price },
  ]),
);

Deno.test("every Display expression that the family takes reads back as it was", () => {
  const form = displayExpression({ negative: false });
  fc.assert(fc.property(EXPRESSION, (expression) => {
    const target = form.toWire(expression, PLACE, "create");
    deepEqual(form.toOwn(JSON.parse(JSON.stringify(target)), PLACE), expression);
  }));
});

Deno.test("what other programs made of Display reads as OTHER, and never as something else", () => {
  const [positive, negative] = [
    displayExpression({ negative: false }),
    displayExpression({ negative: true }),
  ];
  const product = (productId: string) => ({
    targetDetails: {
      productTarget: { matchType: "PRODUCT_SIMILAR", product: { productId }, productIdType: "ASIN" },
    },
  });
  deepEqual(positive.toOwn(product("B000000001"), PLACE), [{ type: "OTHER" }]);
  const category = { productCategoryRefinement: { productCategoryRefinement: { productCategoryId: "5" } } };
  deepEqual(negative.toOwn({ targetDetails: { productCategoryTarget: category } }, PLACE), [{
    type: "other",
  }]);
});
