import { deepEqual, equal, ok } from "../support/assert.ts";
import { amount } from "./support/size.ts";
import { World } from "./support/world.ts";
import { long } from "../support/long.ts";

const CALLERS = amount(60, 200);

long();
Deno.test("a pause the platform asks for is kept by every caller of the client", async () => {
  await using world = await World.start();
  const { ads, tap } = world.client({ retry: { maxAttempts: 100, maxTotalWait: 100_000 } });
  const profiles = await Promise.all(["US", "CA", "UK", "JP"].map((market) => ads.profile(market)));
  const began = world.time.now();
  world.emulator.setFaults([
    { every: 7, times: 40, effects: { response: { status: 429, retryAfter: 30 } } },
    { every: 23, times: 10, effects: { response: { status: 429, retryAfter: 5 } } },
    { every: 5, effects: { delay: 2 } },
  ]);
  await Promise.all([...Array(CALLERS).keys()].map(async (caller) => {
    const profile = profiles[caller % profiles.length]!;
    // Nobody calls in step: each begins later and looks around between two requests.
    await world.time.sleep(caller * 0.3);
    const [keyword] = await profile.sp.keywords.list({ pageSize: 200 });
    await world.time.sleep(caller % 11);
    await profile.sp.keywords.update([{ keywordId: keyword!.keywordId, bid: 0.4 + caller / 1000 }]);
  }));

  const asked = tap.exchanges.filter(({ status }) => status === 429);
  ok(asked.length >= 20, `${asked.length} pauses are enough to tell`);
  deepEqual(tap.insidePauses().map(({ method, url }) => `${method} ${url}`), []);

  const entries = world.emulator.requests().filter(({ region, time }) =>
    region !== undefined && Date.parse(time) >= began
  );
  const pauses = entries.filter(({ status }) => status === 429).map(({ time }) => Date.parse(time));
  // Those of 5 s may end sooner; whatever asked for, no request arrives in the first five seconds.
  const inside = entries.filter(({ time }) =>
    pauses.some((start) => Date.parse(time) > start + 2000 && Date.parse(time) < start + 4900)
  );
  deepEqual(inside.map(({ number }) => number), [], "the platform's journal agrees");
  equal(entries.filter(({ dropped }) => dropped !== undefined).length, 0);
});

Deno.test("a pause of one login holds up no other", async () => {
  await using world = await World.start();
  const throttled = world.client();
  const free = world.client({ sleep: () => Promise.reject(new Error("It was made to wait")) });
  const [slow, quick] = await Promise.all([throttled.ads.profile("CA"), free.ads.profile("US")]);
  world.emulator.setFaults([
    {
      match: { profileId: slow.profileId },
      times: 1,
      effects: { response: { status: 429, retryAfter: 300 } },
    },
  ]);
  const began = world.time.now();
  const waiting = slow.sp.campaigns.list();
  // The virtual time stands still here: whoever is held up does not get through.
  await world.time.during(async () => {
    while (throttled.tap.exchanges.every(({ status }) => status !== 429)) {
      await new Promise((resume) => setTimeout(resume, 1));
    }
    ok((await quick.sp.campaigns.list()).length > 0);
    equal(world.time.now(), began);
  });
  await waiting;
  equal((world.time.now() - began) / 1000, 300);
});
