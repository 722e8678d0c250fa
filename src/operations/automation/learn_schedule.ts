import type { HourFigures, LearnedGrid } from "../../automation/schedules/learn_schedule.ts";
import type { Schedule } from "../../automation/schedules/schedule.ts";
import { idKey } from "../../base/json/id_of.ts";
import { addDays } from "../../base/time/calendar.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { defineOperation } from "../model/operation.ts";
import { textOf } from "../model/field.ts";
import { SCHEDULES_FIELD, schedulesOf } from "./schedules_field.ts";

interface LearnContext {
  readonly profile: ProfileClient;
  /** Stored hours. @default hours of new reports */
  readonly store?: Warehouse | undefined;
  /** Path or address of the store, which keeps the schedules whose changes aren't counted. */
  readonly place?: string | undefined;
  /** Reports what is left out or read, before it is read. */
  readonly onNote: (note: string) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

interface LearnedSchedule {
  readonly schedule: Schedule;
  readonly learned: LearnedGrid;
  /** The figures behind the grid, in lines. */
  readonly comment: readonly string[];
  /** Text of the file with the grid. */
  readonly edited: string;
}

/** Hourly report fields, used when the store has no hourly data. */
const HOUR_FIELDS = ["date.value", "hour.value", "campaign.id", "metric.clicks", "metric.purchases"] as const;

export const learnSchedule = defineOperation<LearnContext, LearnedSchedule>()({
  name: "auto learn",
  effect: "read",
  isForPeople: true,
  title: "Learn a schedule",
  summary: "Learn a schedule's grid from hourly conversion rates",
  details:
    "Uses hourly stream data from the store, or the last 14 days from new reports. Hours of the week with " +
    "fewer than 75 clicks use the value of their four-hour block or day, and all values are smoothed towards " +
    "it. --cap limits the distance from 1.",
  brief: "Learns a schedule's grid from hourly conversion rates",
  examples: [{ input: { name: "nights" }, about: "show the grid and its data" }],
  library: "learnGrid(hours)",
  input: {
    name: { type: "text", required: true, value: "name", help: "schedule name" },
    schedules: SCHEDULES_FIELD,
    days: { type: "whole", min: 1, default: 30, help: "days of stream data before today" },
    cap: { type: "share", default: 0.3, help: "maximum distance of factors from 1" },
    again: { type: "switch", help: "include campaigns whose budget or state changed in this period" },
  },
  check: async ({ schedules }) => void await schedulesOf(schedules),
  async run(context, input): Promise<LearnedSchedule> {
    const { name, schedules: document, days, cap } = input;
    const [{ learnGrid }, { editGrid }] = await Promise.all([
      import("../../automation/schedules/learn_schedule.ts"),
      import("../../automation/schedules/edit_schedules.ts"),
    ]);
    const { schedules, source } = await schedulesOf(document);
    const schedule = schedules.find((one) => one.name === name);
    if (schedule === undefined) throw new RangeError(`${source} has no schedule "${name}"`);
    const campaignIds = await steadyCampaigns(context, { ...input, schedule, source });
    const { hours, from } = await hoursOf(context, { days, campaignIds });
    const learned = learnGrid(hours, { cap });
    const comment = [
      `learned from ${from}: ${learned.clicks} clicks, ${learned.orders} orders;`,
      `factors are conversion rates relative to the average, within ${Math.round(100 * cap)} % of 1;`,
      `${learned.pooled} of 168 hours had fewer than 75 clicks and use the value of their block or day`,
    ];
    const edited = editGrid(
      textOf(document),
      { name, grid: learned.grid, comment, notes: learned.notes },
      source,
    );
    return { schedule, learned, comment, edited };
  },
  data: ({ learned, comment }) => ({ ...learned, comment }),
});

/** Campaigns of a schedule whose budget and state did not change in the days to learn from. */
async function steadyCampaigns(
  { profile, place, onNote, signal }: LearnContext,
  { schedule, source, days, again }: {
    readonly schedule: Schedule;
    readonly source: string;
    readonly days: number;
    readonly again?: boolean | undefined;
  },
): Promise<string[]> {
  const [{ readMovables }, { Cooling }, { scheduledIn }] = await Promise.all([
    import("../../automation/schedules/scheduled_entities.ts"),
    import("../../account/jobs/cooling.ts"),
    import("../../automation/schedules/scheduled_ids.ts"),
  ]);
  const { name } = schedule;
  const movables = await readMovables(profile, [schedule], { signal });
  const selected = [...new Set(movables.map(({ fields }) => idKey(fields, "campaignId")))];
  if (selected.length === 0) throw new RangeError(`Schedule "${name}" of ${source} selects nothing`);
  const { today } = profile.reports;
  const cooling = await Cooling.read(profile, {
    ...{ today, again, signal, scheduled: place === undefined ? undefined : scheduledIn(place) },
    judged: { start: addDays(today, -days), end: addDays(today, -1) },
  });
  const left = Map.groupBy(
    selected,
    (id) => cooling.refusal([{ id, parts: ["budget", "state"] }])?.message,
  );
  const campaignIds = left.get(undefined) ?? [];
  left.delete(undefined);
  const notes = [...left].map(([message = "", own]) =>
    `${own.length} campaigns left out: ${message.toLowerCase()}`
  );
  for (const note of [...cooling.warnings, ...notes]) await onNote(note);
  if (campaignIds.length > 0) return campaignIds;
  throw new RangeError(
    `Cannot learn "${name}": budgets or states of all its campaigns were changed in these days. Try later, or add --again`,
  );
}

async function hoursOf(
  { profile, store, onNote, signal }: LearnContext,
  { days, campaignIds }: { readonly days: number; readonly campaignIds: readonly string[] },
): Promise<{ readonly hours: readonly HourFigures[]; readonly from: string }> {
  const [{ storedHours }, { weekdayOf }, { hourOf, timeLimits }] = await Promise.all([
    import("../../automation/schedules/plan_week.ts"),
    import("../../automation/pacing/pace.ts"),
    import("../../client/reports/field_periods.ts"),
  ]);
  const stored = store === undefined ? [] : await storedHours(profile, store, { days, campaignIds });
  if (stored.length > 0) {
    const hours = stored.map(({ day, ...one }) => ({ ...one, weekday: weekdayOf(day) }));
    return { hours, from: `stored hours of the last ${days} days` };
  }
  const { today } = profile.reports;
  const start = timeLimits(HOUR_FIELDS, today).firstDay ?? today;
  const end = addDays(today, -1);
  const from = `hours of new reports from ${start} to ${end}`;
  await onNote(`The store has no hours, so it reads ${from}`);
  const rows = await profile.reports.run({ fields: HOUR_FIELDS, start, end }, { signal });
  const wanted = new Set(campaignIds);
  const hours = rows.filter((row) => wanted.has(idKey(row, "campaign.id"))).map((row) => ({
    weekday: weekdayOf(String(row["date.value"]).slice(0, 10)),
    hour: hourOf(row["hour.value"]),
    clicks: Number(row["metric.clicks"] ?? 0),
    orders: Number(row["metric.purchases"] ?? 0),
  }));
  return { hours, from };
}
