import { PlatformAds } from "../../../mod.ts";
import { figuresOf } from "../../../src/store/figures/entity_figures.ts";
import { deepEqual, equal, match, ok } from "../../support/assert.ts";
import { countReasons, planBids, planBudgets, planHarvest, planNegatives } from "../../../src/account/mod.ts";
import type { StoredWorld } from "./stored_world.ts";
import { storedWorld } from "./stored_world.ts";
import { long } from "../../support/long.ts";

const WEEK = 7 * 86_400;
const CUT = { where: "acos30d > 30% && clicks30d >= 10", change: "-25%", kinds: ["sp.keywords"] as const };

function later({ world: { emulator, time } }: StoredWorld, seconds: number): void {
  emulator.clock.advance(seconds);
  time.advance(seconds);
}

long();
Deno.test("a bid that a weekly plan cut is not cut again by figures from before that cut", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting"] });
  const { world: { us }, store } = at;
  const cut = new Map<string, number>();
  const counts: number[] = [];
  for (let week = 0; week < 3; week++) {
    const { plan, leftOut } = await planBids(us, { store, ...CUT });
    for (const { id } of plan.changes) cut.set(id!, (cut.get(id!) ?? 0) + 1);
    counts.push(leftOut.filter(({ reason }) => reason === "changed_lately").length);
    if (plan.changes.length > 0) equal((await plan.apply(us)).ok, true);
    later(at, WEEK);
  }
  ok(cut.size > 5, `${cut.size}`);
  deepEqual([...cut.values()].filter((times) => times > 1), [], "no keyword was cut twice");
  ok(counts[1]! >= 5, counts.join());
});

Deno.test("a second plan of the same day leaves alone what the first one changed, unless it is asked for again", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting"] });
  const { world: { us }, store } = at;
  const { plan } = await planBids(us, { store, ...CUT });
  equal((await plan.apply(us)).ok, true);
  const second = await planBids(us, { store, ...CUT });
  deepEqual(second.plan.changes, []);
  ok(countReasons(second.leftOut).get("changed_lately")! >= plan.changes.length);
  const [own] = second.leftOut.filter(({ id }) => id === plan.changes[0]!.id);
  // 30 days and the 14 before today have to pass.
  equal(own?.message, "Changed on 30 Sept, judged again from 14 Nov");
  const again = await planBids(us, { store, ...CUT, again: true });
  deepEqual(
    again.plan.changes.map(({ id }) => id).filter((id) => plan.changes.some((one) => one.id === id)).length,
    plan.changes.length,
  );
  deepEqual(
    [again.plan.money?.known, again.plan.money?.unknown],
    [again.plan.changes.length - plan.changes.length, plan.changes.length],
    "no day after the first plan is stored, so that the effect on what it changed is unknown",
  );
});

long();
Deno.test("a change that was undone after the judged days is no change", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting"] });
  const { world: { us }, store } = at;
  const { plan } = await planBids(us, { store, ...CUT });
  const result = await plan.apply(us);
  later(at, 3600);
  equal((await result.rollbackPlan().apply(us)).ok, true);
  const again = await planBids(us, { store, ...CUT });
  equal(again.plan.fingerprint, plan.fingerprint);
});

Deno.test("money of a changed bid is weighed by the days after its change alone", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting"] });
  const { world, store } = at;
  const { us } = world;
  const [{ id: keywordId } = { id: null }] = (await planBids(us, {
    ...{ store, where: "clicks30d > 30", change: "-10%", kinds: ["sp.keywords"] },
  })).plan.changes;
  ok(keywordId !== null);
  await us.sp.keywords.update([{ keywordId, bid: 0.3 }]);
  later(at, 10 * 86_400);
  const { plan } = await planBids(us, {
    ...{ store, where: "clicks30d >= 0", change: "*2", ids: [keywordId], again: true },
  });
  const costOf = async (start: string): Promise<number> => {
    const { rows: [row] } = await store.query(
      "SELECT sum(cost) AS cost FROM sp_targeting WHERE keyword_id = ? AND date >= ? AND date <= '2026-10-09'",
      [keywordId, start],
    );
    return Number(row?.["cost"]);
  };
  // From no effect to the square of the ratio and a quarter more, and 2 % of the campaign.
  const bound = (costADay: number): number => costADay * 3 * 1.25;
  const [since, month] = [bound(await costOf("2026-10-01") / 9), bound(await costOf("2026-09-10") / 30)];
  ok(since < 0.8 * month, `${since} ${month}`);
  const high = plan.money?.perDay.high ?? 0;
  ok(high >= since && high < since + 0.2 * (month - since), `${since} ${high} ${month}`);

  const figures = figuresOf(store);
  world.asked();
  const plain = await us.sp.keywords.planUpdate([{ keywordId, bid: 0.6 }], { figures });
  ok(Math.abs((plain.money?.perDay.high ?? 0) - high) < 0.01, "a plain plan is weighed by the same days");
  const toUnstored = () => Promise.resolve(new Map());
  equal(world.asked().filter((path) => path === "POST /history").length, 1);
  await us.sp.keywords.planUpdate([{ keywordId, bid: 0.6 }], { figures: toUnstored });
  deepEqual(world.asked().filter((path) => path === "POST /history"), [], "no history without figures");

  const moved = new PlatformAds(world.emulator.credentials, {
    ...{ platform: world.emulator.platform, now: world.time.now, sleep: world.time.sleep, figures },
    scheduled: (profileId) => Promise.resolve(new Set(profileId === us.profileId ? [keywordId] : [])),
  });
  const scheduled = await (await moved.profile("US")).sp.keywords.planUpdate([{ keywordId, bid: 0.6 }]);
  ok((scheduled.money?.perDay.high ?? 0) >= month, "hourly moves of schedules are no change");

  await us.sp.keywords.update([{ keywordId, bid: 0.4 }]);
  const today = await us.sp.keywords.planUpdate([{ keywordId, bid: 0.6 }], { figures });
  deepEqual([today.money?.known, today.money?.basis], [0, [
    "1 unknown: no stored day since the last change",
  ]]);
  match(today.toMarkdown(), /Spend: 1 of 1 unknown\n/);
});

Deno.test("spend is unknown with its reason where the change history cannot be read, and a pause is planned", async () => {
  await using at = await storedWorld({ holds: ["sp_targeting"] });
  const { world: { us, emulator }, store } = at;
  const { plan: { changes } } = await planBids(us, {
    ...{ store, where: "clicks30d > 30", change: "-10%", kinds: ["sp.keywords"] },
  });
  const keywordId = changes.find(({ before }) => typeof before["bid"] === "number")!.id!;
  const figures = figuresOf(store);
  const body = { message: "no history" };
  emulator.setFaults([{
    match: { operation: "history:getHistory" },
    effects: { response: { status: 403, body } },
  }]);
  const raised = await us.sp.keywords.planUpdate([{ keywordId, bid: 3 }], { figures });
  deepEqual([raised.money?.known, raised.money?.unknown], [0, 1]);
  match(
    raised.money?.basis.join() ?? "",
    /^1 unknown: the change history could not be read \(.*no history.*\)$/,
  );
  const paused = await us.sp.keywords.planUpdate([{ keywordId, state: "PAUSED" }], { figures });
  deepEqual([paused.money?.unknown, paused.findings.filter(({ level }) => level === "deny")], [1, []]);
  equal((await paused.apply(us)).ok, true);
});

Deno.test("a budget that was raised is not raised again by days of the old budget", async () => {
  await using at = await storedWorld({ holds: ["sp_campaigns", "sb_campaigns", "sd_campaigns"] });
  const { world: { us }, store } = at;
  const options = { store, change: "+20%", minDays: 1 };
  const first = await planBudgets(us, options);
  ok(first.plan.changes.some(({ kind }) => kind === "sp.campaigns"));
  equal((await first.plan.apply(us)).ok, true);
  later(at, WEEK);
  const second = await planBudgets(us, options);
  const raised = new Set(
    first.plan.changes.filter(({ kind }) => kind !== "sd.campaigns").map(({ id }) => id),
  );
  deepEqual(second.plan.changes.filter(({ id }) => raised.has(id)), []);
  match(
    second.leftOut.map(({ message }) => message).join("; "),
    /Changed on 30 Sept, judged again from 15 Oct/,
  );
});

Deno.test("search terms are not judged by days in which their ad group was paused", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us }, store } = at;
  const options = { store, minClicks: 4, lag: 0, days: 14 };
  const adGroups = (
    { plan }: { plan: { changes: readonly { after: Readonly<Record<string, unknown>> }[] } },
  ) => new Set(plan.changes.map(({ after }) => String(after["adGroupId"])));
  const [adGroupId = ""] = adGroups(await planNegatives(us, options));
  ok(adGroupId !== "");
  await us.sp.adGroups.pause([adGroupId]);
  later(at, 86_400);
  await us.sp.adGroups.enable([adGroupId]);
  later(at, 86_400);
  const negatives = await planNegatives(us, options);
  equal(adGroups(negatives).has(adGroupId), false);
  const reasons = countReasons(negatives.leftOut);
  ok((reasons.get("changed_lately") ?? 0) > 0, JSON.stringify([...reasons]));
  ok(adGroups(await planNegatives(us, { ...options, again: true })).has(adGroupId));
});

Deno.test("search terms are not harvested by days in which their ad group was paused", async () => {
  await using at = await storedWorld({ holds: ["sp_search_terms"] });
  const { world: { us }, store } = at;
  const options = {
    store,
    map: [{ source: "Trail Tent 2P auto", target: "Trail Tent 2P exact" }],
    minOrders: 1,
  };
  const negative = (await planHarvest(us, options)).plan.changes.find(({ kind }) => /negative/.test(kind));
  const source = String(negative?.after["adGroupId"]);
  await us.sp.adGroups.pause([source]);
  later(at, 86_400);
  await us.sp.adGroups.enable([source]);
  later(at, 86_400);
  const harvest = await planHarvest(us, options);
  deepEqual(harvest.plan.changes, []);
  ok((countReasons(harvest.leftOut).get("changed_lately") ?? 0) > 0);
  ok((await planHarvest(us, { ...options, again: true })).plan.changes.length > 0);
});
