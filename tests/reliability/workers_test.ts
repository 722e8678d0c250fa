import assert from "node:assert/strict";
import { test } from "node:test";
import { Emulator } from "../../src/emulator/mod.ts";
import type { JournalEntry } from "../../src/emulator/http/journal.ts";
import { SyncQueue } from "../../src/store/queue/sync_queue.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { hasPostgres, makeStore, postgresPrograms, startCluster, testServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { amount, WHOLE_SUITE } from "./support/size.ts";
import { WorkerProcess } from "../support/worker_process.ts";
import { longFile } from "../support/long.ts";
import { until } from "../support/until.ts";

longFile();

const REPORTS = ["sp_placement", "sp_targeting", "sp_search_terms"];

const PROFILES = amount(4, 60);

/** Seconds that the platform builds: longer, as in life, than a dead worker goes unnoticed. */
const REPORT_SECONDS = 8;

/** Seconds of silence after which a worker is dead. */
const LEASE = 2;

if (hasPostgres && postgresPrograms() !== undefined) {
  test(`four workers, one killed, one frozen${WHOLE_SUITE ? ", the database restarted" : ""}: every day of ${PROFILES} profiles complete, none twice`, async () => {
    const server = await (WHOLE_SUITE ? startCluster() : testServer());
    const folder = await temporaryFolder();
    const emulator = await Emulator.start({
      profiles: PROFILES,
      quirks: { reportSeconds: REPORT_SECONDS },
      journalLimit: 100_000,
    });
    const workers: WorkerProcess[] = [];
    const tooLong = setTimeout(() => {
      for (const worker of workers) {
        console.error(worker.lastWords);
        stopForGood(worker);
      }
    }, 900_000);
    try {
      const address = await makeStore(server);
      const queue = await SyncQueue.open(address);
      const profiles = emulator.state.profiles().map(({ record }) => ({
        profileId: record.profileId,
        countryCode: record.countryCode,
      }));
      const jobs = await queue.enqueue({ profiles, reports: REPORTS, ...lastDays(3) });
      assert.equal(jobs, PROFILES * REPORTS.length);
      await queue.close();

      const world = {
        address,
        platform: emulator.platform,
        credentials: emulator.credentials,
        folder: folder.path,
      };
      const start = async (jobs: number): Promise<WorkerProcess> => {
        const args = ["--lease", String(LEASE), "--poll", "1", "--concurrency", String(jobs)];
        workers.push(await WorkerProcess.start(world, args));
        return workers.at(-1)!;
      };
      const killed = await start(amount(3, 10));
      const frozen = await start(amount(3, 10));
      await Promise.all(
        [killed, frozen].map((worker) => worker.until(({ event }) => event === "report_asked")),
      );
      frozen.kill("SIGSTOP");
      killed.kill("SIGKILL");
      const others = [await start(24), await start(24)];
      await until(() => {
        const dead = buriedBy(others);
        return [killed, frozen].every(({ name }) => dead.has(name));
      });
      if (WHOLE_SUITE) {
        await Promise.race(others.map((worker) => worker.until(({ event }) => event === "report_stored")));
        await server.restart();
      }
      frozen.kill("SIGCONT");
      await frozen.until(({ event }) => event === "taken_for_dead");

      const ended = await SyncQueue.open(address);
      await until(async () => {
        for (const { running, lastWords } of others) assert(running, lastWords);
        const { jobs } = await ended.status();
        return jobs.waiting + jobs.running + jobs.retrying === 0;
      }, 900);
      const { jobs: counts, troubled } = await ended.status();
      assert.deepEqual(counts, { waiting: 0, running: 0, retrying: 0, gave_up: 0 }, JSON.stringify(troubled));
      await ended.close();

      for (const worker of [frozen, ...others]) {
        assert.equal(worker.running, true, worker.lastWords);
        worker.kill("SIGTERM");
        assert.equal(await worker.ended(), 0, worker.noise);
      }
      await assertWhole(address, workers);
      for (const { noise } of [frozen, ...others]) assert.equal(noise, "", "nothing but lines of the log");
      assertAllBuilt(emulator.requests());
      assertAlone(workers);
    } finally {
      clearTimeout(tooLong);
      for (const worker of workers) stopForGood(worker);
      await emulator.stop();
      await folder.remove();
      await server.stop();
    }
  });
}

/** Every day of every report is there, with as many rows as its pull stored: none is lost, none is there twice. */
async function assertWhole(address: string, workers: readonly WorkerProcess[]): Promise<void> {
  const store = await Warehouse.open(address);
  const lines = await store.coverage();
  assert.equal(lines.length, PROFILES * REPORTS.length, historyOfOthers(workers, lines));
  for (const { days, gaps } of lines) assert.deepEqual({ days, gaps }, { days: 3, gaps: [] });
  const keys = {
    sp_placement: "",
    sp_targeting: `, "keywordId"`,
    sp_search_terms: `, "keywordId", "searchTerm"`,
  };
  for (const [report, key] of Object.entries(keys)) {
    const { rows: [counted] } = await store.query(
      `SELECT (SELECT count(*) FROM ${report}) AS stored,
        (SELECT sum(rows) FROM days WHERE report = '${report}') AS told`,
    );
    assert(Number(counted!["stored"]) > 0);
    assert.equal(counted!["stored"], counted!["told"], report);
    if (key === "") continue;
    const { rows: twice } = await store.query(
      `SELECT profile_id, date ${key}, count(*) FROM ${report} GROUP BY profile_id, date ${key}
       HAVING count(*) > 1 LIMIT 5`,
    );
    assert.deepEqual(twice, [], `${report}: no row is there twice`);
  }
  const { rows: open } = await store.query("SELECT * FROM report_requests WHERE state <> 'stored'");
  assert.deepEqual(open, [], "no report was given up or forgotten");
  await store.close();
}

/** The lines that the workers logged of reports of which no day is stored, for the message of a failure. */
function historyOfOthers(
  workers: readonly WorkerProcess[],
  stored: readonly { readonly profileId: string; readonly report: string }[],
): string {
  const whole = new Set(stored.map(({ profileId, report }) => `${profileId} ${report}`));
  const lines = workers.flatMap(({ log }) => log).filter(({ profile_id, report }) =>
    report === undefined || !whole.has(`${profile_id} ${report}`)
  );
  const sorted = lines.sort((one, other) => String(one["time"]).localeCompare(String(other["time"])));
  return sorted.map((line) => JSON.stringify(line)).join("\n");
}

/** The platform built every report. It may build one twice, where a dead worker's request is settled late. */
function assertAllBuilt(journal: readonly JournalEntry[]): void {
  const built = new Set<string>();
  for (const { operation, status, body, profileId } of journal) {
    if (operation !== "reporting:createAsyncReport" || status !== 200) continue;
    const { startDate, endDate, configuration } = JSON.parse(body!);
    built.add(JSON.stringify([profileId, startDate, endDate, configuration]));
  }
  assert.equal(built.size, PROFILES * REPORTS.length);
}

/** The logs of all workers together: each report was stored once. */
function assertAlone(workers: readonly WorkerProcess[]): void {
  const stored = workers.flatMap(({ log }) => log.filter(({ event }) => event === "report_stored"));
  const reports = stored.map(({ profile_id, report, start }) => `${profile_id} ${report} ${start}`);
  const twice = reports.filter((name, index) => reports.indexOf(name) !== index);
  assert.deepEqual(twice, []);
}

/** Names of the dead workers that these have found; on a slow machine a healthy one may be among them. */
function buriedBy(workers: readonly WorkerProcess[]): Set<string> {
  for (const { running, lastWords } of workers) assert(running, lastWords);
  const ids = workers.flatMap(({ log }) =>
    log.flatMap(({ workers }) => workers as string[] | undefined ?? [])
  );
  return new Set(ids.map((id) => id.split(".")[0]!));
}

function stopForGood(worker: WorkerProcess): void {
  try {
    worker.kill("SIGKILL");
  } catch {
    // It ended before.
  }
}

function lastDays(count: number): { start: string; end: string } {
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  return { start: day(count + 1), end: day(2) };
}
