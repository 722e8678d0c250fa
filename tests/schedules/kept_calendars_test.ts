import { deepEqual, equal, match, notEqual, ok } from "../support/assert.ts";
import { drawSwitchBack } from "../../src/base/statistics/mod.ts";
import { addDays } from "../../src/base/time/calendar.ts";
import {
  parseSchedules,
  type Schedule,
  scheduleOutcome,
  ScheduleState,
} from "../../src/automation/schedules/mod.ts";
import { keepCalendars, scheduleFingerprint } from "../../src/automation/schedules/kept_calendars.ts";
import type { Movable } from "../../src/automation/schedules/scheduled_entities.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const [from, end] = ["2026-06-01", "2026-08-23"];

function file(experiment: string, factor = 0.5): Schedule[] {
  const text = `version: 1
schedules:
  nights:
    move: bid
    zone: UTC
${experiment}
    grid: [{ hours: "00-06", factor: ${factor} }]
`;
  return [...parseSchedules(text, "s.yaml").schedules];
}

const FIRST = file(`    experiment: { from: ${from}, weeks: 12, seed: s }`);
const OTHER = file(`    experiment: { from: ${from}, weeks: 12, seed: other }`);

function movables(schedules: readonly Schedule[], ids: readonly string[]): Movable[] {
  return ids.map((id) => ({
    kind: "sp.keywords",
    id,
    move: "bid",
    label: id,
    live: 1,
    fields: { campaignId: `c${id}` },
    schedules: [...schedules],
  }));
}

Deno.test("what ticks brought about is kept, and an edit of the file ends it on its day without changing it", async () => {
  await using folder = await temporaryFolder();
  await using state = await ScheduleState.open(folder.file("ads.sqlite"));
  const tick = async (day: string, schedules: readonly Schedule[], ids = ["1", "2"]) => {
    await keepCalendars({ profileId: "7", timeZone: "UTC" }, schedules, {
      state,
      movables: movables(schedules, ids),
      now: Date.parse(`${day}T12:00:00Z`),
    });
    return await state.calendars("7");
  };
  // Before its first day it may still be drawn anew.
  equal((await tick("2026-05-30", OTHER))[0]?.fingerprint, scheduleFingerprint(OTHER[0]!));
  const [kept, ...more] = await tick("2026-05-31", FIRST);
  deepEqual(more, []);
  deepEqual(kept?.weeks, drawSwitchBack(FIRST[0]!.experiment!));
  deepEqual([kept?.campaignIds, kept?.since, kept?.editedOn], [["c1", "c2"], "2026-05-31", null]);
  // Ticks of the same file change nothing, whatever it selects by now.
  deepEqual(await tick("2026-07-01", FIRST, ["1", "2", "3"]), [kept]);
  notEqual(scheduleFingerprint(OTHER[0]!), kept?.fingerprint);
  // Another seed, another grid or no experiment at all: the first of these days counts.
  const edited = { ...kept, editedOn: "2026-07-20" };
  deepEqual(await tick("2026-07-20", OTHER), [edited]);
  deepEqual(await tick("2026-07-25", FIRST), [edited]);
  deepEqual(await tick("2026-07-28", file("")), [edited]);
  // A new experiment begins beside it.
  const later = file("    experiment: { from: 2026-08-03, weeks: 12, seed: s }");
  deepEqual((await tick("2026-08-01", later)).map(({ since, editedOn }) => [since, editedOn]), [
    ["2026-05-31", "2026-07-20"],
    ["2026-08-01", null],
  ]);
  // Once its weeks are over, an edit is none.
  const [, second] = await tick("2026-12-01", []);
  equal(second?.editedOn, null);
});

Deno.test("an outcome is of the calendar and the campaigns that were kept, and of weeks that were whole", async () => {
  await using folder = await temporaryFolder();
  await using store = await Warehouse.open(folder.file("ads.sqlite"));
  const weeks = drawSwitchBack(FIRST[0]!.experiment!);
  const rows = weeks.flatMap(({ start, isOn, pair }) =>
    Array.from({ length: 7 }, (_, at) => {
      const clicks = Math.round(100 * (1 + pair / 3) * (isOn ? 1.3 : 1));
      const [campaignId, date] = ["1", addDays(start, at)];
      return { date, campaignId, clicks, cost: clicks, purchases14d: clicks, sales14d: clicks };
    })
  );
  await store.replace(
    { profileId: "7", countryCode: "US", report: "sp_campaigns", start: from, end },
    rows,
  );
  const calendar = {
    schedule: FIRST[0]!,
    fingerprint: scheduleFingerprint(FIRST[0]!),
    weeks,
    campaignIds: ["1"],
    since: from,
    editedOn: null,
  };
  // The file says something else by now: other weeks, other campaigns, or nothing of an experiment.
  for (const [schedule] of [OTHER, FIRST, file("")]) {
    const found = await scheduleOutcome(store, {
      schedule: schedule!,
      calendar,
      profileId: "7",
      campaignIds: ["9"],
      today: "2026-09-20",
    });
    deepEqual([found.verdict, found.pairs, found.since, found.edited_on], ["more", 6, from, null]);
    ok(Math.abs(found.effects["clicks"]!.effect - 0.3) < 0.01);
    deepEqual(found.weeks, weeks);
  }
  const asked = { schedule: OTHER[0]!, profileId: "7", campaignIds: ["1"], today: "2026-09-20" };
  const edited = await scheduleOutcome(store, {
    ...asked,
    calendar: { ...calendar, editedOn: "2026-07-20" },
  });
  equal(edited.verdict, "not_known");
  match(
    edited.reason,
    /^The schedule was edited on 2026-07-20, so that only 3 pairs of its weeks are whole; 6/,
  );
  const late = await scheduleOutcome(store, { ...asked, calendar: { ...calendar, since: "2026-06-03" } });
  match(late.reason, /^Its first tick was on 2026-06-03, so that only 5 pairs/);
});
