import type { Route } from "./route.ts";
import { Router } from "./router.ts";

type Known = readonly [operation: string, method: Route["method"], path: string];

/** Real operations of the platform that are not emulated: they are answered with 501 and their name. */
const KNOWN: readonly Known[] = [
  ["sponsored-products:spCampaignsBudgetUsage", "POST", "/sp/campaigns/budget/usage"],
  ["sponsored-products:getBudgetRecommendations", "POST", "/sp/campaigns/budgetRecommendations"],
  ["sponsored-products:getBudgetRecommendation", "POST", "/sp/campaigns/initialBudgetRecommendation"],
  ["sponsored-products:getTargetableCategories", "GET", "/sp/targets/categories"],
  ["portfolios:portfolioBudgetUsage", "POST", "/portfolios/budget/usage"],
];

const router = new Router(KNOWN.map(([operation, method, path]) => ({
  operation,
  method,
  path,
  answerTypes: [],
  handle: () => {
    throw new TypeError(`Cannot run ${operation}: it is only known by name`);
  },
})));

/** The id of the operation that a path belongs to, when it is known without being emulated. */
export function knownOperation(method: string, path: string): string | undefined {
  return router.find(method, path)?.route.operation;
}
