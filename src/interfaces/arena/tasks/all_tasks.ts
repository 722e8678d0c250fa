import type { Task } from "../judge/task.ts";
import { COST } from "./cost.ts";
import { EXPLAIN } from "./explain.ts";
import { RECOVERY } from "./recovery.ts";
import { REPAIR } from "./repair.ts";
import { RESTRAINT } from "./restraint.ts";
import { STRUCTURE } from "./structure.ts";
import { WEEK } from "./week.ts";
import { WEEKLY } from "./weekly.ts";

/**
 * The tasks of the arena, by group.
 *
 * @example
 * ```ts
 * import { ARENA_TASKS } from "@platform/ads/arena";
 *
 * for (const { id, title } of ARENA_TASKS) console.log(id, title);
 * ```
 */
export const ARENA_TASKS: readonly Task[] = [
  ...EXPLAIN,
  ...WEEKLY,
  ...STRUCTURE,
  ...REPAIR,
  ...RESTRAINT,
  ...RECOVERY,
  ...COST,
  ...WEEK,
];
