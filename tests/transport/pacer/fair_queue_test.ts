import { deepEqual, equal, ok } from "../../support/assert.ts";
import fc from "fast-check";
import { FairQueue, type Waiting } from "../../../src/platform/transport/pacer/lane.ts";

interface Item extends Waiting {
  readonly name: string;
}

function item(name: string, parts: Partial<Waiting> = {}): Item {
  return { name, caller: name[0], weight: 1, priority: "interactive", retried: false, ...parts };
}

function drain(queue: FairQueue<Item>): string[] {
  const names: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) names.push(next.name);
  return names;
}

Deno.test("callers take turns, however many each has waiting", () => {
  const queue = new FairQueue<Item>();
  for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) queue.add(item(name));
  deepEqual(drain(queue), ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

Deno.test("a heavy request takes as many turns as it weighs", () => {
  const queue = new FairQueue<Item>();
  queue.add(item("a1", { weight: 3 }));
  for (const name of ["a2", "b1", "b2", "b3", "b4"]) queue.add(item(name));
  deepEqual(drain(queue), ["a1", "b1", "b2", "b3", "a2", "b4"]);
});

Deno.test("a caller that comes late does not make up for the time before", () => {
  const queue = new FairQueue<Item>();
  for (const name of ["a1", "a2", "a3", "a4"]) queue.add(item(name));
  equal(queue.take()?.name, "a1");
  equal(queue.take()?.name, "a2");
  for (const name of ["b1", "b2"]) queue.add(item(name));
  deepEqual(drain(queue), ["b1", "a3", "b2", "a4"]);
});

Deno.test("a caller that comes back does not make up for the time that it was away", () => {
  const queue = new FairQueue<Item>();
  for (const name of ["a1", "b1", "b2", "b3", "b4", "b5", "b6"]) queue.add(item(name));
  deepEqual([1, 2, 3, 4].map(() => queue.take()?.name), ["a1", "b1", "b2", "b3"]);
  for (const name of ["a2", "a3", "a4", "a5"]) queue.add(item(name));
  deepEqual(drain(queue), ["a2", "b4", "a3", "b5", "a4", "b6", "a5"]);

  const other = new FairQueue<Item>();
  other.add(item("a1"));
  other.add(item("b1", { weight: 3 }));
  for (const name of ["b2", "b3", "b4"]) other.add(item(name));
  deepEqual([1, 2, 3].map(() => other.take()?.name), ["a1", "b1", "b2"]);
  for (const name of ["a2", "a3", "a4"]) other.add(item(name));
  deepEqual(drain(other), ["a2", "a3", "b3", "a4", "b4"]);
});

Deno.test("a caller whose heavy request is done does not come back before the others had as much", () => {
  const queue = new FairQueue<Item>();
  queue.add(item("a1", { weight: 5 }));
  for (const name of ["b1", "b2", "b3", "b4", "b5", "b6"]) queue.add(item(name));
  deepEqual([1, 2, 3].map(() => queue.take()?.name), ["a1", "b1", "b2"]);
  queue.add(item("a2"));
  deepEqual(drain(queue), ["b3", "b4", "b5", "a2", "b6"]);
});

Deno.test("once nobody waits all begin anew", () => {
  const queue = new FairQueue<Item>();
  for (const name of ["a1", "a2", "a3"]) queue.add(item(name));
  deepEqual(drain(queue), ["a1", "a2", "a3"]);
  for (const name of ["a4", "b1", "a5"]) queue.add(item(name));
  deepEqual(drain(queue), ["a4", "b1", "a5"]);
});

Deno.test("what is retried goes before the new requests of its caller, and takes its share", () => {
  const queue = new FairQueue<Item>();
  for (const name of ["a1", "a2", "a3"]) queue.add(item(name));
  queue.add(item("b1"));
  queue.add(item("a0", { retried: true }));
  deepEqual(drain(queue), ["a0", "b1", "a1", "a2", "a3"]);
});

Deno.test("interactive requests go before bulk ones, of which every fifth turn is one", () => {
  const queue = new FairQueue<Item>();
  for (let n = 0; n < 3; n++) queue.add(item(`x${n}`, { priority: "bulk" }));
  for (let n = 0; n < 9; n++) queue.add(item(`a${n}`));
  deepEqual(drain(queue), ["a0", "a1", "a2", "a3", "x0", "a4", "a5", "a6", "a7", "x1", "a8", "x2"]);
});

Deno.test("a single bulk request has its turn too, and to look into an empty queue is no turn", () => {
  const queue = new FairQueue<Item>();
  for (let look = 0; look < 4; look++) equal(queue.take(), undefined);
  queue.add(item("x0", { priority: "bulk" }));
  for (let n = 0; n < 6; n++) queue.add(item(`a${n}`));
  equal(queue.size, 7);
  deepEqual(drain(queue), ["a0", "a1", "a2", "a3", "x0", "a4", "a5"]);
});

Deno.test("callers that begin at the same place go in the order in which they came, however many come and go", () => {
  const queue = new FairQueue<Item>();
  const callers = [..."hbkaqzcfdoxw"];
  for (const caller of callers) queue.add(item(`${caller}1`));
  const [first, second] = [item("m1"), item("n1")];
  queue.add(first);
  queue.add(second);
  ok(queue.remove(first));
  deepEqual(queue.inOrder().map(({ name }) => name), [...callers.map((caller) => `${caller}1`), "n1"]);
  for (const caller of callers.slice(0, 6)) equal(queue.take()?.caller, caller);
  // Each that had its turn goes behind those that had none.
  queue.add(item("h2"));
  deepEqual(drain(queue), [...callers.slice(6).map((caller) => `${caller}1`), "n1", "h2"]);
});

Deno.test("any items come out once each, in a fair order, whatever is taken out in between", () => {
  const operations = fc.array(
    fc.oneof(
      fc.record({
        caller: fc.constantFrom("a", "b", "c"),
        weight: fc.constantFrom(1, 1, 5),
        retried: fc.boolean(),
      }),
      fc.constantFrom("take" as const, "remove" as const),
    ),
    { maxLength: 80 },
  );
  fc.assert(
    fc.property(operations, (list) => {
      const queue = new FairQueue<Item>();
      const waiting = new Set<Item>();
      let made = 0;
      for (const operation of list) {
        if (operation === "take") {
          const next = queue.peek();
          const taken = queue.take();
          equal(taken, next);
          if (taken !== undefined) ok(waiting.delete(taken));
        } else if (operation === "remove") {
          const [first] = waiting;
          if (first === undefined) continue;
          waiting.delete(first);
          ok(queue.remove(first));
          ok(!queue.remove(first));
        } else {
          const added = item(`${operation.caller}${made++}`, operation);
          waiting.add(added);
          queue.add(added);
        }
        equal(queue.size, waiting.size);
      }
      const all = queue.inOrder().map(({ name }) => name);
      deepEqual(drain(queue), all);
    }),
    { seed: 20261122, numRuns: 300 },
  );
});
