import { dirname } from "node:path";
import { marks } from "../../scripts/run_tests/marks.ts";
import { memoryFolder } from "../../scripts/run_tests/memory_folder.ts";
import { keepInMemory, needsDisk } from "../../scripts/run_tests/temporary_place.ts";
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

function names(path: string): string[] {
  return [...Deno.readDirSync(path)].map(({ name }) => name).sort();
}

Deno.test("a run removes its folder in memory and those of killed runs, and leaves those of runs that go on and of others", async () => {
  await using root = await temporaryFolder();
  Deno.mkdirSync(root.file("ads_dead"));
  Deno.writeTextFileSync(root.file("ads_dead/a.sqlite"), "rows");
  Deno.mkdirSync(root.file("another_program"));
  // As a process of another container: no number of a process is in it, and it holds its lock.
  Deno.mkdirSync(root.file("ads_live"));
  using live = Deno.openSync(root.file("ads_live"));
  live.lockSync(true);
  {
    await using folder = (await memoryFolder({ root: root.path, needed: 1 }))!;
    const own = folder.path.slice(root.path.length + 1);
    match(own, /^ads_[0-9a-f]{4}$/);
    deepEqual(names(root.path), [own, "ads_live", "another_program"].sort());
    equal(Deno.statSync(folder.path).mode! & 0o7777, 0o1777, "PostgreSQL runs as another user");
    await using second = (await memoryFolder({ root: root.path, needed: 1 }))!;
    ok(names(root.path).includes(own), "a run beside it takes nothing away");
    ok(second.path !== folder.path);
  }
  deepEqual(names(root.path), ["ads_live", "another_program"]);
});

Deno.test("files stay on disk where there is little memory, or no such place", async () => {
  await using root = await temporaryFolder();
  equal(await memoryFolder({ root: root.path, needed: Infinity }), undefined);
  equal(await memoryFolder({ root: root.file("nowhere"), needed: 1 }), undefined);
  deepEqual(names(root.path), []);
});

Deno.test("a test file keeps its folders in memory, but not if it starts programs", async () => {
  await using memory = await temporaryFolder();
  await using system = await temporaryFolder({ onDisk: true });
  const { makeTempDir, makeTempDirSync } = Deno;
  const { temporary } = marks;
  let isOnDisk = false;
  const made = async (): Promise<string[]> => {
    const onDisk = await temporaryFolder({ onDisk: true });
    const own = await temporaryFolder();
    const paths = [Deno.makeTempDirSync(), await Deno.makeTempDir({ prefix: "a-" }), own.path, onDisk.path];
    for (const path of paths) Deno.removeSync(path);
    return paths.map((path) => dirname(path));
  };
  try {
    keepInMemory(memory.path, () => isOnDisk);
    const disk = dirname(system.path);
    deepEqual(await made(), [memory.path, memory.path, memory.path, disk]);
    isOnDisk = true;
    ok(!(await made()).includes(memory.path));
  } finally {
    Object.defineProperties(Deno, {
      makeTempDir: { value: makeTempDir, configurable: true },
      makeTempDirSync: { value: makeTempDirSync, configurable: true },
    });
    marks.temporary = temporary;
  }
  const texts = [
    "new Deno.Command(",
    "Deno.execPath()",
    'from "./server_process.ts"',
    'from "node:child_process"',
    "a week",
  ];
  deepEqual(texts.map(needsDisk), [true, true, true, true, false]);
});
