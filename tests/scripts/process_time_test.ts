import {
  processEntries,
  type ProcessEntry,
  ProcessTime,
  withStarted,
} from "../../scripts/run_tests/process_time.ts";
import { tellDearest } from "../../scripts/run_tests/test_cost.ts";
import { deepEqual, ok } from "../support/assert.ts";

const entry = (parent: number, own: number, { ended = 0, program = "deno" } = {}): ProcessEntry => ({
  parent,
  own,
  ended,
  program,
});

Deno.test("processor time of processes goes to the file that started them, with that of their own processes", () => {
  const time = new ProcessTime(1, (pid) => pid === 5 ? "tests/a_test.ts" : undefined);
  const others: [number, ProcessEntry][] = [[9, entry(8, 100)]];
  time.look(new Map([...others, [1, entry(0, 50)], [5, entry(1, 2)], [6, entry(5, 1, { ended: 4 })]]));
  time.look(
    new Map([...others, [1, entry(0, 60)], [5, entry(1, 3, { ended: 6 })], [
      7,
      entry(1, 2, { program: "chromium" }),
    ]]),
  );
  deepEqual([...time.seconds], [["tests/a_test.ts", 9], ["chromium", 2]]);
  // The first has ended, 1 s later; a short one came and went.
  time.look(new Map([[1, entry(0, 60, { ended: 10 })], [7, entry(1, 2, { program: "chromium" })]]));
  deepEqual([...time.seconds], [["tests/a_test.ts", 10], ["chromium", 2]]);
  time.look(new Map([[1, entry(0, 60, { ended: 10.5 })], [7, entry(1, 2, { program: "chromium" })]]));
  deepEqual([...time.seconds], [["tests/a_test.ts", 10], ["short processes", 0.5], ["chromium", 2]]);
  // After its end, nothing is lost.
  time.look(new Map());
  deepEqual(time.seconds.get("chromium"), 2);
});

Deno.test("this process is among those of the system, and uses its processor", {
  ignore: Deno.build.os !== "linux",
}, () => {
  const own = processEntries().get(Deno.pid)!;
  ok(own.own > 0);
  deepEqual(own.parent, Deno.ppid);
});

Deno.test("the dearest files are named with what they and their processes took, and the sums", () => {
  const work = { name: "a test", processes: 0, requests: 0, reportDays: 0 };
  const costs = Array.from(
    { length: 12 },
    (_, at) => ({ ...work, file: `tests/${at}_test.ts`, milliseconds: at * 1000 }),
  );
  const lines = tellDearest(
    [...costs, { ...work, file: "tests/2_test.ts", milliseconds: 500 }],
    new Map([["tests/2_test.ts", 20], ["chromium", 15]]),
  );
  deepEqual(lines.slice(0, 3), [
    "22.5 s of a processor, 20.0 of them in processes: tests/2_test.ts",
    "15.0 s of a processor, 15.0 of them in processes: chromium",
    "11.0 s of a processor, 0.0 of them in processes: tests/11_test.ts",
  ]);
  deepEqual(lines.length, 11);
  deepEqual(
    lines.at(-1),
    "All tests: 67 s of a processor in their threads, and 35 in the processes that they started",
  );
});

Deno.test("a process is found with all that it started, and nothing else", () => {
  const entries = new Map([[1, entry(0, 1)], [5, entry(1, 1)], [6, entry(5, 1)], [7, entry(1, 1)], [
    9,
    entry(8, 1),
  ]]);
  deepEqual(withStarted(5, entries), [5, 6]);
  deepEqual(withStarted(1, entries), [1, 5, 7, 6]);
  deepEqual(withStarted(3, entries), [3]);
});
