import { deepEqual, equal } from "../support/assert.ts";
import { SponsoredProducts } from "../../mod.ts";
import { KINDS } from "../../src/client/entities/kinds/kinds.ts";
import type { Fields } from "../../src/client/entities/model/resource_wire.ts";
import { type FakeScope, fakeScope } from "../support/fake_scope.ts";

const idsOf = (count: number): string[] => [...Array(count).keys()].map((n) => String(100 + n));

/** A service that answers about every id with the id itself, the last of each request first. */
function echo(asked: string, idField: string): FakeScope {
  return fakeScope(({ json }) => {
    const ids = (json as Record<string, string[]>)[asked]!;
    return { success: ids.map((id, index) => ({ index, [idField]: id, budget: Number(id) })).reverse() };
  });
}

function sizes({ requests }: FakeScope, asked: string): number[] {
  return requests.map(({ json }) => (json as Record<string, unknown[]>)[asked]!.length);
}

Deno.test("what is spent is asked a hundred budgets at a time, and each answer stays with its id", async () => {
  const ids = idsOf(230);
  const campaigns = echo("campaignIds", "campaignId");
  const usage = await new SponsoredProducts(campaigns).campaigns.budgetUsage(ids);
  deepEqual(sizes(campaigns, "campaignIds"), [100, 100, 30]);
  deepEqual(usage.successes.map(({ index, id, entity }) => [index, id, entity!.budget]), [
    ...ids.map((id, index) => [index, id, Number(id)]),
  ]);
  const portfolios = echo("portfolioIds", "portfolioId");
  equal((await KINDS.portfolios.create(portfolios).budgetUsage(ids)).successes.length, 230);
  deepEqual(sizes(portfolios, "portfolioIds"), [100, 100, 30]);
});

Deno.test("budget rules are added 25 at a time", async () => {
  const scope = fakeScope(({ json }) => ({
    responses: (json as { budgetRuleIds: string[] }).budgetRuleIds.map((ruleId): Fields => ({
      code: "SUCCESS",
      ruleId,
    })),
  }));
  const result = await new SponsoredProducts(scope).campaigns.addBudgetRules("11", idsOf(60));
  deepEqual(sizes(scope, "budgetRuleIds"), [25, 25, 10]);
  deepEqual(result.ids, idsOf(60));
});
