import { deepEqual, equal, match, ok, rejects } from "../../support/assert.ts";
import { countReasons, planHarvest, planNegatives } from "../../../src/account/mod.ts";
import type { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import { isProductTerm } from "../../../src/client/entities/model/check_keyword_text.ts";
import { ensureStored } from "../../../src/account/jobs/ensure_stored.ts";
import { readSearchTerms, type SearchTermFigures } from "../../../src/account/jobs/search_terms.ts";
import { addDays } from "../../../src/base/time/calendar.ts";
import { storedWorld } from "./stored_world.ts";

const AUTO = "Trail Tent 2P auto";
const EXACT = "Trail Tent 2P exact";

type World = Awaited<ReturnType<typeof storedWorld>>;

/** Terms of 30 days with clicks, those that cost most first. */
async function everyTerm({ world: { us }, store }: World): Promise<SearchTermFigures[]> {
  const end = addDays(us.reports.today, -1);
  const days = { start: addDays(end, -29), end };
  await ensureStored(us, ["sp_search_terms"], { store, days });
  return await readSearchTerms(store, { profileId: us.profileId, days, minClicks: 1 });
}

/** Those of the automatic ad group. */
async function termsOf(at: World): Promise<SearchTermFigures[]> {
  return (await everyTerm(at)).filter(({ adGroupName }) => adGroupName === AUTO);
}

Deno.test("chosen search terms become keywords whatever their orders, and no other term does", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us }, store } = at;
  const known = new Set((await us.sp.keywords.list()).map(({ keywordText }) => keywordText));
  const all = (await termsOf(at)).filter(({ searchTerm }) => !isProductTerm(searchTerm));
  const unsold = all.find(({ orders, searchTerm }) => orders === 0 && !known.has(searchTerm));
  ok(unsold);
  const { plan } = await planHarvest(us, {
    store,
    map: [{ source: AUTO, target: EXACT }],
    terms: [{ searchTerm: ` ${unsold.searchTerm.toUpperCase()}`, adGroupId: unsold.adGroupId }],
  });
  deepEqual(plan.changes.map(({ kind, after }) => [kind, after["keywordText"]]), [
    ["sp.keywords", unsold.searchTerm],
    ["sp.negative_keywords", unsold.searchTerm],
  ]);
  match(plan.note ?? "", /^1 chosen search term, figures from /);
});

Deno.test("a chosen product becomes a product target of the target ad group, with a negative target in its source", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us }, store } = at;
  const product = (await termsOf(at)).find(({ searchTerm }) => isProductTerm(searchTerm));
  ok(product);
  const running = new Set(
    (await us.sp.campaigns.list({ states: ["ENABLED"] })).map(({ campaignId }) => campaignId),
  );
  const groups = await us.sp.adGroups.list({ states: ["ENABLED"] });
  const target = groups.find(({ name, campaignId }) => / products$/.test(name) && running.has(campaignId));
  ok(target);
  const options = {
    store,
    map: [{ source: AUTO, target: target.adGroupId, bid: 0.7 }],
    terms: [{ searchTerm: product.searchTerm, adGroupId: product.adGroupId }],
  };
  const { plan, leftOut } = await planHarvest(us, options);
  deepEqual(leftOut, []);
  const expression = [{ type: "ASIN_SAME_AS", value: product.searchTerm.toUpperCase() }];
  deepEqual(
    plan.changes.map(({ kind, after }) => [kind, after["adGroupId"], after["expression"], after["bid"]]),
    [
      ["sp.targets", target.adGroupId, expression, 0.7],
      ["sp.negative_targets", product.adGroupId, expression, undefined],
    ],
  );
  deepEqual(plan.changes[1]?.dependsOn, [plan.changes[0]?.ref]);
  const result = await plan.apply(us);
  equal(result.ok, true, result.summary());
  const again = await planHarvest(us, options);
  deepEqual([again.plan.changes.length, [...countReasons(again.leftOut)]], [0, [["harvested", 1]]]);

  // Without its negative, and with the target paused, a negative would take the product's last ad.
  const [made, negative] = result.changes.map(({ id }) => id!);
  await us.sp.targets.update([{ targetId: made!, state: "PAUSED" }]);
  await us.sp.negativeTargets.delete([negative!]);
  const paused = await planHarvest(us, options);
  deepEqual([paused.plan.changes.length, [...countReasons(paused.leftOut)]], [0, [["target_paused", 1]]]);
});

Deno.test("chosen terms are negated whatever their orders, but never a keyword of the same ad group", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us }, store } = at;
  const all = await termsOf(at);
  const sold = all.find(({ orders, searchTerm }) => orders > 0 && !isProductTerm(searchTerm));
  const product = all.find(({ searchTerm }) => isProductTerm(searchTerm));
  ok(sold && product);
  const terms = [sold, product].map(({ searchTerm, adGroupId }) => ({ searchTerm, adGroupId }));
  const { plan, waste } = await planNegatives(us, { store, terms });
  deepEqual(plan.changes.map(({ kind }) => kind).sort(), ["sp.negative_keywords", "sp.negative_targets"]);
  equal(waste.terms.length, 2);
  const keywords = new Set(
    (await us.sp.keywords.list({ states: ["ENABLED"] })).map((one) => `${one.adGroupId} ${one.keywordText}`),
  );
  const own = (await everyTerm(at)).find(({ adGroupId, searchTerm }) =>
    keywords.has(`${adGroupId} ${searchTerm}`)
  );
  ok(own);
  const kept = await planNegatives(us, {
    store,
    terms: [{ searchTerm: own.searchTerm, adGroupId: own.adGroupId }],
  });
  deepEqual([kept.plan.changes.length, [...countReasons(kept.leftOut).keys()]], [0, ["own_keyword"]]);
});

Deno.test("chosen terms without figures are refused, all by name", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us }, store } = at;
  const terms = ["no such term", "nor this"].map((searchTerm) => ({ searchTerm, adGroupId: "7" }));
  const message = /"no such term" in ad group 7, "nor this" in ad group 7/;
  await rejects(() => planNegatives(us, { store, terms }), message);
  await rejects(() => planHarvest(us, { store, map: [], terms }), message);
});

Deno.test("chosen terms read only their ad groups and those of the map", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us, emulator }, store } = at;
  const term = (await termsOf(at)).find(({ orders, searchTerm }) => orders > 0 && !isProductTerm(searchTerm));
  ok(term);
  const terms = [{ searchTerm: term.searchTerm, adGroupId: term.adGroupId }];
  const listed = async (run: () => Promise<unknown>): Promise<string[]> => {
    const before = emulator.requests().length;
    await run();
    return emulator.requests().slice(before).filter(({ path }) => path.endsWith("/list"))
      .filter(({ body }) => !/IdFilter|nameFilter/.test(JSON.stringify(body)))
      .map(({ path }) => path.replace(/^\/\w+/, ""));
  };
  const map = [{ source: AUTO, target: EXACT }];
  let plan: ChangePlan | undefined;
  // The review of a plan with bids compares with a sample of keywords.
  deepEqual(await listed(async () => ({ plan } = await planHarvest(us, { store, map, terms }))), [
    "/sp/keywords/list",
  ]);
  ok((plan?.changes.length ?? 0) > 0);
  deepEqual(await listed(() => planNegatives(us, { store, terms })), []);
  const suggesting = await listed(async () => {
    const { suggestions } = await planHarvest(us, { store, map: [], terms });
    deepEqual(suggestions.map(({ sourceName, targetName }) => [sourceName, targetName]), [[AUTO, EXACT]]);
  });
  ok(!suggesting.includes("/sp/keywords/list"), "keywords are most of an account");
  const misspelt = planHarvest(us, { store, terms, map: [{ source: AUTO, target: `${EXACT}s` }] });
  await rejects(misspelt, /Did you mean "Trail Tent 2P exact"/);
});
