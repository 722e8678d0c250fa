import { addDays, dayAt, daySpan, offsetsOf } from "../../core/day_span.ts";
import type { JsonObject } from "../../core/json.ts";
import { RouteRefusal } from "../../http/refusal.ts";
import type { TimeWindow } from "./table_rows.ts";

const KEPT_DAYS = 396;
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** Returns the time window in UTC. The window's type and time zone determine where days and months begin. */
export function timeWindowOf(body: JsonObject, now: number): TimeWindow {
  const zone = String(body.timeWindowTimeZone ?? "UTC");
  checkZone(zone);
  const today = dayAt(now, zone);
  const startOf = (day: string): number => daySpan(day, zone).start;
  const month = `${today.slice(0, 8)}01`;
  switch (body.timeWindowType ?? "MOST_RECENT_DAY") {
    case "EXPLICIT": {
      const start = localMoment(body, "timeWindowStart", zone);
      const end = localMoment(body, "timeWindowEnd", zone);
      if (end <= start) throw new RouteRefusal(400, "timeWindowEnd must be after timeWindowStart");
      return { start, end };
    }
    case "MOST_RECENT_DAY":
      return { start: startOf(addDays(today, -1)), end: startOf(today) };
    case "MOST_RECENT_WEEK":
      return { start: startOf(addDays(today, -7)), end: startOf(today) };
    case "CURRENT_MONTH":
      return { start: startOf(month), end: now };
    case "PREVIOUS_MONTH":
      return { start: startOf(`${addDays(month, -1).slice(0, 8)}01`), end: startOf(month) };
    case "ALL":
      return { start: startOf(addDays(today, -KEPT_DAYS)), end: now };
    default:
      throw new RouteRefusal(400, `timeWindowType ${String(body.timeWindowType)} is not known`);
  }
}

function checkZone(zone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch {
    throw new RouteRefusal(400, `timeWindowTimeZone ${zone} is not known`);
  }
}

function localMoment(body: JsonObject, field: string, zone: string): number {
  const text = String(body[field] ?? "");
  const local = LOCAL.test(text) ? Date.parse(`${text}Z`) : NaN;
  if (Number.isNaN(local)) throw new RouteRefusal(400, `${field} must have the form yyyy-MM-ddTHH:mm:ss`);
  const offsetAt = offsetsOf(zone);
  return local - offsetAt(local - offsetAt(local));
}
