import {
  addDays,
  countDays,
  type Day,
  type DayRange,
  eachDay,
  endOfMonth,
  startOfMonth,
} from "../../base/time/calendar.ts";
import { type GoalFigures, noons, valueAt } from "./goal_figures.ts";
import type { GoalCampaign, GoalMoney } from "./model.ts";
import type { GoalAccount, GoalPlace } from "./read_goals.ts";

/** Returns the spend of a campaign today, and what its budgets of earlier days of the month left unspent. */
export function spendOf(
  { id, budget }: Pick<GoalPlace, "id" | "budget">,
  { today, campaigns, changes, campaignGaps, spentToday }: GoalFigures,
  timeZone: string,
): Pick<GoalCampaign, "spentToday" | "unspent"> {
  const days = monthBefore(today);
  const own = changes.of(id, "budget");
  const noon = days === undefined ? new Map<Day, number>() : noons(days, timeZone);
  const cost = new Map((campaigns.get(id) ?? []).map((one) => [one.day, one.cost]));
  let unspent = 0;
  for (const [day, at] of noon) {
    // A day that is not stored counts as spent in full, in the month's sum too.
    if (!campaignGaps.has(day)) {
      unspent += (valueAt(own, { now: budget, at }) ?? budget) - (cost.get(day) ?? 0);
    }
  }
  return {
    spentToday: spentToday.get(id) ?? 0,
    unspent: Math.max(0, unspent),
  };
}

export function monthBefore(today: Day): DayRange | undefined {
  const start = startOfMonth(today);
  return start === today ? undefined : { start, end: addDays(today, -1) };
}

/** Sums up the spend of the month; days without stored data count as fully spent budgets. */
export function monthOf(
  { goal: { limits: { month, reserve } }, selected, campaigns, lenders }: GoalAccount,
  figures: GoalFigures,
  timeZone: string,
): GoalMoney | undefined {
  if (month === undefined) return undefined;
  const { today, campaigns: spend, campaignGaps } = figures;
  const days = monthBefore(today);
  const stored = days === undefined ? [] : [...eachDay(days)].filter((day) => !campaignGaps.has(day));
  const missing = days === undefined ? 0 : countDays(days) - stored.length;
  const [first, last] = [stored[0], stored.at(-1)];
  let spent = campaigns.reduce((all, { budget }) => all + missing * budget, 0);
  for (const id of selected) {
    for (const { day, cost } of spend.get(id) ?? []) {
      if (first !== undefined && last !== undefined && first <= day && day <= last) spent += cost;
    }
  }
  const daysLeft = countDays({ start: today, end: endOfMonth(today) });
  return {
    left: month - spent,
    daysLeft,
    reserve: reserve * month,
    lent: lenders.reduce(
      (sum, one) => sum + one.budget * daysLeft + (spendOf(one, figures, timeZone).unspent ?? 0),
      0,
    ),
  };
}
