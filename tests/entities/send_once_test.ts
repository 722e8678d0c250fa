import { deepEqual, equal, rejects } from "../support/assert.ts";
import { emulated } from "../support/emulated.ts";

Deno.test("an id that is given twice is sent once, and both of its places have the verdict", async () => {
  await using world = await emulated();
  const [one, two] = (await world.us.sp.keywords.list()).map(({ keywordId }) => keywordId) as [
    string,
    string,
  ];
  const heard: (readonly number[])[] = [];
  for (const work of ["pause", "delete"] as const) {
    const ids = [one, two, one, "404", one, "404"];
    const result = await world.us.sp.keywords[work](ids, {
      onSending: (indexes) => void heard.push([...indexes].sort()),
      onVerdicts: ({ successes, errors }) =>
        void heard.push([...successes, ...errors].map(({ index }) => index).sort()),
    });
    deepEqual(result.successes.map(({ index, id }) => [index, id]), [[0, one], [1, two], [2, one], [4, one]]);
    deepEqual(result.errors.map(({ index }) => index), [3, 5]);
    const sent = JSON.parse(world.emulator.requests().at(-1)!.body!);
    equal(JSON.stringify(sent).split(one).length - 1, 1, "sent once");
  }
  deepEqual(heard, Array(4).fill([0, 1, 2, 3, 4, 5]));
});

Deno.test("a question about an id that is given twice is answered at both of its places", async () => {
  await using world = await emulated();
  const { campaigns } = world.us.sp;
  const [one, two] = (await campaigns.list()).map(({ campaignId }) => campaignId) as [string, string];
  const ids = [one, one, "404", two];
  for (const result of [await campaigns.budgetUsage(ids), await campaigns.budgetRecommendations(ids)]) {
    deepEqual([...result].map(({ index, item, ok }) => [index, item, ok]), [
      [0, one, true],
      [1, one, true],
      [2, "404", false],
      [3, two, true],
    ]);
    equal(result.successes[1]!.entity?.campaignId, one);
    equal(result.successes[2]!.entity?.campaignId, two);
  }
  const rules = await campaigns.addBudgetRules(one, ["none", "none"]);
  deepEqual(rules.errors.map(({ index, item }) => [index, item]), [[0, "none"], [1, "none"]]);
});

Deno.test("a question about what is no id is not asked", async () => {
  await using world = await emulated();
  world.asked();
  await rejects(world.us.sp.campaigns.budgetUsage(["1", ""]), /Cannot find a campaign by ""/);
  await rejects(world.us.sp.campaigns.budgetRecommendations(["a b"]), /Cannot find a campaign by "a b"/);
  await rejects(world.us.portfolios.budgetUsage(["a/b"]), /Cannot find a portfolio by "a\/b"/);
  deepEqual(world.asked(), []);
});
