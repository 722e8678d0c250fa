import { deepEqual, equal, ok } from "../../support/assert.ts";
import { Pacer, PlatformAds } from "../../../mod.ts";
import { busyRequests, holdPlaces, laneRecord } from "../../../src/platform/transport/pacer/lane.ts";
import {
  MemoryPaceStore,
  newLaneState,
  type PaceState,
  type PaceStore,
} from "../../../src/platform/transport/pacer/pace_store.ts";
import { FilePaceStore } from "../../../src/platform/transport/pacer/file_pace_store.ts";
import { amount } from "../../reliability/support/size.ts";
import { withFailingFiles } from "../../support/failing_files.ts";
import { SeededRandom } from "../../support/seeded_random.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../../support/stub_client.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { paceStoreContract } from "./pace_store_contract.ts";
import { ThrottlingPlatform } from "./throttling_platform.ts";
import { VirtualClock } from "./virtual_clock.ts";

/** What processes share, in virtual time: every change takes a moment. */
class SharedMemory implements PaceStore {
  readonly isShared = true;
  readonly #memory: MemoryPaceStore;
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#memory = new MemoryPaceStore(clock.now);
    this.#clock = clock;
  }

  async update<T>(change: (state: PaceState, now: number) => T): Promise<T> {
    await this.#clock.sleep(0.001);
    return this.#memory.update(change);
  }
}

/** How often a platform refuses requests of so many clients that share a pace, or of one that knows of no other. */
async function refusals(
  seed: number,
  clients: number,
  isShared: boolean,
): Promise<{ refused: number; seconds: number }> {
  const random = new SeededRandom(seed);
  const clock = new VirtualClock();
  const rate = random.integer(3, 15);
  const platform = new ThrottlingPlatform({
    clock,
    random,
    counting: random.pick(["fixed window", "sliding window", "token bucket"]),
    header: random.pick(["none", "right"]),
    latency: random.pick([0.05, 0.2]),
    burst: rate,
    steps: [{ until: 20_000, rate }, { until: Infinity, rate: Math.ceil(rate / 2) }],
  });
  const stub = stubPlatform("http://127.0.0.1:9");
  const baseUrl = stub.regions.NA!.baseUrl;
  const store = new SharedMemory(clock);
  const sends = Array.from({ length: clients }, () => {
    const { transport } = new PlatformAds(STUB_CREDENTIALS, {
      platform: stub,
      fetch: platform.fetch,
      now: clock.now,
      sleep: clock.sleep,
      random: () => random.next(),
      ...(isShared ? { pacer: Pacer.shared(store) } : {}),
    });
    return () => transport.send({ method: "GET", baseUrl, path: "/sp/keywords", idempotent: true });
  });
  const count = rate * 30;
  await clock.run(Promise.all(Array.from({ length: count }, (_, index) => sends[index % clients]!())));
  equal(platform.passed.length, count);
  return { refused: platform.refused, seconds: clock.now() / 1000 };
}

Deno.test("four processes that share a pacer are refused no more often than one alone", async () => {
  const totals = { one: 0, four: 0, strangers: 0, secondsOfOne: 0, secondsOfFour: 0 };
  for (let seed = 1; seed <= amount(25, 200); seed++) {
    const one = await refusals(seed, 1, false);
    const four = await refusals(seed, 4, true);
    totals.one += one.refused;
    totals.four += four.refused;
    totals.secondsOfOne += one.seconds;
    totals.secondsOfFour += four.seconds;
    totals.strangers += (await refusals(seed, 4, false)).refused;
  }
  const text = JSON.stringify(totals);
  ok(totals.four <= totals.one * 1.05, text);
  ok(totals.strangers > totals.four * 1.5, text);
  ok(totals.secondsOfFour < totals.secondsOfOne * 1.1, text);
});

paceStoreContract("a file", async () => {
  const folder = await temporaryFolder();
  const path = `${folder.path}/pace/account.json`;
  return {
    stores: [new FilePaceStore(path), new FilePaceStore(path)],
    close: async () => {
      equal((await Deno.stat(path)).mode! & 0o777, 0o600);
      await folder[Symbol.asyncDispose]();
    },
  };
});

Deno.test("a lock that a killed process left is taken over, and a broken file is begun anew", async () => {
  await using folder = await temporaryFolder();
  const path = `${folder.path}/pace.json`;
  await Deno.writeTextFile(path, "{ half of");
  await Deno.writeTextFile(`${path}.lock`, String(Date.now() - 10_000));
  const store = new FilePaceStore(path);
  await store.update((state) => state.pausedUntil = 5);
  equal(await store.update((state) => state.pausedUntil), 5);
});

Deno.test("a file that was written by a clock ahead holds no request for longer than it said", async () => {
  await using folder = await temporaryFolder();
  const path = `${folder.path}/pace.json`;
  const writtenAt = Date.now() + 3_600_000;
  await Deno.writeTextFile(path, JSON.stringify({ writtenAt, pausedUntil: writtenAt + 2000, lanes: {} }));
  const left = await new FilePaceStore(path).update((state, now) => state.pausedUntil - now);
  ok(left > 1500 && left <= 2000, String(left));
});

const LANE = { ...newLaneState(), holders: {}, passedAt: 0, pauses: {} };

Deno.test("a stored lane that holds no finite numbers is begun anew, alone", async () => {
  await using folder = await temporaryFolder();
  const damages: readonly object[] = [
    { rate: null },
    { rate: 0 },
    { base: null },
    { growth: null },
    { nextAt: null },
    { quickest: null },
    { passedAt: null },
    { passed: [[null, 1]] },
    { passed: null },
    { holders: null },
    { holders: { a: { busy: 1, until: null } } },
    { holders: { a: null } },
  ];
  const pauses = { "7": { since: 1, until: 2 } };
  for (const [at, damage] of damages.entries()) {
    const path = folder.file(`${at}.json`);
    const lanes = {
      good: { ...LANE, rate: 3, base: 3, pauses: { ...pauses, bad: { since: 1 } } },
      bad: { ...LANE, ...damage },
    };
    const exports = { good: { "7": 5 }, bad: { "8": null }, none: {}, text: "x" };
    await Deno.writeTextFile(path, JSON.stringify({ writtenAt: Date.now(), pausedUntil: 7, lanes, exports }));
    const found = await new FilePaceStore(path).update((state) => structuredClone(state));
    deepEqual(
      found,
      { pausedUntil: 7, lanes: { good: { ...lanes.good, pauses } }, exports: { good: { "7": 5 } } },
      JSON.stringify(damage),
    );
  }
});

Deno.test("a file of another shape is begun anew", async () => {
  await using folder = await temporaryFolder();
  const now = Date.now();
  const texts = ["null", "7", "[]", "{}", `{"pausedUntil":5,"lanes":{}}`, `{"writtenAt":${now},"lanes":{}}`];
  texts.push(`{"writtenAt":${now},"pausedUntil":5}`, `{"writtenAt":${now},"pausedUntil":5,"lanes":null}`);
  for (const [at, text] of texts.entries()) {
    const path = folder.file(`${at}.json`);
    await Deno.writeTextFile(path, text);
    const [one, two] = [new FilePaceStore(path), new FilePaceStore(path)];
    deepEqual(
      await one.update((state) => structuredClone(state)),
      { pausedUntil: 0, lanes: {}, exports: {} },
      text,
    );
    await one.update((state) => state.pausedUntil = 7);
    equal(await two.update((state) => state.pausedUntil), 7, text);
  }
});

Deno.test("a clock may be a second behind the one that wrote the file, and then nothing but the pause is believed", async () => {
  await using folder = await temporaryFolder();
  const { now } = Date;
  const fixed = now();
  Date.now = () => fixed;
  try {
    for (const [ahead, rest, names] of [[1000, 0, ["a", "b"]], [1001, -1001, ["a"]]] as const) {
      const path = folder.file(`${ahead}.json`);
      const pauses = { "7": { since: fixed, until: fixed + 60_000 } };
      const lanes = { a: { ...LANE, pauses }, b: LANE };
      const stored = { writtenAt: fixed + ahead, pausedUntil: fixed + 3000, lanes };
      await Deno.writeTextFile(path, JSON.stringify(stored));
      const found = await new FilePaceStore(path).update((state, time) => [
        state.pausedUntil - time,
        Object.keys(state.lanes),
        state.lanes["a"]!.pauses["7"]!.until - time,
      ]);
      deepEqual(found, [3000 + rest, names, 60_000 + rest]);
      equal(JSON.parse(await Deno.readTextFile(path)).writtenAt, fixed);
    }
    const over = { writtenAt: fixed + 9000, pausedUntil: fixed, lanes: {} };
    await Deno.writeTextFile(folder.file("over.json"), JSON.stringify(over));
    equal(await new FilePaceStore(folder.file("over.json")).update((state) => state.pausedUntil), fixed);
  } finally {
    Date.now = now;
  }
});

Deno.test("a process that can no longer write the file goes on with what it knew last", async () => {
  await using folder = await temporaryFolder();
  const store = new FilePaceStore(folder.file("pace/account.json"));
  await store.update((state) => state.pausedUntil = 7);
  await Deno.remove(folder.file("pace"), { recursive: true });
  await Deno.writeTextFile(folder.file("pace"), "");
  const two = await Promise.all([
    store.update((state) => state.pausedUntil),
    store.update((state) => state.pausedUntil = 9),
  ]);
  deepEqual(two, [7, 9]);
  equal(await store.update((state) => state.pausedUntil), 9);
});

Deno.test("a change whose writing fails counts in the process that made it", async () => {
  await using folder = await temporaryFolder();
  const store = new FilePaceStore(folder.file("pace.json"));
  await store.update((state) => state.pausedUntil = 7);
  await withFailingFiles({ path: /pace\.json/, code: "ENOSPC", after: 1 }, async () => {
    equal(await store.update((state) => ++state.pausedUntil), 8);
    equal(await store.update((state) => ++state.pausedUntil), 9);
  });
});

Deno.test("a place that a full disk kept from being given back is given back with the next change", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("pace.json");
  const [one, other] = [new FilePaceStore(path), new FilePaceStore(path)];
  const hold = (busy: number): Promise<void> =>
    one.update((state, now) => holdPlaces(laneRecord(state, "lane"), "one", { busy, now }));
  const seen = (): Promise<number> =>
    other.update((state, now) => busyRequests(laneRecord(state, "lane"), now));
  for (const isLock of [true, false]) {
    await hold(1);
    const fault = { path: isLock ? /pace\.json\.lock$/ : /pace\.json\..*tmp$/, code: "ENOSPC" };
    await withFailingFiles(fault, () => hold(0));
    equal(await seen(), 1);
    await one.update(() => 7);
    equal(await seen(), 0);
  }
});

Deno.test("a lock that somebody else keeps holds up no request: the process keeps its own pace meanwhile", async () => {
  await using folder = await temporaryFolder();
  const store = new FilePaceStore(folder.file("pace.json"));
  await store.update((state) => state.pausedUntil = 7);
  await Deno.writeTextFile(folder.file("pace.json.lock"), "somebody");
  const { now } = performance;
  let looks = 0;
  performance.now = () => 6000 * ++looks;
  try {
    equal(await store.update((state) => ++state.pausedUntil), 8);
  } finally {
    performance.now = now;
  }
  equal(JSON.parse(await Deno.readTextFile(folder.file("pace.json"))).pausedUntil, 7);
  equal(await Deno.readTextFile(folder.file("pace.json.lock")), "somebody");
});

Deno.test("where the file cannot be written each process keeps its own pace", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(`${folder.path}/file`, "");
  const store = new FilePaceStore(`${folder.path}/file/pace.json`);
  await store.update((state) => state.pausedUntil = 7);
  equal(await store.update((state) => state.pausedUntil), 7);
});
