import { deepEqual, equal, match } from "../../support/assert.ts";
import type { ProfileClient } from "../../../mod.ts";
import { emulated } from "../../support/emulated.ts";

const NEW = { state: "ENABLED" } as const;

interface Draft {
  readonly name?: string;
  readonly targetingType?: "MANUAL" | "AUTO";
  readonly budget?: number;
  readonly bid?: number;
  readonly target?: boolean;
  readonly otherCampaign?: boolean;
}

function draftOf(us: ProfileClient, options: Draft = {}) {
  const { name = "Graph", targetingType = "MANUAL", budget = 15, bid = 0.5 } = options;
  const draft = us.plan().create("sp.campaigns", {
    ...NEW,
    name,
    targetingType,
    startDate: "2099-01-01",
    budget: { budget, budgetType: "DAILY" },
  }, { as: "c" });
  if (options.otherCampaign) {
    draft.create("sp.campaigns", {
      ...NEW,
      name: `${name} 2`,
      targetingType: "MANUAL",
      startDate: "2099-01-01",
      budget: { budget, budgetType: "DAILY" },
    }, { as: "c2" });
  }
  draft.create("sp.ad_groups", { ...NEW, campaignId: { ref: "c" }, name: "Group", defaultBid: 0.4 }, {
    as: "g",
  });
  const place = { campaignId: { ref: options.otherCampaign ? "c2" : "c" }, adGroupId: { ref: "g" } };
  draft.create("sp.keywords", { ...NEW, ...place, keywordText: "red shoes", matchType: "EXACT", bid }, {
    as: "k",
  });
  if (options.target) {
    const expression = [{ type: "ASIN_SAME_AS", value: "B0PREFL001" }];
    draft.create("sp.targets", { ...NEW, ...place, expression, expressionType: "MANUAL", bid: 0.5 });
  }
  return draft;
}

const CASES: readonly (readonly [what: string, draft: Draft, at: number, code: string])[] = [
  [
    "a keyword in a new campaign that chooses its targets itself",
    { targetingType: "AUTO" },
    2,
    "TARGETING_TYPE_NOT_ALLOWED_FOR_AUTO_TARGETING_CAMPAIGN",
  ],
  ["a bid above the budget of a new campaign", { budget: 1, bid: 1.5 }, 2, "BID_GT_BUDGET"],
  ["a target beside a keyword in a new ad group", { target: true }, 3, "TYPE_CONFLICT_IN_AD_GROUP"],
  ["a new ad group of another new campaign", { otherCampaign: true }, 3, "PARENT_ENTITY_NOT_FOUND"],
];

for (const [what, options, at, code] of CASES) {
  Deno.test(`${what} is foreseen, and the platform refuses it`, async () => {
    await using world = await emulated();
    const plan = await draftOf(world.us, options).build();
    deepEqual(
      plan.findings.filter(({ refused }) => refused).map((finding) => [finding.change, finding.code]),
      [[at, code]],
    );
    const result = await plan.apply(world.us, { sendAnyway: true });
    const outcomes = result.changes.map(({ outcome }) => outcome);
    equal(outcomes[at], "refused", outcomes.join());
    deepEqual(outcomes.filter((_, other) => other !== at), outcomes.slice(1).map(() => "done"));
  });
}

Deno.test("a plan of creates that refer to each other is idempotent: what is there is left out, and references lead to it", async () => {
  await using world = await emulated();
  const first = await draftOf(world.us).build();
  deepEqual(first.findings.filter(({ refused }) => refused), []);
  const done = await first.apply(world.us);
  equal(done.ok, true, done.summary());
  const [campaign, adGroup] = done.changes.map(({ id }) => id);

  const again = await draftOf(world.us).build();
  deepEqual(again.changes, []);
  deepEqual(again.findings.map(({ code }) => code), ["ALREADY_THERE", "ALREADY_THERE", "ALREADY_THERE"]);

  const more = await draftOf(world.us).create("sp.keywords", {
    ...NEW,
    campaignId: { ref: "c" },
    adGroupId: { ref: "g" },
    keywordText: "blue shoes",
    matchType: "EXACT",
    bid: 0.5,
  }, { after: ["k"] }).build();
  deepEqual(
    more.changes.map(({ after, dependsOn }) => [after["campaignId"], after["adGroupId"], dependsOn]),
    [
      [campaign, adGroup, undefined],
    ],
  );
  equal((await more.apply(world.us)).ok, true);
});

Deno.test("a draft is judged and weighed as one plan", async () => {
  await using world = await emulated();
  const { keywordId } = (await world.us.sp.keywords.list({ states: ["ENABLED"] })).find(({ bid }) =>
    bid !== undefined && bid > 0.3 && bid < 2
  )!;
  const plan = await draftOf(world.us).update("sp.keywords", { keywordId, bid: 9 }).build();
  deepEqual(
    plan.findings.filter(({ level }) => level === "approve").map(({ code, change }) => [code, change]),
    [
      ["AMOUNT_TRIPLED", 3],
    ],
  );
  equal(plan.money?.perDay.high, 15, "the budget of the new campaign; the bid is unknown without figures");
  equal(plan.money?.unknown, 1);
});

Deno.test("undoing leaves out what the platform would refuse by now, and says why", async () => {
  await using world = await emulated();
  const keywords = (await world.us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const [one, other] = [
    keywords[0]!,
    keywords.find(({ campaignId }) => campaignId !== keywords[0]!.campaignId)!,
  ];
  const items = [one, other].map(({ keywordId, bid }) => ({ keywordId, bid: bid! + 0.1 }));
  const result = await (await world.us.sp.keywords.planUpdate(items)).apply(world.us);
  await world.us.sp.campaigns.delete([one.campaignId!]);
  const undone = await result.rollbackPlan().apply(world.us);
  deepEqual(undone.changes.map(({ outcome }) => outcome), ["done", "not_sent"]);
  match(undone.failures[0]?.error.message ?? "", /would refuse it: Its campaign \d+ is archived/);
  const now = await world.us.sp.keywords.getMany([other.keywordId]);
  equal(now.get(other.keywordId)?.bid, other.bid);
});
