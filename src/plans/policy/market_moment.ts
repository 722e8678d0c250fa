import { zonedDateTime } from "../../base/time/calendar.ts";
import type { PolicyDocument } from "./policy_document.ts";

export interface MarketMoment {
  readonly timeZone: string;
  readonly day: string;
  readonly time: string;
  readonly weekday: NonNullable<NonNullable<PolicyDocument["hours"]>["days"]>[number];
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

export function marketMoment(timeZone: string, now: number): MarketMoment {
  const { plainDate, hour, minute, dayOfWeek } = zonedDateTime(now, timeZone);
  const time = [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
  return { timeZone, day: plainDate, time, weekday: WEEKDAYS[dayOfWeek - 1] ?? "Mon" };
}
