import { deepEqual, equal, rejects } from "../support/assert.ts";
import { atMost, pause } from "../../src/base/time/clock.ts";
import { listening } from "../support/listening.ts";
import { watchingTimers } from "../support/watching_timers.ts";

Deno.test("a pause ends with its time or with the abort, and leaves no listener and no timer", async () => {
  const { controller, listeners } = listening();
  const { signal } = controller;
  const { seconds, left } = await watchingTimers(async () => {
    const over = new AbortController();
    const first = pause(60, { signal: over.signal });
    over.abort();
    await first;
  });
  deepEqual([seconds, left], [[60], 0]);
  const waits: number[] = [];
  const sleep = (seconds: number): Promise<void> => Promise.resolve(void waits.push(seconds));
  await pause(3, { signal, sleep });
  await pause(0, { signal });
  deepEqual([waits, listeners.size], [[3], 0]);
  const endless = pause(undefined, { signal });
  equal(listeners.size, 1);
  controller.abort();
  await endless;
  await pause(3, { signal, sleep });
  deepEqual([waits, listeners.size], [[3], 0], "no wait begins after the abort");
});

Deno.test("a pause fails with the wait that it is given, but not for an abort", async () => {
  await rejects(() => pause(1, { sleep: () => Promise.reject(new Error("no clock")) }), /no clock/);
  const over = new AbortController();
  const heeding = pause(1, {
    signal: over.signal,
    sleep: (_, signal) =>
      new Promise((_, fail) => signal!.addEventListener("abort", () => fail(signal!.reason))),
  });
  over.abort();
  await heeding;
});

Deno.test("work is waited for at most so long, and no timer is left of it", async () => {
  const { seconds, left } = await watchingTimers(() => atMost(60, Promise.resolve()));
  deepEqual([seconds, left], [[60], 0]);
  await atMost(0, new Promise(() => {}));
  await rejects(() => atMost(60, Promise.reject(new Error("broken"))), /broken/);
});
