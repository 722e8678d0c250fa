import { judge, type Judgement } from "../judge/judge.ts";
import type { DrawnTask, Task, Tools } from "../judge/task.ts";
import { ArenaWorld } from "./arena_world.ts";
import { Draw } from "../account/draw.ts";

/** A judged run of a task. */
export interface Played extends Judgement {
  /** Number of tool calls. */
  readonly calls: number;
  /** Estimated number of tokens in the tools' responses. */
  readonly tokens: number;
  /** Number of account days that passed. */
  readonly days: number;
  /** The agent's answer. */
  readonly answer: string;
}

/** The tools available to an agent, in this process or over HTTP. */
export interface AgentWorld extends Tools {
  /** Serves the tools on this machine. */
  listen(): Promise<{ readonly url: string; stop(): Promise<void> }>;
}

/** An agent: gets the tools and the instruction, and returns its answer. */
export type Agent = (world: AgentWorld, instruction: string) => Promise<string>;

/**
 * Draws a task; equal seeds give equal accounts.
 *
 * @example
 * ```ts
 * import { ARENA_TASKS, drawTask } from "@platform/ads/arena";
 *
 * const [task] = ARENA_TASKS;
 * if (task !== undefined) console.log(Object.keys(drawTask(task, 7).answer)); // campaign_id, keyword_id, rise
 * ```
 */
export function drawTask(task: Task, seed: number): DrawnTask {
  return task.draw(new Draw(`${task.id} ${seed}`));
}

/**
 * The full instruction for an agent: the task's text and the lines that the answer must end with.
 *
 * @example
 * ```ts
 * import { ARENA_TASKS, drawTask, instructionOf } from "@platform/ads/arena";
 *
 * for (const task of ARENA_TASKS.slice(0, 2)) console.log(instructionOf(drawTask(task, 1)));
 * ```
 */
export function instructionOf({ instruction, answer, profiles, limits }: DrawnTask): string {
  const lines = Object.entries(answer).map(([key, meaning]) => `${key}: <${meaning}>`);
  const days = limits?.days === undefined
    ? ""
    : ` The tool wait_days lets days pass; you may let up to ${limits.days} pass.`;
  return [
    `${instruction}`,
    `The market is ${profiles[0]!.country}; amounts are in ${
      profiles[0]!.currency
    }. You may change the account without ` +
    `asking again, as far as this text asks for it.${days}`,
    "End your answer with these lines, each with one value and nothing else:",
    ...lines,
  ].join("\n\n").replaceAll(/>\n\n(?=[a-z_]+: <)/g, ">\n");
}

/**
 * Runs an agent on a drawn task and judges the result.
 *
 * @example
 * ```ts
 * import { ARENA_TASKS, drawTask, play, REFERENCE_AGENTS } from "@platform/ads/arena";
 *
 * const [task] = ARENA_TASKS;
 * if (task !== undefined) console.log((await play(drawTask(task, 1), REFERENCE_AGENTS.idle)).reasons);
 * ```
 */
export async function play(task: DrawnTask, agent: Agent): Promise<Played> {
  const world = await ArenaWorld.open(task);
  try {
    const answer = await agent(world, instructionOf(task));
    await world.end();
    const tokens = world.calls.reduce((sum, call) => sum + call.tokens, 0);
    const judgement = await judge(task, world.seen(answer), { limits: world.limits, tokens });
    return { ...judgement, calls: world.calls.length, tokens, days: world.days, answer };
  } finally {
    await world[Symbol.asyncDispose]();
  }
}
