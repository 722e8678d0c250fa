import { ConfigurationError } from "../../errors.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import { type AmountLimits, bidLimits, budgetLimitsOf } from "../../base/markets/market_limits.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { Goal } from "./goals_file.ts";
import type { GoalLimits } from "./model.ts";

/**
 * Returns the limits of a goal, with those of the market for bids and budgets without one.
 *
 * @throws {ConfigurationError} for limits that the market does not accept.
 */
export function limitsOf({ countryCode, profile }: ProfileClient, { name, limits }: Goal): GoalLimits {
  const known = (one: AmountLimits | undefined): AmountLimits | undefined => one?.doubtful ? undefined : one;
  const bids = known(bidLimits(countryCode, "sp"));
  const budgets = known(
    budgetLimitsOf(countryCode, { kind: "sp.campaigns", accountType: profile.accountInfo.type }),
  );
  const given = [
    ["min_bid", limits.minBid, bids],
    ["max_bid", limits.maxBid, bids],
    ["min_budget", limits.minBudget, budgets],
    ["max_budget", limits.maxBudget, budgets],
  ] as const;
  const decimals = decimalsOf(countryCode);
  const problems = given.flatMap(([field, value, market]) => {
    if (value === undefined) return [];
    if (market !== undefined && (value < market.min || value > market.max)) {
      return [`limits.${field} is ${value}, and ${countryCode} takes ${market.min} to ${market.max}`];
    }
    return value === Number(value.toFixed(decimals))
      ? []
      : [`limits.${field} has more than ${decimals} decimals`];
  });
  if (problems.length > 0) throw new ConfigurationError(`Cannot plan goal ${name}: ${problems.join("; ")}`);
  return {
    minBid: limits.minBid ?? bids?.min ?? 10 ** -decimals,
    maxBid: limits.maxBid ?? bids?.max ?? Infinity,
    decimals,
    raise: limits.raise,
    cut: limits.cut,
    minBudget: limits.minBudget ?? budgets?.min ?? 1,
    maxBudget: limits.maxBudget ?? budgets?.max ?? Infinity,
    floorBudget: budgets?.min,
  };
}
