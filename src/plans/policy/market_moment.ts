import type { PolicyDocument } from "./policy_document.ts";

/** A point in time as a market's clocks show it. */
export interface MarketMoment {
  readonly timeZone: string;
  /** `2026-11-22`. */
  readonly day: string;
  /** `09:05`, 24 hours. */
  readonly time: string;
  readonly weekday: NonNullable<NonNullable<PolicyDocument["hours"]>["days"]>[number];
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

/**
 * Local time in a time zone.
 *
 * @param now Milliseconds since the epoch. @default now
 */
export function marketMoment(timeZone: string, now?: number): MarketMoment {
  const shown = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(now);
  const part = Object.fromEntries(shown.map(({ type, value }) => [type, value]));
  return {
    timeZone,
    day: `${part.year}-${part.month}-${part.day}`,
    time: `${part.hour}:${part.minute}`,
    weekday: WEEKDAYS.find((name) => name === part.weekday) ?? "Mon",
  };
}
