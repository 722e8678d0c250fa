import { deepEqual, equal, ok } from "../support/assert.ts";
import { emulated } from "../support/emulated.ts";

Deno.test("a whole campaign's keywords and targets get their suggestions from the platform", async () => {
  await using world = await emulated();
  const { sp, bids } = world.us;
  const keywords = (await sp.keywords.list()).slice(0, 300);
  world.asked();
  const found = await bids.forKeywords(keywords);
  deepEqual([...found.keys()], keywords.map(({ keywordId }) => keywordId));
  ok([...found.values()].some(({ suggested }) => suggested !== undefined));
  const groups = Map.groupBy(keywords, ({ adGroupId }) => adGroupId);
  const requests = [...groups.values()].reduce((sum, group) => sum + Math.ceil(group.length / 100), 0);
  equal(world.asked().length, requests);
  for (const { low, suggested, high } of found.values()) {
    if (low !== undefined) ok(low <= suggested! && suggested! <= high!);
  }

  const targets = (await sp.targets.list()).slice(0, 60);
  const { suggestions, unsupported } = await bids.forTargets(targets);
  equal(suggestions.length + unsupported.length, targets.length);
  ok(suggestions.length > 0);
});

Deno.test("in Australia product targets come back without a price, and are not dropped", async () => {
  await using world = await emulated();
  const au = await world.ads.profile("AU");
  const targets = (await au.sp.targets.list({ filters: { expressionTypeFilter: { include: ["MANUAL"] } } }))
    .filter(({ expression }) => expression.length === 1 && expression[0]!.type === "ASIN_SAME_AS").slice(
      0,
      5,
    );
  ok(targets.length > 0);
  const { suggestions } = await au.bids.forTargets(targets);
  deepEqual(
    suggestions.map(({ targetId, suggested }) => [targetId, suggested]),
    targets.map(({ targetId }) => [
      targetId,
      undefined,
    ]),
  );
});

Deno.test("bids for an ad group that is yet to be made mix keywords and products in one question", async () => {
  await using world = await emulated();
  const found = await world.us.bids.forNewAdGroup({
    asins: ["B000000001"],
    expressions: [{ type: "EXACT", value: "tent" }, { type: "ASIN_SAME_AS", value: "B0DVQWC048" }],
    placementAdjustments: { PLACEMENT_TOP: 50 },
  });
  deepEqual(found.map(({ expression }) => expression.type), ["KEYWORD_EXACT_MATCH", "PAT_ASIN"]);
});
