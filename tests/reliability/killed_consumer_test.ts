import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { PlatformAds } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { planSubscriptions, Warehouse } from "../../src/store/mod.ts";
import { hasPostgres, makeDatabase, testServer } from "../support/postgres.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { PublishedHours, storedHours } from "./support/published_hours.ts";
import { amount, SEED } from "./support/size.ts";
import type { StreamJob } from "./support/stream_runner.ts";
import { longFile } from "../support/long.ts";

longFile();

const RUNNER = fileURLToPath(new URL("support/stream_runner.ts", import.meta.url));
const DATASETS: Readonly<Record<string, readonly string[]>> = {
  "sp-traffic": ["impressions", "clicks", "cost"],
  "sp-conversion": ["attributed_conversions_14d", "attributed_sales_14d"],
};
/** Hours that are published before the consumers are started again. */
const HOURS = 6;

/** A consumer in a process, killed so many milliseconds after it began to consume; true when it was done before. */
async function consume(job: StreamJob, after: number): Promise<boolean> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", RUNNER, JSON.stringify(job)],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let said = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    if (said === "" && after < Infinity) timer = setTimeout(() => child.kill("SIGKILL"), after);
    said += text;
  }
  clearTimeout(timer);
  const { success, signal } = await child.status;
  assert(success || signal === "SIGKILL", "a consumer failed");
  assert.match(said, /^begun/, "it lived long enough to begin");
  return success;
}

async function storedRecords(place: string): Promise<number> {
  const store = await Warehouse.open(place);
  const { rows } = await store.query(
    "SELECT (SELECT count(*) FROM stream_sp_traffic) + (SELECT count(*) FROM stream_sp_conversion) AS n",
  );
  await store.close();
  return Number(rows[0]?.["n"]);
}

/** Kills consumers so many times while the emulator publishes, and compares what is stored in the end. */
async function killConsumers(place: string, kills: number, random: SeededRandom): Promise<void> {
  const emulator = await Emulator.start({
    clock: { now: "2026-09-26T20:00:10Z", frozen: true },
    quirks: { queueDuplicates: 0.1 },
    sleep: () => Promise.resolve(),
  });
  try {
    const { url: queue, arn: queueArn, ...credentials } = emulator.queue();
    const ads = new PlatformAds(emulator.credentials, {
      platform: emulator.platform,
      now: () => emulator.clock.now(),
    });
    const profile = await ads.profile("CA");
    const { plan } = await planSubscriptions(profile, { datasets: Object.keys(DATASETS), queueArn });
    (await plan!.apply(profile)).raiseForErrors();
    const published = new PublishedHours(emulator);
    await published.look();
    const job = { queue, credentials, store: place };
    /** How long consumers took that nobody killed; the first ones are given the time of a slow machine. */
    let usual = 3000;
    const levels = new Set<number>();
    for (let killed = 0; killed < kills;) {
      emulator.advance(HOURS * 3600);
      await published.look();
      for (let isDone = false; !isDone;) {
        const isLast = killed >= kills;
        const count = random.next() < 0.3 ? 2 : 1;
        const began = performance.now();
        const ends = await Promise.all(
          Array.from({ length: count }, () => consume(job, isLast ? Infinity : random.next() * usual)),
        );
        killed += ends.filter((isWhole) => !isWhole).length;
        // One that was not killed leaves nothing behind, unless the other held messages when it was.
        isDone = ends.every((isWhole) => isWhole);
        if (isDone && !isLast) usual = Math.min(usual, performance.now() - began) * 0.8;
        levels.add(await storedRecords(place));
        emulator.advance(61);
      }
    }
    const store = await Warehouse.open(place);
    for (const [dataset, figures] of Object.entries(DATASETS)) {
      const expected = published.hours(dataset, figures);
      assert.deepEqual(await storedHours(store, dataset, figures), expected, `${dataset} with seed ${SEED}`);
      assert(expected.size > 0);
    }
    assert.equal(await storedRecords(place), published.count);
    await store.close();
    console.log(
      `${kills} kills, ${published.count} records, ${levels.size} counts of them after kills and ends`,
    );
    // Else the consumers were killed before they had done anything.
    assert(levels.size >= kills / 4, [...levels].join(", "));
  } finally {
    await emulator.stop();
  }
}

const SQLITE_KILLS = amount(3, 40);
Deno.test(`consumers killed ${SQLITE_KILLS} times store every hour of a queue in SQLite as it was published`, async () => {
  await using folder = await temporaryFolder();
  await killConsumers(folder.file("hours.sqlite"), SQLITE_KILLS, new SeededRandom(SEED));
});

const POSTGRES_KILLS = amount(2, 30);
if (hasPostgres) {
  Deno.test(`consumers killed ${POSTGRES_KILLS} times store every hour of a queue in PostgreSQL as it was published`, async () => {
    const server = await testServer();
    try {
      await killConsumers(await makeDatabase(server), POSTGRES_KILLS, new SeededRandom(SEED + 1));
    } finally {
      await server.stop();
    }
  });
}
