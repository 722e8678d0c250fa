import { idKey } from "../../base/json/id_of.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { drawSwitchBack, type SwitchBackWeek } from "../../base/statistics/switch_back.ts";
import { dayIn } from "../../base/time/calendar.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import { sha256 } from "../../base/text/sha256.ts";
import type { Schedule } from "./schedule.ts";
import type { Movable } from "./scheduled_entities.ts";

/**
 * Calendar of a schedule's experiment as ticks carry it out. It is stored with the base values, so that editing the
 * file does not change it.
 */
export interface KeptCalendar {
  /** The schedule at its first tick, with its time zone. */
  readonly schedule: Schedule;
  /** SHA-256 of the whole schedule; a different hash means that the file was edited. */
  readonly fingerprint: string;
  /** Weeks with and without the schedule, as drawn. */
  readonly weeks: readonly SwitchBackWeek[];
  /** Ids of the campaigns that the schedule selected at its first tick, digits as text. */
  readonly campaignIds: readonly string[];
  /** Day of the first tick, before which the schedule was not carried out. */
  readonly since: string;
  /** Day on which the schedule was first found edited or gone; `null` while it is unchanged. */
  readonly editedOn: string | null;
}

interface CalendarState {
  calendars(profileId: string): Promise<readonly KeptCalendar[]>;
  keepCalendar(profileId: string, calendar: KeptCalendar): Promise<void>;
}

export function scheduleFingerprint(schedule: Schedule): string {
  return sha256(canonicalJson(JSON.parse(JSON.stringify(schedule))));
}

/**
 * Stores the calendar of each experiment and records when a running schedule was edited, so that only results before
 * the edit are compared.
 */
export async function keepCalendars(
  { profileId, timeZone }: Pick<ProfileClient, "profileId" | "timeZone">,
  schedules: readonly Schedule[],
  { state, movables, now }: {
    readonly state: CalendarState;
    readonly movables: readonly Movable[];
    readonly now: number;
  },
): Promise<void> {
  const known = await state.calendars(profileId);
  const zoned = new Map(schedules.map((one) => [one.name, { ...one, zone: one.zone ?? timeZone }]));
  for (const calendar of known) {
    const { schedule, fingerprint, weeks, editedOn } = calendar;
    const today = dayIn(schedule.zone ?? timeZone, now);
    const isRunning = (weeks[0]?.start ?? today) <= today && today <= (weeks.at(-1)?.end ?? "");
    const own = zoned.get(schedule.name);
    if (!isRunning || editedOn !== null) continue;
    if (own !== undefined && scheduleFingerprint(own) === fingerprint) continue;
    await state.keepCalendar(profileId, { ...calendar, editedOn: today });
  }
  for (const schedule of zoned.values()) {
    const { name, experiment, zone } = schedule;
    if (experiment === undefined) continue;
    const today = dayIn(zone, now);
    const fingerprint = scheduleFingerprint(schedule);
    const old = known.find((one) =>
      one.schedule.name === name && one.schedule.experiment?.from === experiment.from
    );
    // One that has not begun may still be drawn anew.
    if (old !== undefined && (old.fingerprint === fingerprint || experiment.from <= today)) continue;
    const own = movables.filter(({ schedules: of }) => of.some((one) => one.name === name));
    await state.keepCalendar(profileId, {
      schedule,
      fingerprint,
      weeks: drawSwitchBack(experiment),
      campaignIds: [...new Set(own.map(({ fields }) => idKey(fields, "campaignId")))].sort(),
      since: today,
      editedOn: null,
    });
  }
}
