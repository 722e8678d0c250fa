import { deepEqual, equal } from "../support/assert.ts";
import { withFileLock } from "../../src/runtime/file_lock.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const pause = (milliseconds: number): Promise<void> => new Promise((wake) => setTimeout(wake, milliseconds));

Deno.test("a lock that is in use is not taken over by one that has waited for longer than the lease", async () => {
  await using folder = await temporaryFolder();
  let inside = 0;
  const seen: number[] = [];
  await Promise.all(
    Array.from(
      { length: 25 },
      () =>
        withFileLock(folder.file("lock"), { lease: 1000, maxWait: 60_000 }, async () => {
          seen.push(++inside);
          await pause(60);
          inside--;
        }),
    ),
  );
  deepEqual(seen, Array.from({ length: 25 }, () => 1));
  deepEqual(await Array.fromAsync(Deno.readDir(folder.path)), []);
});

Deno.test("the lock of a process that died is taken over after the lease, whatever the clock says", async () => {
  await using folder = await temporaryFolder();
  for (const left of ["", "somebody", String(Date.now() + 3_600_000)]) {
    await Deno.writeTextFile(folder.file("lock"), left);
    const done = await withFileLock(
      folder.file("lock"),
      { lease: 50, maxWait: 10_000 },
      () => Promise.resolve(7),
    );
    deepEqual(done, { result: 7 });
  }
});

Deno.test("a lock that stays held is given up after the longest wait, and the step does not run", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(folder.file("lock"), "somebody");
  let ran = false;
  const step = (): Promise<void> => {
    ran = true;
    return Promise.resolve();
  };
  equal(await withFileLock(folder.file("lock"), { lease: 60_000, maxWait: 30 }, step), undefined);
  equal(ran, false);
  equal(await Deno.readTextFile(folder.file("lock")), "somebody");
});
