/**
 * The account as one thing: the jobs of every week.
 *
 * @module
 */

export { countReasons, type JobResult, type LeftOut } from "./jobs/job_result.ts";
export type { FigureOptions, StoredReports } from "./jobs/ensure_stored.ts";
export { BID_KINDS, type BidKind, type BidsOptions, checkBidsOptions, planBids } from "./jobs/plan_bids.ts";
export { findWaste, type Waste, type WasteOptions } from "./jobs/find_waste.ts";
export type { SearchTermFigures } from "./jobs/search_terms.ts";
export { type NegativesOptions, type NegativesResult, planNegatives } from "./jobs/plan_negatives.ts";
export { type HarvestOptions, type HarvestResult, planHarvest } from "./jobs/plan_harvest.ts";
export type { HarvestLine } from "./jobs/harvest_map.ts";
export type { HarvestSuggestion } from "./jobs/suggest_harvest_targets.ts";
export { type BudgetsOptions, type BudgetsResult, planBudgets } from "./jobs/plan_budgets.ts";
export type { BudgetKind, BudgetPressure } from "./jobs/budget_pressure.ts";
