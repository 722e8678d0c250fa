import { ARENA_TASKS } from "../../src/interfaces/arena/tasks/all_tasks.ts";
import { longFile } from "../support/long.ts";
import { judgeTakes, judgeTells } from "./support/rejected.ts";

longFile();

for (const task of ARENA_TASKS) {
  Deno.test(`${task.id} on seed 11: the tools are enough, and wrong ways are rejected`, () =>
    judgeTells(task, 11));
  Deno.test(`${task.id} on seed 12: the tools are enough`, async () => {
    await judgeTakes(task, 12);
  });
}
