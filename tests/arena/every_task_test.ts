import { ARENA_TASKS } from "../../src/interfaces/arena/tasks/all_tasks.ts";
import { longFile } from "../support/long.ts";
import { judgeTells } from "./support/rejected.ts";

longFile();

for (const task of ARENA_TASKS) {
  for (const seed of [11, 12]) {
    Deno.test(`${task.id} on seed ${seed}: the tools are enough, and wrong ways are rejected`, () =>
      judgeTells(task, seed));
  }
}
