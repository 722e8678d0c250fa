import type { Scenario } from "./scenario.ts";
import { LIMITS } from "./scenarios/limits.ts";
import { PACE } from "./scenarios/pace.ts";
import { PLANS } from "./scenarios/plans.ts";
import { SYNC } from "./scenarios/sync.ts";
import { TICKS } from "./scenarios/ticks.ts";

/** Everything that is simulated. */
export const SCENARIOS: readonly Scenario[] = [PLANS, LIMITS, PACE, SYNC, TICKS];
