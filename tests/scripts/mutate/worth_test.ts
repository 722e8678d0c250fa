import { deepEqual } from "../../support/assert.ts";
import { Worth } from "../../../scripts/mutate/worth.ts";

Deno.test("files that notice nothing of their own come first, the dearest of them with what to do", () => {
  const worth = new Worth(new Map([["a_test.ts", 500], ["b_test.ts", 2500], ["c_test.ts", 9000]]));
  worth.add("x -> y", ["a_test.ts", "b_test.ts"]);
  worth.add("1 -> 2", ["c_test.ts"]);
  worth.add("true -> false", []);
  deepEqual(worth.lines(), [
    "2.5 s, 1 noticed, 0 by it alone: b_test.ts (merge or remove it)",
    "0.5 s, 1 noticed, 0 by it alone: a_test.ts",
    "9.0 s, 1 noticed, 1 by it alone: c_test.ts",
    "    1 -> 2",
  ]);
});
