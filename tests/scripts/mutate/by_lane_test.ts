import { deepEqual, equal } from "../../support/assert.ts";
import { tryByLane } from "../../../scripts/mutate/by_lane.ts";
import { collectTests, test } from "../../../scripts/mutate/collected_tests.ts";
import { marks } from "../../../scripts/run_tests/marks.ts";
import type { Mutant } from "../../../scripts/mutate/mutant.ts";
import { long, longFile } from "../../support/long.ts";

const LONG = 'import { long } from "../support/long.ts";\n';
const TEXTS = new Map([
  ["src/a/source.ts", ""],
  ["tests/a/source_test.ts", 'import "../../src/a/source.ts";'],
  ["tests/b/user_test.ts", `${LONG}import "../../src/a/source.ts";`],
  ["tests/c/other_test.ts", ""],
]);

/** A change with the number of the test that notices it: 0 for none. */
function mutant(id: number): Mutant {
  return { id, path: "src/a/source.ts", line: id, column: 1, context: "", before: "1", after: "2" };
}

Deno.test("what everyday tests of the folder miss goes to those of others, then to long ones", async () => {
  const tried: unknown[] = [];
  const noticedBy = new Map([[1, "everyday tests/a/source_test.ts"], [2, "everyday tests/b/user_test.ts"], [
    3,
    "long tests/b/user_test.ts",
  ]]);
  const { open, ...counts } = await tryByLane([1, 2, 3, 4, 5].map(mutant), {
    files: ["tests/a/source_test.ts"],
    texts: TEXTS,
    isAccepted: ({ id }) => id === 4,
    tell: () => {},
    trialsWith: ({ lane, files }) =>
      Promise.resolve({
        run: (mutants, tell) => {
          tried.push([lane, files, mutants.map(({ id }) => id)]);
          for (const one of mutants) {
            const test = noticedBy.get(one.id);
            tell(
              one,
              test !== undefined && files.some((file) => test === `${lane} ${file}`)
                ? { noticedBy: test }
                : {},
            );
          }
          return Promise.resolve();
        },
        stop: () => Promise.resolve(),
      }),
  });
  deepEqual(counts, { tried: 5, everyday: 2, long: 1, accepted: 1 });
  deepEqual(open.map(({ id }) => id), [5]);
  deepEqual(tried, [
    ["everyday", ["tests/a/source_test.ts"], [1, 2, 3, 4, 5]],
    ["everyday", ["tests/b/user_test.ts"], [2, 3, 5]],
    ["long", ["tests/b/user_test.ts"], [3, 5]],
  ]);
});

Deno.test("collected tests know their lane", async () => {
  const lanes = async (load: () => void): Promise<readonly boolean[]> =>
    (await collectTests(() => Promise.resolve(load()))).map(({ isLong }) => isLong);
  const one = (): void => test("a test", () => {});
  deepEqual(await lanes(() => (one(), long(), one(), one())), [false, true, false]);
  deepEqual(await lanes(() => (longFile(), one(), one())), [true, true]);
  deepEqual(await lanes(one), [false]);
});

Deno.test("hooks of collected tests do not go to the files of a run that a test has played", async () => {
  const own = marks.hooks;
  try {
    marks.hooks = { before: [], after: [] };
    await collectTests(() => Promise.resolve());
    equal(marks.hooks, undefined);
  } finally {
    marks.hooks = own;
  }
});
