import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { Emulator } from "../../src/emulator/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { checkAskedOnce, checkWholeness, contents, REPORTS, runAndKill } from "./support/sync_process.ts";
import { runSyncJob, type SyncJob } from "./support/sync_runner.ts";
import { longFile } from "../support/long.ts";

longFile();

/** What one process stores that syncs both profiles alone; the same for every test, as its clock begins anew. */
let alone: unknown;

for (
  const [what, first, second] of [
    ["different profiles", ["US"], ["JP"]],
    ["the same profiles", ["US", "JP"], ["JP", "US"]],
  ] as const
) {
  test(`two processes that sync ${what} into one file at once both succeed, and ask for nothing twice`, async () => {
    const folder = await temporaryFolder();
    const emulator = await Emulator.start({
      clock: { now: "2026-09-30T09:00:00Z", frozen: true },
      quirks: { reportSeconds: 600 },
    });
    const job = (store: string, markets: readonly string[]): SyncJob => ({
      platform: emulator.platform,
      credentials: emulator.credentials,
      emulator: emulator.url,
      now: emulator.clock.now(),
      store: folder.file(`${store}.sqlite`),
      markets,
      reports: REPORTS,
    });
    try {
      const start = emulator.clock.now();
      if (alone === undefined) {
        await runSyncJob(job("alone", ["US", "JP"]));
        alone = await contents(folder.file("alone.sqlite"));
        emulator.reset();
        emulator.advance((start - emulator.clock.now()) / 1000);
      }
      let begun = 0;
      const onBegun = (): void => void (++begun === 2 && writeFileSync(folder.file("go"), ""));
      const said = await Promise.all([first, second].map(async (markets, i) => {
        const path = folder.file(`job-${i}.json`);
        await writeFile(path, JSON.stringify({ ...job("shared", markets), startsWith: folder.file("go") }));
        return await runAndKill(path, { onBegun });
      }));
      assert(said.every((text) => text.includes("done")), said.join());
      checkWholeness(folder.file("shared.sqlite"));
      checkAskedOnce(emulator);
      assert.deepEqual(await contents(folder.file("shared.sqlite")), alone);
    } finally {
      await emulator.stop();
      await folder.remove();
    }
  });
}
