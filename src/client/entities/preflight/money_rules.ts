import { type AmountLimits, bidLimitsOf, budgetLimitsOf } from "../../../base/markets/market_limits.ts";
import { decimalsOf, marketOf } from "../../../base/markets/markets.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import type { Fields } from "../model/resource_wire.ts";
import type { CheckedChange, PreflightRule, Problem, StepContext } from "./problem.ts";

export const bidProblems: PreflightRule = (checked, context) => {
  const { change } = checked;
  const problems: Problem[] = [];
  for (const field of ["bid", "defaultBid"]) {
    const value = change.after[field];
    if (change.op === "archive" || typeof value !== "number") continue;
    const limits = limitsOfBid(checked, context);
    const outside = outsideOf(value, limits, { code: "BID_OUT_OF_MARKET_PLACE_RANGE", field }, context);
    const budget = dailyBudgetOf(checked, context);
    if (outside.length > 0) problems.push(...outside);
    else if (budget !== undefined && value > budget) {
      problems.push({
        code: "BID_GT_BUDGET",
        message: `${field} ${value} is above the campaign's daily budget of ${budget}`,
        allowed: `at most ${budget}${currency(context)}`,
      });
    }
    problems.push(...finer(value, field, context));
  }
  return problems;
};

/** Finds budgets that are outside the market's limits, below a bid of the campaign, or too fine for the currency. */
export const budgetProblems: PreflightRule = (checked, context) => {
  const { change, spec, entity, next } = checked;
  if (spec.isGlobal) return marketplaceProblems(checked, context);
  if (change.op === "archive" || !spec.kind.endsWith(".campaigns") || change.after["budget"] === undefined) {
    return [];
  }
  const amount = amountOf(change.after);
  if (amount === undefined) return [];
  const limits = budgetLimitsOf(context.countryCode, {
    kind: spec.kind,
    accountType: context.accountType,
    isLifetime: next["budgetType"] === "LIFETIME",
  });
  const low = limits !== undefined && amount < limits.min;
  const code = low ? "BUDGET_TOO_LOW" : "BUDGET_TOO_HIGH";
  const problems = outsideOf(amount, limits, { code, field: "budget" }, context);
  const before = entity === undefined ? undefined : amountOf(entity);
  const bid = change.id === null ? undefined : context.account.highestBid(change.id);
  if (
    problems.length === 0 && bid !== undefined && before !== undefined && amount < before && bid.bid > amount
  ) {
    problems.push({
      code: "BUDGET_LOWER_THAN_BID",
      message: `budget ${amount} is below a bid of ${bid.bid} in the campaign (${
        context.specOf(bid.kind).noun
      })`,
      allowed: `at least ${bid.bid}${currency(context)}`,
      hint: "Lower the bids first",
    });
  }
  return [...problems, ...finer(amount, "budget", context)];
};

function marketplaceProblems({ change, entity, spec }: CheckedChange, context: StepContext): Problem[] {
  if (change.op === "archive" || spec.marketplaceAmount === undefined) return [];
  const { field: name, isNeeded } = spec.marketplaceAmount;
  const amountIn = (fields: unknown): number | undefined => {
    const amount = fieldsOf(fields)[name];
    return typeof amount === "number" ? amount : undefined;
  };
  return Object.entries(fieldsOf(change.after["marketplaces"])).flatMap(
    ([countryCode, fields]): Problem[] => {
      const field = `marketplaces.${countryCode}.${name}`;
      const amount = amountIn(fields);
      const before = amountIn(fieldsOf(entity?.["marketplaces"])[countryCode]);
      if (amount === undefined) {
        const message = `"${field}" is missing: every marketplace needs one`;
        return change.op === "create" && isNeeded ? [{ code: "MISSING_VALUE", message }] : [];
      }
      if (amount === before) return [];
      // Limits differ between kinds of accounts, and that of the other profiles is not known here.
      const there = {
        ...context,
        countryCode,
        accountType: countryCode === context.countryCode ? context.accountType : undefined,
      };
      const limits = name === "budget"
        ? budgetLimitsOf(countryCode, { kind: "sp.campaigns", accountType: there.accountType })
        : bidLimitsOf(countryCode, { kind: "sp.keywords" });
      const code = name !== "budget"
        ? "BID_OUT_OF_MARKET_PLACE_RANGE"
        : limits !== undefined && amount < limits.min
        ? "BUDGET_TOO_LOW"
        : "BUDGET_TOO_HIGH";
      return [...outsideOf(amount, limits, { code, field }, there), ...finer(amount, field, there)];
    },
  );
}

export const capProblems: PreflightRule = ({ change, spec }, { countryCode }) => {
  if (spec.kind !== "portfolios") return [];
  const { currencyCode: given, amount } = fieldsOf(change.after["budget"]);
  if (typeof amount === "number" && amount < 0) {
    const message = `budget.amount ${amount} is below 0`;
    return [{ code: "TOO_LOW", message, allowed: "at least 0" }];
  }
  const own = marketOf(countryCode)?.currency;
  if (given === undefined || given === null || own === undefined || given === own) return [];
  const message = `budget.currencyCode ${JSON.stringify(given)} is not the currency of this profile`;
  return [{ code: "CURRENCY_NOT_MATCHING_PREFERRED_CURRENCY", message, allowed: own, hint: `Use ${own}` }];
};

function limitsOfBid(checked: CheckedChange, context: StepContext): AmountLimits | undefined {
  const { kind } = checked.spec;
  // Of Sponsored Products no campaign says more.
  if (kind.startsWith("sp.")) return bidLimitsOf(context.countryCode, { kind });
  const campaign = context.account.campaignOf(checked);
  const costType = campaign === undefined ? undefined : campaign["costType"] ?? "cpc";
  return bidLimitsOf(context.countryCode, { kind, costType });
}

function outsideOf(
  value: number,
  limits: AmountLimits | undefined,
  { code, field }: { code: string; field: string },
  context: StepContext,
): Problem[] {
  if (limits === undefined || (value >= limits.min && value <= limits.max)) return [];
  return [{
    code,
    message: `${field} ${value} is outside the marketplace's range`,
    allowed: `${limits.min} to ${limits.max}${currency(context)}`,
    refused: !limits.doubtful,
  }];
}

function finer(value: number, field: string, { countryCode }: StepContext): Problem[] {
  const decimals = decimalsOf(countryCode);
  if (Number(value.toFixed(decimals)) === value) return [];
  const message = `${field} ${value} has more than ${decimals} decimals`;
  return [{ code: "PATTERN_NOT_MATCHED", message, allowed: `${decimals} decimals`, hint: "Round it" }];
}

function dailyBudgetOf(checked: CheckedChange, context: StepContext): number | undefined {
  const { kind } = checked.spec;
  if (!kind.startsWith("sp.") && kind !== "sd.ad_groups") return undefined;
  const campaign = context.account.campaignOf(checked);
  return campaign === undefined || campaign["costType"] === "vcpm" ? undefined : amountOf(campaign);
}

function amountOf({ budget }: Fields): number | undefined {
  const amount = typeof budget === "number" ? budget : fieldsOf(budget)["budget"];
  return typeof amount === "number" ? amount : undefined;
}

function currency({ countryCode }: StepContext): string {
  const code = marketOf(countryCode)?.currency;
  return code === undefined ? "" : ` ${code}`;
}
