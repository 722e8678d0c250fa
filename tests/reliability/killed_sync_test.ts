import assert from "node:assert/strict";
import { copyFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { test } from "node:test";
import { Emulator } from "../../src/emulator/mod.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { checkAskedOnce, checkWholeness, contents, REPORTS, runAndKill } from "./support/sync_process.ts";
import { runSyncJob, type SyncJob } from "./support/sync_runner.ts";
import { longFile } from "../support/long.ts";

longFile();

const KILLS = process.env["RELIABILITY"] === "full" ? 50 : 2;
const SEED = Number(process.env["RELIABILITY_SEED"] ?? 20260930);
const START = Date.parse("2026-09-30T09:00:00Z");

/** What a store holds before the later of two syncs: old days, which stay, and newer ones, which are restated. */
const EARLIER = { days: { start: "2026-07-26", end: "2026-09-20" }, at: Date.parse("2026-09-22T09:00:00Z") };

test(`a sync killed at ${KILLS} random moments ends as an undisturbed one, and asks for nothing twice`, async (t) => {
  const folder = await temporaryFolder();
  const emulator = await Emulator.start({
    clock: { now: new Date(START).toISOString(), frozen: true },
    quirks: { reportSeconds: 600 },
    journalLimit: 100_000,
  });
  const job = (name: string, more: Partial<SyncJob> = {}): SyncJob => ({
    platform: emulator.platform,
    credentials: emulator.credentials,
    emulator: emulator.url,
    now: emulator.clock.now(),
    store: folder.file(`${name}.sqlite`),
    markets: ["US", "JP"],
    reports: REPORTS,
    ...more,
  });
  const begin = (at: number): void => {
    emulator.reset();
    emulator.advance((at - emulator.clock.now()) / 1000);
  };
  const syncAndKill = async (task: SyncJob, after: number): Promise<string> => {
    const path = folder.file("job.json");
    await writeFile(path, JSON.stringify(task));
    return await runAndKill(path, { after });
  };

  try {
    begin(EARLIER.at);
    await runSyncJob(job("earlier", { days: EARLIER.days }));
    await copyFile(folder.file("earlier.sqlite"), folder.file("later.sqlite"));
    const expected: Record<string, unknown> = {};
    for (const name of ["first", "later"]) {
      begin(START);
      await runSyncJob(job(name));
      expected[name] = await contents(folder.file(`${name}.sqlite`));
    }
    assert.notDeepEqual(expected["later"], await contents(folder.file("earlier.sqlite")));

    const random = new SeededRandom(SEED);
    begin(START);
    const duration = await timed(() => syncAndKill(job("timed"), Infinity));
    for (let kill = 1; kill <= KILLS; kill++) {
      const moments = [random.next() * duration];
      while (random.next() < 0.3) moments.push(random.next() * duration);
      const run = random.pick(["first", "later"]);
      const after = moments.map((moment) => `${Math.round(moment)} ms`).join(", then ");
      await t.test(`${kill}: a ${run} sync killed after ${after}`, async () => {
        begin(START);
        const task = (): SyncJob => job(`killed-${kill}`);
        if (run === "later") await copyFile(folder.file("earlier.sqlite"), task().store);
        let ended = false;
        for (const moment of moments) {
          if (ended) break;
          ended = (await syncAndKill(task(), moment)).includes("done");
          checkWholeness(task().store);
        }
        if (!ended) await runSyncJob(task());
        assert.deepEqual(await contents(task().store), expected[run]);
        checkAskedOnce(emulator);
        await rm(task().store);
      });
    }
  } finally {
    await emulator.stop();
    await folder.remove();
  }
});

async function timed(run: () => Promise<string>): Promise<number> {
  const whole = performance.now();
  assert.match(await run(), /done/);
  // Half of it is the start of the runtime; moments past the end only make some kills come too late.
  return (performance.now() - whole) * 0.8;
}
