import { planBids } from "./jobs/plan_bids.ts";
import { planBudgets } from "./jobs/plan_budgets.ts";
import { planHarvest } from "./jobs/plan_harvest.ts";
import { planNegatives } from "./jobs/plan_negatives.ts";

import { planArchive, planCreate, planUpdate } from "./plans/plan_writes.ts";
import type { AnyOperation } from "./model/operation.ts";

/** Operations that every interface renders. */
export const OPERATIONS: readonly AnyOperation[] = [
  planUpdate,
  planCreate,
  planArchive,
  planBids,
  planHarvest,
  planNegatives,
  planBudgets,
];
