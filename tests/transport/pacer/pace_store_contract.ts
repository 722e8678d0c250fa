import { deepEqual, equal, ok, rejects } from "../../support/assert.ts";
import { test } from "node:test";
import { Pacer } from "../../../mod.ts";
import { holdPlaces, laneRecord } from "../../../src/platform/transport/pacer/lane.ts";
import type { PaceStore } from "../../../src/platform/transport/pacer/pace_store.ts";
import { until } from "../../support/until.ts";

/** Two stores of one place, as two processes would have them. */
export interface StorePair {
  readonly stores: readonly [PaceStore, PaceStore];
  readonly close: () => Promise<void>;
}

const HOST = "https://api.example";
const GROUP = "sp reads";
const REQUEST = {
  caller: 1,
  profile: "1",
  weight: 1,
  priority: "interactive",
  retried: false,
  patience: 600,
  tooLong: () => new Error("too long"),
} as const;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resume) => setTimeout(resume, milliseconds));

/** What every place where processes share a pace must do. */
export function paceStoreContract(place: string, make: () => Promise<StorePair>): void {
  const contract = (name: string, check: (...stores: StorePair["stores"]) => Promise<void>): void => {
    test(`${place}: ${name}`, async () => {
      const { stores, close } = await make();
      try {
        await check(...stores);
      } finally {
        // What pacers do not wait for is written before the place goes.
        for (const store of stores) await store.update(() => {});
        await close();
      }
    });
  };

  contract("no change of one process is lost to another", async (one, two) => {
    const add = (store: PaceStore): unknown => store.update((state) => laneRecord(state, "lane").failures++);
    await Promise.all(Array.from({ length: 40 }, (_, index) => add(index % 2 === 0 ? one : two)));
    for (const store of [one, two]) {
      equal(await store.update((state) => laneRecord(state, "lane").failures), 40);
    }
  });

  contract("a change that throws is undone by nobody and holds up no other", async (one, two) => {
    const wrong = one.update(() => {
      throw new RangeError("wrong");
    });
    const right = one.update((state) => laneRecord(state, "lane").failures = 7);
    await rejects(Promise.resolve(wrong), RangeError);
    equal(await right, 7);
    equal(await two.update((state) => laneRecord(state, "lane").failures), 7);
  });

  contract("processes see one clock", async (one, two) => {
    const times: number[] = [];
    for (const store of [one, two, one, two]) times.push(await store.update((_, now) => now));
    deepEqual(times, times.toSorted((a, b) => a - b));
    ok(times.at(-1)! - times[0]! < 10_000, times.join(" "));
  });

  /** A pause that one process begins is, but for the time since then, that of another. */
  const sharesPause = async (
    seconds: number,
    begin: (store: PaceStore) => unknown,
    [one, two]: StorePair["stores"],
  ): Promise<void> => {
    const began = performance.now();
    await begin(one);
    await one.update(() => {});
    const late = Pacer.shared(two);
    const waiting = new AbortController();
    const waits = late.lane(HOST, GROUP).turn({ ...REQUEST, signal: waiting.signal });
    await until(() => late.remaining > 0);
    waiting.abort();
    await Promise.resolve(waits).catch(() => {});
    const left = late.remaining;
    const since = (performance.now() - began) / 1000;
    ok(left <= seconds && left > seconds - since - 0.5, `${left} s after ${since} s`);
  };
  const throttledBy = async (store: PaceStore, seconds: number, profile = "1"): Promise<void> => {
    const turn = await Pacer.shared(store).lane(HOST, GROUP).turn({ ...REQUEST, profile });
    turn!.throttled(seconds, { asked: true });
    await store.update(() => {});
  };

  contract(
    "pacers share their pauses, also with those that come later",
    (...stores) => sharesPause(9, (store) => throttledBy(store, 9), stores),
  );

  contract(
    "a process sees the long pause of a profile that another began, and may end it",
    async (one, two) => {
      await throttledBy(one, 3600);
      const late = Pacer.shared(two);
      const lane = late.lane(HOST, GROUP);
      await lane.look();
      const held = lane.held("1");
      ok(held !== undefined && held.seconds > 3500 && held.seconds <= 3600);
      deepEqual(held.refused, ["1"]);
      equal(lane.held("2"), undefined, "no other profile waits for it");
      ok(late.remaining <= 10, "every request waits for its first seconds");
      const [pause] = await late.pauses();
      deepEqual([pause?.host, pause?.group, pause?.profileId], [HOST, GROUP, "1"]);
      equal((await late.forgetPauses()).length, 1);
      const first = Pacer.shared(one).lane(HOST, GROUP);
      await first.look();
      equal(first.held("1"), undefined);
    },
  );

  contract(
    "pacers share the pause of a whole client",
    (...stores) => sharesPause(300, (store) => Pacer.shared(store).pause(300), stores),
  );

  contract("a request leaves once another process has ended what took every place", async (one, two) => {
    const theirs = Pacer.shared(one).lane(HOST, GROUP);
    const turns = [];
    for (let count = 0; count < 16; count++) turns.push(await theirs.turn(REQUEST));
    let hasLeft = false;
    const waits = Promise.resolve(Pacer.shared(two).lane(HOST, GROUP).turn(REQUEST)).then((turn) => {
      hasLeft = true;
      turn?.lost();
    });
    await pause(20);
    equal(hasLeft, false);
    for (const turn of turns) turn?.passed();
    await waits;
  });

  contract(
    "a process that was killed keeps its places for as long as its lease, and then loses them",
    async (one, two) => {
      const fill = (age: number): Promise<void> =>
        Promise.resolve(one.update((state, now) => {
          const lane = laneRecord(state, `${HOST} ${GROUP}`);
          lane.holders = {};
          holdPlaces(lane, "killed", { busy: lane.window, now: now - age });
        }));
      const asked = async (): Promise<boolean> => {
        const stop = new AbortController();
        const turn = Pacer.shared(two).lane(HOST, GROUP).turn({ ...REQUEST, signal: stop.signal });
        const leaves = Promise.resolve(turn).then((turn) => (turn?.lost(), true), () => false);
        await two.update(() => {});
        await two.update(() => {});
        stop.abort();
        return await leaves;
      };
      await fill(1000);
      equal(await asked(), false, "all places are taken");
      await fill(31_000);
      equal(await asked(), true, "they are free again");
    },
  );
}
