import type { Scenario } from "./scenario.ts";
import { DESK } from "./scenarios/desk.ts";
import { ENTITIES } from "./scenarios/entities.ts";
import { LIMITS } from "./scenarios/limits.ts";
import { PACE } from "./scenarios/pace.ts";
import { PLANS } from "./scenarios/plans.ts";
import { QUEUE } from "./scenarios/queue.ts";
import { QUEUE_ROLLOUTS } from "./scenarios/queue_rollouts.ts";
import { ROLLOUTS } from "./scenarios/rollouts.ts";
import { SERVICE } from "./scenarios/service.ts";
import { STREAM } from "./scenarios/stream.ts";
import { SYNC } from "./scenarios/sync.ts";
import { TICKS } from "./scenarios/ticks.ts";
import { WATCH } from "./scenarios/watch.ts";

/** Scenarios of one plan, its ledger, pace and queue, whose seeds are quick. */
export const FILE_SCENARIOS: readonly Scenario[] = [PLANS, LIMITS, PACE, QUEUE, QUEUE_ROLLOUTS];

/** Scenarios with a store or several programs or profiles, of which a seed takes longer. */
export const STORE_SCENARIOS: readonly Scenario[] = [
  DESK,
  ENTITIES,
  ROLLOUTS,
  SERVICE,
  STREAM,
  SYNC,
  TICKS,
  WATCH,
];

/** Everything that is simulated. */
export const SCENARIOS: readonly Scenario[] = [...FILE_SCENARIOS, ...STORE_SCENARIOS];
