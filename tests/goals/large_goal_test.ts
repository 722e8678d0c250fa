import { equal, ok } from "../support/assert.ts";
import { longFile } from "../support/long.ts";
import { decideGoal } from "../../src/account/goals/decide.ts";
import { largeGoal } from "./market/large_goal.ts";

longFile();

Deno.test("a goal of 100,000 targets is decided in 500 MB", () => {
  const before = Deno.memoryUsage().rss;
  const { rows } = decideGoal(largeGoal(100_000));
  equal(rows.length, 100_000);
  ok(Deno.memoryUsage().rss - before < 500e6);
});
