import assert from "node:assert/strict";
import { realSleep } from "../../src/base/time/clock.ts";
import { FakeTime } from "../support/fake_time.ts";
import { StubClient } from "../support/stub_client.ts";
import { until } from "../support/until.ts";

const REASON = new Error("the user pressed a key");

Deno.test("A request whose signal is aborted before it begins sends nothing, not even for a token", async () => {
  await using client = StubClient.start(() => ({ json: 1 }));
  await assert.rejects(client.send({ signal: AbortSignal.abort(REASON) }), REASON);
  assert.equal(client.server.requests.length, 0);
});

Deno.test("An abort ends the request in flight with the signal's reason", async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => release = resolve);
  await using client = StubClient.start(async () => {
    await held;
    return {};
  });
  const controller = new AbortController();
  const sent = client.send({ signal: controller.signal });
  await until(() => client.requests.length === 1);
  controller.abort(REASON);
  await assert.rejects(sent, REASON);
  release();
});

Deno.test("An abort of a write in flight is the signal's reason too, though the platform may have acted", async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => release = resolve);
  await using client = StubClient.start(async () => {
    await held;
    return {};
  });
  const controller = new AbortController();
  const sent = client.send({ method: "POST", json: {}, signal: controller.signal });
  await until(() => client.requests.length === 1);
  controller.abort(REASON);
  await assert.rejects(sent, REASON);
  release();
  const form = { grant_type: "authorization_code", code: "c" };
  const before = client.server.requests.length;
  await assert.rejects(client.transport.postForm(form, controller.signal), REASON);
  assert.equal(client.server.requests.length, before, "a form is not even sent");
});

Deno.test("An abort ends a wait, in the shared pause and before a repeat", async () => {
  const time = new FakeTime({ held: true });
  await using client = StubClient.start(
    ({ path }) =>
      path.endsWith("throttled") ? { status: 429, headers: { "retry-after": "60" } } : { status: 503 },
    { time },
  );
  const controllers = [new AbortController(), new AbortController()];
  const repeated = client.send({ path: "/down", signal: controllers[0]!.signal });
  await until(() => time.sleepers === 1);
  const paused = client.send({ path: "/throttled", signal: controllers[1]!.signal });
  await until(() => time.sleepers === 2);
  for (const controller of controllers) controller.abort(REASON);
  await assert.rejects(repeated, REASON);
  await assert.rejects(paused, REASON);
  assert.equal(client.requests.length, 2);
});

Deno.test("One request's abort leaves the others of the client alone", async () => {
  const time = new FakeTime({ held: true });
  await using client = StubClient.start(
    (_, turn) => turn === 1 ? { status: 429, headers: { "retry-after": "60" } } : { json: "done" },
    { time },
  );
  const controller = new AbortController();
  const aborted = client.send({ signal: controller.signal });
  await until(() => time.sleepers === 1);
  const other = client.send();
  await until(() => time.sleepers === 2);
  controller.abort(REASON);
  await assert.rejects(aborted, REASON);
  time.advance(60);
  assert.equal(await other, "done");
});

Deno.test(
  "A real wait ends when it is aborted, and leaves no timer behind",
  { sanitizeOps: true },
  async () => {
    const controller = new AbortController();
    const wait = realSleep(1e9, controller.signal);
    controller.abort(REASON);
    await assert.rejects(wait, REASON);
    await assert.rejects(realSleep(1e9, controller.signal), REASON);
    await realSleep(0);
  },
);
