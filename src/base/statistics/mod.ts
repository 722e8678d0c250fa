/**
 * Experiments: draw units to hold back, measure the effect of a change, and estimate rates of entities with few
 * clicks. Pure functions without dependencies, network access or clocks.
 *
 * @module
 */

export { assign, type Assignment, type AssignOptions, type ExperimentUnit } from "./assign.ts";
export { type BidPeriod, type Elasticity, type Exponent, measureElasticity } from "./measure_elasticity.ts";
export { type Effect, type EffectRequest, measureEffect, type UnitTotals } from "./measure_effect.ts";
export {
  type Measured,
  measureMoney,
  type MoneyEffect,
  type MoneyEffectRequest,
  type UnitMoney,
} from "./measure_money.ts";
export { measurePower, type Power, type PowerRequest, type UnitHistory } from "./measure_power.ts";
export type { Seed } from "./random.ts";
export { type AcosCounts, shrinkAcos, type ShrunkAcos } from "./shrink_rates.ts";
export { type RateCounts, type ShrinkOptions, shrinkRates, type ShrunkRate } from "./shrink_rates.ts";
export {
  drawSwitchBack,
  measureSwitchBack,
  type SwitchBack,
  type SwitchBackPair,
  type SwitchBackWeek,
} from "./switch_back.ts";
