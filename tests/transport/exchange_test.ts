import { deepEqual, equal, ok } from "../support/assert.ts";
import { NetworkError } from "../../mod.ts";
import { exchange, Sender, type WireRequest } from "../../src/platform/transport/exchange.ts";
import { watchingTimers } from "../support/watching_timers.ts";
import { StubClient } from "../support/stub_client.ts";

const READ: WireRequest = {
  method: "GET",
  url: "http://a.test/things?x=1",
  headers: {},
  once: false,
  timeout: 60,
  secrets: [],
};

/** A signal that counts who listens to it. */
function countingSignal(): { signal: AbortSignal; listeners: () => number } {
  const { signal } = new AbortController();
  let count = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<typeof add>) => (count++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (count--, remove(...args));
  return { signal, listeners: () => count };
}

Deno.test(
  "an exchange waits for its timeout, and leaves no timer and no listener behind, whether a response came or not",
  { sanitizeOps: true, sanitizeResources: true },
  async () => {
    for (const isLost of [false, true]) {
      const { signal, listeners } = countingSignal();
      let during = 0;
      const sender = new Sender(() => {
        during = listeners();
        return isLost ? Promise.reject(new Error("lost")) : Promise.resolve(new Response("text"));
      });
      const { seconds, left } = await watchingTimers(async () => {
        const found = await exchange({ ...READ, signal }, sender);
        equal(
          found instanceof NetworkError ? found.url : found.text,
          isLost ? "http://a.test/things" : "text",
        );
      });
      deepEqual([during, listeners()], [1, 0]);
      deepEqual([seconds, left], [[60], 0]);
    }
  },
);

/** Watches the pools of connections that are made while something is done: those that are open, and how each was made. */
async function watchingPools(
  work: (pools: { open: number; made: unknown[] }) => Promise<void>,
): Promise<void> {
  const { createHttpClient } = Deno;
  const pools = { open: 0, made: [] as unknown[] };
  Deno.createHttpClient = (options) => {
    const client = createHttpClient(options);
    const close = client.close.bind(client);
    pools.open++;
    pools.made.push(options);
    client.close = () => (pools.open--, close());
    return client;
  };
  try {
    await work(pools);
  } finally {
    Deno.createHttpClient = createHttpClient;
  }
}

Deno.test("writes share a pool that keeps an idle connection for a second, one without a body has its own", async () => {
  await watchingPools(async (pools) => {
    await using client = StubClient.start(() => ({ json: "done" }));
    for (let count = 0; count < 3; count++) await client.send({ method: "PUT", json: {} });
    deepEqual(pools.made, [{ poolIdleTimeout: 1000 }]);
    await client.send({ method: "DELETE" });
    await client.send();
    deepEqual(pools.made, [{ poolIdleTimeout: 1000 }, { poolMaxIdlePerHost: 0 }]);
    equal(pools.open, 1);
  });
});

Deno.test("a form with a code is sent exactly once, like a write; one for a token may be sent again", async () => {
  for (const [form, made] of [[{ code: "c" }, 1], [{ grant_type: "refresh_token" }, 0]] as const) {
    await watchingPools(async (pools) => {
      await using client = StubClient.start(() => ({ json: "done" }));
      await client.transport.postForm(form);
      equal(pools.made.length, made);
    });
  }
});

Deno.test("a pool that is made for one write is closed when its response is read or lost", async () => {
  await watchingPools(async (pools) => {
    for (const isLost of [false, true]) {
      let during = 0;
      const sender = new Sender((_, init) => {
        during = pools.open;
        ok(init !== undefined && "client" in init);
        return isLost ? Promise.reject(new Error("lost")) : Promise.resolve(new Response("{}"));
      });
      await exchange({ ...READ, method: "DELETE", once: true }, sender);
      deepEqual([during, pools.open], [1, 0]);
    }
  });
});
