import { deepEqual, equal } from "../../support/assert.ts";
import { Pacer } from "../../../mod.ts";
import type { PauseReport } from "../../../src/platform/transport/pacer/pacer.ts";
import type { Turn } from "../../../src/platform/transport/pacer/lane.ts";
import { FakeTime } from "../../support/fake_time.ts";

interface Refusing {
  readonly pacer: Pacer;
  readonly time: FakeTime;
  /** Refuses requests that left together. */
  refuse(...pauses: readonly [group: string, profile: string, seconds: number][]): void;
}

function refusing(): Refusing {
  const time = new FakeTime({ held: true });
  const pacer = new Pacer(time);
  const leave = (group: string, profile: string): Turn => {
    const turn = pacer.lane("http://host", group).turn({
      caller: 1,
      profile,
      weight: 1,
      priority: "interactive",
      retried: false,
      patience: 600,
      tooLong: () => new Error("too long"),
    });
    if (turn instanceof Promise) throw new Error("A request had to wait");
    return turn;
  };
  return {
    pacer,
    time,
    refuse(...pauses) {
      const turns = pauses.map(([group, profile, seconds]) => ({ turn: leave(group, profile), seconds }));
      for (const { turn, seconds } of turns) turn.throttled(seconds, { asked: true });
    },
  };
}

const host = "http://host";

Deno.test("pauses of profiles are told with their operations, when they began and how long they last, longest first", async () => {
  const { pacer, time, refuse } = refusing();
  deepEqual(await pacer.pauses(), []);
  refuse(["sp reads", "7", 60], ["sp reads", "8", 3600], ["sp reads", "9", 10], ["exports", "", 120]);
  time.advance(30);
  const [long, own, short]: PauseReport[] = [
    { host, group: "sp reads", profileId: "8", since: 30, seconds: 3570 },
    { host, group: "exports", since: 30, seconds: 90 },
    { host, group: "sp reads", profileId: "7", since: 30, seconds: 30 },
  ];
  deepEqual(await pacer.pauses(), [long, own, short]);
  time.advance(29.999);
  equal((await pacer.pauses()).length, 3);
  time.advance(0.001);
  deepEqual((await pacer.pauses()).map(({ seconds }) => seconds), [3540, 60], "one is over");
});

Deno.test("pauses that are forgotten are those that ran, and hold nobody any more", async () => {
  const { pacer, time, refuse } = refusing();
  refuse(["sp reads", "7", 3600], ["sp writes", "7", 5]);
  equal(pacer.remaining, 10);
  time.advance(2);
  equal(pacer.remaining, 8);
  deepEqual(await pacer.forgetPauses(), [
    { host, group: "sp reads", profileId: "7", since: 2, seconds: 3598 },
  ]);
  equal(pacer.remaining, 0);
  deepEqual([await pacer.pauses(), await pacer.forgetPauses()], [[], []]);
  await pacer.lane(host, "sp reads").look();
  refuse(["sp reads", "7", 20]);
  equal((await pacer.pauses()).length, 1);
});

Deno.test("a pause is made longer by another, never shorter, and nothing is left of it at its end", () => {
  const { pacer, time } = refusing();
  equal(pacer.remaining, 0);
  pacer.pause(5);
  pacer.pause(3);
  equal(pacer.remaining, 5);
  pacer.pause(7);
  time.advance(6.5);
  equal(pacer.remaining, 0.5);
  time.advance(1);
  equal(pacer.remaining, 0);
});

Deno.test("a pacer knows how long ago a request was accepted", () => {
  const { pacer, time } = refusing();
  equal(pacer.secondsSincePassed, Infinity);
  const turn = pacer.lane(host, "a").turn({
    caller: 1,
    profile: "7",
    weight: 1,
    priority: "bulk",
    retried: false,
    patience: 600,
    tooLong: () => new Error("too long"),
  }) as Turn;
  time.advance(3);
  turn.passed();
  time.advance(4);
  equal(pacer.secondsSincePassed, 4);
});
