import { deepEqual, equal, ok } from "../support/assert.ts";
import { SponsoredBrands } from "../../mod.ts";
import type { NewKeyword } from "../../src/client/entities/sp.ts";
import type { Emulated } from "../support/emulated.ts";
import { emulated } from "../support/emulated.ts";
import { fakeScope } from "../support/fake_scope.ts";

const UPDATE = "sponsored-products:UpdateSponsoredProductsKeywords";
const CREATE = "sponsored-products:CreateSponsoredProductsKeywords";

async function newKeyword(
  { us }: Emulated,
  keywordText: string,
): Promise<NewKeyword & { adGroupId: string }> {
  const [keyword] = await us.sp.keywords.list({ states: ["ENABLED"] });
  const { campaignId, adGroupId } = keyword!;
  return { campaignId, adGroupId, keywordText, matchType: "EXACT", state: "ENABLED", bid: 0.5 };
}

function bodiesOf({ emulator }: Emulated, operation: string): { keywords: Record<string, unknown>[] }[] {
  return emulator.requests().filter((entry) => entry.operation === operation).map(({ body }) =>
    JSON.parse(body!)
  );
}

for (const drop of ["before", "after"] as const) {
  Deno.test(`a create whose connection drops ${drop} the platform acts is not sent twice, and is unknown`, async () => {
    await using world = await emulated();
    const item = await newKeyword(world, "dropped keyword");
    world.emulator.setFaults([{ match: { operation: CREATE }, times: 1, effects: { drop } }]);
    const result = await world.us.sp.keywords.create([item]);
    equal(result.errors[0]!.outcome, "unknown");
    equal(result.errors[0]!.code, "UNKNOWN");
    equal(bodiesOf(world, CREATE).length, 1);
    const found = (await world.us.sp.keywords.list({ adGroupIds: [item.adGroupId] }))
      .filter(({ keywordText }) => keywordText === "dropped keyword");
    equal(found.length, drop === "after" ? 1 : 0);
  });
}

Deno.test("items that the platform was too busy for are sent again alone", async () => {
  await using world = await emulated();
  const keywords = (await world.us.sp.keywords.list()).slice(0, 9);
  const itemErrors = { errorType: "throttledError", every: 3 };
  world.emulator.setFaults([{ match: { operation: UPDATE }, times: 1, effects: { itemErrors } }]);
  const result = await world.us.sp.keywords.update(
    keywords.map(({ keywordId }) => ({ keywordId, bid: 0.77 })),
  );
  equal(result.summary(), "9 succeeded, 0 failed");
  const sent = bodiesOf(world, UPDATE).map(({ keywords }) => keywords.map(({ keywordId }) => keywordId));
  deepEqual(sent[1], [2, 5, 8].map((index) => keywords[index]!.keywordId));
  deepEqual(result.ids, keywords.map(({ keywordId }) => keywordId));
});

Deno.test("items that the platform failed on are sent again for updates and archives, never for creates", async () => {
  await using world = await emulated();
  const { keywords } = world.us.sp;
  const itemErrors = { errorType: "internalServerError", at: [0] };
  const fail = (operation: string): void =>
    world.emulator.setFaults([{ match: { operation }, times: 1, effects: { itemErrors } }]);
  const [{ keywordId } = { keywordId: "" }] = await keywords.list({ states: ["ENABLED"] });

  fail(UPDATE);
  ok((await keywords.update([{ keywordId, bid: 0.77 }])).ok);
  fail("sponsored-products:DeleteSponsoredProductsKeywords");
  ok((await keywords.delete([keywordId])).ok);

  const item = await newKeyword(world, "failed keyword");
  fail(CREATE);
  const created = await keywords.create([item]);
  deepEqual(created.errors.map(({ transient, errorType }) => [transient, errorType]), [[
    true,
    "internalServerError",
  ]]);
  equal(bodiesOf(world, CREATE).length, 1);
});

Deno.test("two updates at once under a storm of 429 both reach the end, each with its own verdicts", async () => {
  await using world = await emulated();
  const keywords = (await world.us.sp.keywords.list()).slice(0, 40);
  const ids = keywords.map(({ keywordId }) => keywordId);
  const [mine, theirs] = [ids.slice(0, 20), ids.slice(20)];
  world.emulator.setFaults([
    { match: { operation: UPDATE }, times: 7, effects: { response: { status: 429, retryAfter: 3 } } },
  ]);
  const before = world.time.now();
  const [a, b] = await Promise.all([
    world.us.sp.keywords.update(mine.map((keywordId) => ({ keywordId, bid: 0.61 }))),
    world.us.sp.keywords.update(theirs.map((keywordId) => ({ keywordId, bid: 0.62 }))),
  ]);
  deepEqual([a.ids, b.ids], [mine, theirs]);
  const now = await world.us.sp.keywords.getMany(ids);
  ok(mine.every((id) => now.get(id)!.bid === 0.61) && theirs.every((id) => now.get(id)!.bid === 0.62));
  equal(bodiesOf(world, UPDATE).length, 9, "seven refusals and two answers");
  ok(world.time.now() - before >= 9_000, "whoever asked waited as long as it was told");
});

Deno.test("a lost update of several requests tells what was done, what may have been, and what never left", async () => {
  await using world = await emulated();
  const adGroups = await world.us.sb.adGroups.list();
  const [{ campaignId, adGroupId } = { campaignId: "", adGroupId: "" }] = adGroups;
  const texts = [...Array(250).keys()].map((n) => ({
    campaignId,
    adGroupId,
    keywordText: `word ${n}`,
    matchType: "exact",
    bid: 0.5,
  }));
  const { ids } = await world.us.sb.keywords.create(texts);
  world.emulator.setFaults([
    { match: { operation: "*updateKeywords" }, skip: 1, times: 1, effects: { drop: "after" } },
  ]);
  const result = await world.us.sb.keywords.update(ids.map((keywordId) => ({ keywordId, bid: 0.63 })));
  equal(result.successes.length, 100);
  const outcomes = Map.groupBy(result.errors, ({ outcome }) => outcome);
  deepEqual(outcomes.get("unknown")!.map(({ index }) => index), [...Array(100).keys()].map((n) => 100 + n));
  deepEqual(outcomes.get("not_sent")!.map(({ index }) => index), [...Array(50).keys()].map((n) => 200 + n));
});

for (
  const body of [
    { code: "INTERNAL_ERROR" },
    { code: "500", details: "Something broke" },
    { errors: [{ message: "no" }] },
    {},
    undefined,
    "ok",
  ]
) {
  Deno.test(`a success status with ${JSON.stringify(body) ?? "no body"} does not say what became of a write`, async () => {
    const scope = fakeScope(() => body);
    const { keywords, targets } = new SponsoredBrands(scope);
    const place = { campaignId: "11", adGroupId: "21" };
    const keyword = { ...place, keywordText: "a", matchType: "exact", bid: 1 };
    const target = { ...place, expressions: [{ type: "asinSameAs", value: "B0DVQWC048" }], bid: 1 };
    for (const count of [1, 2]) {
      const created = [
        await keywords.create(Array(count).fill(keyword)),
        await targets.create(Array(count).fill(target)),
      ];
      for (const { errors } of created) {
        deepEqual(errors.map(({ outcome }) => outcome), Array(count).fill("unknown"));
      }
    }
    const rest = [
      await keywords.update([{ keywordId: "1", ...place, bid: 2 }]),
      await targets.update([{ targetId: "1", ...place, bid: 2 }]),
      // An archive is answered with nothing at all.
      ...body === undefined ? [] : [await keywords.delete(["1"]), await targets.delete(["1"])],
    ];
    for (const { errors } of rest) deepEqual(errors.map(({ outcome }) => outcome), ["unknown"]);
  });
}
