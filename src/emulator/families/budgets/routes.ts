import type { JsonObject } from "../../core/json.ts";
import { recommendBudgets } from "./budget_recommendations.ts";
import { campaignShares, portfolioShares } from "./budget_shares.ts";
import { type Budgeted, getBudgetUsage } from "./budget_usage.ts";
import {
  addBudgetRules,
  addOptimizationRules,
  listAllBudgetRules,
  listBudgetRules,
  recommendBudgetRules,
  removeBudgetRule,
} from "./campaign_rules.ts";
import { recommendInitialBudget } from "./initial_budget.ts";
import type { Route } from "../../routing/route.ts";

const JSON_TYPE = ["application/json"];

const CAMPAIGN: Budgeted = {
  collection: "sp.campaigns",
  idField: "campaignId",
  listField: "campaignIds",
  budgetOf: (campaign) => (campaign.budget as JsonObject).budget as number,
  shares: campaignShares,
};
const PORTFOLIO: Budgeted = {
  collection: "portfolios",
  idField: "portfolioId",
  listField: "portfolioIds",
  budgetOf: (portfolio) => (portfolio.budget as JsonObject | undefined)?.amount as number | undefined,
  shares: portfolioShares,
};

/** Budgets of campaigns and portfolios: their use, recommendations, and rules that change them. */
export const CAMPAIGN_BUDGET_ROUTES: readonly Route[] = [
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
    handle: recommendBudgetRules,
  }),
  {
    operation: "sponsored-products:GetSPBudgetRulesForAdvertiser",
    method: "GET",
    path: "/sp/budgetRules",
    responseTypes: JSON_TYPE,
    errors: "details",
    handle: listAllBudgetRules,
  },
  {
    operation: "sponsored-products:ListAssociatedBudgetRulesForSPCampaigns",
    method: "GET",
    path: "/sp/campaigns/{campaignId}/budgetRules",
    responseTypes: JSON_TYPE,
    errors: "details",
    handle: listBudgetRules,
  },
  {
    operation: "sponsored-products:CreateAssociatedBudgetRulesForSPCampaigns",
    method: "POST",
    path: "/sp/campaigns/{campaignId}/budgetRules",
    requestTypes: JSON_TYPE,
    responseTypes: JSON_TYPE,
    errors: "details",
    handle: addBudgetRules,
  },
  {
    operation: "sponsored-products:DisassociateAssociatedBudgetRuleForSPCampaigns",
    method: "DELETE",
    path: "/sp/campaigns/{campaignId}/budgetRules/{budgetRuleId}",
    responseTypes: JSON_TYPE,
    errors: "details",
    handle: removeBudgetRule,
  },
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
