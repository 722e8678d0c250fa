import { setImmediate } from "node:timers";
import { deepEqual, equal } from "../support/assert.ts";

type Wait = { readonly run: () => void; readonly at: number };

/** Timers that only the test moves on, and a server whose events it sends. */
function standIn() {
  let now = 0;
  let ids = 0;
  const waits = new Map<number, Wait>();
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
  const replaced = {
    localStorage: { getItem: () => "secret", setItem() {}, removeItem() {} },
    matchMedia: () => ({ matches: false, addEventListener() {} }),
    setTimeout: (run: () => void, after: number) => (waits.set(++ids, { run, at: now + after }), ids),
    clearTimeout: (id: number) => waits.delete(id),
    fetch: (_path: string, { signal }: RequestInit) => {
      const body = new ReadableStream({
        start(stream) {
          streams.push(stream);
          signal?.addEventListener("abort", () => stream.error(signal.reason));
        },
      });
      return Promise.resolve(new Response(body));
    },
  };
  const before = Object.getOwnPropertyDescriptors(globalThis);
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return {
    streams,
    turn,
    pass: async (milliseconds: number): Promise<void> => {
      now += milliseconds;
      for (const [id, { run, at }] of [...waits]) {
        if (at > now) continue;
        waits.delete(id);
        run();
      }
      await turn();
    },
    [Symbol.dispose]: () => {
      for (const name of Object.keys(replaced)) {
        if (before[name] === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, before[name]);
      }
    },
  };
}

Deno.test("a console counts as gone after 12 seconds without a sign, and as back at the next", async () => {
  using world = standIn();
  const { listen, reachable } = await import("../../src/interfaces/console/web/api.js");
  let back = 0;
  void listen(() => {}, () => back++);
  await world.turn();
  const sign = async (): Promise<void> => {
    world.streams.at(-1)!.enqueue(new TextEncoder().encode(": \n\n"));
    await world.turn();
  };
  await world.pass(11_999);
  equal(reachable.value, true);
  await sign();
  await world.pass(11_999);
  equal(reachable.value, true, "each sign begins it anew");
  await world.pass(1);
  deepEqual([reachable.value, back], [false, 0]);
  await world.pass(1000);
  deepEqual([reachable.value, back, world.streams.length], [true, 1, 2]);
});
