/**
 * A process of its own, so that its memory and sockets can be told: `soak_runner.ts <rounds>`. Every round is the same
 * work under faults with new clients; after each it prints one JSON line of {@linkcode Sample}.
 */
import { PlatformAds } from "../../../mod.ts";
import { Emulator } from "../../../src/emulator/mod.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { SEED } from "./size.ts";

/** What a round left behind, after a collection of garbage. */
export interface Sample {
  /** Bytes of live objects. */
  readonly heap: number;
  /** Open sockets of the process, both ends of each connection; `null` where the system does not tell. */
  readonly sockets: number | null;
}

const CLIENTS = 12;
const WORKERS_A_CLIENT = 2;
const TURNS = 5;

async function round(emulator: Emulator, random: SeededRandom): Promise<void> {
  await Promise.all([...Array(CLIENTS)].map(async () => {
    const ads = new PlatformAds(emulator.credentials, {
      platform: emulator.platform,
      sleep: () => Promise.resolve(),
      now: () => emulator.clock.now(),
      random: () => random.next(),
    });
    const profile = await ads.profile("CA");
    await Promise.all([...Array(WORKERS_A_CLIENT)].map(async () => {
      for (let turn = 0; turn < TURNS; turn++) {
        // What a fault does to the work does not matter here; what is left of it does.
        await profile.sp.campaigns.list().then((campaigns) => {
          const ids = campaigns.map(({ campaignId }) => campaignId);
          return random.next() < 0.5 ? profile.sp.campaigns.pause(ids) : profile.sp.campaigns.enable(ids);
        }).catch(() => {});
      }
    }));
  }));
}

async function openSockets(): Promise<number | null> {
  if (Deno.build.os !== "linux") return null;
  let count = 0;
  for await (const { name } of Deno.readDir("/proc/self/fd")) {
    const target = await Deno.readLink(`/proc/self/fd/${name}`).catch(() => "");
    if (target.startsWith("socket:")) count++;
  }
  return count;
}

if (import.meta.main) {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) throw new Error("Cannot measure: run it with --v8-flags=--expose-gc");
  const emulator = await Emulator.start({ journalLimit: 500 });
  const random = new SeededRandom(SEED);
  for (let number = 0; number < Number(Deno.args[0]); number++) {
    emulator.reset();
    emulator.setFaults([
      { every: 17, effects: { drop: "after" } },
      { every: 29, effects: { truncate: 100 } },
      { every: 13, effects: { response: { status: 503, body: "x".repeat(20_000) } } },
      { every: 301, effects: { expireToken: true } },
    ]);
    await round(emulator, random);
    collect();
    // A connection that writes have shared is closed after a second without one.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const sample: Sample = { heap: Deno.memoryUsage().heapUsed, sockets: await openSockets() };
    console.log(JSON.stringify(sample));
  }
  await emulator.stop();
}
