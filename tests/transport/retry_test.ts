import { deepEqual, equal, throws } from "../support/assert.ts";
import {
  type Attempt,
  type FailedAttempt,
  retry,
  retryPolicy,
  type RetryTurn,
} from "../../src/platform/transport/retry.ts";

const FAILED = new Error("failed");

/** Runs attempts in virtual time: what each gave, what was waited, and what the client was paused for. */
async function run(
  attempts: readonly (FailedAttempt["next"] | "works")[],
  options: { policy?: Parameters<typeof retryPolicy>[0]; work?: (turn: RetryTurn) => Promise<void> } = {},
) {
  let clock = 0;
  const waits: number[] = [];
  const pauses: (readonly [number, boolean])[] = [];
  const turns: (readonly [attempt: number, waited: number])[] = [];
  const sleep = (seconds: number): Promise<void> => {
    clock += seconds * 1000;
    return Promise.resolve();
  };
  const value = await retry<string>({
    policy: retryPolicy(options.policy),
    now: () => clock,
    sleep,
    random: () => 0.5,
    onWait: (seconds) => waits.push(seconds),
    onPause: (seconds, { asked }) => pauses.push([seconds, asked]),
  }, async (turn): Promise<Attempt<string>> => {
    turns.push([turn.attempt, turn.waited]);
    await options.work?.(turn);
    const next = attempts[turns.length - 1] ?? "works";
    return next === "works" ? { value: "done" } : { failed: FAILED, next };
  }).catch((error: Error) => error.message);
  return { value, waits, pauses, turns };
}

Deno.test("work that fails is done again after random waits that double, up to their bound", async () => {
  const wait = {};
  const { value, waits, turns } = await run([wait, wait, wait, wait], { policy: { backoffMax: 5 } });
  equal(value, "done");
  deepEqual(waits, [0.5, 1, 2, 2.5]);
  deepEqual(turns.map(([attempt]) => attempt), [1, 2, 3, 4, 5]);
  deepEqual(turns.map(([, waited]) => waited), [0, 0.5, 1.5, 3.5, 6]);
});

Deno.test("the waits of a piece of work stay below their bound together, and so do its attempts", async () => {
  const after = { after: 4 };
  const bounded = await run([after, after, after], { policy: { maxTotalWait: 10 } });
  deepEqual([bounded.value, bounded.waits], ["failed", [4, 4]]);
  deepEqual(bounded.pauses, [], "nobody else waits for it");
  const atTheBound = await run([after, after], { policy: { maxTotalWait: 8 } });
  deepEqual([atTheBound.value, atTheBound.waits], ["done", [4, 4]]);
  const twice = await run([after, after], { policy: { maxAttempts: 2 } });
  deepEqual([twice.value, twice.turns.length], ["failed", 2]);
});

Deno.test("a failure that stands is the end, and one that is tried at once does not count", async () => {
  const never = await run(["never"]);
  deepEqual([never.value, never.turns.length, never.waits], ["failed", 1, []]);
  const atOnce = await run(["at-once", "at-once"], { policy: { maxAttempts: 1 } });
  deepEqual([atOnce.value, atOnce.turns, atOnce.waits], ["done", [[1, 0], [1, 0], [1, 0]], []]);
});

Deno.test("what the whole client waits for is not waited here, and is told with whose number it is", async () => {
  const { value, waits, pauses, turns } = await run([{ after: 3, waits: "client" }, { waits: "client" }]);
  deepEqual([value, waits], ["done", []]);
  deepEqual(pauses, [[3, true], [1, false]]);
  deepEqual(turns, [[1, 0], [2, 0], [3, 0]]);
  const once = await run([{ after: 3, waits: "client", again: false }]);
  deepEqual([once.value, once.pauses], ["failed", [[3, true]]]);
});

Deno.test("waits inside of an attempt count from the second attempt on", async () => {
  const { turns } = await run([{ after: 1 }, { after: 1 }], { work: (turn) => turn.wait(10) });
  deepEqual(turns, [[1, 0], [2, 1], [3, 12]]);
  let clock = 0;
  const seen: number[] = [];
  await retry<string>({
    policy: retryPolicy(),
    now: () => clock,
    sleep: () => Promise.resolve(),
    random: () => 0,
  }, async (turn) => {
    const found = await turn.during(
      Promise.resolve().then(() => {
        clock += 2500;
        return "found";
      }),
    );
    equal(found, "found");
    seen.push(turn.waited);
    return seen.length < 3 ? { failed: FAILED, next: { after: 0 } } : { value: "done" };
  });
  deepEqual(seen, [0, 2.5, 5]);
});

Deno.test("what is waited for inside of an attempt is measured by the runtime's clock where none is given", async () => {
  const { now } = performance;
  let clock = 0;
  performance.now = () => clock;
  try {
    const waited = await retry<number>({
      policy: retryPolicy(),
      sleep: () => Promise.resolve(),
      random: () => 0,
    }, async (turn) => {
      if (turn.attempt === 1) return { failed: FAILED, next: { after: 0 } };
      await turn.during(Promise.resolve().then(() => clock += 2500));
      return { value: turn.waited };
    });
    equal(waited, 2.5);
  } finally {
    performance.now = now;
  }
});

Deno.test("a policy must allow one attempt, and its times must be numbers from 0 on", () => {
  for (
    const policy of [{ maxAttempts: 0 }, { maxAttempts: 0.5 }, { backoffBase: -1 }, { maxTotalWait: NaN }]
  ) {
    throws(() => retryPolicy(policy), RangeError);
  }
  equal(retryPolicy({ maxAttempts: 1, backoffBase: 0 }).maxAttempts, 1);
});
