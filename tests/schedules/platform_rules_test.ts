import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import {
  factorAt,
  parseSchedules,
  platformSchedule,
  type Schedule,
  ScheduleState,
  startSchedules,
  stopSchedules,
  tickSchedules,
} from "../../src/automation/schedules/mod.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const DAY = 86_400_000;
const ZONE = "America/Los_Angeles";

interface Scene extends Emulated {
  readonly place: string;
  readonly campaignId: string;
  readonly schedules: readonly Schedule[];
  tick(at?: number, schedules?: readonly Schedule[]): ReturnType<typeof tickSchedules>;
  bids(): Promise<Map<string, number>>;
  rules(): Promise<{ name: string; status: string; percent: number; id: string }[]>;
  advance(ms: number): void;
}

const fileOf = (campaignId: string, more = ""): readonly Schedule[] =>
  parseSchedules(
    `version: 1
schedules:
  nights: { select: { ids: ["${campaignId}"] }, move: bid, on: platform${more}, grid: [
    { hours: "00-06", factor: 0.5 }, { hours: "18-22", factor: 1.5 }] }\n`,
    "s.yaml",
  ).schedules;

async function scene(work: (scene: Scene) => Promise<void>): Promise<void> {
  await using folder = await temporaryFolder();
  await using world = await emulated();
  const { us, emulator, time } = world;
  const campaignId =
    (await us.sp.campaigns.list()).find(({ targetingType }) => targetingType === "MANUAL")!.campaignId;
  const place = `${folder.path}/ads.sqlite`;
  const schedules = fileOf(campaignId);
  await work({
    ...world,
    place,
    campaignId,
    schedules,
    advance: (ms) => {
      emulator.advance(ms / 1000);
      time.advance(ms / 1000);
    },
    tick: (at = time.now(), list = schedules) =>
      tickSchedules(us, { schedules: list, state: place, now: at }),
    bids: async () =>
      new Map(
        (await us.sp.keywords.list({ campaignIds: [campaignId] })).flatMap(({ keywordId, bid }) =>
          bid === undefined ? [] : [[keywordId, bid] as const]
        ),
      ),
    rules: async () => {
      const found = await us.call(
        "sponsored-products:SearchOptimizationRules",
        { maxResults: 300 } as never,
      ) as {
        optimizationRules: Record<string, unknown>[];
      };
      return found.optimizationRules.filter(({ ruleName }) => String(ruleName).startsWith("adsctl ")).map((
        rule,
      ) => ({
        name: String(rule["ruleName"]),
        status: String(rule["status"]),
        id: String(rule["optimizationRuleId"]),
        percent: (rule["action"] as { actionDetails: { value: number } }).actionDetails.value,
      }));
    },
  });
}

Deno.test("bids go to the lowest of the grid, and rules tied to the campaign raise them to what each hour wants", () =>
  scene(async ({ tick, bids, rules, schedules, asked }) => {
    const base = await bids();
    asked();
    const first = await tick();
    ok(first.result?.ok && first.rules?.results.every(({ ok }) => ok), JSON.stringify(first.rules?.refused));
    for (const [id, bid] of await bids()) {
      equal(bid, Math.max(0.02, Math.floor(base.get(id)! * 50 + 1e-7) / 100));
    }
    const writes = asked().filter((line) => /^(PUT|POST) (?!.*(list|search))/.test(line));
    ok(
      writes.findIndex((line) => /sp\/keywords/.test(line)) <
        writes.findIndex((line) => /rules\/optimization/.test(line)),
      "bids are lowered before rules raise them",
    );
    const live = await rules();
    const { rules: compiled } = platformSchedule({ ...schedules[0]!, zone: ZONE }, ZONE);
    equal(live.length, compiled.length);
    // The factor of each hour is that of the grid: the lowest, raised by the rules of that hour, which add up.
    for (let hour = 0; hour < 24; hour++) {
      const raise = compiled.filter(({ from, to }) => hour >= from && hour < to).reduce(
        (sum, { increment }) => sum + increment,
        0,
      );
      const wanted = factorAt(
        { ...schedules[0]!, zone: "UTC" },
        `2026-11-23T${String(hour).padStart(2, "0")}:00:00Z`,
      );
      ok(Math.abs(0.5 * (1 + raise / 100) - wanted) < 1e-4, `${hour}`);
    }
    asked();
    const again = await tick();
    equal(again.plan, undefined);
    deepEqual([again.rules?.results, again.rules?.refused], [[], []]);
    ok(asked().every((line) => !line.startsWith("PUT")), "nothing is sent twice");
    equal((await rules()).length, live.length);
  }));

Deno.test("stopping pauses the rules, and puts bids back only when they are not felt any more", () =>
  scene(async ({ tick, bids, rules, us, place, advance, time }) => {
    const base = await bids();
    await tick();
    const low = await bids();
    advance(2 * DAY);
    const stop = () => stopSchedules(us, { state: place, names: ["nights"], now: time.now() });
    const stopped = await stop();
    ok(stopped.counts.held > 0 && stopped.rules?.results.every(({ ok }) => ok));
    ok((await rules()).every(({ status }) => status === "PAUSED"));
    deepEqual(await bids(), low, "a paused rule is felt for a day: until then nothing is raised");
    equal((await tick()).plan, undefined, "also not by a tick");
    deepEqual(await bids(), low);
    advance(DAY + 60_000);
    ok((await tick()).result?.ok, "the tick after that puts them back, although the schedule is stopped");
    deepEqual(await bids(), base);
    await using state = await ScheduleState.open(place);
    deepEqual([await state.bases(us.profileId), [...await state.rules(us.profileId)]], [[], []]);
    await startSchedules(us, { state: place, names: ["nights"] });
    await tick();
    const back = await rules();
    ok(back.every(({ status }) => status === "ENABLED"), "the same rules are used again");
    deepEqual(await bids(), low);
  }));

Deno.test("a grid with a higher lowest factor changes the rules first, and raises bids a day later", () =>
  scene(async ({ tick, bids, rules, campaignId, advance, time }) => {
    const base = await bids();
    await tick();
    const low = await bids();
    advance(2 * DAY);
    const flatter = fileOf(campaignId).map((one) => ({ ...one, grid: [{ hours: "00-06", factor: 0.8 }] }));
    const { counts } = await tick(time.now(), flatter);
    ok(counts.held > 0);
    deepEqual(await bids(), low);
    ok((await rules()).filter(({ status }) => status === "ENABLED").length <= 1);
    advance(DAY + 60_000);
    await tick(time.now(), flatter);
    for (const [id, bid] of await bids()) {
      equal(bid, Math.max(0.02, Math.floor(base.get(id)! * 80 + 1e-7) / 100));
    }
  }));

Deno.test("a rule that somebody else changed is left alone and reported, unless the file insists", () =>
  scene(async ({ tick, rules, us, campaignId }) => {
    await tick();
    const [mine] = await rules();
    const body = {
      optimizationRules: [{
        optimizationRuleId: mine!.id,
        ruleName: mine!.name,
        ruleCategory: "BID",
        ruleSubCategory: "SCHEDULE",
        status: "PAUSED",
      }],
    };
    await us.call("sponsored-products:UpdateOptimizationRules", body as never);
    const { rules: found } = await tick();
    match(found!.refused[0]!.why, /somebody else changed this rule/);
    equal((await rules()).find(({ id }) => id === mine!.id)!.status, "PAUSED");
    await tick(undefined, fileOf(campaignId, ", foreign_edits: insist"));
    equal((await rules()).find(({ id }) => id === mine!.id)!.status, "ENABLED");
  }));

Deno.test("a campaign with too many rules of others, or of two schedules, is left as it is", () =>
  scene(async ({ tick, us, campaignId, bids, rules }) => {
    const base = await bids();
    const window = { startTime: "01:00", endTime: "02:00" };
    const others = Array.from({ length: 19 }, (_, at) => ({
      ruleName: `Theirs ${at}`,
      ruleCategory: "BID",
      ruleSubCategory: "SCHEDULE",
      status: "ENABLED",
      action: {
        actionType: "ADOPT",
        actionDetails: { actionOperator: "INCREMENT", actionUnit: "PERCENT", value: 5 },
      },
      recurrence: { type: "DAILY", timesOfDay: [window], duration: { startTime: "2026-09-01T00:00:00Z" } },
    }));
    const made = await us.call(
      "sponsored-products:CreateOptimizationRules",
      { optimizationRules: others } as never,
    ) as {
      responses: { optimizationRule: { optimizationRuleId: string } }[];
    };
    const optimizationRuleIds = made.responses.map(({ optimizationRule }) =>
      optimizationRule.optimizationRuleId
    );
    await us.call(
      "sponsored-products:AssociateOptimizationRulesToCampaign",
      { optimizationRuleIds } as never,
      {
        pathParams: { campaignId },
      } as never,
    );
    const { rules: found } = await tick();
    match(found!.refused[0]!.why, /it has 19 other rules and nights needs \d+; a campaign may have 20/);
    deepEqual(await bids(), base);
    deepEqual(await rules(), []);
    const two = [...fileOf(campaignId), {
      ...fileOf(campaignId)[0]!,
      name: "days",
      on: "worker" as const,
      grid: [{ factor: 1 }],
    }];
    const both = await tick(undefined, two);
    match(both.rules!.refused[0]!.why, /days selects it too, and the two would add up/);
  }));

Deno.test("what rules cannot carry out is refused before anything is read, and says to write on: worker", async () => {
  const nights = fileOf("1")[0]!;
  for (
    const [change, why] of [
      [{ min: 0.1 }, /min and max cannot apply\. Write on: worker/],
      [
        { zone: "Asia/Tokyo" },
        /use the profile's time zone, America\/Los_Angeles, and the schedule uses Asia\/Tokyo/,
      ],
      [{ combine: "multiply" }, /rules add up/],
      [
        { grid: [{ hours: "00:15-01", factor: 0.5 }] },
        /platform rules start on the hour, and 00:15-01 does not/,
      ],
    ] as const
  ) {
    await rejects(
      () => Promise.resolve().then(() => platformSchedule({ ...nights, ...change } as Schedule, ZONE)),
      why,
    );
  }
  await rejects(
    () => Promise.resolve().then(() => platformSchedule(nights, "Asia/Tokyo", { countryCode: "JP" })),
    /no rules for bids are known in JP, only in US, .*\. Write on: worker/,
  );
  const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
  const grid = DAYS.flatMap((day, at) =>
    Array.from({ length: 8 }, (_, block) => ({
      days: [day],
      hours: `${3 * block}-${3 * block + 2}`,
      factor: 0.5 + (at * 8 + block) / 50,
    }))
  );
  await rejects(
    () => Promise.resolve().then(() => platformSchedule({ ...nights, grid }, ZONE)),
    /it takes \d+ rules, and a campaign may have 20\. Write on: worker/,
  );
});

Deno.test("with nothing running for two days the rules go on: clicks cost more in the raised hours of both days", async () => {
  await using folder = await temporaryFolder();
  const costs = await Promise.all([0, 1].map(async (isScheduled) => {
    const emulator = await Emulator.start({ clock: { now: "2026-10-01T12:00:00Z", frozen: true } });
    await using _ = { [Symbol.asyncDispose]: () => emulator.stop() };
    const advance = (ms: number): void => void emulator.advance(ms / 1000);
    const us = await new PlatformAds(emulator.credentials, {
      platform: emulator.platform,
      now: () => emulator.clock.now(),
      sleep: (seconds) => Promise.resolve(void emulator.advance(seconds)),
    }).profile("US");
    const { campaignId } = (await us.sp.campaigns.list({ states: ["ENABLED"] }))
      .find(({ targetingType }) => targetingType === "MANUAL")!;
    await us.sp.campaigns.update([{ campaignId, budget: { budget: 5000, budgetType: "DAILY" } }]);
    if (isScheduled === 1) {
      const tick = async () =>
        await tickSchedules(us, {
          schedules: fileOf(campaignId),
          state: folder.file("ads.sqlite"),
          now: emulator.clock.now(),
        });
      await tick();
      advance(1.5 * DAY);
      await tick();
    } else advance(1.5 * DAY);
    // From here on nothing of ours runs.
    advance(3.5 * DAY);
    const last = emulator.clock.now();
    const [start, end] = [2.5, 1.5].map((days) => new Date(last - days * DAY).toISOString().slice(0, 10)) as [
      string,
      string,
    ];
    const rows = await us.reports.run({
      fields: ["hour.value", "campaign.id", "metric.clicks", "metric.totalCost"],
      filter: { "adProduct.value": ["SPONSORED_PRODUCTS"] },
      start,
      end,
    });
    const priceOf = (from: number, to: number): number => {
      const own = rows.filter((row) =>
        row["campaign.id"] === campaignId && Number(row["hour.value"]) >= from &&
        Number(row["hour.value"]) < to
      );
      const sum = (name: "metric.clicks" | "metric.totalCost"): number =>
        own.reduce((total, row) => total + Number(row[name]), 0);
      return sum("metric.totalCost") / sum("metric.clicks");
    };
    return { evening: priceOf(18, 22), night: priceOf(0, 6) };
  }));
  const [usual, scheduled] = costs as [typeof costs[0], typeof costs[0]];
  const [evening, night] = [scheduled.evening / usual.evening, scheduled.night / usual.night];
  ok(evening > 1.3 && evening < 1.7, `evening ${evening}`);
  ok(night > 0.35 && night < 0.7, `night ${night}`);
});
