import { isObject, type Json } from "../../core/json.ts";
import { recommendBudgets, recommendFlatBudgets } from "./budget_recommendations.ts";
import { campaignShares, portfolioShares } from "./budget_shares.ts";
import { type Budgeted, getBudgetUsage } from "./budget_usage.ts";
import { BULK_BUDGET_RULE_ROUTES } from "./bulk_budget_rules.ts";
import { BUDGET_RULE_ROUTES } from "./budget_rule_routes.ts";
import { recommendBudgetRules } from "./budget_rule_seasons.ts";
import { addOptimizationRules } from "./optimization_rule_ties.ts";
import { recommendInitialBudget } from "./initial_budget.ts";
import type { Route } from "../../routing/route.ts";

const CAMPAIGN: Budgeted = {
  collection: "sp.campaigns",
  idField: "campaignId",
  listField: "campaignIds",
  budgetOf: (campaign) => amountOf(campaign.budget, "budget"),
  shares: campaignShares("sp"),
};
/** Campaigns whose budget is a bare number. */
function flatCampaign(program: "sb" | "sd"): Budgeted {
  return {
    collection: `${program}.campaigns`,
    idField: "campaignId",
    listField: "campaignIds",
    budgetOf: ({ budget }) => typeof budget === "number" ? budget : undefined,
    shares: campaignShares(program),
  };
}

const PORTFOLIO: Budgeted = {
  collection: "portfolios",
  idField: "portfolioId",
  listField: "portfolioIds",
  budgetOf: (portfolio) => amountOf(portfolio.budget, "amount"),
  shares: portfolioShares,
};

/** Budgets of campaigns and portfolios: their use, recommendations, and rules that change them. */
export const CAMPAIGN_BUDGET_ROUTES: readonly Route[] = [
  ...BUDGET_RULE_ROUTES,
  ...BULK_BUDGET_RULE_ROUTES,
  post("sponsored-brands-v4:sbCampaignsBudgetUsage", {
    path: "/sb/campaigns/budget/usage",
    type: "application/vnd.sbcampaignbudgetusage.v1+json",
    handle: (context) => getBudgetUsage(flatCampaign("sb"), context),
  }),
  post("sponsored-display:sdCampaignsBudgetUsage", {
    path: "/sd/campaigns/budget/usage",
    type: "application/vnd.sdcampaignbudgetusage.v1+json",
    handle: (context) => getBudgetUsage(flatCampaign("sd"), context),
  }),
  post("sponsored-brands-v3:SBGetBudgetRulesRecommendation", {
    path: "/sb/campaigns/budgetRules/recommendations",
    type: "application/vnd.sbbudgetrulesrecommendation.v3+json",
    handle: (context) => recommendBudgetRules("sb", context),
  }),
  post("sponsored-brands-v4:GetBudgetRecommendations", {
    path: "/sb/campaigns/budgetRecommendations",
    type: "application/vnd.sbbudgetrecommendation.v4+json",
    handle: (context) => recommendFlatBudgets("sb", context),
  }),
  post("sponsored-display:getSDBudgetRecommendations", {
    path: "/sd/campaigns/budgetRecommendations",
    type: "application/vnd.sdbudgetrecommendations.v3+json",
    handle: (context) => recommendFlatBudgets("sd", context),
  }),
  post("sponsored-products:spCampaignsBudgetUsage", {
    path: "/sp/campaigns/budget/usage",
    type: "application/vnd.spcampaignbudgetusage.v1+json",
    handle: (context) => getBudgetUsage(CAMPAIGN, context),
  }),
  post("portfolios:portfolioBudgetUsage", {
    path: "/portfolios/budget/usage",
    type: "application/vnd.portfoliobudgetusage.v1+json",
    handle: (context) => getBudgetUsage(PORTFOLIO, context),
  }),
  post("sponsored-products:getBudgetRecommendations", {
    path: "/sp/campaigns/budgetRecommendations",
    type: "application/vnd.budgetrecommendation.v3+json",
    typedErrors: true,
    handle: recommendBudgets,
  }),
  post("sponsored-products:getBudgetRecommendation", {
    path: "/sp/campaigns/initialBudgetRecommendation",
    type: "application/vnd.spinitialbudgetrecommendation.v3.4+json",
    typedErrors: true,
    handle: recommendInitialBudget,
  }),
  post("sponsored-products:SPGetBudgetRulesRecommendation", {
    path: "/sp/campaigns/budgetRules/recommendations",
    type: "application/vnd.spbudgetrulesrecommendation.v3+json",
    typedErrors: true,
    handle: (context) => recommendBudgetRules("sp", context),
  }),
  post("sponsored-products:AssociateOptimizationRulesToCampaign", {
    path: "/sp/campaigns/{campaignId}/optimizationRules",
    type: "application/vnd.spoptimizationrules.v1+json",
    handle: addOptimizationRules,
  }),
];

function post(
  operation: string,
  { path, type, typedErrors = false, handle }: {
    path: string;
    type: string;
    typedErrors?: boolean;
    handle: Route["handle"];
  },
): Route {
  return {
    operation,
    method: "POST",
    path,
    requestTypes: [type],
    responseTypes: [type],
    typedErrors,
    errors: "details",
    handle,
  };
}

function amountOf(budget: Json | undefined, field: string): number | undefined {
  const amount = isObject(budget) ? budget[field] : undefined;
  return typeof amount === "number" ? amount : undefined;
}
