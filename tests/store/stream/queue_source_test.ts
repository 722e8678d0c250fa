import { deepEqual, equal, rejects } from "../../support/assert.ts";
import type { QueueClient, QueueMessage } from "../../../src/store/stream/queue_client.ts";
import { queueSource, type QueueSourceOptions } from "../../../src/store/stream/queue_source.ts";

interface Asked {
  readonly wait: number;
  readonly visibility: number;
}

/** A queue whose requests for messages bring so many each; an error is thrown, and no more of them is an endless wait. */
function queueOf(counts: readonly (number | Error)[]) {
  const left = [...counts];
  const asked: Asked[] = [];
  const pauses: number[] = [];
  const client = {
    receive: ({ wait, visibility, signal }: Asked & { signal?: AbortSignal }): Promise<QueueMessage[]> => {
      asked.push({ wait, visibility });
      const count = left.shift();
      if (count === undefined) {
        return new Promise((_, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason), { once: true })
        );
      }
      if (count instanceof Error) return Promise.reject(count);
      return Promise.resolve(Array.from({ length: count }, (_, at) => ({
        id: `${asked.length}.${at}`,
        receipt: "",
        body: "",
      })));
    },
    pause: (seconds: number) => Promise.resolve(void pauses.push(seconds)),
  } as unknown as QueueClient;
  /** Sizes of the deliveries of the queue, until it has none left or so many came. */
  const sizes = async (
    options: Partial<QueueSourceOptions> & { once?: boolean; most?: number } = {},
  ): Promise<number[]> => {
    const { once, most = 99, ...settings } = options;
    const stop = new AbortController();
    const found: number[] = [];
    const deliveries = queueSource(client, { name: "q", ...settings })
      .deliveries({ signal: stop.signal, ...(once === undefined ? {} : { once }) });
    for await (const { messages, end } of deliveries) {
      end();
      found.push(messages.length);
      if (found.length === most) stop.abort(new Error("enough"));
    }
    return found;
  };
  return { sizes, asked, pauses };
}

Deno.test("a queue with more than one request brings is asked by eight at once, seven of which do not wait", async () => {
  const full = queueOf([10, 10, 3, 0, 0, 0, 0, 0]);
  deepEqual(await full.sizes({ most: 1 }), [23]);
  deepEqual(full.asked[0], { wait: 20, visibility: 60 });
  deepEqual(full.asked.slice(1), Array(7).fill({ wait: 0, visibility: 60 }));
  const few = queueOf([9]);
  deepEqual([await few.sizes({ most: 1 }), few.asked.length], [[9], 1]);
  const alone = queueOf([10]);
  deepEqual([await alone.sizes({ most: 1, receivers: 1 }), alone.asked.length], [[10], 1]);
  const two = queueOf([10, 10]);
  deepEqual([await two.sizes({ most: 1, receivers: 2, visibility: 5 }), two.asked[1]], [[20], {
    wait: 0,
    visibility: 5,
  }]);
});

Deno.test("what one of many requests fails with does not lose what the others received", async () => {
  deepEqual(await queueOf([10, new Error("busy"), 4]).sizes({ most: 1, receivers: 3 }), [14]);
  await rejects(queueOf([new Error("refused")]).sizes(), /refused/);
});

Deno.test("a queue is read until it is empty where that is asked for, and otherwise for ever", async () => {
  const once = queueOf([2, 1, 0, 7]);
  deepEqual(await once.sizes({ once: true }), [2, 1]);
  deepEqual(once.asked.map(({ wait }) => wait), [1, 1, 1]);
  deepEqual(once.pauses, []);
  for (const waits of [{}, { once: false }]) {
    const always = queueOf([2, 0, 0, 7]);
    deepEqual(await always.sizes({ ...waits, most: 2 }), [2, 7]);
    deepEqual(always.pauses, [1, 1], "a queue that does not wait itself is asked once a second");
  }
});

Deno.test("a queue that waited for messages for a second is asked again without a pause", async () => {
  const { now } = performance;
  try {
    for (const [seconds, pauses] of [[0.999, [1]], [1, []]] as const) {
      let time = 5000;
      performance.now = () => (time += seconds * 1000) - seconds * 1000;
      const queue = queueOf([0, 1]);
      deepEqual([await queue.sizes({ most: 1 }), queue.pauses], [[1], pauses]);
    }
  } finally {
    performance.now = now;
  }
});

Deno.test("messages are kept from others anew three times within the time that they are kept", async () => {
  const { setInterval: set } = globalThis;
  const delays: number[] = [];
  globalThis.setInterval = ((_run: () => void, delay: number) => delays.push(delay)) as unknown as typeof set;
  try {
    await queueOf([1]).sizes({ most: 1 });
    await queueOf([1]).sizes({ most: 1, visibility: 30 });
  } finally {
    globalThis.setInterval = set;
  }
  deepEqual(delays, [20_000, 10_000]);
});

Deno.test("an abort ends the reading of a queue", async () => {
  const queue = queueOf([1, 1, 1]);
  equal((await queue.sizes({ most: 2 })).length, 2);
  equal(queue.asked.length, 2);
});
