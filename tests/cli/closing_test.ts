import assert from "node:assert/strict";
import { Closing, closingAfter } from "../../src/interfaces/cli/shell/context/closing.ts";

Deno.test("what a command opened is closed from the last to the first, whatever fails on the way", async () => {
  const closing = new Closing();
  const closed: string[] = [];
  closing.later(() => void closed.push("first"));
  closing.later(() => {
    closed.push("second");
    throw new Error("it is gone");
  });
  closing.later(async () => {
    await Promise.resolve();
    closed.push("third");
  });
  await assert.rejects(closing.close(), /it is gone/);
  assert.deepEqual(closed, ["third", "second", "first"]);
  await closing.close();
  assert.equal(closed.length, 3, "nothing is closed twice");
});

Deno.test("a part of a command closes what it opened, also when it fails, and leaves the rest open", async () => {
  const closing = new Closing();
  const context = { closing };
  const closed: string[] = [];
  closing.later(() => void closed.push("command"));
  assert.equal(
    await closingAfter(context, (part) => {
      part.closing.later(() => void closed.push("part"));
      return Promise.resolve(7);
    }),
    7,
  );
  await assert.rejects(closingAfter(context, (part) => {
    part.closing.later(() => void closed.push("failed part"));
    return Promise.reject(new Error("no"));
  }));
  assert.deepEqual(closed, ["part", "failed part"]);
});
