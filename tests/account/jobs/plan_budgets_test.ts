import { deepEqual, equal, ok, rejects } from "../../support/assert.ts";
import { countReasons, planBudgets } from "../../../src/account/mod.ts";
import { storedWorld } from "./stored_world.ts";

Deno.test("budgets of campaigns that ran out on several days rise, and the others stay", async () => {
  await using at = await storedWorld();
  const { world: { us, asked }, store } = at;
  asked();
  const { plan, pressure, leftOut, considered, figures } = await planBudgets(us, { store, max: 45 });
  equal(asked().some((line) => /^PUT/.test(line)), false, "nothing is sent");
  deepEqual(figures?.reports, ["sp_campaigns", "sb_campaigns", "sd_campaigns"]);
  equal(plan.changes.length + leftOut.length, considered);
  ok(plan.changes.length > 0);
  const rows = await Array.fromAsync(store.rows("sp_campaigns", { countryCode: "US", start: "2026-09-16" }));
  const fullDays = (id: string): number =>
    rows.filter((row) =>
      row["campaignId"] === id && Number(row["cost"]) >= 0.95 * Number(row["campaignBudgetAmount"])
    ).length;
  for (const { kind, id, before, after } of plan.changes.filter(({ kind }) => kind === "sp.campaigns")) {
    const { budget: old } = before["budget"] as { budget: number };
    const { budget: next } = after["budget"] as { budget: number };
    equal(next, Math.min(45, Number((old * 1.2).toFixed(2))), `${kind} ${id}`);
    equal(pressure.find(({ campaignId }) => campaignId === id)?.fullDays, fullDays(id!));
    ok(fullDays(id!) >= 3, `${kind} ${id}`);
  }
  ok(pressure.some(({ kind, usagePercent }) => kind === "sd.campaigns" && usagePercent !== undefined));
  for (const { kind, before, after } of plan.changes.filter(({ kind }) => kind !== "sp.campaigns")) {
    ok(Number(after["budget"]) > Number(before["budget"]), kind);
  }
  const reasons = countReasons(leftOut);
  ok((reasons.get("enough_budget") ?? 0) > 0);
  ok((reasons.get("at_maximum") ?? 0) > 0, "a budget above the highest is not lowered");
  equal((await plan.apply(us)).ok, true);
});

Deno.test("a campaign that has spent its budget early today is raised, whatever the days before say", async () => {
  await using at = await storedWorld({ holds: ["sp_campaigns", "sb_campaigns", "sd_campaigns"] });
  const { world: { us, emulator }, store } = at;
  emulator.advance(11 * 3600); // four in the afternoon there
  const { plan, pressure } = await planBudgets(us, { store, minDays: 14 });
  const out = pressure.filter(({ fullDays, usagePercent = 0, usageHour = 24 }) =>
    fullDays < 14 && usagePercent >= 95 && usageHour < 21.6
  );
  ok(out.length > 0);
  deepEqual(
    out.map(({ campaignId }) => campaignId).filter((id) => !plan.changes.some((change) => change.id === id)),
    [],
  );
  equal(out[0]?.usageHour, 16);
});

Deno.test("campaigns that sell too dearly, or not at all, keep their budgets under a highest ACOS", async () => {
  await using at = await storedWorld({ holds: ["sp_campaigns", "sb_campaigns", "sd_campaigns"] });
  const { world: { us }, store } = at;
  const { plan, leftOut, pressure } = await planBudgets(us, { store, minDays: 1, maxAcos: 0.25 });
  ok((countReasons(leftOut).get("acos_too_high") ?? 0) > 0);
  for (const { id } of plan.changes) {
    ok((pressure.find(({ campaignId }) => campaignId === id)?.acos ?? 1) <= 0.25);
  }
  const rates = pressure.flatMap(({ acos }) => acos ?? []);
  ok(rates.length > 0);
  for (const acos of rates) equal(acos, Number(acos.toFixed(6)));
});

Deno.test("limits that make no sense are refused before anything is read", async () => {
  await using at = await storedWorld();
  const { world: { us, asked }, store } = at;
  asked();
  await rejects(planBudgets(us, { store, change: "more" }), /expected a change such as/);
  await rejects(planBudgets(us, { store, days: 5, minDays: 6 }), /Cannot find 6 full days among 5/);
  await rejects(planBudgets(us, { store, days: 100 }), /Cannot look back 100 days/);
  await rejects(planBudgets(us, { store, maxAcos: 0 }), /Cannot use 0 as the highest ACOS/);
  deepEqual(asked(), []);
});

Deno.test("a Display campaign that has spent its budget early today is raised too", async () => {
  await using at = await storedWorld();
  const { world: { us, emulator }, store } = at;
  const campaigns = await us.sd.campaigns.list({ states: ["ENABLED"] });
  const lowered = campaigns.map(({ campaignId }) => ({ campaignId, budget: 1 }));
  (await us.sd.campaigns.update(lowered)).raiseForErrors();
  emulator.advance(11 * 3600);
  const { plan } = await planBudgets(us, { store, minDays: 14 });
  const raised = plan.changes.filter(({ kind }) => kind === "sd.campaigns");
  ok(raised.length > 0);
  for (const { before, after } of raised) deepEqual([before, after], [{ budget: 1 }, { budget: 1.2 }]);
  equal((await plan.apply(us)).ok, true);
});
