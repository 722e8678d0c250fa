import { deepEqual, equal, rejects, throws } from "../support/assert.ts";
import { budget, type BudgetInput, Resource, SponsoredBrands, SponsoredProducts } from "../../mod.ts";
import type { Fields } from "../../src/client/entities/model/resource_wire.ts";
import { type FakeScope, fakeScope } from "../support/fake_scope.ts";

const CAMPAIGN = {
  campaignId: "11",
  name: "Shoes",
  state: "ENABLED",
  budget: { budget: 20, budgetType: "LIFETIME", effectiveBudget: 24 },
  dynamicBidding: {
    strategy: "LEGACY_FOR_SALES",
    placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 10 }],
  },
  tags: { team: "a", season: "b" },
};

/** An account with one campaign, which takes whatever it is sent. */
function account(campaign: Fields = CAMPAIGN): FakeScope {
  return fakeScope(({ path, json }) => {
    if (path.endsWith("/list")) return { campaigns: [campaign] };
    const { campaigns } = json as { campaigns: Fields[] };
    return { campaigns: { success: campaigns.map((_, index) => ({ index, campaignId: "11" })), error: [] } };
  });
}

function sent({ requests }: FakeScope): unknown {
  return (requests.at(-1)!.json as { campaigns: Fields[] }).campaigns[0]!["budget"];
}

/** A new campaign beside its budget. */
const NEW = { name: "New", state: "ENABLED", targetingType: "MANUAL" };

const WIDENED: [BudgetInput, unknown][] = [
  [25, { budget: 25, budgetType: "DAILY" }],
  [{ budget: 25 }, { budget: 25, budgetType: "DAILY" }],
  [{ budget: 25, budget_type: "LIFETIME" }, { budget: 25, budgetType: "LIFETIME" }],
  [{ budget: 25, budgetType: "LIFETIME" }, { budget: 25, budgetType: "LIFETIME" }],
];
for (const [given, expected] of WIDENED) {
  Deno.test(`a budget given as ${JSON.stringify(given)} is sent as ${JSON.stringify(expected)}`, async () => {
    const scope = account();
    const { campaigns } = new SponsoredProducts(scope);
    await campaigns.create([{ ...NEW, budget: given }]);
    deepEqual(sent(scope), expected);
    await campaigns.update([{ campaignId: "11", budget: given }]);
    deepEqual(sent(scope), expected);
    const plan = await campaigns.planCreate([{ ...NEW, budget: given }]);
    deepEqual(plan.changes[0]!.after["budget"], expected);
  });
}

Deno.test("planUpdate keeps the budget type that the campaign has, where the caller names none", async () => {
  const { campaigns } = new SponsoredProducts(account());
  for (const budget of [25, { budget: 25 }]) {
    const [change] = (await campaigns.planUpdate([{ campaignId: "11", budget }])).changes;
    deepEqual(change!.before["budget"], { budget: 20, budgetType: "LIFETIME" });
    deepEqual(change!.after["budget"], { budget: 25, budgetType: "LIFETIME" });
  }
  const [change] =
    (await campaigns.planUpdate([{ campaignId: "11", budget: { budget: 25, budgetType: "DAILY" } }]))
      .changes;
  deepEqual(change!.after["budget"], { budget: 25, budgetType: "DAILY" });
});

Deno.test("a budget that is what it was is no change, whatever the order of its fields", async () => {
  const { campaigns } = new SponsoredProducts(account());
  for (const budget of [20, { budget: 20 }, { budgetType: "LIFETIME", budget: 20 }]) {
    equal((await campaigns.planUpdate([{ campaignId: "11", budget }])).changes.length, 0);
  }
});

for (const given of ["25 USD", true, [25], {}, { budget: "2e1" }, NaN, Infinity]) {
  Deno.test(`a budget given as ${JSON.stringify(given)} (${typeof given}) is refused, and nothing is sent`, async () => {
    const scope = account();
    // As JavaScript would call it: the types refuse these.
    const campaigns = new Resource(scope, new SponsoredProducts(scope).campaigns.spec);
    const item = { campaignId: "11", ...NEW, budget: given };
    await rejects(campaigns.create([item]), /as a budget: give a number/);
    await rejects(campaigns.update([item]), /as a budget: give a number/);
    await rejects(campaigns.planCreate([item]), /as a budget: give a number/);
    await rejects(campaigns.planUpdate([item]), /as a budget: give a number/);
    equal(scope.requests.length, 0);
  });
}

Deno.test("a Brands budget is a plain number and never widened", async () => {
  const scope = account({
    campaignId: "11",
    name: "Shoes",
    state: "ENABLED",
    budget: 20,
    budgetType: "DAILY",
  });
  const { campaigns } = new SponsoredBrands(scope);
  await campaigns.create([{ name: "New", state: "ENABLED", budget: 25, budgetType: "DAILY" }]);
  equal(sent(scope), 25);
  await campaigns.update([{ campaignId: "11", budget: 25 }]);
  equal(sent(scope), 25);
  equal((await campaigns.planUpdate([{ campaignId: "11", budget: 25 }])).changes[0]!.after["budget"], 25);
  const untyped = new Resource(scope, campaigns.spec);
  await rejects(untyped.update([{ campaignId: "11", budget: { budget: 25 } }]), /is not a number/);
});

Deno.test("planUpdate keeps the siblings of object-valued fields", async () => {
  const { campaigns } = new SponsoredProducts(account());
  const plan = await campaigns.planUpdate([
    { campaignId: "11", dynamicBidding: { strategy: "MANUAL" }, tags: { season: "c" } },
  ]);
  deepEqual(plan.changes[0]!.after, {
    dynamicBidding: {
      strategy: "MANUAL",
      placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 10 }],
    },
    tags: { team: "a", season: "c" },
  });
  deepEqual(plan.table().map(({ field, before, after }) => [field, before, after]), [
    ["dynamicBidding.strategy", "LEGACY_FOR_SALES", "MANUAL"],
    ["tags.season", "b", "c"],
  ]);
});

Deno.test("planUpdate keeps the siblings at every depth, and replaces a list or a value whole", async () => {
  const limits = { up: { top: 10, rest: 5 }, off: [1, 2] };
  const { campaigns } = new SponsoredProducts(
    account({ ...CAMPAIGN, dynamicBidding: { strategy: "MANUAL", limits } }),
  );
  const after = async (wanted: Fields): Promise<unknown> =>
    (await campaigns.planUpdate([{ campaignId: "11", dynamicBidding: wanted }])).changes[0]
      ?.after["dynamicBidding"];
  deepEqual(await after({ limits: { up: { top: 20 } } }), {
    strategy: "MANUAL",
    limits: { up: { top: 20, rest: 5 }, off: [1, 2] },
  });
  deepEqual(await after({ limits: { off: [3] } }), { strategy: "MANUAL", limits: { ...limits, off: [3] } });
  deepEqual(await after({ limits: { up: 7 } }), { strategy: "MANUAL", limits: { ...limits, up: 7 } });
  equal(await after({ limits: { up: { top: 10 } } }), undefined);
});

Deno.test("what the platform computes is neither compared nor sent", async () => {
  const { campaigns } = new SponsoredProducts(account());
  const asRead = (await campaigns.get("11"))!;
  equal((await campaigns.planUpdate([{ ...asRead }])).changes.length, 0);
  const plan = await campaigns.planUpdate([{ ...asRead, budget: { budget: 30, effectiveBudget: 24 } }]);
  deepEqual(plan.changes[0]!.after, { budget: { budget: 30, budgetType: "LIFETIME" } });
});

Deno.test("budget() is there for those who want to see the object themselves", () => {
  deepEqual(budget(5), { budget: 5, budgetType: "DAILY" });
  deepEqual(budget(5, "LIFETIME"), { budget: 5, budgetType: "LIFETIME" });
  throws(() => budget(null), TypeError);
});
