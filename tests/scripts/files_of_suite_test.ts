import { deepEqual } from "../support/assert.ts";
import { filesOfSuite, LONGEST, longestFirst } from "../../scripts/reliability/files_of_suite.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

Deno.test("tests that name the seed are told from those that are the same with every seed", async () => {
  await using folder = await temporaryFolder();
  await Deno.mkdir(folder.file("suite/inner"), { recursive: true });
  for (
    const [path, text] of [
      ["b_test.ts", "const random = new SeededRandom(SEED + 1);"],
      ["a_test.ts", "const SEEDS = 20;"],
      ["inner/c_test.ts", "import { SEED } from './size.ts';"],
      ["helper.ts", "export const SEED = 1;"],
    ] as const
  ) await Deno.writeTextFile(folder.file(`suite/${path}`), text);
  deepEqual(await filesOfSuite(folder.path, "suite"), {
    seeded: ["suite/b_test.ts", "suite/inner/c_test.ts"],
    fixed: ["suite/a_test.ts"],
  });
});

Deno.test("the longest files of the suite begin first, and are there", async () => {
  const { seeded, fixed } = await filesOfSuite(".", "tests/reliability");
  const nameOf = (path: string): string => path.replace(/^.*\/|_test\.ts$/g, "");
  const first = longestFirst([...fixed, ...seeded]).slice(0, LONGEST.length);
  deepEqual(first.map(nameOf), [...LONGEST]);
});
