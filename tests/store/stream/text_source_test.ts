import assert from "node:assert/strict";
import { textSource } from "../../../src/store/stream/sources/text_source.ts";

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
  for await (const { messages } of textSource(trickle()).deliveries({})) sizes.push(messages.length);
  assert.equal(sizes.reduce((sum, size) => sum + size, 0), 30);
  assert(sizes.length >= 2 && sizes.length <= 10, `in deliveries of ${sizes.join(", ")}`);
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
