import { deepEqual, equal, match, ok } from "../../support/assert.ts";
import { laneRecord } from "../../../src/platform/transport/pacer/lane.ts";
import { type AskedTurn, type LaneWorld, laneWorld } from "./lane_world.ts";

/** So many requests that leave at once. */
function leave(world: LaneWorld, count: number): AskedTurn[] {
  return Array.from({ length: count }, () => {
    const asked = world.ask();
    ok(asked.wasAtOnce);
    return asked;
  });
}

/** A lane of a rate: ten requests passed in a second, the eleventh was refused, and a second later the first leaves. */
async function throttledWorld(): Promise<LaneWorld> {
  const world = laneWorld();
  for (const { turn } of leave(world, 10)) turn!.passed();
  await world.advance(0.1);
  const [refused, other] = leave(world, 2);
  refused!.turn!.throttled(1, { asked: true });
  await world.advance(1);
  other!.turn!.lost();
  leave(world, 1)[0]!.turn!.passed();
  equal(world.lane.pace.rate, 9.7);
  return world;
}

Deno.test("requests leave at once while nothing is in their way, and the seventeenth when one of them has ended", async () => {
  for (const end of ["passed", "lost"] as const) {
    const world = laneWorld();
    const [first] = leave(world, 16);
    const next = world.ask();
    await world.settle();
    equal(next.wasAtOnce, false);
    equal(next.turn, undefined);
    deepEqual(world.lane.pace, { rate: undefined, limit: undefined, waiting: 1, busy: 16 });
    deepEqual(world.time.slept, [], "no timer: its time is when a response comes");
    first!.turn![end]();
    await world.settle();
    ok(next.turn);
    equal(world.passed(), end === "passed" ? 1 : 0);
    deepEqual(world.lane.pace, { rate: undefined, limit: undefined, waiting: 0, busy: 16 });
  }
});

Deno.test("a refusal pauses every request, those that ask later too, for exactly as long as is asked for", async () => {
  const world = laneWorld();
  const [first] = leave(world, 1);
  first!.turn!.throttled(5, { asked: true });
  deepEqual(world.pauses.started, [5]);
  const [one, two] = [world.ask(), world.ask()];
  deepEqual(world.time.slept, [5], "one alarm for both");
  deepEqual(world.pauses.seen.at(-1), 5);
  await world.advance(4.999);
  equal(one.turn, undefined);
  const three = world.ask();
  await world.advance(0.001);
  ok(one.turn && two.turn && three.turn);
});

Deno.test("of requests that left together the first refusal decides on the pause, unless the platform asks for longer", async () => {
  const cases: readonly [seconds: number, asked: boolean, pause: number, started: readonly number[]][] = [
    [9, false, 2, [2]],
    [9, true, 9, [2, 9]],
    [1, true, 2, [2, 1]],
  ];
  for (const [seconds, asked, pause, started] of cases) {
    const world = laneWorld();
    const [first, second] = leave(world, 2);
    await world.advance(0.125);
    first!.turn!.throttled(2, { asked: false });
    second!.turn!.throttled(seconds, { asked });
    deepEqual(world.pauses.started, started);
    const next = world.ask();
    await world.advance(pause - 0.001);
    equal(next.turn, undefined);
    await world.advance(0.001);
    ok(next.turn, `${seconds} s, asked: ${asked}`);
  }
});

Deno.test("a lone refusal slows nothing down, one with others under way or waiting does", async () => {
  const worlds = {
    alone: (world: LaneWorld) => leave(world, 1)[0]!.turn!.throttled(1, { asked: true }),
    busy: (world: LaneWorld) => leave(world, 2)[0]!.turn!.throttled(1, { asked: true }),
    waiting: async (world: LaneWorld) => {
      const [first] = leave(world, 1);
      await world.change((state, now) => state.pausedUntil = now + 1000);
      equal(world.ask().wasAtOnce, false);
      first!.turn!.throttled(1, { asked: true });
    },
  };
  for (const [how, refuse] of Object.entries(worlds)) {
    const world = laneWorld();
    for (const { turn } of leave(world, 4)) turn!.passed();
    await world.advance(0.125);
    await refuse(world);
    await world.advance(1);
    world.ask();
    await world.settle();
    equal(world.lane.pace.rate, how === "alone" ? undefined : 0.97 * 4, how);
    equal(world.lane.pace.limit, world.lane.pace.rate);
  }
});

Deno.test("the rate grows while requests wait for it, and not while they find it free; the limit that was seen stays", async () => {
  for (const [gap, grows] of [[0, true], [1, false]] as const) {
    const world = await throttledWorld();
    await world.advance(4);
    const asked = [];
    for (let count = 0; count < 3; count++) {
      asked.push(world.ask());
      await world.advance(gap);
    }
    for (let step = 0; step < 5; step++) await world.advance(0.2);
    ok(asked.every(({ turn }) => turn !== undefined));
    const { rate, limit } = world.lane.pace;
    equal(rate! > 9.7, grows);
    equal(limit, 9.7);
  }
});

Deno.test("requests that wait for the rate leave one after the other", async () => {
  const world = await throttledWorld();
  const asked = [world.ask(), world.ask(), world.ask()];
  const left = (): number => asked.filter(({ turn }) => turn !== undefined).length;
  const counts = [left()];
  for (let step = 0; step < 30; step++) {
    await world.advance(0.01);
    counts.push(left());
  }
  deepEqual([counts[0], counts.at(-1)], [0, 2]);
  equal(counts.filter((count, at) => at > 0 && count > counts[at - 1]!).length, 2);
  equal(world.lane.pace.waiting, 1);
});

Deno.test("one that would wait longer than it may gives up at once, and says how many are before it and how long", async () => {
  const world = laneWorld();
  leave(world, 1)[0]!.turn!.throttled(10, { asked: true });
  const may = [world.ask({ patience: 11 }), world.ask({ patience: 10 })];
  const mayNot = world.ask({ patience: 9.99 });
  const later = world.ask({ patience: 40 });
  await world.settle();
  match(String(mayNot.error), /2 before, 10 s/);
  equal(world.lane.pace.waiting, 3);
  await world.advance(5);
  await world.change((state, now) => state.pausedUntil = now + 25_000);
  const late = world.ask({ patience: 20 });
  await world.settle();
  match(String(may[0]!.error), /0 before, 25 s/);
  match(String(may[1]!.error), /0 before, 25 s/);
  match(String(late.error), /1 before, 25 s/);
  await world.advance(25);
  ok(later.turn);
});

Deno.test("one pause after the other ends the waiting of all that may not wait so long, and no timer stays", async () => {
  const world = laneWorld();
  const [first, second, third] = leave(world, 3);
  first!.turn!.throttled(5, { asked: true });
  const [one, two] = [world.ask({ patience: 6 }), world.ask({ patience: 12 })];
  second!.turn!.throttled(10, { asked: true });
  await world.settle();
  match(String(one.error), /0 before, 10 s/);
  equal(two.error, undefined);
  await world.advance(3);
  third!.turn!.throttled(10, { asked: true });
  await world.settle();
  match(String(two.error), /0 before, 10 s/);

  const other = laneWorld();
  leave(other, 1)[0]!.turn!.throttled(5, { asked: true });
  other.ask({ patience: 1 });
  deepEqual(other.alarms, []);
});

Deno.test("a long refusal holds its own profile for all of it, and every other for ten seconds", async () => {
  const world = laneWorld();
  const [first, second] = [world.ask({ profile: "1" }), world.ask({ profile: "2" })];
  const waits = world.ask({ profile: "1" });
  first.turn!.throttled(3600, { asked: true });
  const [same, other] = [world.ask({ profile: "1" }), world.ask({ profile: "2" })];
  deepEqual(world.pauses.started, [10]);
  deepEqual(world.lane.held("1"), { seconds: 3600, refused: ["1"] });
  equal(world.lane.held("2"), undefined);
  second.turn!.passed();
  await world.advance(10);
  ok(same.sentAway && other.turn);
  waits.turn!.lost();
  await world.advance(3590);
  equal(world.lane.held("1"), undefined);
});

Deno.test("requests that wait leave the queue when their profile has to pause, and those of others stay", async () => {
  const world = laneWorld();
  const under = leave(world, 16);
  const [one, two] = [world.ask({ profile: "1" }), world.ask({ profile: "2" })];
  under[0]!.turn!.throttled(60, { asked: true });
  await world.settle();
  deepEqual([one.sentAway, two.sentAway], [true, undefined]);
  equal(world.lane.pace.waiting, 1);
});

Deno.test("a second profile that is refused widens the pause to the whole lane, for as long as both have to wait", async () => {
  const world = laneWorld();
  const [one, two] = [world.ask({ profile: "1" }), world.ask({ profile: "2" })];
  one.turn!.throttled(3600, { asked: true });
  two.turn!.throttled(120, { asked: true });
  deepEqual(world.lane.held("3"), { seconds: 120, refused: ["1", "2"] });
  deepEqual(world.lane.held("2"), { seconds: 120, refused: ["2"] });
  deepEqual(world.lane.held("1"), { seconds: 3600, refused: ["1"] });
  await world.advance(120);
  equal(world.lane.held("3"), undefined);
  equal(world.lane.held("1")?.seconds, 3480);
});

Deno.test("of three refused profiles the two that wait longest hold the lane, whichever they are", async () => {
  for (
    const lengths of [[100, 200, 300], [100, 300, 200], [200, 100, 300], [200, 300, 100], [300, 100, 200]]
  ) {
    const world = laneWorld();
    const asked = lengths.map((seconds, at) => ({ seconds, turn: world.ask({ profile: `${at}` }).turn! }));
    for (const { seconds, turn } of asked) turn.throttled(seconds, { asked: true });
    const refused = ["0", "1", "2"].filter((id) => lengths[Number(id)]! > 100);
    deepEqual(world.lane.held("4"), { seconds: 200, refused }, lengths.join());
    deepEqual(world.lane.held(`${lengths.indexOf(100)}`), { seconds: 200, refused }, "longer than its own");
    await world.advance(200);
    equal(world.lane.held("4"), undefined, "the third pause is that of one profile");
  }
});

Deno.test("a long refusal forgets the pauses that are over, and a shorter one leaves the longer as it is", async () => {
  const world = laneWorld();
  const refuse = async (profile: string, seconds: number): Promise<Readonly<Record<string, unknown>>> => {
    const asked = world.ask({ profile });
    asked.turn!.throttled(seconds, { asked: true });
    let pauses = {};
    await world.change((state, now) => {
      state.pausedUntil = now;
      const running = Object.entries(laneRecord(state, "lane").pauses);
      pauses = Object.fromEntries(running.map(([id, { since, until }]) => [id, [since - now, until - now]]));
    });
    return pauses;
  };
  const [first, again] = [world.ask({ profile: "1" }), world.ask({ profile: "1" })];
  first.turn!.throttled(20, { asked: true });
  again.turn!.throttled(15, { asked: true });
  equal(world.lane.held("1")?.seconds, 20);
  await world.advance(19.999);
  deepEqual(await refuse("2", 30), { "1": [-19_999, 1], "2": [0, 30_000] });
  await world.advance(30);
  deepEqual(await refuse("3", 40), { "3": [0, 40_000] });
});

Deno.test("a refusal of ten seconds pauses everybody and holds no profile, one of more holds its own too", () => {
  for (const [seconds, held] of [[10, undefined], [10.5, { seconds: 10.5, refused: ["1"] }]] as const) {
    const world = laneWorld();
    leave(world, 1)[0]!.turn!.throttled(seconds, { asked: true });
    deepEqual(world.pauses.started, [10]);
    deepEqual(world.lane.held("1"), held);
  }
});

Deno.test("a rate does not grow because requests waited for a pause or for a free place", async () => {
  const waits: Readonly<Record<string, (world: LaneWorld) => Promise<void>>> = {
    "a pause": async (world) => {
      await world.change((state, now) => state.pausedUntil = now + 1000);
      const asked = world.ask();
      await world.advance(1);
      asked.turn!.passed();
    },
    "a place": async (world) => {
      await world.change((state) => laneRecord(state, "lane").window = 1);
      const under = leave(world, 1);
      const asked = world.ask();
      await world.advance(1);
      under[0]!.turn!.lost();
      await world.settle();
      asked.turn!.passed();
    },
  };
  for (const [what, wait] of Object.entries(waits)) {
    const world = await throttledWorld();
    await world.advance(10);
    await wait(world);
    equal(world.lane.pace.rate, 9.7, what);
  }
});

Deno.test("a pause counts however short it is", async () => {
  const world = laneWorld();
  leave(world, 1)[0]!.turn!.throttled(0.0005, { asked: true });
  const asked = world.ask();
  await world.settle();
  equal(asked.turn, undefined);
  await world.advance(0.0005);
  ok(asked.turn);
});

Deno.test("who comes when a pause is over does not overtake the one that waited for it", async () => {
  const world = laneWorld();
  leave(world, 1)[0]!.turn!.throttled(5, { asked: true });
  const first = world.ask();
  world.time.advance(5);
  const late = world.ask();
  equal(late.wasAtOnce, false);
  await world.settle();
  ok(first.turn && late.turn);
});

Deno.test("requests that take long keep their places", async () => {
  const world = laneWorld();
  const under = leave(world, 16);
  const waits = [];
  for (let count = 0; count < 3; count++) {
    await world.advance(31);
    waits.push(world.ask());
    await world.settle();
  }
  equal(world.lane.pace.waiting, 3);
  under[0]!.turn!.lost();
  await world.settle();
  deepEqual(waits.map(({ turn }) => turn !== undefined), [true, false, false]);
});

Deno.test("what was never refused waits on while others get through, what was refused waits for so long in all", async () => {
  for (const [patience, waits] of [[9.499, false], [9.5, true]] as const) {
    const world = laneWorld();
    const [first, second, third] = leave(world, 3);
    first!.turn!.throttled(9, { asked: true });
    const [fresh, retried] = [world.ask({ patience }), world.ask({ patience, retried: true })];
    await world.advance(8);
    second!.turn!.passed();
    await world.advance(0.5);
    third!.turn!.throttled(9, { asked: true });
    await world.settle();
    match(String(retried.error), /0 before, 9 s/);
    equal(fresh.error === undefined, waits);
    const late = world.ask({ patience: 8.5 });
    await world.settle();
    match(String(late.error), waits ? /1 before, 9 s/ : /0 before, 9 s/);
    await world.advance(9);
    equal(fresh.turn !== undefined, waits);
  }
});

Deno.test("an abort ends the waiting with its reason, and the timer with the last one that waits", async () => {
  const world = laneWorld();
  leave(world, 1)[0]!.turn!.throttled(5, { asked: true });
  const stops = [new AbortController(), new AbortController()];
  const reason = new Error("enough");
  const asked = stops.map(({ signal }) => world.ask({ signal }));
  const never = world.ask({ signal: AbortSignal.abort(reason) });
  await world.settle();
  equal(never.error, reason);
  stops[0]!.abort(reason);
  await world.settle();
  equal(asked[0]!.error, reason);
  equal(world.lane.pace.waiting, 1);
  deepEqual(world.alarms.map(({ aborted }) => aborted), [false]);
  stops[1]!.abort(reason);
  await world.settle();
  equal(world.lane.pace.waiting, 0);
  deepEqual(world.alarms.map(({ aborted }) => aborted), [true]);
  const next = world.ask();
  await world.advance(5);
  ok(next.turn);
  deepEqual(world.lane.pace, { rate: undefined, limit: undefined, waiting: 0, busy: 1 });
});

Deno.test("a signal that many requests share holds on to none that has left or given up", async () => {
  const world = laneWorld();
  const { signal } = new AbortController();
  let listeners = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
  leave(world, 1)[0]!.turn!.throttled(5, { asked: true });
  world.ask({ signal });
  equal(listeners, 1);
  world.ask({ signal, patience: 1 });
  equal(listeners, 1, "it has given up");
  await world.advance(5);
  equal(listeners, 0);
});

Deno.test("a pace is reported when it is first known, changes by more than a tenth or after ten seconds, and is forgotten", async () => {
  const world = laneWorld();
  const under = leave(world, 12);
  const changed = async (rate: number | undefined): Promise<number | undefined> => {
    await world.change((state) => {
      const lane = laneRecord(state, "lane");
      if (rate === undefined) delete lane.rate;
      else lane.rate = lane.base = rate;
    });
    under.pop()!.turn!.lost();
    return world.lane.change()?.waiting;
  };
  equal(world.lane.change(), undefined);
  equal(await changed(20), 0);
  equal(await changed(20), undefined);
  equal(await changed(21.9), undefined);
  equal(await changed(22.1), 0);
  equal(await changed(20), undefined);
  equal(await changed(19.8), 0);
  await world.advance(10);
  equal(await changed(20), undefined);
  await world.advance(0.001);
  equal(await changed(20), 0);
  equal(await changed(undefined), 0);
  equal(await changed(undefined), undefined);
});
