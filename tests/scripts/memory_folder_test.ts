import { memoryFolder } from "../../scripts/run_tests/memory_folder.ts";
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
