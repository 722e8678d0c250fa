import type { BatchResult } from "../../../platform/batch/batch_result.ts";
import { askBudgetUsage, type BudgetUsage } from "../resource/budget_usage.ts";
import { type ReadOptions, Resource } from "../resource/resource.ts";
import type { NewPortfolio, Portfolio, PortfolioUpdate } from "../model/portfolio.ts";
import { byName, nameLabel } from "../model/identity.ts";
import { type Kind, SP_EXTENDED_FIELDS } from "../model/resource_spec.ts";
import { lateJson } from "../wire/late_wire.ts";

/**
 * Portfolios, with budget usage.
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
  /** Reads budget usage of portfolios; each success contains it in `entity`. */
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

/**
 * The kind `portfolios`. All states are listed by default, filters accept only one state, and portfolios cannot be
 * archived.
 */
export const portfolios: Kind<PortfoliosResource> = {
  kind: "portfolios",
  noun: "portfolio",
  plural: "portfolios",
  idField: "portfolioId",
  idFields: ["portfolioId"],
  updatable: ["name", "state", "budget", "budgetControls"],
  clearable: ["budget.amount", "budget.startDate", "budget.endDate"],
  numeric: [],
  defaultStates: null,
  stateCase: "upper",
  settableStates: ["ENABLED"],
  filters: ["name", "nameMatch", "extended"],
  label: nameLabel,
  required: ["name", "state"],
  identity: byName(),
  parents: {},
  columns: ["portfolioId", "name", "state", "inBudget", "budget.amount", "budget.currencyCode"],
  moreFields: ["budget.policy", "budget.startDate", "budget.endDate", "budgetControls"],
  extendedFields: SP_EXTENDED_FIELDS,
  operations: {
    list: "portfolios:ListPortfolios",
    create: "portfolios:CreatePortfolios",
    update: "portfolios:UpdatePortfolios",
    budgetUsage: "portfolios:portfolioBudgetUsage",
  },
  create: (scope) => new PortfoliosResource(scope, portfolios),
  wire: lateJson({
    path: "/portfolios",
    mediaType: "application/vnd.spPortfolio.v3+json",
    collection: "portfolios",
    idFilter: "portfolioIdFilter",
    resultIdField: "portfolioId",
    stateLimit: 1,
    sizedPages: false,
    writeLimit: 100,
    archivable: false,
  }),
};
