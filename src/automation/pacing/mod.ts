/**
 * Pacing: spends an amount evenly over a month or another period, by changing daily budgets in bounded steps.
 *
 * @module
 */

export { budgetMoves, type MoveBounds, type PacedCampaign } from "./budget_moves.ts";
export {
  type Forecast,
  learnWeekdays,
  type Pace,
  type PaceDay,
  type PaceFacts,
  paceOf,
  type SpendDay,
  type WeekdayWeights,
} from "./pace.ts";
export {
  loadPacing,
  type PacedBudget,
  type PacingFile,
  type PacingOver,
  type PacingSelect,
  parsePacing,
} from "./pacing_file.ts";
export { pacingData } from "./pacing_data.ts";
export { type CampaignOfBudget, type PacingSources, type PacingStatus, readPacing } from "./read_pacing.ts";
export type { SeenSpend } from "../schedules/schedule_state.ts";
export { type PlannedPacing, planPacing } from "./plan_pacing.ts";
export { type PacingOptions, type PacingResult, runPacing } from "./run_pacing.ts";
