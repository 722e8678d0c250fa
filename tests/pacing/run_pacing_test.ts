import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import {
  type PacingResult,
  parsePacing,
  planPacing,
  readPacing,
  runPacing,
} from "../../src/automation/pacing/mod.ts";
import { ScheduleState } from "../../src/automation/schedules/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { type Judging, withAndWithoutPolicy } from "../support/judging.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { WatchState } from "../../src/automation/watch/mod.ts";

const NOON = Date.parse("2026-09-30T19:00:00Z");
const DAY = 86_400_000;

interface Scene extends Emulated {
  readonly store: Warehouse;
  readonly place: string;
  run(amount: number, over: string, at?: number, more?: string): Promise<PacingResult>;
  /** State and daily budget of each Sponsored Products campaign by id. */
  campaigns(): Promise<Map<string, readonly [state: string, budget: number]>>;
}

let stored: Uint8Array<ArrayBuffer> | undefined;

async function scene(work: (scene: Scene) => Promise<void>, judging?: Judging): Promise<void> {
  await using folder = await temporaryFolder();
  await using world = await emulated({
    emulator: { clock: { now: new Date(NOON).toISOString(), frozen: true }, quirks: { reportSeconds: 0 } },
    ...(judging === undefined ? {} : { client: judging.client }),
  });
  world.time.advance(7 * 3600);
  const place = `${folder.path}/ads.sqlite`;
  // Every scene has the same account: its figures are synced once.
  if (stored !== undefined) await Deno.writeFile(place, stored);
  else {
    await using fresh = await Warehouse.open(place, { now: world.time.now });
    await fresh.sync(world.us, { reports: ["sp_campaigns"], start: "2026-07-20", end: "2026-09-29" });
  }
  stored ??= await Deno.readFile(place);
  await using store = await Warehouse.open(place, { now: world.time.now });
  await work({
    ...world,
    store,
    place,
    run: (amount, over, now = NOON, more = "") =>
      runPacing(world.us, {
        file: fileOf(amount, over, more),
        store,
        now,
        write: () => {},
      }),
    campaigns: async () =>
      new Map(
        (await world.us.sp.campaigns.list()).map(({ campaignId, state, budget }) => [
          campaignId,
          [String(state), budget.budget] as const,
        ]),
      ),
  });
}

/** A store whose 10 September was never synced. */
async function withGap({ us, time }: Pick<Emulated, "us" | "time">, place: string): Promise<Warehouse> {
  const store = await Warehouse.open(place, { now: time.now });
  for (const [start, end] of [["2026-09-11", "2026-09-29"], ["2026-09-01", "2026-09-09"]] as const) {
    await store.sync(us, { reports: ["sp_campaigns"], start, end });
  }
  return store;
}

async function newCampaign(us: Emulated["us"]): Promise<string> {
  const { successes } = await us.sp.campaigns.create([{
    name: "Launch",
    targetingType: "MANUAL",
    state: "ENABLED",
    startDate: "2026-09-30",
    budget: { budgetType: "DAILY", budget: 20 },
  }]);
  return successes[0]!.id!;
}

const fileOf = (amount: number, over: string, more = "") =>
  parsePacing(
    `version: 1\nbudgets:\n  all: { amount: ${amount}, over: ${over}, select: { products: [sp] }${more} }\n`,
    "p.yaml",
  );

Deno.test("what is spent agrees with the stored reports and today's budget usage, and each line ends at the amount", () =>
  scene(async ({ us, store }) => {
    const [status] = await readPacing(us, { file: fileOf(9000, "alert"), store, now: NOON });
    const { rows } = await store.query(
      "SELECT sum(cost) AS cost FROM sp_campaigns WHERE date BETWEEN '2026-09-01' AND '2026-09-29'",
    );
    const { pace, campaigns } = status!;
    ok(Math.abs(pace!.spent - pace!.spentToday - Number(rows[0]!["cost"])) < 0.01);
    ok(pace!.spentToday > 0);
    deepEqual([pace!.missing, pace!.daysLeft, pace!.line.at(-1)!.ideal], [[], 1, 9000]);
    ok(campaigns.some(({ isFull }) => isFull) && campaigns.some(({ isFull }) => !isFull));
    ok(campaigns.every(({ expected, budget }) => expected <= budget + 1e-6));
  }));

Deno.test("alerts come once at each share that is reached, and nothing is moved while over is alert", () =>
  scene(async ({ us, run, store, place, asked }) => {
    const [{ pace } = { pace: undefined }] = await readPacing(us, {
      file: fileOf(1, "alert"),
      store,
      now: NOON,
    });
    const { spent } = pace!;
    asked();
    const at = async (amount: number) =>
      (await run(amount, "alert")).raised.filter(({ key }) => /\d$/.test(key)).map(({ key, severity }) => [
        key.split(" ").at(-1),
        severity,
      ]);
    deepEqual(await at(spent * 2), []);
    deepEqual(await at(spent / 0.75), [["70", "note"]]);
    deepEqual(await at(spent / 0.8), [], "not twice");
    deepEqual(await at(spent / 0.95), [["90", "warning"]]);
    deepEqual(await at(spent / 1.1), [["100", "urgent"]]);
    ok(asked().every((line) => !/^PUT/.test(line)));
    await using state = await WatchState.open(place);
    const kept = await state.list({ profileId: us.profileId });
    ok(
      kept.every(({ rule, over, delivered }) =>
        rule === "pacing_all" && over === "pacing" && delivered[0] === "out"
      ),
    );
  }));

withAndWithoutPolicy(
  "budgets are lowered by one bounded step a day, never above their base, and put back in the next period",
  (judging) =>
    scene(async ({ run, campaigns, us, place }) => {
      const before = await campaigns();
      const first = await run(100, "lower");
      ok(first.result?.ok);
      match(first.plan?.changes[0]?.evidence?.reason ?? "", /^all: [\d.]+ of 100 spent, today needs 0$/);
      const lowered = await campaigns();
      let moved = 0;
      for (const [id, [state, budget]] of before) {
        const [, now] = lowered.get(id)!;
        ok(now <= budget && now >= budget * 0.8 - 1e-9, `${budget} to ${now}`);
        equal(lowered.get(id)![0], state);
        if (now < budget) moved += 1;
      }
      ok(moved > 5);
      equal((await run(100, "lower", NOON + 3_600_000)).plan, undefined, "one step a day");
      const raised = await run(1_000_000, "lower", NOON + 4 * 3_600_000);
      equal(raised.plan, undefined);

      const [someone] = [...lowered].find(([id, [, budget]]) => budget < before.get(id)![1])!;
      await us.sp.campaigns.update([{ campaignId: someone, budget: 77 }]);
      // The last day of September is over and not stored; what was lowered is put back all the same.
      const next = await run(100, "lower", NOON + DAY);
      deepEqual(
        next.kept.map(({ id, live }) => [id, live]),
        [[someone, 77]],
        "a later change of a person stays",
      );
      for (const [id, [, budget]] of await campaigns()) {
        equal(budget, id === someone ? 77 : before.get(id)![1]);
      }
      await run(100, "lower", NOON + DAY + 60_000);
      await using state = await ScheduleState.open(place, { use: "pacing" });
      deepEqual(await state.bases(us.profileId), []);
    }, judging),
);

withAndWithoutPolicy(
  "campaigns are paused only where the file allows it, and enabled again when there is room, but not what a person changed",
  (judging) =>
    scene(async ({ run, campaigns, us }) => {
      const before = await campaigns();
      await us.sp.campaigns.update([{ campaignId: [...before.keys()][0]!, state: "PAUSED" }]);
      const start = await campaigns();
      const on = [...start].filter(([, [state]]) => state === "ENABLED").map(([id]) => id);
      ok((await run(100, "pause")).result?.ok);
      ok([...(await campaigns()).values()].every(([state]) => state === "PAUSED"));
      equal((await run(100, "pause")).plan, undefined, "nothing to do, and no second plan");
      const [mine, again] = on as [string, string];
      await us.sp.campaigns.update([{ campaignId: mine, state: "ENABLED" }]);
      const { kept } = await run(100, "pause");
      deepEqual(kept.map(({ id }) => id), [mine]);
      equal((await campaigns()).get(mine)![0], "ENABLED", "a person's change wins");
      await run(1_000_000, "pause", NOON + 60_000);
      deepEqual(await campaigns(), start, "what was paused before stays paused, the rest is back");
      ok(again !== undefined);
    }, judging),
);

Deno.test("a day that is not stored pauses, lowers and alerts by the spend that is known; raises wait and the day is named", () =>
  scene(async ({ campaigns, us, time, place }) => {
    await using store = await withGap({ us, time }, place.replace("ads.sqlite", "gap.sqlite"));
    const run = (amount: number, over: string, now = NOON): Promise<PacingResult> =>
      runPacing(us, { file: fileOf(amount, over), store, now, write: () => {} });
    const before = await campaigns();
    const [status] = await readPacing(us, { file: fileOf(1000, "pause"), store, now: NOON });
    deepEqual(status!.pace!.missing, ["2026-09-10"]);
    ok(status!.pace!.spent > 1000);

    const lower = await run(1000, "lower");
    ok(lower.plan!.changes.length > 5);
    match(
      lower.unjudged[0]!.why,
      /^2026-09-10 is not stored, so budgets are not raised yet\. Run sync\(\) from 2026-09-10$/,
    );
    deepEqual(
      lower.raised.map(({ key, severity }) => [key.split(" ").slice(2).join(" "), severity]),
      [["100", "urgent"], ["missing 2026-09-10", "warning"]],
    );
    const lowered = await campaigns();
    ok([...lowered].every(([id, [, budget]]) => budget <= before.get(id)![1]));
    equal((await run(1_000_000, "lower", NOON + 3_600_000)).plan, undefined, "a raise waits");
    equal((await planPacing(us, { file: fileOf(1_000_000, "lower"), store, now: NOON })).plan, undefined);
    const planned = await planPacing(us, { file: fileOf(1000, "lower"), store, now: NOON });
    ok(planned.plan!.changes.length > 5, "a plan may lower as well");

    const paused = await run(1000, "pause");
    ok(paused.result!.ok);
    ok([...(await campaigns()).values()].every(([state]) => state === "PAUSED"));
    const waits = await run(1_000_000, "pause", NOON + 2 * 3_600_000);
    equal(waits.plan, undefined, "enabling is a raise");
    await store.sync(us, { reports: ["sp_campaigns"], start: "2026-09-10", end: "2026-09-10" });
    const back = await run(1_000_000, "pause", NOON + 3 * 3_600_000);
    deepEqual(back.unjudged, []);
    deepEqual(
      new Map([...(await campaigns())].map(([id, [state]]) => [id, state])),
      new Map([...before].map(([id, [state]]) => [id, state])),
    );
  }));

Deno.test("the spend of an amount never falls at midnight: what was seen of a day counts until the day is stored", () =>
  scene(async ({ us, store, emulator, time, place }) => {
    const file = (amount: number) => fileOf(amount, "pause", ", from: 2026-09-01, to: 2026-12-31");
    const late = 11 * 3_600_000;
    const at = (now: number, amount = 1e6) =>
      runPacing(us, { file: file(amount), store, now, write: () => {} });
    const spentAt = (result: PacingResult) => result.statuses[0]!.pace!;
    emulator.clock.advance(late / 1000);
    const evening = spentAt(await at(NOON + late));
    ok(evening.spentToday > 0);
    emulator.clock.advance(3 * 3600);
    const night = await at(NOON + late + 3 * 3_600_000);
    deepEqual(spentAt(night).missing, ["2026-09-30"]);
    ok(spentAt(night).spent >= evening.spent, `${spentAt(night).spent} after ${evening.spent}`);
    const [shown] = await readPacing(us, { file: file(1e6), store, now: NOON + late + 3 * 3_600_000 });
    equal(shown!.pace!.spent, spentAt(night).spent);
    // Reached the evening before, it is reached in the night as well.
    ok((await at(NOON + late + 3 * 3_600_000, evening.spent)).plan!.changes.length > 0);

    emulator.clock.advance(9 * 3600);
    time.advance(24 * 3600);
    await store.sync(us, { reports: ["sp_campaigns"], start: "2026-09-30", end: "2026-09-30" });
    const stored = spentAt(await at(NOON + late + 12 * 3_600_000));
    deepEqual(stored.missing, []);
    ok(stored.spent - stored.spentToday >= evening.spent);
    await using state = await ScheduleState.open(place, { use: "pacing" });
    ok((await state.spend(us.profileId)).size > 0);
  }));

Deno.test("a platform that does not say what is spent today disarms nothing", () =>
  scene(async ({ run, campaigns, emulator }) => {
    emulator.setFaults([{
      match: { path: "/sp/campaigns/budget/usage" },
      effects: { response: { status: 500 } },
    }]);
    const { statuses, plan } = await run(100, "pause");
    ok(plan!.changes.length > 5);
    ok([...(await campaigns()).values()].every(([state]) => state === "PAUSED"));
    match(statuses[0]!.notes.join("\n"), /Today's spend is unknown for \d+ campaigns/);
  }));

Deno.test("an amount without campaigns is named, and the others stay in force", () =>
  scene(async ({ us, store, campaigns }) => {
    const { unjudged, statuses } = await runPacing(us, {
      file: parsePacing(
        "version: 1\nbudgets:\n  event: { amount: 1, over: pause, select: { names: [gone] } }\n" +
          "  all: { amount: 100, over: pause, select: { products: [sp] } }\n",
        "p.yaml",
      ),
      store,
      now: NOON,
      write: () => {},
    });
    deepEqual(unjudged, [{ name: "event", why: "It selects no campaign" }]);
    equal(statuses[0]!.pace, undefined);
    ok([...(await campaigns()).values()].every(([state]) => state === "PAUSED"));
  }));

Deno.test("days before a campaign's first are stored days without cost, and not missing ones", () =>
  scene(async ({ us, store, time }) => {
    const campaignId = await newCampaign(us);
    time.advance(1);
    const file = parsePacing(
      `version: 1\nbudgets: { launch: { amount: 100, select: { ids: ["${campaignId}"] } } }`,
      "p.yaml",
    );
    const [status] = await readPacing(us, { file, store, now: NOON });
    deepEqual(status!.pace!.missing, []);
  }));

Deno.test("another currency is refused, and so is an amount without campaigns", () =>
  scene(async ({ run, us, store }) => {
    await rejects(
      run(5, "alert", NOON, ", currency: EUR"),
      /its amount is in EUR, and the profile pays in USD/,
    );
    await rejects(
      runPacing(us, {
        file: parsePacing("version: 1\nbudgets: { a: { amount: 1, select: { names: [nobody] } } }", "p.yaml"),
        store,
        now: NOON,
      }),
      /Cannot pace a of p\.yaml: it selects no campaign/,
    );
  }));

Deno.test("a plan of pacing raises what runs out and sells best, waits for approval, and leaves a schedule's budgets alone", () =>
  scene(async ({ us, store, place, asked, campaigns }) => {
    const before = await campaigns();
    asked();
    const { plan } = await planPacing(us, { file: fileOf(100_000, "alert"), store, now: NOON });
    ok(plan!.changes.length > 0);
    for (const { id, after } of plan!.changes) {
      const [, budget] = before.get(id!)!;
      const next = (after as { budget: { budget: number } }).budget.budget;
      ok(next > budget && next <= budget * 1.2 + 1e-9);
    }
    ok(asked().every((line) => !line.startsWith("PUT")));
    const [{ id }] = plan!.changes as unknown as [{ id: string }];
    {
      await using state = await ScheduleState.open(place);
      await state.keep(us.profileId, [{
        kind: "sp.campaigns",
        id,
        move: "budget",
        schedule: "nights",
        label: "x",
        base: 1,
        factor: 1,
        wrote: 1,
        intends: null,
        kept: null,
        why: "test",
      }], NOON);
    }
    const again = await planPacing(us, { file: fileOf(100_000, "alert"), store, now: NOON });
    ok(again.plan!.changes.every((change) => change.id !== id));
    match(again.kept[0]!.why, /the schedule nights moves its budget/);
  }));
