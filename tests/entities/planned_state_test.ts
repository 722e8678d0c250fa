import { deepEqual, equal, match, rejects, throws } from "../support/assert.ts";
import { judge } from "../../src/plans/review/judge.ts";
import { ChangePlan, type PlanResult, type ProfileClient } from "../../mod.ts";
import { emulated } from "../support/emulated.ts";

const NEW = { state: "ENABLED" } as const;

/** A campaign of 15 a day with an ad group, a keyword of 1, and a paused neighbour. */
async function begin(
  us: ProfileClient,
): Promise<{ campaignId: string; adGroupId: string; keywordId: string }> {
  const [campaignId = ""] = (await us.sp.campaigns.create([
    { ...NEW, name: "Played", targetingType: "MANUAL", startDate: "2026-10-01", budget: 15 },
  ])).ids;
  const [adGroupId = ""] = (await us.sp.adGroups.create([
    { ...NEW, campaignId, name: "Played", defaultBid: 0.4 },
  ])).ids;
  const [keywordId = ""] = (await us.sp.keywords.create([
    { ...NEW, campaignId, adGroupId, keywordText: "played", matchType: "EXACT", bid: 1 },
  ])).ids;
  return { campaignId, adGroupId, keywordId };
}

const refused = (plan: ChangePlan): unknown[] =>
  plan.findings.filter((finding) => finding.refused).map(({ change, code }) => [change, code]);
const outcomes = ({ changes }: PlanResult): string[] => changes.map(({ outcome }) => outcome);

for (const first of ["budget", "bid"]) {
  Deno.test(`a budget and a bid above the old one are sent in one plan, the ${first} planned first`, async () => {
    await using world = await emulated();
    const { us } = world;
    const { campaignId, keywordId } = await begin(us);
    const draft = us.plan();
    if (first === "budget") draft.update("sp.campaigns", { campaignId, budget: 30 });
    draft.update("sp.keywords", { keywordId, bid: 20 });
    if (first === "bid") draft.update("sp.campaigns", { campaignId, budget: 30 });
    const plan = await draft.build();
    deepEqual(refused(plan), []);
    deepEqual(outcomes(await plan.apply(us)), ["done", "done"]);
  });

  Deno.test(`a budget is lowered below a bid that the plan lowers too, the ${first} planned first`, async () => {
    await using world = await emulated();
    const { us } = world;
    const { campaignId, keywordId } = await begin(us);
    await us.sp.keywords.update([{ keywordId, bid: 12 }]);
    const draft = us.plan();
    if (first === "budget") draft.update("sp.campaigns", { campaignId, budget: 5 });
    draft.update("sp.keywords", { keywordId, bid: 2 });
    if (first === "bid") draft.update("sp.campaigns", { campaignId, budget: 5 });
    const plan = await draft.build();
    deepEqual(refused(plan), []);
    deepEqual(outcomes(await plan.apply(us)), ["done", "done"]);
  });

  Deno.test(`what a plan archives can be made anew in it, the ${first === "bid" ? "new one" : "archive"} planned first`, async () => {
    await using world = await emulated();
    const { us } = world;
    const { campaignId, adGroupId, keywordId } = await begin(us);
    const words = {
      ...NEW,
      campaignId,
      adGroupId,
      keywordText: "Played",
      matchType: "EXACT",
      bid: 2,
    } as const;
    const draft = us.plan();
    if (first === "budget") draft.archive("sp.keywords", keywordId);
    draft.create("sp.keywords", words);
    if (first === "bid") draft.archive("sp.keywords", keywordId);
    const plan = await draft.build();
    deepEqual(plan.findings.filter(({ code }) => code === "ALREADY_THERE"), []);
    deepEqual(refused(plan), []);
    deepEqual(outcomes(await plan.apply(us)), ["done", "done"]);

    const campaign = {
      ...NEW,
      name: "Played",
      targetingType: "MANUAL",
      budget: 15,
      startDate: "2026-10-01",
    } as const;
    const other = us.plan();
    if (first === "budget") other.archive("sp.campaigns", campaignId);
    other.create("sp.campaigns", campaign, { as: "c" });
    other.create("sp.ad_groups", { ...NEW, campaignId: { ref: "c" }, name: "Played", defaultBid: 0.4 });
    if (first === "bid") other.archive("sp.campaigns", campaignId);
    const again = await other.build();
    deepEqual([again.changes.length, refused(again)], [3, []]);
    deepEqual(outcomes(await again.apply(us)), ["done", "done", "done"]);
  });

  Deno.test(`a name that the plan frees can be taken in it, the ${first === "bid" ? "new one" : "renaming"} planned first`, async () => {
    await using world = await emulated();
    const { us } = world;
    const { campaignId } = await begin(us);
    const campaign = {
      ...NEW,
      name: "Played",
      targetingType: "MANUAL",
      budget: 15,
      startDate: "2026-10-01",
    } as const;
    const draft = us.plan();
    if (first === "budget") draft.update("sp.campaigns", { campaignId, name: "Played before" });
    draft.create("sp.campaigns", campaign);
    if (first === "bid") draft.update("sp.campaigns", { campaignId, name: "Played before" });
    const plan = await draft.build();
    deepEqual([plan.changes.length, refused(plan)], [2, []]);
    deepEqual(outcomes(await plan.apply(us)), ["done", "done"]);
  });
}

Deno.test("where a new keyword would be refused, the one that it replaces is not archived", async () => {
  await using world = await emulated();
  const { us } = world;
  const { campaignId, adGroupId, keywordId } = await begin(us);
  const words = {
    ...NEW,
    campaignId,
    adGroupId,
    keywordText: "played",
    matchType: "EXACT",
    bid: 99_999,
  } as const;
  const plan = await us.plan().archive("sp.keywords", keywordId).create("sp.keywords", words).build();
  deepEqual(refused(plan), [[0, "REPLACEMENT_REFUSED"], [1, "BID_OUT_OF_MARKET_PLACE_RANGE"]]);
  const { changes } = await plan.apply(us);
  deepEqual(changes.map(({ outcome }) => outcome), ["not_sent", "not_sent"]);
  match(
    changes[0]!.error!.message,
    /Never sent, because the entity would be lost: The keyword .+ in its place would be refused/,
  );
  equal((await us.sp.keywords.get(keywordId))?.state, "ENABLED");
  const turned = await us.plan().create("sp.keywords", words).archive("sp.keywords", keywordId).build();
  deepEqual(turned.changes.map(({ dependsOn }) => dependsOn), [undefined, undefined]);
  deepEqual(refused(turned), [[0, "BID_OUT_OF_MARKET_PLACE_RANGE"], [1, "REPLACEMENT_REFUSED"]]);
  deepEqual(outcomes(await turned.apply(us)), ["not_sent", "not_sent"]);
  // Nor where the rest is sent all the same.
  for (const isTurned of [false, true]) {
    const draft = us.plan();
    if (isTurned) draft.create("sp.keywords", words);
    draft.archive("sp.keywords", keywordId);
    if (!isTurned) draft.create("sp.keywords", words);
    const anyway = await draft.build();
    const review = await judge(anyway, us, { sendAnyway: true });
    deepEqual([...review.unsent], [anyway.changes.findIndex(({ op }) => op === "archive")]);
    const sent = (await anyway.apply(us, { sendAnyway: true })).changes;
    deepEqual(sent.map(({ change, outcome }) => [change.op, outcome]).toSorted(), [
      ["archive", "not_sent"],
      ["create", "refused"],
    ]);
  }
  equal((await us.sp.keywords.get(keywordId))?.state, "ENABLED");
});

Deno.test("something new in a campaign that the plan refers to by its own update is foreseen as it is done", async () => {
  await using world = await emulated();
  const { us } = world;
  const { campaignId } = await begin(us);
  const plan = await us.plan().update("sp.campaigns", { campaignId, budget: 22 }, { as: "c" })
    .create("sp.ad_groups", { ...NEW, campaignId: { ref: "c" }, name: "Beside", defaultBid: 0.5 }, {
      as: "g",
    })
    .create("sp.keywords", {
      ...NEW,
      campaignId: { ref: "c" },
      adGroupId: { ref: "g" },
      keywordText: "beside",
      matchType: "EXACT",
    })
    .build();
  deepEqual(refused(plan), []);
  deepEqual(outcomes(await plan.apply(us)), ["done", "done", "done"]);
});

Deno.test("a new keyword that is to go before the archive of its equal is refused, and neither is done", async () => {
  await using world = await emulated();
  const { us } = world;
  const { campaignId, adGroupId, keywordId } = await begin(us);
  const words = { ...NEW, campaignId, adGroupId, keywordText: "played", matchType: "EXACT", bid: 2 } as const;
  const plan = await us.plan().create("sp.keywords", words, { as: "new" })
    .archive("sp.keywords", keywordId, { after: ["new"] }).build();
  deepEqual(refused(plan), [[0, "DUPLICATE_VALUE"]]);
  deepEqual(outcomes(await plan.apply(us)), ["not_sent", "not_sent"]);
});

Deno.test("a value of the wrong type is named by the schema, and read by no other rule", async () => {
  await using world = await emulated();
  const { us } = world;
  const { campaignId, adGroupId } = await begin(us);
  const target = { ...NEW, campaignId, adGroupId, expression: [null], expressionType: "MANUAL", bid: 1 };
  const plan = await us.resource("sp.targets" as string).planCreate([target]);
  deepEqual(refused(plan)[0], [0, "WRONG_TYPE"]);
});

Deno.test("a budget below the bid of a manual target that the plan changes is taken", async () => {
  await using world = await emulated();
  const { us } = world;
  const { campaignId } = await begin(us);
  const [adGroupId = ""] = (await us.sp.adGroups.create([
    { ...NEW, campaignId, name: "Targets", defaultBid: 0.4 },
  ])).ids;
  const expression = [{ type: "ASIN_SAME_AS", value: "B0PREF0001" }];
  const [targetId = ""] = (await us.sp.targets.create([
    { ...NEW, campaignId, adGroupId, expression, expressionType: "MANUAL", bid: 12 },
  ])).ids;
  const plan = await us.plan().update("sp.targets", { targetId, bid: 11 })
    .update("sp.campaigns", { campaignId, budget: 5 }).build();
  deepEqual(refused(plan), []);
  deepEqual(outcomes(await plan.apply(us)), ["done", "done"]);
});

Deno.test("targets can follow the keywords of an ad group that the plan archives", async () => {
  await using world = await emulated();
  const { us } = world;
  const { campaignId, adGroupId, keywordId } = await begin(us);
  const expression = [{ type: "ASIN_SAME_AS", value: "B0PREF0001" }];
  const plan = await us.plan()
    .create("sp.targets", { ...NEW, campaignId, adGroupId, expression, expressionType: "MANUAL", bid: 1 })
    .archive("sp.keywords", keywordId)
    .build();
  deepEqual(refused(plan), []);
  deepEqual(outcomes(await plan.apply(us)), ["done", "done"]);
});

Deno.test("an undo is judged by what it leaves alone: the budget stays above a bid that somebody changed since", async () => {
  await using world = await emulated();
  const { us } = world;
  const { campaignId, keywordId } = await begin(us);
  const plan = await us.plan().update("sp.campaigns", { campaignId, budget: 30 })
    .update("sp.keywords", { keywordId, bid: 20 }).build();
  const result = await plan.apply(us);
  const undo = result.rollbackPlan();
  deepEqual(undo.changes.map(({ kind }) => kind), ["sp.keywords", "sp.campaigns"]);
  await us.sp.keywords.update([{ keywordId, bid: 25 }]);
  const undone = await undo.apply(us, { skipDrifted: true });
  deepEqual(undone.changes.map(({ outcome, error }) => [outcome, error?.code]), [
    ["not_sent", "DRIFTED"],
    ["not_sent", "BUDGET_LOWER_THAN_BID"],
  ]);
  await us.sp.keywords.update([{ keywordId, bid: 20 }]);
  const again = await result.rollbackPlan().apply(us, { checkDrift: true });
  deepEqual(outcomes(again), ["done", "done"]);
});

Deno.test("planning updates reads each kind once: 50 bids take four requests, whether at once or as a draft", async () => {
  await using world = await emulated();
  const { us } = world;
  const items = (await us.sp.keywords.list({ states: ["ENABLED"] })).slice(0, 50).map(({ keywordId }) => ({
    keywordId,
    bid: 0.77,
  }));
  // The keywords, what they are in, and the other keywords for the scale of the account.
  const reads = ["keywords", "adGroups", "campaigns", "keywords"].map((kind) => `POST /sp/${kind}/list`);
  world.asked();
  await us.sp.keywords.planUpdate(items);
  deepEqual(world.asked(), reads);
  const draft = us.plan();
  for (const item of items) draft.update("sp.keywords", item);
  await draft.build();
  deepEqual(world.asked(), reads);
});

/** Values that the platform refuses, by kind, each beside one that it takes. */
const BAD: readonly (readonly [what: string, kind: string, field: Record<string, unknown>])[] = [
  ["a last day that is none", "sp.campaigns", { endDate: "2026-13-45" }],
  ["a last day in words", "sp.campaigns", { endDate: "tomorrow" }],
  ["a day that no month has", "sb.campaigns", { endDate: "2027-02-30" }],
  ["a budget for life", "sp.campaigns", { budget: { budget: 20, budgetType: "LIFETIME" } }],
  ["a strategy that there is not", "sp.campaigns", { dynamicBidding: { strategy: "FASTER" } }],
  ["a placement of 901 %", "sp.campaigns", placement("PLACEMENT_TOP", 901)],
  ["a placement of -1 %", "sp.campaigns", placement("PLACEMENT_TOP", -1)],
  ["a placement that there is not", "sp.campaigns", placement("PLACEMENT_MOON", 10)],
  ["a fraction of a percent", "sp.campaigns", placement("PLACEMENT_TOP", 12.5)],
  ["a blank name", "sp.campaigns", { name: "   " }],
  ["a blank name of a portfolio", "portfolios", { name: " " }],
  [
    "reversed days of a portfolio",
    "portfolios",
    portfolio({ policy: "DATE_RANGE", startDate: "2027-03-01", endDate: "2027-02-01" }),
  ],
  ["a cap of a portfolio below nothing", "portfolios", portfolio({ amount: -3 })],
  ["a foreign currency of a portfolio", "portfolios", portfolio({ currencyCode: "EUR" })],
];

function placement(name: string, percentage: number): Record<string, unknown> {
  return { dynamicBidding: { placementBidding: [{ placement: name, percentage }] } };
}

function portfolio(budget: Record<string, unknown>): Record<string, unknown> {
  return { budget: { amount: 500, currencyCode: "USD", policy: "MONTHLY_RECURRING", ...budget } };
}

for (const [what, kind, fields] of BAD) {
  Deno.test(`${what} is foreseen, refused by the platform, and does no harm to its neighbour`, async () => {
    await using world = await emulated({ client: { fetch } });
    const { us } = world;
    const resource = us.resource(kind as string);
    const [one, other] = await resource.list();
    const ids = [one!, other!].map((entity) => ({ [resource.idField]: entity[resource.idField] }));
    const plan = await resource.planUpdate([{ ...ids[0], ...fields }, { ...ids[1], name: `New ${what}` }]);
    deepEqual(plan.findings.filter((finding) => finding.refused).map(({ change }) => change), [0]);
    deepEqual(outcomes(await plan.apply(us)), ["not_sent", "done"]);
    const alone = await resource.planUpdate([{ ...ids[0], ...fields }]);
    // A request that the platform refuses as a whole is an error.
    const sent = await alone.apply(us, { sendAnyway: true }).then(outcomes, () => ["refused"]);
    deepEqual(sent, ["refused"]);
  });
}

Deno.test("references of the wrong kind or to nothing, and an empty name, are refused by drafts, plans and files alike", async () => {
  await using world = await emulated();
  const { us } = world;
  const group = { ...NEW, campaignId: { ref: "p" }, name: "Group", defaultBid: 0.4 };
  const wrong = us.plan().create("portfolios", { ...NEW, name: "P" }, { as: "p" }).create(
    "sp.ad_groups",
    group,
  );
  await rejects(() => wrong.build(), /campaignId refers to "p", which is of kind portfolios/);
  await rejects(
    () => us.plan().create("sp.ad_groups", group).build(),
    /"p"/,
  );
  await rejects(
    () => us.sp.adGroups.planCreate([group as never]),
    /"p"/,
  );
  await rejects(
    () => us.plan().create("portfolios", { ...NEW, name: "P" }, { as: "" }).build(),
    /Cannot use "" as the name of change 0: give at least one character/,
  );
  const part = us.plan().create("portfolios", { ...NEW, name: "P" }, { as: "p" });
  const { changes } = await part.create("sp.campaigns", {
    ...NEW,
    name: "In P",
    targetingType: "MANUAL",
    startDate: "2026-10-01",
    budget: 15,
    portfolioId: { ref: "p" },
  }).build();
  const forged = changes.map((change) =>
    change.kind === "portfolios" ? change : { ...change, kind: "sp.ad_groups", after: group }
  );
  const { profileId, countryCode } = us;
  const file = new ChangePlan({ profileId, countryCode, changes: forged }).toJson();
  throws(() => ChangePlan.fromJson(file), /changes do not fit together.*which is of kind portfolios/);
  equal((await us.portfolios.list()).some(({ name }) => name === "P"), false);
});
