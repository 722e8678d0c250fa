import { deepEqual, equal, match, notEqual, ok, throws } from "../../support/assert.ts";
import { ChangePlan } from "../../../mod.ts";
import { planBids, planBudgets, planHarvest, planNegatives } from "../../../src/account/mod.ts";
import { figuresOf } from "../../../src/store/figures/entity_figures.ts";
import type { Approval } from "../../../src/plans/model/approval.ts";
import { ensureCurrent } from "../../../src/plans/review/approval.ts";
import { judge } from "../../../src/plans/review/judge.ts";
import { planView } from "../../../src/plans/view/plan_view.ts";
import { renderPlan } from "../../../src/plans/view/terminal_text.ts";
import type { Evidence } from "../../../src/plans/model/change.ts";
import { storedWorld } from "./stored_world.ts";

const plain = (text: string): string => text;
const STYLES = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };

/** Sums of stored rows, read without the code that makes evidence. */
async function sums(
  store: { rows(report: "sp_targeting", query: object): AsyncIterable<Readonly<Record<string, unknown>>> },
  keywordId: string,
  { from, to }: Evidence,
): Promise<Record<string, number>> {
  const total = { clicks: 0, cost: 0, orders: 0, sales: 0 };
  for await (const row of store.rows("sp_targeting", { countryCode: "US", start: from, end: to })) {
    if (row["keywordId"] !== keywordId) continue;
    total.clicks += Number(row["clicks"]);
    total.cost += Number(row["cost"]);
    total.orders += Number(row["purchases14d"]);
    total.sales += Number(row["sales14d"]);
  }
  return total;
}

Deno.test("beside each bid stand the figures of the window that it was judged by", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting", "sb_targeting"] });
  const { world: { us }, store } = at;
  const where = "acos14d < 0.25 && clicks14d >= 5";
  const { plan, figures } = await planBids(us, { store, where, change: "+10%", max: 3 });
  ok(plan.changes.length > 5);
  for (const { kind, id, evidence } of plan.changes) {
    deepEqual([evidence?.from, evidence?.to], [figures?.firstDay, figures?.lastDay], id!);
    ok(evidence!.clicks! >= 5 && evidence!.acos! < 0.25, `${kind} ${id}`);
  }
  const keyword = plan.changes.find(({ kind }) => kind === "sp.keywords")!;
  const { clicks, cost, orders, sales } = await sums(store, keyword.id!, keyword.evidence!);
  deepEqual(keyword.evidence, {
    from: figures!.firstDay,
    to: figures!.lastDay,
    clicks,
    cost: Number(cost!.toFixed(2)),
    orders,
    sales: Number(sales!.toFixed(2)),
    acos: Number((cost! / sales!).toFixed(4)),
  });

  const text = renderPlan(planView(plan), { styles: STYLES });
  match(text, new RegExp(`Figures shown with the changes: ${figures!.firstDay} to ${figures!.lastDay}`));
  match(text, /\n {6}ACOS [\d.]+ %, \d+ clicks, [\d.]+ spent, \d+ orders?\n/);
  match(plan.toMarkdown(), /\| change \| evidence \|\n/);
  match(plan.toMarkdown(), /ACOS [\d.]+ %, \d+ clicks/);
});

Deno.test("harvested terms show what they sold, negatives what they wasted, budgets on how many days they were gone", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const map = [{ source: "Trail Tent 2P auto", target: "Trail Tent 2P exact" }];
  const harvest = (await planHarvest(us, { store, map, minOrders: 1, bid: "cpc" })).plan;
  ok(harvest.changes.length > 0);
  for (const { evidence, dependsOn } of harvest.changes) {
    if (dependsOn === undefined) ok(evidence!.orders! >= 1 && evidence!.sales! > 0);
    else equal(evidence, undefined, "they stand beside the keyword that it waits for");
  }

  const negatives = await planNegatives(us, { store, minClicks: 8 });
  ok(negatives.plan.changes.length > 0);
  for (const { after, evidence } of negatives.plan.changes) {
    const term = negatives.waste.terms.find(({ searchTerm, adGroupId }) =>
      adGroupId === after["adGroupId"] && searchTerm === after["keywordText"]
    );
    if (term === undefined) continue;
    deepEqual([evidence?.clicks, evidence?.orders], [term.clicks, 0]);
    deepEqual([evidence?.from, evidence?.to], [
      negatives.waste.clicksOf.firstDay,
      negatives.waste.clicksOf.lastDay,
    ]);
  }

  const budgets = await planBudgets(us, { store, max: 60 });
  for (const { id, evidence } of budgets.plan.changes) {
    const pressure = budgets.pressure.find(({ campaignId }) => campaignId === id)!;
    match(
      evidence!.reason!,
      new RegExp(`^its budget was spent on ${pressure.fullDays} of ${pressure.activeDays} days`),
    );
  }
});

Deno.test("any plan shows the last 30 days where a store has them, and its undo shows none", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting", "sb_targeting"] });
  const { world: { us }, store } = at;
  await planBids(us, { store, where: "acos30d < 0.2", change: "+10%", lag: 0 });
  const [keyword] = await us.sp.keywords.list({ states: ["ENABLED"] });
  const draft = us.plan().update("sp.keywords", { keywordId: keyword!.keywordId, bid: 0.77 });
  const plan = await draft.build({ figures: figuresOf(store) });
  const [{ evidence } = {}] = plan.changes;
  deepEqual([evidence?.from, evidence?.to], ["2026-08-31", "2026-09-29"]);
  const { clicks } = await sums(store, keyword!.keywordId, evidence!);
  equal(evidence?.clicks, clicks);
  equal((await draft.build()).changes[0]?.evidence, undefined, "a client without figures has none");

  const result = await plan.apply(us);
  equal(result.rollbackPlan().changes[0]?.evidence, undefined);
});

Deno.test("evidence is outside the fingerprint, and an approval does not hold for a file whose evidence was altered", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting", "sb_targeting"] });
  const { world: { us }, store } = at;
  const { plan } = await planBids(us, { store, where: "acos30d < 0.2", change: "+10%", lag: 0 });
  const saved = ChangePlan.fromJson(plan.toJson());
  deepEqual(saved.changes[0]?.evidence, plan.changes[0]?.evidence);
  const [first, ...others] = saved.changes;
  const forged = ChangePlan.fromJson(
    new ChangePlan({
      ...saved,
      changes: [{ ...first!, evidence: { ...first!.evidence, acos: 0.01 } }, ...others],
    })
      .toJson(),
  );
  equal(forged.fingerprint, saved.fingerprint);
  const shown = await judge(saved, us);
  const found = await judge(forged, us);
  notEqual(found.digest, shown.digest);
  const { digest, parts, plan: { fingerprint } } = shown;
  const approval = { digest, shown: parts, accepted: [], fingerprint } as unknown as Approval;
  throws(() => ensureCurrent(approval, found), /the evidence changed since/);
});
