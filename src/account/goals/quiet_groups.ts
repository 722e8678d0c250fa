import type { GoalTarget } from "./model.ts";
import { newestAge } from "./value.ts";

export const COOLING_LOCK = "cooling";
const QUIET_LOCK = "no_clicks";
/** Locks that end by themselves. */
export const WAITING_LOCKS: readonly string[] = [COOLING_LOCK, QUIET_LOCK];
const [USUAL_CLICKS, QUIET_SHARE] = [20, 0.05];

/**
 * Locks the targets of ad groups that had clicks every week but hardly any in the last one. They were probably out of
 * stock, not eligible or paused, which says nothing about bids. With 20 expected clicks, the probability of one or
 * none is below 1 in 10 million.
 */
export function withQuietLocked(targets: readonly GoalTarget[]): readonly GoalTarget[] {
  const newest = newestAge(targets);
  const groups = new Map<string, { last: number; usual: number }>();
  for (const { adGroup, periods } of targets) {
    const own = groups.get(adGroup) ?? { last: 0, usual: 0 };
    groups.set(adGroup, own);
    let [clicks, days, lastDays] = [0, 0, 0];
    for (const period of periods) {
      if (period.age === newest) {
        own.last += period.clicks;
        lastDays += period.days;
      } else {
        clicks += period.clicks;
        days += period.days;
      }
    }
    if (days > 0) own.usual += clicks * lastDays / days;
  }
  const isQuiet = ({ adGroup }: GoalTarget): boolean => {
    const { last, usual } = groups.get(adGroup) ?? { last: 0, usual: 0 };
    return usual >= USUAL_CLICKS && last <= QUIET_SHARE * usual;
  };
  return targets.map((one) =>
    one.locked === undefined && isQuiet(one) ? { ...one, locked: QUIET_LOCK } : one
  );
}
