import { ok } from "../../support/assert.ts";
import { drawTask, play, type Played } from "../../../src/interfaces/arena/run/play.ts";
import { ARENA_TASKS } from "../../../src/interfaces/arena/tasks/all_tasks.ts";
import type { Script, Task } from "../../../src/interfaces/arena/judge/task.ts";

export function taskOf(id: string): Task {
  const task = ARENA_TASKS.find((one) => one.id === id);
  ok(task !== undefined, `There is a task ${id}`);
  return task;
}

/** Plays a script on a task. */
export function playScript(task: Task, seed: number, script: Script): Promise<Played> {
  return play(drawTask(task, seed), (world) => script(world));
}

/** The judge takes the solution of a task. */
export async function judgeTakes(task: Task, seed: number): Promise<Played> {
  const solved = await playScript(task, seed, drawTask(task, seed).solution);
  ok(
    solved.done,
    `${task.id} ${seed}: ${JSON.stringify({ ...solved.harm, reasons: solved.reasons })}\n${solved.answer}`,
  );
  return solved;
}

/** The same, and it rejects every wrong script. */
export async function judgeTells(task: Task, seed: number): Promise<void> {
  const solved = await judgeTakes(task, seed);
  const repeated = await playScript(task, seed, () => Promise.resolve(solved.answer));
  ok(!repeated.done, `${task.id} ${seed}: the right answer without a call is not done`);
  for (const [name, script] of Object.entries(drawTask(task, seed).wrong)) {
    const played = await playScript(task, seed, script);
    ok(!played.done, `${task.id} ${seed}: an agent that ${name} is not done`);
  }
}
