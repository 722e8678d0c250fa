import type { BatchResult } from "../../batch/batch_result.ts";
import { askBudgetUsage, type BudgetUsage } from "../budget_usage.ts";
import { type ReadOptions, Resource } from "../resource.ts";
import type { NewPortfolio, Portfolio, PortfolioUpdate } from "./portfolio.ts";

/**
 * Portfolios, and how much of their budgets is spent.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function spent(us: ProfileClient): Promise<void> {
 *   const portfolios = await us.portfolios.list();
 *   const usage = await us.portfolios.budgetUsage(portfolios.map(({ portfolioId }) => portfolioId));
 *   console.log(usage.summary());
 * }
 * ```
 */
export class PortfoliosResource extends Resource<Portfolio, NewPortfolio, PortfolioUpdate> {
  /** Reads the spent shares of portfolios' budgets; `entity` of each success holds them. */
  budgetUsage(
    portfolioIds: readonly string[],
    options: ReadOptions = {},
  ): Promise<BatchResult<string, BudgetUsage>> {
    return askBudgetUsage(this.scope, portfolioIds, {
      path: "/portfolios/budget/usage",
      mediaType: "application/vnd.portfoliobudgetusage.v1+json",
      spec: this.spec,
      signal: options.signal,
    });
  }
}
