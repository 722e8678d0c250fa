import { writeEntries } from "../../scripts/run_tests/entries.ts";
import { lanesOf } from "../../scripts/run_tests/lanes.ts";
import { FIRST, groupFirst, groupTests } from "../../scripts/run_tests/test_groups.ts";
import { writesUnderPolicy } from "../../scripts/run_tests/under_policy.ts";
import { deepEqual, doesNotMatch, equal, match, ok } from "../support/assert.ts";
import { sourceFiles } from "../support/module_graph.ts";

const allFiles = (await sourceFiles(["tests"])).filter((path) => path.endsWith("_test.ts")).sort();

Deno.test("everyday files share isolates by their folders, and the longest of the long ones begin", () => {
  const groups = groupTests(allFiles);
  deepEqual(groups.flatMap(({ files }) => files).sort(), allFiles);
  equal(new Set(groups.map(({ name }) => name)).size, groups.length);
  // A name that no file has any more would be left out, unnoticed.
  deepEqual(groupFirst(allFiles).map(({ files }) => files), FIRST);
});

Deno.test("a large folder is divided, small ones share an isolate, and the rules of the sources and the dear ones begin", () => {
  const files = (folder: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `tests/${folder}/${at}_test.ts`);
  const groups = groupTests(
    [
      ...files("store", 100),
      ...files("account", 26),
      ...files("bids", 2),
      ...files("base/time", 9),
      ...files("structure", 3),
      "tests/a_test.ts",
    ],
  );
  deepEqual(groups.map(({ name, files }) => [name, files.length]), [
    ["tests/structure", 3],
    ["tests/account", 26],
    ["tests/store_1", 50],
    ["tests/store_2", 50],
    ["tests+tests/base+tests/bids", 12],
  ]);
});

Deno.test("a folder's files share a module that is removed, and a file that is named runs as it is", async () => {
  const named = "tests/batch/item_error_test.ts";
  const entries = await writeEntries({ roots: ["tests/bids", named], lane: "everyday" });
  const [module, ...rest] = entries.args;
  try {
    const files = (await sourceFiles(["tests/bids"])).filter((path) => path.endsWith("_test.ts"));
    const imported = await Deno.readTextFile(module!);
    for (const file of files) ok(imported.includes(`/${file}"`), imported);
    deepEqual(rest, [named]);
    equal(entries.named(`../..${module} => a bid ... ok`), "tests/bids => a bid ... ok");
    equal(entries.named("./tests/a_test.ts => a bid ... ok"), "./tests/a_test.ts => a bid ... ok");
  } finally {
    await entries.remove();
  }
  equal(await Deno.stat(module!).then(() => true, () => false), false);
});

/** The files that each module imports, by their paths from the root. */
async function imports(modules: readonly string[]): Promise<string[][]> {
  const texts = await Promise.all(modules.map((path) => Deno.readTextFile(path)));
  return texts.map((text) => [...text.matchAll(/\/(tests\/[^"]+_test\.ts)"/g)].map(([, path]) => path!));
}

Deno.test("files that replace timers share an isolate with no others, and none is left out", async () => {
  const apart = ["tests/store/queue/heartbeat_test.ts", "tests/transport/small_parts_test.ts"];
  const entries = await writeEntries({ roots: ["tests/store", "tests/transport"], lane: "everyday" });
  try {
    const isolates = await imports(entries.args);
    const holding = isolates.filter((files) => apart.some((path) => files.includes(path)));
    equal(holding.length, 1);
    for (const path of apart) ok(holding[0]!.includes(path), path);
    ok(!holding[0]!.includes("tests/store/named_figures_test.ts"));
    ok(isolates.length > 1);
  } finally {
    await entries.remove();
  }
});

Deno.test("files of the simulation, which replaces the clock for good, share an isolate with no others", async () => {
  const entries = await writeEntries({ roots: ["tests/simulation", "tests/watch"], lane: "everyday" });
  try {
    const isolates = await imports(entries.args);
    const [simulated, ...others] = isolates.filter((files) =>
      files.includes("tests/simulation/world_test.ts")
    );
    equal(others.length, 0);
    ok(simulated!.includes("tests/simulation/kept_seeds_test.ts"));
    ok(!simulated!.some((path) => /row_locks|watch/.test(path)), String(simulated));
  } finally {
    await entries.remove();
  }
});

Deno.test("long files share isolates, those with a few long tests and those with nothing else apart", async () => {
  const entries = await writeEntries({ roots: ["tests"], lane: "long" });
  try {
    for (
      const [kind, size, lanes] of [["partly_long", 24, ["everyday", "long"]], ["long", 12, [
        "long",
      ]]] as const
    ) {
      const shared = entries.args.filter((path) => entries.named(`${path} => `).startsWith(`tests/${kind}_`));
      const groups = await imports(shared);
      ok(groups.length > 2);
      for (const files of groups) ok(files.length > 2 && files.length <= size, String(files));
      for (const file of groups.flat()) deepEqual(lanesOf(await Deno.readTextFile(file)), lanes, file);
    }
  } finally {
    await entries.remove();
  }
});

Deno.test("long tests keep their files in memory, but those that start programs", async () => {
  const entries = await writeEntries({ roots: ["tests/mcp"], lane: "long", memory: "/memory" });
  try {
    const texts = await Promise.all(entries.args.map((path) => Deno.readTextFile(path)));
    for (const text of texts) match(text, /\nmemory: "\/memory",\n/);
    const onDisk = texts.flatMap((text) => JSON.parse(/\nonDisk: (.*),\n/.exec(text)![1]!) as string[]);
    ok(onDisk.includes("tests/mcp/store_test.ts") && !onDisk.includes("tests/mcp/http_test.ts"));
  } finally {
    await entries.remove();
  }
});

Deno.test("no test has hooks of its isolate, which run around the tests of other files too", async () => {
  const own = ["tests/support/hooks.ts"];
  for (const path of await sourceFiles(["tests"])) {
    const imported = /import \{([^}]*)\} from "node:test";/.exec(await Deno.readTextFile(path))?.[1] ?? "";
    if (!own.includes(path)) doesNotMatch(imported, /\b(?:before|after)/, path);
  }
});

Deno.test("each test file runs in the lanes that it has tests for; single files bring their own examples", async () => {
  const texts = new Map(
    await Promise.all(allFiles.map(async (path) => [path, await Deno.readTextFile(path)] as const)),
  );
  for (const lane of ["everyday", "long"] as const) {
    const entries = await writeEntries({ roots: ["."], lane });
    try {
      const own = allFiles.filter((path) => lanesOf(texts.get(path)!).includes(lane));
      const judged = lane === "everyday"
        ? []
        : allFiles.filter((path) =>
          lanesOf(texts.get(path)!).includes("everyday") && writesUnderPolicy(path, texts.get(path)!)
        );
      deepEqual((await imports(entries.args)).flat().sort(), [...own, ...judged].sort());
      equal(entries.left, allFiles.length - new Set([...own, ...judged]).size);
      equal(entries.holdsDocs, false, "--doc would give each example an isolate");
    } finally {
      await entries.remove();
    }
  }
  const part = await writeEntries({ roots: ["README.md", "src/plans", "tests/batch"], lane: "everyday" });
  try {
    deepEqual([part.args.slice(1), part.holdsDocs], [["README.md", "src/plans"], true]);
  } finally {
    await part.remove();
  }
});

Deno.test("what takes longest begins first, for Deno keeps the order of paths that are equally long", async () => {
  const entries = await writeEntries({ roots: ["."], lane: "long" });
  try {
    const isolates = await imports(entries.args);
    deepEqual(isolates.slice(0, FIRST.length), FIRST);
    deepEqual(new Set(entries.args.map(({ length }) => length)).size, 1);
    equal(entries.named(`../..${entries.args[0]} => a bid ... ok`), `${FIRST[0]![0]} => a bid ... ok`);
    for (const path of entries.args) match(entries.named(`../..${path} => a bid`), /^\S+ => a bid$/);
  } finally {
    await entries.remove();
  }
  const folder = await Deno.makeTempDir();
  const names = ["b", "a", "c"].map((name) => `${folder}/${name}_test.ts`);
  for (const path of names) await Deno.writeTextFile(path, "Deno.test('is there', () => {});\n");
  const command = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "--parallel", ...names],
    env: { DENO_JOBS: "1", NO_COLOR: "1" },
  });
  const text = new TextDecoder().decode((await command.output()).stdout);
  deepEqual([...text.matchAll(/(\w)_test\.ts/g)].map(([, name]) => name), ["b", "a", "c"], text);
  await Deno.remove(folder, { recursive: true });
});
