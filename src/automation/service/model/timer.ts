import { addDays, type Day, dayIn, dayOfWeek, momentAt } from "../../../base/time/calendar.ts";

/** Day of the week on which a weekly timer is due. */
export type TimerWeekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";

const WEEKDAYS: readonly TimerWeekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/**
 * When a service's work is done: at an interval, or at a time of day in the market's time zone, every day or once a
 * week. Continuous work starts anew at each interval and lasts until the next.
 */
export type Timer =
  | { readonly kind: "every"; readonly minutes: number; readonly isContinuous?: true | undefined }
  | { readonly kind: "at"; readonly minute: number; readonly weekday?: TimerWeekday | undefined };

export const TIMER_FORMS =
  "nightly, nightly 04:00, daily 09:30, weekly mon 07:00, hourly, every 15m or every 2h";

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
/** Minute of the local day at which the previous day's reports are available in every market. */
const NIGHT = 4 * 60;

/** Parses the text of a timer; `undefined` if it is not one. Intervals range from a minute to a day. */
export function parseTimer(text: string): Timer | undefined {
  const words = text.trim().toLowerCase();
  if (words === "continuous") return { kind: "every", minutes: 60, isContinuous: true };
  if (words === "hourly") return { kind: "every", minutes: 60 };
  const [, count, unit] = /^every (\d{1,4})(m|h)$/.exec(words) ?? [];
  if (count !== undefined) {
    const minutes = Number(count) * (unit === "h" ? 60 : 1);
    return minutes >= 1 && minutes <= DAY_MINUTES ? { kind: "every", minutes } : undefined;
  }
  const [, kind, weekday, time] =
    /^(nightly|daily|weekly)(?: (mon|tue|wed|thu|fri|sat|sun))?(?: ([01]?\d:[0-5]\d|2[0-3]:[0-5]\d))?$/.exec(
      words,
    ) ?? [];
  if (kind === undefined || (kind === "weekly") !== (weekday !== undefined)) return undefined;
  if (time === undefined && kind !== "nightly") return undefined;
  const [hour = 0, minute = 0] = time?.split(":").map(Number) ?? [];
  return {
    kind: "at",
    minute: time === undefined ? NIGHT : 60 * hour + minute,
    ...(weekday === undefined ? {} : { weekday: weekday as TimerWeekday }),
  };
}

export function dueAt(timer: Timer, now: number, zone: string): number {
  if (timer.kind === "every") return Math.floor(now / (timer.minutes * MINUTE)) * timer.minutes * MINUTE;
  const today = dayIn(zone, now);
  for (let back = 0;; back++) {
    const due = onDay(timer, addDays(today, -back), zone);
    if (due !== undefined && due <= now) return due;
  }
}

export function nextDue(timer: Timer, now: number, zone: string): number {
  if (timer.kind === "every") return dueAt(timer, now, zone) + timer.minutes * MINUTE;
  const today = dayIn(zone, now);
  for (let ahead = 0;; ahead++) {
    const due = onDay(timer, addDays(today, ahead), zone);
    if (due !== undefined && due > now) return due;
  }
}

function onDay(timer: Timer & { kind: "at" }, day: Day, zone: string): number | undefined {
  if (timer.weekday !== undefined && WEEKDAYS[dayOfWeek(day) - 1] !== timer.weekday) return undefined;
  return momentAt(day, timer.minute, zone);
}
