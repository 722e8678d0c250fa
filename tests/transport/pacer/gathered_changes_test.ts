import { deepEqual, equal, rejects } from "../../support/assert.ts";
import { GatheredChanges } from "../../../src/platform/transport/pacer/gathered_changes.ts";
import { newPaceState } from "../../../src/platform/transport/pacer/pace_store.ts";

Deno.test("changes are made in their order, and are done once they are written", async () => {
  const changes = new GatheredChanges();
  equal(changes.isEmpty, true);
  const order: string[] = [];
  const add = (name: string): Promise<string> =>
    changes.add((state, now) => {
      order.push(`${name} at ${now}`);
      state.pausedUntil++;
      return name;
    });
  const results = [add("a"), add("b")];
  const wrong = changes.add(() => {
    throw new RangeError("wrong");
  });
  equal(changes.isEmpty, false);
  const state = newPaceState();
  const settle = changes.applyTo(state, 5);
  equal(changes.isEmpty, false, "not written yet");
  changes.written();
  deepEqual([order, state, changes.isEmpty], [
    ["a at 5", "b at 5"],
    { pausedUntil: 2, lanes: {}, exports: {} },
    true,
  ]);
  for (const one of settle) one();
  deepEqual(await Promise.all(results), ["a", "b"]);
  await rejects(wrong, RangeError);
});

Deno.test("what the shared state missed is made on it before anything else, until it is written, and only what has no result", () => {
  const changes = new GatheredChanges();
  const order: string[] = [];
  const note = (name: string) => void changes.add(() => void order.push(name));
  const ask = (name: string) => void changes.add(() => order.push(name));
  const made = (make: () => void): string => (order.length = 0, make(), order.join(" "));
  const state = newPaceState();
  note("a");
  ask("asked");
  equal(made(() => changes.applyToOwn(state, 1)), "a asked");
  note("b");
  equal(made(() => changes.applyToOwn(state, 2)), "b");
  note("c");
  equal(made(() => changes.applyTo(state, 3)), "a b c");
  // That was not written, and what came since waits for the next time.
  equal(made(() => changes.applyToOwn(state, 4)), "c");
  equal(made(() => changes.applyTo(state, 5)), "a b c");
  note("d");
  changes.written();
  equal(made(() => changes.applyTo(state, 6)), "d");
});

Deno.test("of more than a thousand changes that were missed the newest are kept", () => {
  const changes = new GatheredChanges();
  const made: number[] = [];
  for (let number = 0; number < 1005; number++) {
    void changes.add(() => void made.push(number));
    changes.applyToOwn(newPaceState(), 0);
  }
  made.length = 0;
  changes.applyTo(newPaceState(), 0);
  deepEqual([made.length, made[0], made.at(-1)], [1000, 5, 1004]);
});
