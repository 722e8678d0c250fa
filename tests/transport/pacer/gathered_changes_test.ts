import { deepEqual, equal, rejects } from "../../support/assert.ts";
import { GatheredChanges } from "../../../src/transport/pacer/gathered_changes.ts";
import { newPaceState } from "../../../src/transport/pacer/pace_store.ts";

Deno.test("changes are made in their order, those that were put back first, and are done once they are written", async () => {
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
  const taken = changes.take();
  equal(changes.isEmpty, true);
  results.push(add("c"));
  const wrong = changes.add(() => {
    throw new RangeError("wrong");
  });
  changes.putBack(taken);
  equal(changes.isEmpty, false);
  const state = newPaceState();
  const settle = changes.applyTo(state, 5);
  deepEqual([order, state, changes.isEmpty], [
    ["a at 5", "b at 5", "c at 5"],
    { pausedUntil: 3, lanes: {}, exports: {} },
    true,
  ]);
  for (const one of settle) one();
  deepEqual(await Promise.all(results), ["a", "b", "c"]);
  await rejects(wrong, RangeError);
});
