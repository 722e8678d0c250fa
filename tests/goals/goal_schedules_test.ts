import { it } from "node:test";
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { parseGoals } from "../../src/account/mod.ts";
import { explainGoal } from "../../src/account/goals/explain_goal.ts";
import { meanOver } from "../../src/account/goals/goal_figures.ts";
import { goalInput } from "../../src/account/goals/goal_input.ts";
import { planDecidedGoals } from "../../src/account/goals/plan_goals.ts";
import { readGoals } from "../../src/account/goals/read_goals.ts";
import { eachDay } from "../../src/base/time/calendar.ts";
import { long } from "../support/long.ts";
import { storedWorld } from "../account/jobs/stored_world.ts";

it("the mean of a value weighs each of its values by the time that it held", () => {
  const valueOf = (at: number): number => at < 6 ? 0.5 : at < 18 ? 1 : 2;
  equal(meanOver(valueOf, { moments: [18, 6, 30], from: 0, to: 24 }), (6 * 0.5 + 12 * 1 + 6 * 2) / 24);
  equal(meanOver(valueOf, { moments: [], from: 8, to: 10 }), 1);
});

it("the clicks of a scheduled bid count with its mean, even if the goal never touches it", async () => {
  await using at = await storedWorld();
  const ca = await at.world.ads.profile("CA");
  const keyword = (await ca.sp.keywords.list()).find(({ state, bid }) =>
    state === "ENABLED" && bid !== undefined
  );
  ok(keyword?.bid !== undefined);
  const { keywordId: id, bid } = keyword;
  const read = async (limits: string) => {
    const file = parseGoals(
      `version: 1\nhold_back: 0\ngoals:\n  all: { aim: sales, acos: 25%${limits} }\n`,
      "goals.yaml",
    );
    const [account] = await readGoals(ca, file, {
      ...{ scheduled: new Set([id]), paced: new Map(), signal: undefined },
    });
    return account!;
  };
  const range = { start: "2026-09-23", end: "2026-09-29" };
  // At 12:00 in Toronto the bid is doubled for two hours each day.
  const moves = [...eachDay(range)].flatMap((day) => {
    const noon = Date.parse(`${day}T16:00:00Z`);
    return [
      { at: noon - 3_600_000, before: bid, after: 2 * bid },
      { at: noon + 3_600_000, before: 2 * bid, after: bid },
    ];
  });
  for (const [limits, reason] of [["", "scheduled"], [`, limits: { never: { ids: ["${id}"] } }`, "never"]]) {
    const account = await read(limits!);
    const input = goalInput(ca, account, {
      ...{ today: "2026-09-30", range, weeks: [range], weekly: new Map(), daily: new Map() },
      ...{ campaigns: new Map(), placements: new Map(), terms: new Map(), placementChanges: new Map() },
      maturities: { days: new Map([...eachDay(range)].map((day) => [day, 1])), isOwn: true },
      ...{ campaignGaps: new Set(), spentToday: new Map() },
      changes: {
        of: (one: string) => one === id ? moves : [],
        dayOf: () => undefined,
      } as never,
    });
    const target = input.targets.find((one) => one.id === id);
    equal(target?.locked, reason);
    deepEqual(target?.periods.map(({ days }) => days), [7]);
    const mean = target?.periods[0]?.bid ?? 0;
    ok(Math.abs(mean - (22 * bid + 2 * 2 * bid) / 24) < 1e-6 * bid, `${mean} of ${bid}`);
    equal(target?.meanBid, mean);
  }
});

long();
it("a bid that a schedule moves by the hour stays, and its clicks count with the mean bid of the week", async () => {
  await using at = await storedWorld();
  const { ads, emulator, time } = at.world;
  const ca = await ads.profile("CA");
  const pass = (hours: number): void => {
    emulator.clock.advance(hours * 3600);
    time.advance(hours * 3600);
  };
  const store = async (days: number): Promise<void> => {
    const dayBefore = (back: number): string =>
      new Date(time.now() - back * 86_400_000).toISOString().slice(0, 10);
    const reports = ["sp_targeting", "sp_campaigns", "sp_placement"] as const;
    await at.store.sync(ca, { reports, start: dayBefore(days), end: dayBefore(1) });
  };
  await store(21);
  const file = parseGoals(
    "version: 1\nhold_back: 0\ngoals:\n  all: { aim: sales, acos: 25% }\n",
    "goals.yaml",
  );
  const decide = async (scheduled: readonly string[]) => {
    const made = await planDecidedGoals(ca, {
      ...{ store: at.store, file, sync: false, explained: scheduled },
      scheduled: () => Promise.resolve(new Set(scheduled)),
    });
    const [decided] = made.goals;
    ok(decided !== undefined);
    return { made, decided };
  };
  const { decided: before } = await decide([]);
  const [keyword] = before.account.entities.filter(({ kind, isInherited, bid, locked }) =>
    kind === "sp.keywords" && !isInherited && bid > 0.5 && locked === undefined
  );
  ok(keyword !== undefined);
  const { id, bid } = keyword;
  const set = async (next: number): Promise<void> => {
    deepEqual((await ca.sp.keywords.update([{ keywordId: id, bid: Number(next.toFixed(2)) }])).errors, []);
  };
  // Each day at half the bid for eight hours; the days of the profile begin at another hour than those of the clock.
  for (let day = 0; day < 8; day++) {
    await set(bid / 2);
    pass(8);
    await set(bid);
    pass(16);
  }
  await store(8);
  const { made, decided } = await decide([id]);
  const target = decided.input.targets.find((one) => one.id === id);
  const half = Number((bid / 2).toFixed(2));
  const mean = (8 * half + 16 * bid) / 24;
  const [newest] = target?.periods ?? [];
  equal(newest?.days, 7);
  ok(Math.abs(newest.bid - mean) < 0.02 * bid, `${newest.bid} instead of ${mean}`);
  deepEqual([target?.meanBid, target?.bid], [newest.bid, bid]);
  equal(decided.decision.rows.find((row) => row.id === id)?.kept, "locked");
  match(
    explainGoal(made, id).join("\n"),
    /stays [\d.]+: A schedule moves its bid by the hour, so it stays; its clicks count with the mean bid of each week \(scheduled\)/,
  );
  const { decided: alone } = await decide([]);
  ok(
    alone.input.targets.find((one) => one.id === id)?.periods.every((one) => [bid, half].includes(one.bid)),
    "without a schedule the bid at noon counts",
  );
});
