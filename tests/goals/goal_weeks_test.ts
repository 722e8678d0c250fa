import { it } from "node:test";
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { parseGoals } from "../../src/account/mod.ts";
import { goalOutcomes, outcomeLine } from "../../src/account/goals/goal_outcome.ts";
import { planDecidedGoals } from "../../src/account/goals/plan_goals.ts";
import { PlanStore, PlatformAds } from "../../mod.ts";
import { heldIn } from "../../src/plans/store/running_experiments.ts";
import { longFile } from "../support/long.ts";
import { storedWorld } from "../account/jobs/stored_world.ts";

longFile();

const WEEKS = 8;
const MONTH = 3000;

it("a goal of 25 % ACOS and 3,000 a month keeps both for eight virtual weeks, and says that its proof takes longer", async () => {
  await using at = await storedWorld();
  const { emulator, time } = at.world;
  const folder = await Deno.makeTempDir({ prefix: "goal-weeks-test-" });
  const plans = PlanStore.open(folder, { now: time.now });
  const ads = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    now: time.now,
    experiments: heldIn([folder], time.now),
  });
  const ca = await ads.profile("CA");
  const file = parseGoals(
    `version: 1\ngoals:\n  main: { aim: sales, acos: 25%, limits: { month: ${MONTH} } }\n`,
    "goals.yaml",
  );
  const reports = ["sp_targeting", "sp_campaigns", "sp_placement"] as const;
  const dayBefore = (days: number): string =>
    new Date(time.now() - days * 86_400_000).toISOString().slice(0, 10);
  const pass = (days: number): void => {
    emulator.clock.advance(days * 86_400);
    time.advance(days * 86_400);
  };
  const acos = async (start: string, end: string): Promise<number> => {
    const { rows: [sums] } = await at.store.query(
      "SELECT sum(cost) / sum(sales14d) AS acos FROM sp_campaigns WHERE profile_id = ? AND date BETWEEN ? AND ?",
      [ca.profileId, start, end],
    );
    return Number(sums?.["acos"]);
  };
  pass(1); // to the first day of a month
  const first = dayBefore(0);
  for (let week = 0; week < WEEKS; week++) {
    await at.store.sync(ca, { reports, start: dayBefore(week === 0 ? 60 : 21), end: dayBefore(1) });
    const { plan } = await planDecidedGoals(ca, {
      ...{ store: at.store, file, sync: false, plans: () => Promise.resolve([plans]) },
    });
    if (plan.changes.length > 0) {
      await plans.save(plan);
      ok((await plans.apply(plan, ca)).result.ok);
    }
    pass(7);
  }
  await at.store.sync(ca, { reports, start: dayBefore(21), end: dayBefore(1) });
  const [outcome] = await goalOutcomes(at.store, {
    ...{ names: ["main"], share: file.holdBack, profileId: ca.profileId, plans: [plans], now: time.now() },
  });
  const said = outcomeLine(outcome!);
  const { rows: months } = await at.store.query(
    "SELECT substr(date, 1, 7) AS month, sum(cost) AS cost FROM sp_campaigns WHERE profile_id = ? AND date >= ? GROUP BY 1",
    [ca.profileId, first],
  );
  equal(months.length, 2);
  for (const { month, cost } of months) ok(Number(cost) <= MONTH, `${month}: ${cost}`);
  // Orders of the last 14 days are not complete.
  const [usual, after] = [
    await acos(dayBefore(7 * WEEKS + 30), dayBefore(7 * WEEKS + 1)),
    await acos(dayBefore(42), dayBefore(14)),
  ];
  ok(usual > 0.28 && after < 1.1 * 0.25, `${usual} and ${after}`);
  match(said, /^main: Too early: \d+ of about 4906 orders needed to show a difference of 10 %; \d+ to go/);

  const guide = await Deno.readTextFile(new URL("../../docs/guides/week.md", import.meta.url));
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
  const shown = guide.replaceAll(/\s+/g, " ");
  const spent = months.map(({ cost }) => Math.round(Number(cost)).toLocaleString("en-US"));
  const parts = [
    `from ${percent(usual)} to ${percent(after)} ACOS`,
    spent.join(" and "),
    said.slice("main: ".length),
  ];
  deepEqual(parts.filter((part) => !shown.includes(part)), [], "the guide shows these results");
  await Deno.remove(folder, { recursive: true });
});
