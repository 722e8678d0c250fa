import { equal, rejects } from "../support/assert.ts";
import type { WriteOptions } from "../../src/plans/mod.ts";
import { emulated } from "../support/emulated.ts";
import { FakeTime } from "../support/fake_time.ts";
import { until } from "../support/until.ts";

const REASON = new Error("the user pressed a key");

Deno.test("a write whose signal is aborted already is thrown, for nothing can have been done", async () => {
  await using world = await emulated();
  const [keyword] = await world.us.sp.keywords.list();
  world.asked();
  const options: WriteOptions = { signal: AbortSignal.abort(REASON) };
  await rejects(world.us.sp.keywords.update([{ keywordId: keyword!.keywordId, bid: 0.5 }], options), REASON);
  equal(world.asked().length, 0);
});

Deno.test("a write that is aborted while the client pauses was never sent", async () => {
  const time = new FakeTime({ held: true });
  await using world = await emulated({ client: { now: time.now, sleep: time.sleep } });
  const [keyword] = await world.us.sp.keywords.list();
  world.emulator.setFaults([
    { match: { path: "/v2/profiles" }, times: 1, effects: { response: { status: 429, retryAfter: 60 } } },
  ]);
  const profiles = world.ads.profiles({ refresh: true });
  await until(() => time.sleepers > 0);
  const abort = new AbortController();
  world.asked();
  const write = world.us.sp.keywords.update([{ keywordId: keyword!.keywordId, bid: 0.5 }], {
    signal: abort.signal,
  });
  abort.abort(REASON);
  await rejects(write, REASON);
  equal(world.asked().filter((path) => path.includes("keywords")).length, 0);
  time.advance(60);
  await profiles;
});

Deno.test("a write that is aborted while it waits after a 429 was not done", async () => {
  const time = new FakeTime({ held: true });
  await using world = await emulated({ client: { now: time.now, sleep: time.sleep } });
  const [keyword] = await world.us.sp.keywords.list();
  const { keywordId } = keyword!;
  const effects = { response: { status: 429, retryAfter: 60 } };
  world.emulator.setFaults([{ match: { method: "PUT", path: "/sp/keywords" }, times: 1, effects }]);
  const abort = new AbortController();
  const write = world.us.sp.keywords.update([{ keywordId, bid: 0.61 }], { signal: abort.signal });
  await until(() => time.sleepers > 0);
  abort.abort(REASON);
  await rejects(write, REASON);
  time.advance(60);
  equal((await world.us.sp.keywords.get(keywordId))?.bid, keyword!.bid);
});
