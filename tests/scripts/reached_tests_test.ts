import { withRevision } from "../../scripts/run_tests/changed_files.ts";
import { nearestTests, reachedTests } from "../../scripts/run_tests/reached_tests.ts";
import { deepEqual, equal } from "../support/assert.ts";

const TAG = 'import { long, longFile } from "../support/long.ts";\n';

/** A small repository. */
const TEXTS: ReadonlyMap<string, string> = new Map(Object.entries({
  "mod.ts": 'export { plan } from "./src/plans/plan.ts";\n',
  "src/plans/plan.ts": 'import { money } from "../base/money.ts";\n',
  "src/base/money.ts": "",
  "src/cli/main.ts": 'const load = () => import("./commands/plan_show.ts");\n',
  "src/cli/commands/plan_show.ts": 'import "../../plans/plan.ts";\n',
  "src/cli/commands/list.ts": "",
  "docs/examples/pause.ts": 'import "../../mod.ts";\n',
  "scripts/generate_cli_docs.ts": 'import "../src/cli/main.ts";\n',
  "tests/base/money_test.ts": 'import "../../src/base/money.ts";\n',
  "tests/plans/plan_test.ts": 'import "../../mod.ts";\n',
  "tests/plans/year_test.ts": `${TAG}import "../../mod.ts";\nlongFile();\n`,
  "tests/cli/plan_show_test.ts": `${TAG}import "../../src/cli/main.ts";\nlong();\n`,
  "tests/cli/process_test.ts": 'const CLI = new URL("../../src/cli/main.ts", import.meta.url);\n',
  "tests/docs/examples_test.ts": 'const FOLDER = new URL("../../docs/examples/", import.meta.url);\n',
  "tests/docs/links_test.ts": 'import "../support/markdown.ts";\n',
  "tests/cli/reference_test.ts": 'const PAGE = "docs/cli.md";\n',
  "tests/scripts/notes_test.ts": 'const FOLDER = new URL("../../changes", import.meta.url);\n',
  "tests/structure/names_test.ts": 'const PINNED = new URL("names/", import.meta.url);\n',
  "tests/scripts/sources_test.ts": 'import "../support/module_graph.ts";\n',
}));

Deno.test("the tests of a module come before those that need it for something else, and far ones come last", () => {
  const { everyday, long, near, untested } = reachedTests(["src/plans/plan.ts"], TEXTS);
  deepEqual(everyday, [
    "tests/plans/plan_test.ts",
    "tests/cli/plan_show_test.ts",
    "tests/cli/process_test.ts",
    "tests/docs/examples_test.ts",
  ]);
  deepEqual(long, ["tests/plans/year_test.ts", "tests/cli/plan_show_test.ts"]);
  deepEqual(near, ["mod.ts", "src/cli/commands/plan_show.ts", "src/plans/plan.ts"]);
  deepEqual(untested, []);
});

Deno.test("of several changed files the nearest decides", () => {
  const { everyday } = reachedTests(["src/base/money.ts", "src/cli/commands/plan_show.ts"], TEXTS);
  deepEqual(everyday.slice(0, 2).sort(), ["tests/base/money_test.ts", "tests/cli/plan_show_test.ts"]);
});

Deno.test("a page reaches the tests that read pages or name it, and an example those that run its folder", () => {
  const page = reachedTests(["docs/cli.md"], TEXTS);
  deepEqual(page.everyday.toSorted(), ["tests/cli/reference_test.ts", "tests/docs/links_test.ts"]);
  deepEqual(reachedTests(["docs/examples/pause.ts"], TEXTS).everyday, ["tests/docs/examples_test.ts"]);
});

Deno.test("a note of a change reaches the test of its folder, and a page the tests of pages", () => {
  deepEqual(reachedTests(["changes/plans.md"], TEXTS).everyday.toSorted(), [
    "tests/docs/links_test.ts",
    "tests/scripts/notes_test.ts",
  ]);
});

Deno.test("a page whose path is the end of another's, or which a source names, is another", () => {
  const texts = new Map([...TEXTS, ["src/base/money.ts", 'const PAGE = "cli.md";\n']]);
  deepEqual(reachedTests(["cli.md"], texts).everyday, ["tests/docs/links_test.ts"]);
});

Deno.test("every changed module reaches the tests that read all of them, which come last", () => {
  for (const path of ["src/plans/plan.ts", "tests/cli/process_test.ts", "src/console/web/app.js"]) {
    const reached = reachedTests([path], TEXTS);
    deepEqual(reached.rules, ["tests/scripts/sources_test.ts", "tests/structure/names_test.ts"], path);
    deepEqual(nearestTests(reached), [...reached.everyday, ...reached.rules]);
  }
  deepEqual(reachedTests(["docs/cli.md"], TEXTS).rules, []);
  deepEqual(reachedTests(["tests/structure/names/mod.txt"], TEXTS).everyday, [
    "tests/structure/names_test.ts",
  ]);
});

Deno.test("a module that was removed reaches the tests that import it", () => {
  const texts = new Map([...TEXTS].filter(([path]) => path !== "src/base/money.ts"));
  equal(reachedTests(["src/base/money.ts"], texts).everyday[0], "tests/base/money_test.ts");
});

Deno.test("generated pages that depend on a change are named, and so is what no test depends on", () => {
  deepEqual(reachedTests(["src/cli/main.ts"], TEXTS).generators, ["scripts/generate_cli_docs.ts"]);
  deepEqual(reachedTests(["docs/pictures/plan.webp", "src/cli/commands/list.ts"], TEXTS).untested, [
    "docs/pictures/plan.webp",
    "src/cli/commands/list.ts",
  ]);
});

Deno.test("--changed takes the revision that follows it, and no path", () => {
  const isRevision = (word: string): boolean => !word.startsWith("-") && word !== "tests/plans";
  deepEqual(withRevision(["--changed"], isRevision), ["--changed="]);
  deepEqual(withRevision(["--changed", "HEAD~2", "--all"], isRevision), ["--changed=HEAD~2", "--all"]);
  deepEqual(withRevision(["--changed", "tests/plans"], isRevision), ["--changed=", "tests/plans"]);
  deepEqual(withRevision(["tests/plans", "--all"], isRevision), ["tests/plans", "--all"]);
});
