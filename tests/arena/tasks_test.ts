import { deepEqual, equal, ok } from "../support/assert.ts";
import { drawTask, instructionOf } from "../../src/interfaces/arena/run/play.ts";
import { ARENA_TASKS } from "../../src/interfaces/arena/tasks/all_tasks.ts";
import { judgeTells } from "./support/rejected.ts";

for (const task of ARENA_TASKS) {
  Deno.test(`${task.id}: the tools are enough, and wrong ways are rejected`, () => judgeTells(task, 1));
}

Deno.test("every task has an id of its group, lines to answer with, facts, and at least three wrong ways", () => {
  equal(new Set(ARENA_TASKS.map(({ id }) => id)).size, ARENA_TASKS.length);
  for (const task of ARENA_TASKS) {
    const { wrong, facts, answer } = drawTask(task, 1);
    ok(task.id.startsWith(`${task.group}/`), task.id);
    ok(Object.keys(wrong).length >= 3, `${task.id} has ${Object.keys(wrong).length} wrong ways`);
    ok(facts.length >= 2 && Object.keys(answer).length > 0, task.id);
  }
});

Deno.test("seeds change names, ids and figures of every task, and equal seeds give equal accounts", () => {
  for (const task of ARENA_TASKS) {
    const [one, again, other] = [1, 1, 2].map((seed) => drawTask(task, seed));
    const contents = (drawn: typeof one) => drawn!.profiles.map((profile) => profile.copy(""));
    deepEqual(contents(one), contents(again), task.id);
    const values = (drawn: typeof one, field: RegExp): Set<unknown> =>
      new Set(
        contents(drawn).flatMap(({ collections }) =>
          Object.values(collections).flat().flatMap((entity) =>
            Object.entries(entity).flatMap(([name, value]) => field.test(name) ? [JSON.stringify(value)] : [])
          )
        ),
      );
    for (const field of [/Id$/, /^(name|keywordText)$/, /^(bid|budget|defaultBid)$/]) {
      const [here, there] = [values(one, field), values(other, field)];
      ok(here.difference(there).size > 0, `${task.id}: ${field} is the same on both seeds`);
    }
    ok(
      values(one, /^(campaignId|keywordId)$/).isDisjointFrom(values(other, /^(campaignId|keywordId)$/)),
      task.id,
    );
    ok(
      instructionOf(one!) !== instructionOf(other!) || one!.profiles[0]!.now !== other!.profiles[0]!.now,
      task.id,
    );
  }
});
