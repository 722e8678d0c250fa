import type { ItemInput } from "./item_input.ts";
import type { EntityState, ExtendedData, OpenEnum, OpenFields } from "./entity_fields.ts";

/** A portfolio: campaigns that share a budget. */
export interface Portfolio extends OpenFields {
  /** Id that the platform gives the portfolio: digits, exact past 2^53. */
  readonly portfolioId: string;
  /** Display name, unique in the profile. */
  readonly name: string;
  /** State; `ENABLED` is the only one the platform documents. */
  readonly state: EntityState;
  /** Budget for a period, if the portfolio has one. */
  readonly budget?: PortfolioBudget;
  /** True while there is budget left. */
  readonly inBudget?: boolean;
  /** How unspent budget is shared. */
  readonly budgetControls?: Readonly<Record<string, unknown>>;
  /** Creation and update times and the reasons for the portfolio's state, if requested. */
  readonly extendedData?: ExtendedData;
}

/** A portfolio to create. */
export type NewPortfolio = ItemInput<Portfolio, "name" | "state">;

/** Update of a portfolio: its id and the fields to change. */
export type PortfolioUpdate = ItemInput<Portfolio, "portfolioId">;

/** A spending limit for all campaigns of a portfolio together. */
export interface PortfolioBudget {
  /** Amount in `currencyCode`. */
  readonly amount?: number | null;
  /** ISO 4217. */
  readonly currencyCode?: string;
  /** Period of the amount. */
  readonly policy?: OpenEnum<"DATE_RANGE" | "MONTHLY_RECURRING" | "NO_CAP">;
  /** First day of the budget, `YYYY-MM-DD`. */
  readonly startDate?: string | null;
  /** Last day, `YYYY-MM-DD`. */
  readonly endDate?: string | null;
}
