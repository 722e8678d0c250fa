/**
 * Schedules: bids, budgets, placements and states by hour of the week, defined as a desired state that each run
 * applies.
 *
 * @module
 */

export { type CompiledRule, type CompiledSchedule, compileSchedule } from "./compile_schedule.ts";
export { editGrid, type GridEdit, putSchedules } from "./edit_schedules.ts";
export { gridOf, weekOf } from "./schedule_week.ts";
export { loadSchedules, parseSchedules, type ScheduleFile } from "./load_schedules.ts";
export {
  type HourFigures,
  type LearnedCell,
  type LearnedGrid,
  learnGrid,
  type LearnOptions,
} from "./learn_schedule.ts";
export type { LeftAlone, RuleResult, TickResult } from "./move_amounts.ts";
export { type CampaignWeek, planWeek, type PlanWeekOptions } from "./plan_week.ts";
export { type PlatformSchedule, platformSchedule } from "./schedule_rules.ts";
export type {
  Schedule,
  ScheduleCell,
  ScheduleEvent,
  ScheduleExperiment,
  ScheduleMove,
  ScheduleSelect,
  Weekday,
} from "./schedule.ts";
export { scheduledIn } from "./scheduled_ids.ts";
export { rulesOfSchedules, type RuleStanding } from "./rules_of_schedules.ts";
export type { KeptCalendar } from "./kept_calendars.ts";
export { scheduleExperiments, type WeeksOfSchedule } from "./schedule_experiments.ts";
export { type ScheduleOutcome, scheduleOutcome, type ScheduleOutcomeRequest } from "./schedule_outcome.ts";
export {
  type BaseEvent,
  type KeptBase,
  type KeptRules,
  ScheduleState,
  type SeenSpend,
} from "./schedule_state.ts";
export {
  decideBase,
  startSchedules,
  stopSchedules,
  type TickOptions,
  tickSchedules,
} from "./tick_schedules.ts";
export type { BidOwner } from "../../base/markets/market_limits.ts";
export { type AmountMarket, factorAt, nextChange, wantedAt } from "./wanted_at.ts";
export type { Moment } from "../../base/time/moment.ts";
