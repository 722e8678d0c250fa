import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import { drawSwitchBack } from "../../src/base/statistics/mod.ts";
import { addDays, countDays, eachDay } from "../../src/base/time/calendar.ts";
import {
  factorAt,
  parseSchedules,
  type Schedule,
  scheduleExperiments,
  scheduleOutcome,
  tickSchedules,
} from "../../src/automation/schedules/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const FILE = (experiment: string, more = ""): string =>
  `version: 1
schedules:
  nights:
    move: bid
    zone: UTC
    ${more}
    experiment: ${experiment}
    grid: [{ hours: "00-06", factor: 0.5 }]
`;
const EXPERIMENT = "{ from: 2026-06-01, weeks: 12, seed: s }";

function schedule(): Schedule {
  return parseSchedules(FILE(EXPERIMENT), "s.yaml").schedules[0]!;
}

Deno.test("a schedule is off in the weeks that were drawn as off, and on before, between and after them", () => {
  const nights = schedule();
  const factor = (day: string): number => factorAt(nights, `${day}T03:00:00Z`);
  const weeks = drawSwitchBack(nights.experiment!);
  for (const { start, end, isOn } of weeks) {
    for (const day of eachDay({ start, end })) equal(factor(day), isOn ? 0.5 : 1, day);
  }
  equal(factor("2026-05-31"), 0.5);
  equal(factor(addDays(weeks.at(-1)!.end, 1)), 0.5);
  equal(factorAt(nights, "2026-06-01T12:00:00Z"), 1);
});

Deno.test("an experiment that can show nothing is refused with its line", () => {
  for (
    const [experiment, message] of [
      ["{ from: 2026-06-01, weeks: 10, seed: s }", /s\.yaml:7: .*12 weeks or more/],
      ["{ from: 2026-06-01, weeks: 13, seed: s }", /s\.yaml:7: .*even number/],
      ["{ weeks: 12, seed: s }", /experiment\.from/],
      ["{ from: 2026-06-01, weeks: 12 }", /experiment\.seed/],
    ] as const
  ) throws(() => parseSchedules(FILE(experiment), "s.yaml"), message);
  const two = (experiment: string): string =>
    `${FILE(EXPERIMENT)}  days: { move: budget, experiment: ${experiment}, grid: [{ factor: 2 }] }\n`;
  throws(
    () => parseSchedules(two(EXPERIMENT), "s.yaml"),
    /s\.yaml:9: .*days\.experiment\.seed: Schedule "nights" has the same first day and seed/,
  );
  equal(parseSchedules(two("{ from: 2026-06-01, weeks: 12, seed: t }"), "s.yaml").schedules.length, 2);
  throws(
    () => parseSchedules(FILE(EXPERIMENT, "on: platform"), "s.yaml"),
    /run every week, so they cannot be tested\. Write on: worker/,
  );
});

/** Stored days of two campaigns, more in weeks on by a factor, with a season and a first day of each week that misleads. */
async function stored(factor: number): Promise<Warehouse> {
  const store = await Warehouse.open(`${Deno.makeTempDirSync()}/ads.sqlite`);
  const weeks = drawSwitchBack(schedule().experiment!);
  const rows = weeks.flatMap(({ start, end, isOn, pair }) =>
    [...eachDay({ start, end })].flatMap((date) =>
      ["1", "2", "3"].map((campaignId) => {
        const wobble = 1 + ((countDays({ start: "2026-06-01", end: date }) * 7) % 5) / 50;
        const usual = 100 * (1 + pair / 3) * wobble;
        const effect = campaignId === "3" ? 1 : date === start ? 9 : isOn ? factor : 1;
        const clicks = Math.round(usual * effect);
        return {
          date,
          campaignId,
          clicks,
          cost: clicks,
          purchases14d: Math.round(clicks / 5),
          sales14d: clicks * 2,
        };
      })
    )
  );
  await store.replace(
    { profileId: "7", countryCode: "US", report: "sp_campaigns", start: "2026-06-01", end: "2026-08-23" },
    rows,
  );
  return store;
}

Deno.test("weeks on are compared with weeks off in pairs, without the first day of each and other campaigns", async () => {
  const asked = { schedule: schedule(), profileId: "7", campaignIds: ["1", "2"], today: "2026-09-20" };
  for (const [factor, verdict] of [[1.3, "more"], [0.7, "less"], [1, "no_difference"]] as const) {
    await using store = await stored(factor);
    const found = await scheduleOutcome(store, asked);
    equal(found.verdict, verdict, found.reason);
    equal(found.pairs, 6);
    const { effect, low, high } = found.effects["clicks"]!;
    ok(Math.abs(effect - (factor - 1)) < 0.03 && low <= effect && effect <= high!, `${factor}: ${effect}`);
  }
  await using store = await stored(1.3);
  const early = await scheduleOutcome(store, { ...asked, today: "2026-08-25" });
  equal(early.verdict, "too_early");
  match(early.reason, /^5 of 6 needed pairs of weeks have complete orders: ask again from 2026-09-07 on$/);
  deepEqual(early.effects, {});
  const other = await scheduleOutcome(store, { ...asked, profileId: "8" });
  equal(other.verdict, "not_known");
  ok(other.missing.length > 0);
  const { experiment: _, ...always } = schedule();
  await rejects(scheduleOutcome(store, { ...asked, schedule: always }), /has no experiment/);
});

Deno.test("experiments of schedules are planned before, on or off within, and ended after their weeks", () => {
  const nights = schedule();
  const [{ isOn: isFirstOn } = { isOn: true }] = drawSwitchBack(nights.experiment!);
  const { experiment: _, ...always } = nights;
  const at = (now: string) => scheduleExperiments([always, nights], Date.parse(now));
  deepEqual(at("2026-05-31T23:59:00Z").map(({ state, isOn, schedule }) => [schedule, state, isOn]), [
    ["nights", "planned", null],
  ]);
  deepEqual(at("2026-06-01T00:00:00Z").map(({ state, isOn, weeks, off }) => [state, isOn, weeks, off]), [
    ["running", isFirstOn, 12, 6],
  ]);
  deepEqual(at("2026-08-23T23:59:00Z").map(({ state, until }) => [state, until]), [[
    "running",
    "2026-08-23",
  ]]);
  deepEqual(at("2026-08-24T00:00:00Z").map(({ state, isOn }) => [state, isOn]), [["ended", null]]);
});

Deno.test("a schedule of budgets is switched like one of bids: budgets go back to their base in weeks off", async () => {
  await using world = await emulated({ emulator: { clock: { now: "2026-09-28T12:00:00Z", frozen: true } } });
  await using folder = await temporaryFolder();
  const [campaign] = await world.us.sp.campaigns.list({ states: ["ENABLED"] });
  const text = `version: 1
schedules:
  days:
    select: { ids: ["${campaign!.campaignId}"] }
    move: budget
    zone: UTC
    experiment: { from: 2026-09-28, weeks: 12, seed: s }
    grid: [{ factor: 1.5 }]
`;
  const { schedules } = parseSchedules(text, "s.yaml");
  const budget = async (): Promise<number | undefined> =>
    (await world.us.sp.campaigns.get(campaign!.campaignId))?.budget?.budget;
  const base = campaign!.budget!.budget!;
  const weeks = drawSwitchBack(schedules[0]!.experiment!);
  for (const { start, isOn } of weeks.slice(0, 4)) {
    await tickSchedules(world.us, { schedules, state: folder.file("ads.sqlite"), now: `${start}T09:00:00Z` });
    equal(await budget(), isOn ? Math.round(base * 150) / 100 : base, start);
  }
  ok(weeks.slice(0, 4).some(({ isOn }) => isOn) && weeks.slice(0, 4).some(({ isOn }) => !isOn));
  // What its weeks did is compared as that of bids is.
  await using store = await stored(1.3);
  const asked = { profileId: "7", campaignIds: ["1", "2"], today: "2026-09-20" };
  const found = await scheduleOutcome(store, { ...asked, schedule: { ...schedule(), move: "budget" } });
  equal(found.verdict, "more", found.reason);
});
