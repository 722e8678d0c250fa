import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Emulator } from "../../src/emulator/mod.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { runSyncJob, type SyncJob } from "./support/sync_runner.ts";

const KILLS = process.env["RELIABILITY"] === "full" ? 50 : 5;
const SEED = Number(process.env["RELIABILITY_SEED"] ?? 20260930);
const RUNNER = fileURLToPath(new URL("./support/sync_runner.ts", import.meta.url));
const START = Date.parse("2026-09-30T09:00:00Z");
const REPORTS = ["sp_campaigns", "sb_campaigns"];

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
    return await runAndKill(path, after);
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
    const duration = await timed(() => syncAndKill(job("timed"), 60_000));
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

/** Runs the job in a process that is killed so many milliseconds after it has begun, and gives what it said. */
async function runAndKill(path: string, after: number): Promise<string> {
  const isDeno = "Deno" in globalThis;
  const child = spawn(process.execPath, [...isDeno ? ["run", "-A", "-q"] : [], RUNNER, "--job", path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  child.stdout.on("data", (data: Uint8Array) => {
    said += new TextDecoder().decode(data);
    if (said.includes("begun")) timer ??= setTimeout(() => child.kill("SIGKILL"), after);
  });
  await new Promise((ended) => child.once("close", ended));
  clearTimeout(timer);
  assert.match(said, /^begun/, "it lived long enough to begin");
  return said;
}

async function timed(run: () => Promise<string>): Promise<number> {
  const whole = performance.now();
  assert.match(await run(), /done/);
  // Half of it is the start of the runtime; moments past the end only make some kills come too late.
  return (performance.now() - whole) * 0.8;
}

/** Rows of every report, and which days are covered; not when they were pulled. */
async function contents(path: string): Promise<unknown> {
  const store = await Warehouse.open(path);
  const reports: Record<string, unknown> = {};
  for (const report of REPORTS) {
    const hash = createHash("sha256");
    let count = 0;
    for await (const row of store.rows(report)) {
      hash.update(JSON.stringify(row));
      count++;
    }
    reports[report] = { count, hash: hash.digest("hex") };
  }
  const coverage = (await store.coverage()).map(({ lastPull: _, ...line }) => line);
  await store.close();
  return { reports, coverage };
}

/** A store is whole at any moment: the file is sound, and every covered day has the rows that it had when it was stored. */
function checkWholeness(path: string): void {
  const database = new DatabaseSync(path);
  assert.equal(database.prepare("PRAGMA integrity_check").get()!["integrity_check"], "ok");
  for (const report of REPORTS) {
    const wrong = database.prepare(
      `SELECT d.profile_id, d.date, d.rows, count(r.date) AS found
       FROM days AS d LEFT JOIN report_${report} AS r ON r.profile_id = d.profile_id AND r.date = d.date
       WHERE d.report = ? GROUP BY 1, 2, 3 HAVING d.rows <> found`,
    ).all(report);
    assert.deepEqual(wrong, [], `${report}: days with other rows than were stored`);
  }
  database.close();
}

function checkAskedOnce(emulator: Emulator): void {
  const asked = emulator.requests().filter(({ method, path, status }) =>
    method === "POST" && path.endsWith("/reporting/reports") && status === 200
  );
  const questions = asked.map(({ profileId, body }) => `${profileId} ${JSON.stringify(body)}`);
  const twice = questions.filter((question, i) => questions.indexOf(question) !== i);
  assert.deepEqual(twice, [], "reports that were asked for twice");
  assert(asked.length > 0);
}
