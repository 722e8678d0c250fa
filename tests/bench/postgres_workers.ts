import { Emulator } from "../../src/emulator/mod.ts";
import { SyncQueue } from "../../src/store/queue/sync_queue.ts";
import { hasPostgres, makeDatabase, testServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { WorkerProcess } from "../support/worker_process.ts";
import { type BenchLine, benchLine } from "./bench.ts";

const PROFILES = 20;
const REPORTS = ["sp_campaigns", "sp_placement", "sp_ad_groups"];

/** Jobs a second with one, two and four worker processes, when every answer of the platform takes 200 ms. */
export async function bench(): Promise<BenchLine[]> {
  if (!hasPostgres) return [];
  const server = await testServer();
  const folder = await temporaryFolder();
  const emulator = await Emulator.start({
    profiles: PROFILES,
    quirks: { reportSeconds: 1 },
    faults: [{ effects: { delay: 0.2 } }],
  });
  try {
    const world = { platform: emulator.platform, credentials: emulator.credentials, folder: folder.path };
    const speeds: number[] = [];
    for (const workers of [1, 2, 4]) {
      speeds.push(
        await jobsPerSecond({ ...world, address: await makeDatabase(server) }, { emulator, workers }),
      );
    }
    return speeds.map((speed, index) =>
      benchLine(`jobs with ${[1, 2, 4][index]} workers, 200 ms latency`, speed, {
        unit: "jobs/s",
        baseline: speeds[0]!,
      })
    );
  } finally {
    await emulator.stop();
    await folder.remove();
    await server.stop();
  }
}

async function jobsPerSecond(
  world: Parameters<typeof WorkerProcess.start>[0],
  { emulator, workers }: { emulator: Emulator; workers: number },
): Promise<number> {
  const queue = await SyncQueue.open(world.address);
  const profiles = emulator.state.profiles().map(({ record: { profileId, countryCode } }) => ({
    profileId,
    countryCode,
  }));
  const processes: WorkerProcess[] = [];
  try {
    for (let i = 0; i < workers; i++) {
      processes.push(await WorkerProcess.start(world, ["--concurrency", "4", "--poll", "1"]));
    }
    await Promise.all(processes.map((worker) => worker.until(({ event }) => event === "joined")));
    const began = performance.now();
    const jobs = await queue.enqueue({ profiles, reports: REPORTS, start: yesterday(), end: yesterday() });
    for (;;) {
      await new Promise((done) => setTimeout(done, 100));
      const { waiting, running, retrying } = (await queue.status()).jobs;
      if (waiting + running + retrying === 0) return jobs / ((performance.now() - began) / 1000);
    }
  } finally {
    for (const worker of processes) worker.kill("SIGTERM");
    await Promise.all(processes.map((worker) => worker.ended()));
    await queue.close();
  }
}

function yesterday(): string {
  return new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
}
