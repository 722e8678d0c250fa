import { deepEqual, equal, match, ok, rejects } from "../../support/assert.ts";
import { countReasons, planHarvest } from "../../../src/account/mod.ts";
import type { Change } from "../../../mod.ts";
import { storedWorld } from "./stored_world.ts";

const TENT = { source: "Trail Tent 2P auto", target: "Trail Tent 2P exact" };

function negatives(changes: readonly Change[]): Change[] {
  return changes.filter(({ kind }) => kind === "sp.negative_keywords");
}

Deno.test("search terms that sell become exact keywords, each with a negative that waits for it", async () => {
  await using at = await storedWorld();
  const { world: { us, asked }, store } = at;
  asked();
  const { plan, leftOut, considered, suggestions } = await planHarvest(us, {
    store,
    map: [TENT],
    minOrders: 1,
    bid: "cpc",
  });
  deepEqual(
    asked().filter((line) => /^(PUT|DELETE)|^POST \/sp\/(keywords|negativeKeywords)$/.test(line)),
    [],
  );
  const keywords = plan.changes.filter(({ kind }) => kind === "sp.keywords");
  ok(keywords.length > 0);
  equal(negatives(plan.changes).length, keywords.length);
  const groups = new Map((await us.sp.adGroups.list()).map((one) => [one.name, one]));
  for (const { after, ref } of keywords) {
    equal(after["adGroupId"], groups.get(TENT.target)?.adGroupId);
    equal(after["matchType"], "EXACT");
    ok(Number(after["bid"]) >= 0.02);
    const [negative] = negatives(plan.changes).filter(({ dependsOn }) => dependsOn?.includes(ref ?? ""));
    equal(negative?.after["keywordText"], after["keywordText"]);
    equal(negative?.after["adGroupId"], groups.get(TENT.source)?.adGroupId);
    equal(negative?.after["matchType"], "NEGATIVE_EXACT");
  }
  ok((countReasons(leftOut).get("no_target") ?? 0) > 0);
  ok((countReasons(leftOut).get("own_keyword") ?? 0) > 0);
  ok(keywords.length + leftOut.length <= considered);
  ok(suggestions.length > 0);
  ok(
    suggestions.every(({ sourceName }) => sourceName !== TENT.source),
    "what the map names is not suggested",
  );
  ok(suggestions.some(({ targetName }) => targetName !== null && / exact$/.test(targetName)));
});

Deno.test("what was harvested is left out the next time", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us }, store } = at;
  const options = { store, map: [TENT], minOrders: 1 };
  const first = await planHarvest(us, options);
  const result = await first.plan.apply(us);
  equal(result.ok, true, result.summary());
  const second = await planHarvest(us, options);
  deepEqual(second.plan.changes, []);
  equal(countReasons(second.leftOut).get("harvested"), negatives(first.plan.changes).length);
});

Deno.test("a negative is not sent where its keyword failed", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us, emulator }, store } = at;
  const { plan } = await planHarvest(us, { store, map: [TENT], minOrders: 1 });
  match(plan.note!, /; new keywords bid their ad group's default: \d+(\.\d+)? in /);
  emulator.setFaults([{
    match: { path: "/sp/keywords", method: "POST" },
    effects: { itemErrors: { errorType: "otherError", every: 1 } },
  }]);
  const result = await plan.apply(us);
  equal(result.ok, false);
  for (const { change, outcome } of result.changes) {
    equal(outcome, change.kind === "sp.keywords" ? "refused" : "not_sent", change.label);
  }
});

Deno.test("a keyword that exists gets its negative alone, which waits for nothing", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us }, store } = at;
  const options = { store, map: [TENT], minOrders: 1 };
  const first = await planHarvest(us, options);
  const [keyword] = first.plan.changes.filter(({ kind }) => kind === "sp.keywords");
  await us.sp.keywords.create([keyword!.after as never]);
  const { plan } = await planHarvest(us, options);
  equal(plan.changes.some(({ kind, label }) => kind === "sp.keywords" && label === keyword!.label), false);
  const [negative] = negatives(plan.changes).filter(({ after }) =>
    after["keywordText"] === keyword!.after["keywordText"]
  );
  equal(negative?.dependsOn, undefined);
});

Deno.test("without a map nothing is planned, and targets are suggested", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us }, store } = at;
  const { plan, suggestions } = await planHarvest(us, { store, map: [], minOrders: 2 });
  equal(plan.changes.length, 0);
  ok(
    suggestions.some(({ sourceName, targetName }) =>
      sourceName === "Trail Tent 2P auto" && targetName === "Trail Tent 2P exact"
    ),
  );
});

Deno.test("a suggested target shares products rather than words of its name", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us }, store } = at;
  const groups = new Map((await us.sp.adGroups.list()).map((one) => [one.name, one]));
  const [from, to] = [groups.get("Trail Tent 2P auto")!, groups.get("Trail Tent 4P exact")!];
  const [ad] = await us.sp.productAds.list({ adGroupIds: [from.adGroupId], states: ["ENABLED"] });
  const place = { campaignId: to.campaignId, adGroupId: to.adGroupId, state: "ENABLED" };
  const made = await us.sp.productAds.create([{ ...place, sku: String(ad!.sku) }]);
  made.raiseForErrors();
  const { suggestions } = await planHarvest(us, { store, map: [], minOrders: 2 });
  const found = suggestions.find(({ sourceAdGroupId }) => sourceAdGroupId === from.adGroupId);
  deepEqual(
    [found?.targetName, found?.sharedProducts, found?.sharedWords],
    ["Trail Tent 4P exact", 1, []],
  );
});

Deno.test("terms whose ACOS is too high are left out", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us }, store } = at;
  const all = await planHarvest(us, { store, map: [TENT], minOrders: 1 });
  const good = await planHarvest(us, { store, map: [TENT], minOrders: 1, maxAcos: 0.15 });
  ok(good.plan.changes.length < all.plan.changes.length);
  ok((countReasons(good.leftOut).get("acos_too_high") ?? 0) > 0);
});

Deno.test("every line of a map that cannot be used is named at once, before figures are read", async () => {
  await using at = await storedWorld();
  const { world: { us, asked }, store } = at;
  asked();
  const map = [
    { source: "Trail Tent 2P auto", target: "Trail Tent 2P exac", where: "row 2" },
    { source: "123", target: TENT.target, where: "row 3" },
    { source: TENT.target, target: TENT.target, where: "row 4" },
    { source: "Trail Tent 2P phrase", target: "Trail Tent 2P auto", where: "row 5" },
    { ...TENT, bid: -1, where: "row 6" },
  ];
  await rejects(planHarvest(us, { store, map }), (error: Error) => {
    match(error.message, /^Cannot use the map: 5 problems:/);
    match(error.message, /row 2: target "Trail Tent 2P exac" is not .* Did you mean "Trail Tent 2P exact"\?/);
    match(error.message, /row 3: source "123" is not the id or name of an ad group/);
    match(error.message, /row 4: source and target are the same ad group/);
    match(error.message, /row 5: target "Trail Tent 2P auto" is in an automatic campaign/);
    match(error.message, /row 6: bid -1 is not an amount above 0/);
    return true;
  });
  equal(asked().some((line) => line.includes("/reporting")), false);
});
