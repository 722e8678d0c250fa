import { MAX_DAY_SPEND } from "../../base/markets/market_limits.ts";
import type { GoalCampaign, GoalInput, GoalMoney } from "./model.ts";

const HEADROOM = 1.6;
const MIN_RAISE = 1.03;

export function allowedADay(money: GoalMoney | undefined): number {
  return money === undefined ? Infinity : Math.max(0, money.left - money.reserve) / money.daysLeft;
}

/**
 * Maximum spend until the end of the month. The platform balances budgets over the month, so unspent amounts of
 * earlier days are added; a budget change is assumed to keep them.
 */
export function mostSpend(
  campaigns: readonly GoalCampaign[],
  { daysLeft, lent = 0 }: GoalMoney,
  budgetOf: (campaign: GoalCampaign, at: number) => number,
): number {
  let all = 0;
  const shared = { unspent: lent, room: 0 };
  campaigns.forEach((campaign, at) => {
    const { spentToday = 0, unspent = 0, isSharing = false } = campaign;
    const budget = budgetOf(campaign, at);
    const room = (MAX_DAY_SPEND - 1) * budget * daysLeft;
    all += Math.max(spentToday, budget) + budget * (daysLeft - 1);
    if (isSharing) {
      shared.unspent += unspent;
      shared.room += room;
    } else all += Math.min(unspent, room);
  });
  return all + Math.min(shared.unspent, shared.room);
}

/**
 * Returns daily budgets. With a monthly amount, they are set so that the month cannot exceed it, if necessary below
 * the goal's minimum but not the market's. Otherwise they are only raised.
 */
export function budgetsWithin(
  { campaigns, limits, money }: GoalInput,
  { costs, bids, isStopped }: {
    readonly costs: Float64Array;
    readonly bids: Float64Array;
    readonly isStopped: boolean;
  },
): Map<string, number> {
  const unit = 10 ** limits.decimals;
  const down = (amount: number): number => Math.floor(amount * unit + 1e-9) / unit;
  // A budget must not be lower than a bid, before and after the plan.
  const least = (place: number): number => Math.max(campaigns[place]!.highestBid ?? 0, bids[place]!);
  const bounded = (amount: number, place: number): number =>
    Math.min(
      // A planned bid must not raise a budget beyond its limit; the bid then waits.
      Math.max(limits.maxBudget, campaigns[place]!.highestBid ?? 0),
      Math.max(least(place), down(Math.min(limits.maxBudget, Math.max(limits.minBudget, amount)))),
    );
  if (money === undefined) {
    if (isStopped) return new Map();
    return new Map(campaigns.flatMap(({ id, budget, isFixed = false }, at) => {
      const next = bounded(costs[at]! * HEADROOM, at);
      return !isFixed && next > MIN_RAISE * budget ? [[id, next] as const] : [];
    }));
  }
  // What campaigns need for busy days first; beyond it each gets the same share of its need.
  const need = Float64Array.from(
    costs,
    (one) => Math.max(limits.minBudget, isStopped ? one : one * HEADROOM),
  );
  const left = money.left - money.reserve;
  // Where the amount lets it be, budgets are only raised.
  const roomy = campaigns.map(({ budget, isFixed = false }, place) =>
    isFixed || bounded(need[place]!, place) <= MIN_RAISE * budget ? budget : bounded(need[place]!, place)
  );
  if (mostSpend(campaigns, money, (_, place) => roomy[place]!) <= left) {
    return new Map(
      campaigns.flatMap(({ id, budget }, place) =>
        isStopped || roomy[place] === budget ? [] : [[id, roomy[place]!] as const]
      ),
    );
  }
  const at = (share: number, place: number): number => {
    const { budget, isFixed = false } = campaigns[place]!;
    if (isFixed) return budget;
    const next = bounded(limits.minBudget + share * (need[place]! - limits.minBudget), place);
    if (isStopped && next > budget) return budget;
    return next > budget && next < MIN_RAISE * budget ? budget : next;
  };
  const fits = (share: number): boolean =>
    mostSpend(campaigns, money, (_, place) => at(share, place)) <= left + 1e-9;
  if (!fits(0)) {
    const under = (share: number, place: number): number => {
      const { budget, isFixed = false } = campaigns[place]!;
      const floor = Math.max(least(place), limits.floorBudget ?? limits.minBudget);
      if (isFixed || budget <= floor) return budget;
      return Math.min(budget, Math.max(floor, down(floor + share * (limits.minBudget - floor))));
    };
    const share = largestShare((one) =>
      mostSpend(campaigns, money, (_, place) => under(one, place)) <= left + 1e-9
    );
    return new Map(campaigns.flatMap(({ id, budget }, place) => {
      const next = under(share, place);
      return next === budget ? [] : [[id, next] as const];
    }));
  }
  const share = largestShare(fits);
  return new Map(campaigns.flatMap(({ id, budget }, place) => {
    const next = at(share, place);
    return next === budget ? [] : [[id, next] as const];
  }));
}

/** Finds the largest fraction that fits, assuming that all smaller ones fit too. Returns 0 if none fits. */
function largestShare(fits: (share: number) => boolean): number {
  if (fits(1)) return 1;
  let [share, above] = [0, 1];
  for (let round = 0; round < 40; round++) {
    const middle = (share + above) / 2;
    if (fits(middle)) share = middle;
    else above = middle;
  }
  return share;
}
