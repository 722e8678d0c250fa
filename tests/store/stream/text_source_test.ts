import assert from "node:assert/strict";
import type { StreamSource } from "../../../src/store/stream/stream_source.ts";
import { textSource } from "../../../src/store/stream/text_source.ts";

/** Pieces of `each` messages, and how many were asked for. */
function endless(each: number): { pieces: AsyncIterable<string>; asked: () => number } {
  let asked = 0;
  async function* pieces(): AsyncGenerator<string> {
    for (;;) {
      asked++;
      yield '{"a":1}\n'.repeat(each);
    }
  }
  return { pieces: pieces(), asked: () => asked };
}

Deno.test("an endless text is read no further than a piece ahead of what is stored, a thousand messages at once", async () => {
  const { pieces, asked } = endless(300);
  let deliveries = 0;
  for await (const { messages } of textSource(pieces, "pipe").deliveries({})) {
    deliveries++;
    // What is stored takes its time.
    await new Promise((done) => setTimeout(done, 2));
    assert.equal(messages.length, 1000);
    assert(
      asked() <= Math.ceil(deliveries * 1000 / 300) + 1,
      `${asked()} pieces for ${deliveries} deliveries`,
    );
    if (deliveries === 10) break;
  }
});

Deno.test("few messages wait for others no longer than a moment, and those that trickle are stored together", async () => {
  async function* trickle(): AsyncGenerator<string> {
    for (let line = 1; line <= 30; line++) {
      yield `{"a":${line}}\n`;
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  const sizes: number[] = [];
  const began = performance.now();
  for await (const { messages } of textSource(trickle()).deliveries({})) sizes.push(messages.length);
  const waits = (performance.now() - began) / 250;
  assert.equal(sizes.reduce((sum, size) => sum + size, 0), 30);
  assert(sizes.length >= 2 && sizes.length <= 2 + waits, `in deliveries of ${sizes.join(", ")}`);
});

Deno.test("an abort ends the wait for a text that stays silent, and hands over what has come", async () => {
  const stop = new AbortController();
  const pieces = new ReadableStream<string>({ start: (pipe) => pipe.enqueue('{"a":1}\n{"b":') });
  setTimeout(() => stop.abort(), 20);
  const bodies: string[] = [];
  for await (const { messages } of textSource(pieces, "pipe").deliveries({ signal: stop.signal })) {
    bodies.push(...messages.map(({ id, body }) => `${id} ${body}`));
  }
  assert.deepEqual(bodies, ['pipe:1 {"a":1}', 'pipe:2 {"b":']);
});

Deno.test("what a pipe fails with is thrown after what came before it", async () => {
  async function* broken(): AsyncGenerator<string> {
    yield '{"a":1}\n';
    await new Promise((done) => setTimeout(done, 300));
    throw new Error("the pipe broke");
  }
  let count = 0;
  await assert.rejects(async () => {
    for await (const { messages } of textSource(broken()).deliveries({})) count += messages.length;
  }, /the pipe broke/);
  assert.equal(count, 1);
});

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `{"a":${at}}\n`).join("");

async function bodiesOf(source: StreamSource, signal?: AbortSignal): Promise<string[][]> {
  const bodies: string[][] = [];
  for await (const { messages } of source.deliveries({ signal })) {
    bodies.push(messages.map(({ body }) => body));
  }
  return bodies;
}

Deno.test("every message of a text is handed over once and in order, a thousand at most and one at least", async () => {
  for (const [count, sizes] of [[0, []], [1, [1]], [1000, [1000]], [2500, [1000, 1000, 500]]] as const) {
    for (const text of [lines(count), lines(count).match(/[^]{1,999}/g) ?? [], lines(count).trim()]) {
      const bodies = await bodiesOf(textSource(text));
      assert.deepEqual(bodies.map(({ length }) => length), sizes);
      assert.deepEqual(bodies.flat(), lines(count).split("\n").slice(0, -1));
    }
  }
});

Deno.test("a thousand messages are handed over before more of the text is asked for", async () => {
  let asked = 0;
  async function* pieces(): AsyncGenerator<string> {
    for (; asked < 3;) {
      asked++;
      yield lines(1000);
      await Promise.resolve();
    }
  }
  const seen: number[] = [];
  for await (const _ of textSource(pieces()).deliveries({})) seen.push(asked);
  assert.deepEqual(seen, [1, 2, 3]);
});

Deno.test("messages wait for others for a quarter of a second, counted from the first of them", async () => {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const { now } = performance;
  let time = 5000;
  const delays: number[] = [];
  const cleared: unknown[] = [];
  performance.now = () => time;
  globalThis.setTimeout = ((run: () => void, delay: number) => {
    delays.push(delay);
    return delay === 0 ? set(run, 0) : delay;
  }) as typeof set;
  globalThis.clearTimeout = ((timer: unknown) => void cleared.push(timer)) as typeof clear;
  async function* pieces(): AsyncGenerator<string> {
    yield '{"a":1}\n';
    time += 100;
    yield '{"a":2}\n';
    time += 200;
    yield '{"a":3}\n';
    await new Promise((done) => set(done, 20));
    yield '{"a":4}\n';
  }
  try {
    assert.deepEqual(await bodiesOf(textSource(pieces())), [['{"a":1}', '{"a":2}', '{"a":3}'], ['{"a":4}']]);
    assert.deepEqual(delays, [150, 0, 0, 250, 250]);
    assert.equal(cleared.length, 5, "no timer keeps the program from ending");
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    performance.now = now;
  }
});

Deno.test("an abort leaves what is not whole of a text that can be read again, and closes it", async () => {
  const stop = new AbortController();
  let isClosed = false;
  function* pieces(): Generator<string> {
    try {
      yield '{"a":1}\n{"b';
      stop.abort();
      yield '":2}\n';
    } finally {
      isClosed = true;
    }
  }
  assert.deepEqual(await bodiesOf(textSource(pieces()), stop.signal), [['{"a":1}']]);
  assert.equal(isClosed, true);
});

Deno.test("a text whose reader stops is closed, and what it fails with afterwards concerns nobody", async () => {
  let isClosed = false;
  async function* pieces(): AsyncGenerator<string> {
    try {
      for (;;) yield await Promise.resolve(lines(1000));
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of textSource(pieces()).deliveries({})) break;
  await new Promise((done) => setTimeout(done, 0));
  assert.equal(isClosed, true);
  const { promise, reject } = Promise.withResolvers<string>();
  async function* broken(): AsyncGenerator<string> {
    yield '{"a":1}\n';
    yield await promise;
  }
  for await (const _ of textSource(broken()).deliveries({})) break;
  reject(new Error("the pipe broke"));
  await new Promise((done) => setTimeout(done, 10));
});

Deno.test("nobody waits for an acknowledgement of a text's messages", async () => {
  for await (const delivery of textSource("{}").deliveries({})) assert.equal(await delivery.acknowledge(), 0);
});
