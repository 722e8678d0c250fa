import { deepEqual, equal, match, ok } from "../../support/assert.ts";
import { holdPlaces, laneRecord } from "../../../src/platform/transport/pacer/lane.ts";
import { type LaneRecord, MemoryPaceStore } from "../../../src/platform/transport/pacer/pace_store.ts";
import { type LaneWorld, laneWorld, SharedMemory } from "./lane_world.ts";

/** A lane whose state another process changes too. */
function sharedWorld(): LaneWorld & { store: SharedMemory; lanes: () => LaneRecord } {
  let store: SharedMemory | undefined;
  const world = laneWorld((now) => store = new SharedMemory(now));
  const lanes = () => store!.memory.update((state) => laneRecord(state, "lane"));
  return { ...world, store: store!, lanes };
}

Deno.test("a shared lane is looked at once for each request, one look after the other", async () => {
  const world = sharedWorld();
  const asked = Array.from({ length: 18 }, () => world.ask());
  ok(asked.every(({ wasAtOnce }) => !wasAtOnce));
  equal(world.store.looks, 1, "the others wait for the first look");
  await world.settle();
  await world.settle();
  equal(asked.filter(({ turn }) => turn !== undefined).length, 16);
  equal(world.store.looks, 17);
  equal(world.lanes().holders["here"]?.busy, 16);
  asked[0]!.turn!.passed();
  await world.settle();
  ok(asked[16]!.turn && asked[17]!.turn, "the place that is free, and the one more");
  equal(world.lanes().holders["here"]?.busy, 17);
});

Deno.test("a place that becomes free while the state is looked at is taken at once", async () => {
  const world = sharedWorld();
  const asked = Array.from({ length: 16 }, () => world.ask());
  await world.settle();
  await world.settle();
  const waits = world.ask();
  asked[0]!.turn!.lost();
  await world.settle();
  ok(waits.turn);
});

Deno.test("a place that becomes free after the look and before its result is taken at once", async () => {
  let memory: MemoryPaceStore;
  const world = laneWorld((now) => {
    memory = new MemoryPaceStore(now);
    return {
      isShared: true,
      update: async (change) => {
        const result = memory.update(change);
        await null;
        return result;
      },
    };
  });
  const asked = Array.from({ length: 16 }, () => world.ask());
  await world.settle();
  await world.settle();
  const waits = world.ask();
  asked[0]!.turn!.lost();
  await world.settle();
  ok(waits.turn);
});

Deno.test("while other processes have every place, it is looked again every tenth of a second", async () => {
  const world = sharedWorld();
  const others = (count: number) =>
    world.change((state, now) => {
      const lane = laneRecord(state, "lane");
      lane.holders = {};
      holdPlaces(lane, "others", { busy: count, now });
    });
  await others(16);
  const asked = world.ask();
  await world.settle();
  deepEqual(world.time.slept, [0.1]);
  await world.advance(0.1);
  deepEqual(world.time.slept, [0.1, 0.1]);
  await others(15);
  await world.advance(0.099);
  equal(asked.turn, undefined);
  await world.advance(0.001);
  ok(asked.turn);
});

Deno.test("the place of a request that is aborted while the state is looked at is given back", async () => {
  const world = sharedWorld();
  const stop = new AbortController();
  const asked = world.ask({ signal: stop.signal });
  stop.abort(new Error("enough"));
  await world.settle();
  match(String(asked.error), /enough/);
  equal(world.lanes().holders["here"], undefined);
  deepEqual(world.lane.pace, { rate: undefined, limit: undefined, waiting: 0, busy: 0 });
  deepEqual(world.time.slept, []);
});

Deno.test("a request waits on while those of another process get through, and no longer when none does", async () => {
  for (const getsThrough of [true, false]) {
    const world = sharedWorld();
    const pause = (seconds: number) => world.change((state, now) => state.pausedUntil = now + seconds * 1000);
    await pause(9);
    const asked = world.ask({ patience: 10 });
    await world.advance(8);
    await world.change((state, now) => {
      if (getsThrough) laneRecord(state, "lane").passedAt = now;
    });
    await pause(9);
    await world.advance(1);
    equal(asked.error === undefined, getsThrough);
    await world.advance(8);
    equal(asked.turn !== undefined, getsThrough);
  }
});

Deno.test("what is left of a state that was begun anew is looked at sooner than the pause that it forgot", async () => {
  const world = sharedWorld();
  await world.change((state, now) => state.pausedUntil = now + 100_000);
  const first = world.ask();
  await world.settle();
  await world.change((state, now) => {
    state.pausedUntil = 0;
    holdPlaces(laneRecord(state, "lane"), "others", { busy: 16, now });
  });
  const second = world.ask();
  await world.settle();
  deepEqual(world.time.slept, [100, 0.1]);
  deepEqual(world.alarms.map(({ aborted }) => aborted), [true, false]);
  await world.change((state) => laneRecord(state, "lane").holders = {});
  await world.advance(0.1);
  ok(first.turn && second.turn);
});

Deno.test("when a request last got through is shared", async () => {
  const world = sharedWorld();
  const asked = world.ask();
  await world.settle();
  equal(world.lanes().passedAt, 0);
  await world.advance(2);
  asked.turn!.passed();
  await world.settle();
  equal(world.lanes().passedAt, world.time.now());
});

Deno.test("a pause is shared through the state: started there alone, and seen by who looks", async () => {
  const world = sharedWorld();
  const asked = world.ask();
  await world.settle();
  asked.turn!.throttled(7, { asked: true });
  await world.settle();
  deepEqual(world.pauses, { started: [], seen: [7] });
  await world.advance(3);
  world.ask();
  await world.settle();
  deepEqual(world.pauses.seen, [7, 4]);
  await world.advance(4);
  deepEqual(world.pauses.seen, [7, 4], "it is over");
});

/** A rate that was found out some time ago. */
async function knownRate(world: LaneWorld, rate: number): Promise<void> {
  await world.change((state, now) => {
    const times = { nextAt: now, resumedAt: now, holdUntil: now, startedAt: now, grownAt: now };
    Object.assign(laneRecord(state, "lane"), { rate, base: rate, ...times });
  });
}

Deno.test("a shared rate does not grow while nothing waits because of it, and the next refusal costs seconds", async () => {
  const world = sharedWorld();
  const send = async (seconds: number, end: "passed" | "refused"): Promise<boolean> => {
    const asked = world.ask();
    await world.settle();
    const isAtOnce = asked.turn !== undefined;
    for (let look = 0; asked.turn === undefined && look < 100; look++) await world.advance(0.1);
    if (end === "passed") asked.turn!.passed();
    else asked.turn!.throttled(1, { asked: true });
    await world.advance(seconds);
    return isAtOnce;
  };
  await knownRate(world, 10);
  await send(1, "passed");
  const { rate } = world.lanes();
  equal(rate, 10);
  for (let count = 0; count < 500; count++) ok(await send(1, "passed"), "at once");
  equal(world.lanes().rate, rate);
  await send(1, "refused");
  await send(1, "passed");
  ok(world.lanes().rate! > 0.29 * rate!, String(world.lanes().rate));
});

Deno.test("a shared rate grows while requests wait because of it", async () => {
  const world = sharedWorld();
  await knownRate(world, 2);
  for (let second = 0; second < 5; second++) {
    const asked = Array.from({ length: 10 }, () => world.ask());
    for (let step = 0; step < 100 && asked.some(({ turn }) => turn === undefined); step++) {
      await world.advance(0.1);
    }
    for (const { turn } of asked) turn!.passed();
    await world.settle();
  }
  ok(world.lanes().rate! > 2, String(world.lanes().rate));
});
