import type { Task } from "../judge/task.ts";
import { type Agent, drawTask, play } from "./play.ts";
import { appendResult, type ArenaResult, readResults } from "./results_file.ts";

/** Agent, tasks and seeds of a run. */
export interface ArenaOptions {
  /** Tasks to run, in order. */
  readonly tasks: readonly Task[];
  /** Agent to run, called once per task and seed. */
  readonly agent: Agent;
  /** Name of the agent in the results. */
  readonly name: string;
  /** Seeds; each draws different names, ids and figures. */
  readonly seeds: readonly number[];
  /** JSON lines file; runs already in it are not repeated. @default none is written */
  readonly out?: string | undefined;
  /** Aborts the run, between or within tasks. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs an agent on tasks one after the other. Yields the results already in the file first, then each new result as it
 * arrives.
 *
 * @throws {ConfigurationError} when the file or the agent's program cannot be used.
 *
 * @example
 * ```ts
 * import { ARENA_TASKS, REFERENCE_AGENTS, runArena } from "@platform/ads/arena";
 *
 * const tasks = ARENA_TASKS.slice(0, 1);
 * for await (const { task, done } of runArena({ tasks, agent: REFERENCE_AGENTS.idle, name: "idle", seeds: [1] })) {
 *   console.log(task, done); // explain/spend-jump false
 * }
 * ```
 */
export async function* runArena(options: ArenaOptions): AsyncGenerator<ArenaResult> {
  const { tasks, agent, name, seeds, out, signal } = options;
  const known = new Map(
    (out === undefined ? [] : await readResults(out)).filter((one) => one.agent === name)
      .map((one) => [`${one.task} ${one.seed}`, one]),
  );
  for (const task of tasks) {
    for (const seed of seeds) {
      const before = known.get(`${task.id} ${seed}`);
      if (before !== undefined) {
        yield before;
        continue;
      }
      signal?.throwIfAborted();
      const { id, group } = task;
      const result: ArenaResult = {
        task: id,
        group,
        seed,
        agent: name,
        ...await play(drawTask(task, seed), agent),
      };
      if (out !== undefined) await appendResult(out, result);
      yield result;
    }
  }
}
