import type { JsonObject } from "../json.ts";
import { answerBudgetRecommendations } from "../recommendations/budget_recommendations.ts";
import { campaignShares, portfolioShares } from "../recommendations/budget_shares.ts";
import { answerBudgetUsage, type Budgeted } from "../recommendations/budget_usage.ts";
import {
  addBudgetRules,
  addOptimizationRules,
  listAllBudgetRules,
  listBudgetRules,
  recommendBudgetRules,
  removeBudgetRule,
} from "../recommendations/campaign_rules.ts";
import { answerInitialBudget } from "../recommendations/initial_budget.ts";
import type { Route } from "../route.ts";

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
    handle: (context) => answerBudgetUsage(CAMPAIGN, context),
  }),
  post("portfolios:portfolioBudgetUsage", {
    path: "/portfolios/budget/usage",
    type: "application/vnd.portfoliobudgetusage.v1+json",
    handle: (context) => answerBudgetUsage(PORTFOLIO, context),
  }),
  post("sponsored-products:getBudgetRecommendations", {
    path: "/sp/campaigns/budgetRecommendations",
    type: "application/vnd.budgetrecommendation.v3+json",
    handle: answerBudgetRecommendations,
  }),
  post("sponsored-products:getBudgetRecommendation", {
    path: "/sp/campaigns/initialBudgetRecommendation",
    type: "application/vnd.spinitialbudgetrecommendation.v3.4+json",
    handle: answerInitialBudget,
  }),
  post("sponsored-products:SPGetBudgetRulesRecommendation", {
    path: "/sp/campaigns/budgetRules/recommendations",
    type: "application/vnd.spbudgetrulesrecommendation.v3+json",
    handle: recommendBudgetRules,
  }),
  {
    operation: "sponsored-products:GetSPBudgetRulesForAdvertiser",
    method: "GET",
    path: "/sp/budgetRules",
    answerTypes: JSON_TYPE,
    errors: "details",
    handle: listAllBudgetRules,
  },
  {
    operation: "sponsored-products:ListAssociatedBudgetRulesForSPCampaigns",
    method: "GET",
    path: "/sp/campaigns/{campaignId}/budgetRules",
    answerTypes: JSON_TYPE,
    errors: "details",
    handle: listBudgetRules,
  },
  {
    operation: "sponsored-products:CreateAssociatedBudgetRulesForSPCampaigns",
    method: "POST",
    path: "/sp/campaigns/{campaignId}/budgetRules",
    requestTypes: JSON_TYPE,
    answerTypes: JSON_TYPE,
    errors: "details",
    handle: addBudgetRules,
  },
  {
    operation: "sponsored-products:DisassociateAssociatedBudgetRuleForSPCampaigns",
    method: "DELETE",
    path: "/sp/campaigns/{campaignId}/budgetRules/{budgetRuleId}",
    answerTypes: JSON_TYPE,
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
  { path, type, handle }: { path: string; type: string; handle: Route["handle"] },
): Route {
  return {
    operation,
    method: "POST",
    path,
    requestTypes: [type],
    answerTypes: [type],
    errors: "details",
    handle,
  };
}
