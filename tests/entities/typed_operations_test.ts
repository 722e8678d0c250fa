import { deepEqual, equal, ok } from "../support/assert.ts";
import { TYPED_OPERATIONS } from "../../src/platform/catalog/operation.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { CONTRACT_KINDS, makeParents, type Parents } from "./contract_kinds.ts";

const RESOURCE_METHODS = new Set(["list", "create", "update", "delete"]);
const ASINS = ["B000000001"];

/** What a call is made with. */
interface Given {
  readonly world: Emulated;
  readonly parents: Parents;
}

/** A call of each typed method that is not one of the four of every resource. */
const CALLS: Record<string, (given: Given) => Promise<unknown>> = {
  "sp.campaigns.budgetUsage": ({ world, parents }) => world.us.sp.campaigns.budgetUsage([parents.spCampaign]),
  "sp.campaigns.budgetRecommendations": ({ world, parents }) =>
    world.us.sp.campaigns.budgetRecommendations([parents.spCampaign]),
  "sp.campaigns.initialBudgetRecommendation": ({ world }) =>
    world.us.sp.campaigns.initialBudgetRecommendation({
      adGroups: [{ asins: ASINS, targetingExpressions: [{ type: "CLOSE_MATCH" }] }],
      bidding: { strategy: "MANUAL" },
      targetingType: "auto",
    }),
  "sp.campaigns.budgetRules": ({ world, parents }) => world.us.sp.campaigns.budgetRules(parents.spCampaign),
  "sp.campaigns.addBudgetRules": async ({ world, parents }) => {
    const { campaigns } = world.us.sp;
    const result = await campaigns.addBudgetRules(parents.spCampaign, [await someRule(world), "no-rule"]);
    deepEqual([...result].map(({ ok }) => ok), [true, false]);
    equal((await campaigns.budgetRules(parents.spCampaign)).length, 1);
  },
  "sp.campaigns.removeBudgetRule": async ({ world, parents }) => {
    const { campaigns } = world.us.sp;
    const rule = await someRule(world);
    await campaigns.addBudgetRules(parents.spCampaign, [rule]);
    await campaigns.removeBudgetRule(parents.spCampaign, rule);
    equal((await campaigns.budgetRules(parents.spCampaign)).length, 0);
  },
  "sp.campaigns.budgetRuleRecommendations": ({ world, parents }) =>
    world.us.sp.campaigns.budgetRuleRecommendations(parents.spCampaign),
  "sp.campaigns.addOptimizationRules": async ({ world, parents }) => {
    const result = await world.us.sp.campaigns.addOptimizationRules(parents.spCampaign, ["no-rule"]);
    deepEqual(result.errors.map(({ outcome }) => outcome), ["refused"]);
  },
  "sp.targets.categories": async ({ world }) => ok(Array.isArray(await world.us.sp.targets.categories())),
  "sp.targets.productCounts": async ({ world }) => {
    const { max = 0 } = await world.us.sp.targets.productCounts({ category: await someCategory(world) });
    ok(max > 0);
  },
  "sp.targets.refinements": async ({ world }) => {
    ok((await world.us.sp.targets.refinements(await someCategory(world))).brands!.length > 0);
  },
  "sp.targets.categoryRecommendations": async ({ world }) => {
    ok((await world.us.sp.targets.categoryRecommendations(ASINS)).length > 0);
  },
  "sp.targets.productRecommendations": async ({ world }) => {
    const first = await world.us.sp.targets.productRecommendations(ASINS, { count: 2 });
    equal(first.recommendations.length, 2);
  },
  "sp.keywords.recommendations": async ({ world }) => {
    ok((await world.us.sp.keywords.recommendations({ asins: ASINS, maxRecommendations: 5 })).length > 0);
  },
  "sp.negativeTargets.brandRecommendations": async ({ world }) => {
    ok((await world.us.sp.negativeTargets.brandRecommendations()).length > 0);
  },
  "sp.negativeTargets.searchBrands": async ({ world }) => {
    const [brand] = await world.us.sp.negativeTargets.brandRecommendations();
    const found = await world.us.sp.negativeTargets.searchBrands(brand!.name.slice(0, 4));
    ok(found.some(({ id }) => id === brand!.id));
  },
  "bids.forAdGroup": ({ world, parents }) =>
    world.us.bids.forAdGroup({
      campaignId: parents.spCampaign,
      adGroupId: parents.spKeywordAdGroup,
      expressions: [{ type: "EXACT", value: "tent" }],
    }),
  "portfolios.budgetUsage": async ({ world }) => {
    const [{ portfolioId } = { portfolioId: "" }] = await world.us.portfolios.list();
    const result = await world.us.portfolios.budgetUsage([portfolioId, "123"]);
    deepEqual([...result].map(({ ok }) => ok), [true, false]);
  },
  "PlatformAds.profiles": ({ world }) => world.ads.profiles({ refresh: true }),
  "PlatformAds.profileById": async ({ world }) => {
    equal((await world.ads.profileById(world.us.profileId)).countryCode, "US");
  },
  "PlatformAds.updateProfiles": async ({ world }) => {
    const result = await world.ads.updateProfiles([{ profileId: world.us.profileId, dailyBudget: 500 }]);
    result.raiseForErrors();
    equal((await world.ads.profileById(world.us.profileId)).dailyBudget, 500);
  },
  "history.events": ({ world }) => world.us.history.events().next(),
};

Deno.test("every typed operation is served by the method that is written down for it", async (test) => {
  await using world = await emulated();
  const parents = await makeParents(world.us, "legacy");
  for (const [operation, method] of TYPED_OPERATIONS) {
    await test.step(`${method} sends ${operation}`, async () => {
      equal(typeof find(world, method), "function");
      if (method.startsWith("reports.")) return; // The report service has tests of its own.
      const before = world.emulator.requests().length;
      await (CALLS[method] ?? resourceCall(method))({ world, parents });
      const sent = world.emulator.requests().slice(before).map((entry) => entry.operation);
      // The operations of global accounts share their paths with those for all products.
      const served = operation.replace("v1-spglobal-", "v1-all-").replace(":SPGlobal", ":");
      ok(sent.includes(served), `it sent ${sent.join(", ") || "nothing"}`);
    });
  }
});

Deno.test("no call is tried here that is not in the table of typed operations", () => {
  const methods = new Set(TYPED_OPERATIONS.values());
  for (const method of Object.keys(CALLS)) ok(methods.has(method), method);
});

function find(world: Emulated, method: string): unknown {
  if (method.startsWith("PlatformAds.")) return at(world.ads, method.slice("PlatformAds.".length));
  return at(world.us, method);
}

function at(object: unknown, path: string): unknown {
  return path.split(".").reduce((found, name) => (found as Record<string, unknown>)?.[name], object);
}

function resourceCall(method: string): (given: Given) => Promise<unknown> {
  const [path, name] = [method.slice(0, method.lastIndexOf(".")), method.slice(method.lastIndexOf(".") + 1)];
  ok(RESOURCE_METHODS.has(name), `there is no call of ${method} to try`);
  return async ({ world, parents }) => {
    const resource = at(world.us, path) as ReturnType<typeof world.us.resource>;
    const contract = CONTRACT_KINDS.find(({ kind }) => kind === resource.kind)!;
    const number = 500 + [...TYPED_OPERATIONS.values()].indexOf(method);
    if (name === "list") return await resource.list();
    const created = await resource.create([contract.item(parents, number)]);
    created.raiseForErrors();
    const [id] = created.ids;
    if (name === "update") {
      await resource.update([{ [resource.idField]: id, ...contract.changes(number)[0] }]);
    }
    if (name === "delete") await resource.delete([id!]);
  };
}

async function someRule({ us }: Emulated): Promise<string> {
  for (const { campaignId } of await us.sp.campaigns.list({ states: ["ENABLED"] })) {
    const [rule] = await us.sp.campaigns.budgetRules(campaignId);
    if (rule !== undefined) return rule.ruleId;
  }
  throw new Error("The demo account has no budget rule");
}

async function someCategory({ us }: Emulated): Promise<string> {
  const [{ id } = { id: "" }] = await us.sp.targets.categoryRecommendations(ASINS);
  return id;
}
