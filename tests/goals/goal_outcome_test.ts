import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { it } from "node:test";
import { after, before } from "../support/hooks.ts";
import { goalOutcomes, outcomeLine } from "../../src/account/goals/goal_outcome.ts";
import { type GoalsOptions, planDecidedGoals } from "../../src/account/goals/plan_goals.ts";
import { parseGoals } from "../../src/account/mod.ts";
import { PlanStore, type ProfileClient } from "../../mod.ts";
import { long } from "../support/long.ts";
import { type StoredWorld, storedWorld } from "../account/jobs/stored_world.ts";

let at: StoredWorld;
let ca: ProfileClient;
let folder: string;
let plans: PlanStore;
before(async () => {
  at = await storedWorld();
  ca = at.world.us;
  folder = await Deno.makeTempDir({ prefix: "goal-outcome-test-" });
  plans = PlanStore.open(folder, { now: at.world.time.now });
});
after(async () => {
  await Deno.remove(folder, { recursive: true });
  await at[Symbol.asyncDispose]();
});

const GOALS = parseGoals(
  "version: 1\nhold_back: 40%\ngoals:\n  all: { aim: sales, acos: 25% }\n",
  "goals.yaml",
);

function pass(days: number): void {
  at.world.emulator.clock.advance(days * 86_400);
  at.world.time.advance(days * 86_400);
}

const sync = (start: string, end: string) =>
  at.store.sync(ca, { reports: ["sp_targeting", "sp_campaigns", "sp_placement"], start, end });
const outcome = async () => {
  const [found] = await goalOutcomes(at.store, {
    names: ["all"],
    share: GOALS.holdBack,
    profileId: ca.profileId,
    plans: [plans],
    now: at.world.time.now(),
  });
  ok(found !== undefined);
  return found;
};
const plan = (options: Partial<GoalsOptions> = {}) =>
  planDecidedGoals(ca, {
    store: at.store,
    file: GOALS,
    sync: false,
    plans: () => Promise.resolve([plans]),
    ...options,
  });

long();
it("a goal that does harm by its held-back part is not planned further, unless somebody asks for it", async () => {
  await sync("2026-09-01", "2026-09-29");
  equal((await outcome()).reason, "No applied plan of this goal held a part back");
  const { plan: made, notes } = await plan();
  match(
    notes.join("\n"),
    /all: with 40 % held back, a difference of 10 % takes about 3271 orders to show; these bids bring \d+ a week, so \d+ weeks/,
  );
  await plans.save(made);
  const { result } = await plans.apply(made, ca);
  ok(result.ok, result.summary());
  equal(
    outcomeLine(await outcome()),
    "all: Too early: First, 7 days with complete orders are needed, then about 3271 orders",
  );
  // Somebody spoils every bid that the plan changed.
  const worse = made.changes.filter(({ kind }) => kind !== "sp.campaigns");
  for (const [kind, own] of Map.groupBy(worse, (one) => one.kind)) {
    const id = kind === "sp.keywords" ? "keywordId" : "targetId";
    await ca.resource(kind as string).update(
      own.map((one) => ({ [id]: one.id, bid: Number((6 * Number(one.after["bid"])).toFixed(2)) })),
    );
  }
  pass(50);
  await sync("2026-09-30", "2026-11-18");
  const found = await outcome();
  equal(found.verdict, "less", found.reason);
  const stopped = await plan();
  deepEqual(stopped.plan.changes.filter(({ kind }) => kind !== "sp.campaigns"), []);
  match(
    stopped.notes.join("\n"),
    /all: Held-back bids do better .* the option despiteHarm plans all the same, so every bid stays\nall: Worse: -\d/,
  );
  ok(stopped.leftOut.some(({ reason }) => reason === "harmful"));
  const on = await plan({ despiteHarm: true });
  ok(on.plan.changes.length > 0);
  match(on.notes.join("\n"), /all: Worse: -\d/);
});
