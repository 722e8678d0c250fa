import { ALONE, groupTests } from "../../scripts/run_tests/test_groups.ts";
import { writeEntries } from "../../scripts/run_tests/entries.ts";
import { deepEqual, equal, ok } from "../support/assert.ts";
import { sourceFiles } from "../support/module_graph.ts";

Deno.test("every test file runs once: by itself or in one group", async () => {
  const files = (await sourceFiles(["tests"])).filter((path) => path.endsWith("_test.ts")).sort();
  const { alone, groups } = groupTests(files);
  deepEqual([...alone, ...groups.flatMap((group) => group.files)].sort(), files);
  equal(new Set(groups.map(({ name }) => name)).size, groups.length);
  // A name that no file has any more would leave a slow file in a group, unnoticed.
  deepEqual(alone, ALONE);
});

Deno.test("a folder's files share a module that is removed, and a file that is named runs as it is", async () => {
  const named = "tests/batch/item_error_test.ts";
  const entries = await writeEntries(["tests/bids", named]);
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
  return texts.map((text) => [...text.matchAll(/\/(tests\/[^"]+)"/g)].map(([, path]) => path!));
}

Deno.test("a file that replaces timers or has hooks shares its isolate with none, and is not left out", async () => {
  const single = ["tests/store/queue/heartbeat_test.ts", "tests/store/postgres/failures_test.ts"];
  const entries = await writeEntries(["tests/store"]);
  try {
    const isolates = await imports(entries.args);
    ok(isolates.some((files) => files.length > 1));
    for (const path of single) ok(isolates.some((files) => files.length === 1 && files[0] === path), path);
  } finally {
    await entries.remove();
  }
});

Deno.test("a whole run has every test file once, and all examples by one of them; single files bring their own", async () => {
  const entries = await writeEntries(["."]);
  try {
    const isolates = await imports(entries.args);
    const files = (await sourceFiles(["tests"])).filter((path) => path.endsWith("_test.ts"));
    deepEqual(isolates.flat().sort(), files.sort());
    ok(isolates.flat().includes("tests/docs/programs_test.ts"));
    equal(entries.holdsDocs, false, "--doc would give each example an isolate");
  } finally {
    await entries.remove();
  }
  const part = await writeEntries(["README.md", "src/plans", "tests/batch"]);
  try {
    deepEqual([part.args.slice(1), part.holdsDocs], [["README.md", "src/plans"], true]);
  } finally {
    await part.remove();
  }
});

Deno.test("what waits begins first, for Deno keeps the order of paths that are equally long", async () => {
  const entries = await writeEntries(["."]);
  try {
    const isolates = await imports(entries.args);
    deepEqual(isolates.slice(0, ALONE.length), ALONE.map((path) => [path]));
    deepEqual(new Set(entries.args.map(({ length }) => length)).size, 1);
    equal(entries.named(`../..${entries.args[0]} => a bid ... ok`), `${ALONE[0]} => a bid ... ok`);
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
