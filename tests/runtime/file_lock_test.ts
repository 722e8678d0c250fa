import { mock } from "node:test";
import { deepEqual, equal, ok } from "../support/assert.ts";
import { withFileLock } from "../../src/base/runtime/file_lock.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

Deno.test("a lock that is in use is not taken over by one that has waited for longer than the lease", async () => {
  await using folder = await temporaryFolder();
  // Each step takes 60 ms by this clock, on however slow a machine.
  let now = 0;
  const clock = mock.method(performance, "now", () => now);
  let inside = 0;
  const seen: number[] = [];
  const waits: number[] = [];
  await Promise.all(
    Array.from(
      { length: 25 },
      () =>
        withFileLock(folder.file("lock"), { lease: 1000, maxWait: 60_000 }, async () => {
          seen.push(++inside);
          waits.push(now);
          await new Promise((wake) => setTimeout(wake, 40));
          now += 60;
          inside--;
        }),
    ),
  );
  clock.mock.restore();
  deepEqual(seen, Array.from({ length: 25 }, () => 1));
  ok(waits.filter((waited) => waited > 1000).length >= 8, `${waits}`);
  deepEqual(await Array.fromAsync(Deno.readDir(folder.path)), []);
});

Deno.test("the lock of a process that died is taken over after the lease, whatever the clock says", async () => {
  await using folder = await temporaryFolder();
  for (const left of ["", "somebody", String(Date.now() + 3_600_000)]) {
    await Deno.writeTextFile(folder.file("lock"), left);
    const done = await withFileLock(
      folder.file("lock"),
      { lease: 50, maxWait: 600_000 },
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
