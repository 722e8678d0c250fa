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

Deno.test("a file that replaces timers or has hooks shares its isolate with none, and is not left out", async () => {
  const single = ["tests/store/queue/heartbeat_test.ts", "tests/store/postgres/failures_test.ts"];
  const entries = await writeEntries(["tests/store"]);
  try {
    const modules = entries.args.filter((arg) => arg.includes("platform-ads-tests-"));
    const imported = (await Promise.all(modules.map((path) => Deno.readTextFile(path)))).join("");
    ok(imported.includes("/pace_test.ts"), imported);
    for (const path of single) ok(entries.args.includes(path) && !imported.includes(path), path);
  } finally {
    await entries.remove();
  }
});

Deno.test("a whole run has every test file once, and all examples by one of them; single files bring their own", async () => {
  const entries = await writeEntries(["."]);
  const [temporary, named] = [
    entries.args.filter((arg) => arg.includes("platform-ads-tests-")),
    entries.args.filter((arg) => !arg.includes("platform-ads-tests-")),
  ];
  try {
    const imported = (await Promise.all(temporary.map((path) => Deno.readTextFile(path)))).join("");
    for (const path of named) ok(!imported.includes(`/${path}"`), `${path} is in a group too`);
    deepEqual(named.filter((path) => path.startsWith("tests") && !path.endsWith("_test.ts")), []);
    const inAll = imported.split("\n").length - 1 + named.filter((path) => path.startsWith("tests/")).length;
    equal(inAll, (await sourceFiles(["tests"])).filter((path) => path.endsWith("_test.ts")).length);
    ok(named.includes("tests/docs/programs_test.ts"));
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
