import assert from "node:assert/strict";
import { test } from "node:test";
import { Limiter } from "../../../src/store/sync/limiter.ts";

test("Limiter runs so many at the same time, the others in order as turns become free", async () => {
  const limiter = new Limiter(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const runs = [0, 1, 2, 3, 4].map((index) =>
    limiter.run(async () => {
      begun.push(index);
      await new Promise<void>((end) => ends[index] = end);
      return index;
    })
  );
  const settle = (): Promise<void> => new Promise((done) => setTimeout(done));
  await settle();
  assert.deepEqual(begun, [0, 1]);
  ends[1]!();
  await settle();
  assert.deepEqual(begun, [0, 1, 2]);
  ends[0]!();
  ends[2]!();
  await settle();
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
  ends[3]!();
  ends[4]!();
  assert.deepEqual(await Promise.all(runs), [0, 1, 2, 3, 4]);
  // Both turns are free again, and there are no more than two.
  let busy = 0;
  let most = 0;
  await Promise.all(Array.from({ length: 6 }, () =>
    limiter.run(async () => {
      most = Math.max(most, ++busy);
      await settle();
      busy--;
    })));
  assert.equal(most, 2);
});

test("Limiter gives the turn of work that failed to the next", async () => {
  const limiter = new Limiter(1);
  const failing = limiter.run(() => Promise.reject(new Error("broken")));
  const next = limiter.run(() => Promise.resolve("next"));
  await assert.rejects(failing, /broken/);
  assert.equal(await next, "next");
});
