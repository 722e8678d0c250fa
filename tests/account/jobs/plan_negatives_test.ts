import { deepEqual, equal, ok, rejects } from "../../support/assert.ts";
import { countReasons, findWaste, planNegatives } from "../../../src/account/mod.ts";
import { storedWorld } from "./stored_world.ts";

const LIMITS = { minClicks: 8, maxOrders: 0, days: 45, lag: 7 };

Deno.test("waste is what was clicked often and sold nothing, with its cost, the dearest first", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const { terms, cost, currency, clicksOf } = await findWaste(us, { store, ...LIMITS });
  ok(terms.length > 3);
  deepEqual(clicksOf, { firstDay: "2026-08-09", lastDay: "2026-09-22" });
  equal(currency, "USD");
  equal(cost, Number(terms.reduce((sum, one) => sum + one.cost, 0).toFixed(2)));
  deepEqual(terms.map((one) => one.cost), terms.map((one) => one.cost).sort((a, b) => b - a));
  for (const { clicks, orders } of terms) ok(clicks >= 8 && orders === 0);

  const rows = await Array.fromAsync(
    store.rows("sp_search_terms", { countryCode: "US", start: "2026-08-09" }),
  );
  const [first] = terms;
  const own = rows.filter((row) =>
    row["adGroupId"] === first!.adGroupId && row["searchTerm"] === first!.searchTerm
  );
  const sum = (name: string, until: string): number =>
    own.filter(({ date }) => date <= until).reduce((total, row) => total + Number(row[name]), 0);
  equal(first!.clicks, sum("clicks", "2026-09-22"), "clicks of the last days are not counted");
  equal(first!.orders, sum("purchases14d", "2026-09-29"), "orders of the last days are");
});

Deno.test("wasted terms become exact negatives where they were found, and are left out once they are there", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const { plan, leftOut, considered, waste } = await planNegatives(us, { store, ...LIMITS });
  ok(plan.changes.length > 0);
  equal(plan.changes.length + leftOut.length, considered);
  equal(waste.terms.length, considered);
  const places = new Set(waste.terms.map((term) => `${term.adGroupId} ${term.searchTerm}`));
  for (const { kind, op, after } of plan.changes) {
    equal(op, "create");
    if (kind === "sp.negative_targets") continue;
    equal(kind, "sp.negative_keywords");
    equal(after["matchType"], "NEGATIVE_EXACT");
    ok(places.has(`${after["adGroupId"]} ${after["keywordText"]}`));
  }
  ok((countReasons(leftOut).get("own_keyword") ?? 0) > 0, "a keyword's own text is not kept away");
  const result = await plan.apply(us);
  equal(result.ok, true, result.summary());
  const again = await planNegatives(us, { store, ...LIMITS });
  deepEqual(again.plan.changes, []);
  equal(countReasons(again.leftOut).get("negative_exists"), plan.changes.length);
});

Deno.test("limits that make no sense are refused before anything is read", async () => {
  await using at = await storedWorld();
  const { world: { us, asked }, store } = at;
  asked();
  await rejects(
    findWaste(us, { store, minClicks: 0 }),
    /Cannot use 0 as minClicks: expected a whole number from 1 up/,
  );
  await rejects(findWaste(us, { store, days: 60, lag: 14 }), /the platform keeps search terms for 64 days/);
  deepEqual(asked(), []);
});

Deno.test("no waste gives an empty plan", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const { plan, considered } = await planNegatives(us, { store, minClicks: 100_000 });
  equal(plan.changes.length + considered, 0);
});
