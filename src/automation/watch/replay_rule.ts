import { addDays, dayIn, eachDay } from "../../base/time/calendar.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import { FigureFacts } from "./figure_facts.ts";
import { findAlerts, type FindOptions, lastDay } from "./find_alerts.ts";
import type { Alert } from "./alert.ts";
import type { WatchRule } from "./watch_file.ts";
import { isFigureOver } from "./watch_names.ts";

/** Alerts that a rule would have raised. */
export interface Replay {
  /** Alerts in the order of their days. */
  readonly alerts: readonly Alert[];
  /** Days on which the rule could not be judged, and why. */
  readonly unjudged: readonly { readonly day: string; readonly why: string }[];
  /** Number of days that were judged. */
  readonly days: number;
}

/**
 * Replays a rule over stored figures and returns the alerts that it would have raised on each day, except those within
 * its quiet days. Uses the figures known now, so recent sales are more complete than they were on the day itself.
 *
 * @param options `from`, `to`: days on which a look would have been taken, in the profile's zone.
 * @throws {RangeError} for a rule on data without stored history, such as changes and plans.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { Warehouse } from "@platform/ads/store";
 * import { loadWatch, replayRule } from "@platform/ads/watch";
 *
 * async function november(us: ProfileClient): Promise<void> {
 *   const { rules: [rule] } = await loadWatch("watch.yaml");
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const { alerts } = await replayRule(rule!, { profile: us, store, from: "2026-11-01", to: "2026-11-30" });
 *   for (const { day, title } of alerts) console.log(day, title);
 * }
 * ```
 */
export async function replayRule(
  rule: WatchRule,
  options: FindOptions & { readonly from: string; readonly to: string },
): Promise<Replay> {
  const { profile, store, from, to } = options;
  if (!isFigureOver(rule.over)) {
    throw new RangeError(
      `Cannot replay ${rule.name}: no history is stored for rules over ${rule.over}`,
    );
  }
  const zone = timeZoneOf(profile.profile);
  const today = dayIn(zone, profile.transport.now());
  const figures = new FigureFacts(store, { profileId: profile.profileId, today });
  const last = new Map<string, string>();
  const alerts: Alert[] = [];
  const unjudged: { day: string; why: string }[] = [];
  let days = 0;
  for (const today of eachDay({ start: from, end: to })) {
    const now = noonOf(today, zone);
    const found = await findAlerts([rule], { ...options, now }, figures);
    const day = lastDay(rule, today);
    const [blocked] = found.unjudged;
    if (blocked !== undefined && found.alerts.length === 0) {
      unjudged.push({ day: today, why: blocked.why });
      continue;
    }
    days++;
    for (const alert of found.alerts) {
      const before = last.get(alert.key);
      if (before !== undefined && before > addDays(day, -rule.quietDays)) continue;
      last.set(alert.key, day);
      alerts.push(alert);
    }
  }
  return { alerts, unjudged, days };
}

/** Returns a moment on the given local day: noon UTC, shifted by half a day if that falls on another local day. */
function noonOf(day: string, zone: string): number {
  const noon = Date.parse(`${day}T12:00:00Z`);
  const there = dayIn(zone, noon);
  return there === day ? noon : noon + (there < day ? 43_200_000 : -43_200_000);
}
