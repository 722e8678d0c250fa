import { planBids } from "./jobs/plan_bids.ts";
import { planBudgets } from "./jobs/plan_budgets.ts";
import { planHarvest } from "./jobs/plan_harvest.ts";
import { planNegatives } from "./jobs/plan_negatives.ts";

/** The weekly jobs. */
export const JOBS = [planBids, planHarvest, planNegatives, planBudgets] as const;
