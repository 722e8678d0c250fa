import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { it } from "node:test";
import { after, before } from "../support/hooks.ts";
import { type GoalsOptions, planDecidedGoals } from "../../src/account/goals/plan_goals.ts";
import { parseGoals } from "../../src/account/mod.ts";
import { type Fetch, PlanStore, PlatformAds, type ProfileClient } from "../../mod.ts";
import type { Warehouse } from "../../src/store/mod.ts";
import { type StoredWorld, storedWorld } from "../account/jobs/stored_world.ts";

let at: StoredWorld;
let ca: ProfileClient;
let folder: string;
before(async () => {
  at = await storedWorld();
  ca = await at.world.ads.profile("CA");
  folder = await Deno.makeTempDir({ prefix: "goal-limits-test-" });
  const reports = ["sp_targeting", "sp_campaigns", "sp_placement"] as const;
  await at.store.sync(ca, { reports, start: "2026-09-09", end: "2026-09-29" });
});
after(async () => {
  await Deno.remove(folder, { recursive: true });
  await at[Symbol.asyncDispose]();
});

const plan = (profile: ProfileClient, options: Partial<GoalsOptions> = {}) =>
  planDecidedGoals(profile, {
    store: at.store,
    file: parseGoals("version: 1\nhold_back: 0\ngoals:\n  all: { aim: sales, acos: 25% }\n", "goals.yaml"),
    sync: false,
    ...options,
  });

/** The same profile, for which the platform refuses its change history. */
async function withoutHistory(): Promise<ProfileClient> {
  const { emulator, time } = at.world;
  const send: Fetch = (input, init) =>
    /\/history(\?|$)/.test(new URL(String(input)).pathname)
      ? Promise.resolve(Response.json({ code: "403", details: "Not authorized" }, { status: 403 }))
      : fetch(input, init);
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    fetch: send,
    now: time.now,
  });
  return await ads.profile("CA");
}

it("without the platform's history, bids of applied plans cool down and give past days their bids, and others are said", async () => {
  const blind = await withoutHistory();
  const plans = PlanStore.open(folder, { now: at.world.time.now });
  const known = { plans: () => Promise.resolve([plans]) };
  const none = await plan(blind, known);
  match(
    none.plan.warnings.join("\n"),
    /The change history could not be read \(.*\); no applied plan shows one either, so no bid cools down \(limits\.cooling\)/,
  );
  match(
    none.plan.warnings.join("\n"),
    /Placement adjustments stay: their change history could not be read \(.+\)/,
  );
  const { goals: [seeing] } = await plan(ca);
  ok((seeing?.decision.adjustments.size ?? 0) > 0 && none.goals[0]?.decision.adjustments.size === 0);
  const [{ id = "" } = {}] = none.plan.changes.filter(({ kind, before }) =>
    kind === "sp.keywords" && typeof before["bid"] === "number"
  );
  const keyword = (await ca.sp.keywords.list()).find(({ keywordId }) => keywordId === id);
  ok(keyword?.bid !== undefined && id !== null);
  const own = await ca.sp.keywords.planUpdate([{ keywordId: id, bid: keyword.bid + 0.1 }]);
  await plans.save(own);
  equal((await plans.apply(own, ca)).result.ok, true);
  const { plan: made, leftOut, decidedBy } = await plan(blind, known);
  equal(
    leftOut.find((one) => one.id === id)?.message,
    "Its bid was changed in the last 7 days (limits.cooling)",
  );
  equal(decidedBy.changes.of(id, "bid").length, 1);
  match(
    made.warnings.join("\n"),
    /; 1 bid of applied plans are known, so changes by others neither cool down/,
  );
  const without = await plan(blind);
  ok(without.plan.changes.some((one) => one.id === id), "without folders of plans nothing is known");
});

it("an ad group that lost its clicks keeps its bids: its stock is looked at first", async () => {
  const { goals: [before] } = await plan(ca, { again: true });
  const clicks = new Map<string, number>();
  for (const { adGroup, periods } of before?.input.targets ?? []) {
    for (const one of periods) clicks.set(adGroup, (clicks.get(adGroup) ?? 0) + one.clicks);
  }
  const [[busy = ""] = []] = [...clicks].sort(([, a], [, b]) => b - a);
  const own = new Set(before?.input.targets.filter(({ adGroup }) => adGroup === busy).map(({ id }) => id));
  ok(clicks.get(busy)! >= 60 && before?.decision.rows.some(({ id, kept }) => own.has(id) && kept === null));
  // The same store, in which the ad group has no clicks in the last week.
  const query: Warehouse["query"] = async (sql, params, options) => {
    const found = await at.store.query(sql, params, options);
    const isLast = /FROM sp_targeting .* GROUP BY keyword_id$/.test(sql) && params?.[1] === "2026-09-23";
    return isLast ? { ...found, rows: found.rows.filter(({ id }) => !own.has(String(id))) } : found;
  };
  const store = new Proxy(at.store, {
    get: (of, name) => {
      const value: unknown = name === "query" ? query : Reflect.get(of, name, of);
      return typeof value === "function" ? value.bind(of) : value;
    },
  });
  const { goals: [decided], leftOut } = await plan(ca, { again: true, store });
  const rows = decided?.decision.rows.filter(({ id }) => own.has(id)) ?? [];
  ok(rows.length > 0 && rows.every(({ kept, locked }) => kept === "locked" && locked !== null));
  const said = leftOut.filter(({ reason }) => reason === "no_clicks");
  deepEqual(said.map(({ adGroupId }) => adGroupId), said.map(() => busy));
  match(
    said[0]?.message ?? "",
    /nearly no clicks in the last week, unlike before: check stock, eligibility and state/,
  );
});
