import { equal, ok } from "../../support/assert.ts";
import { type Fetch, PlatformAds } from "../../../mod.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../../support/stub_client.ts";
import { VirtualClock } from "./virtual_clock.ts";

const REQUESTS = 400;

/** A platform that refuses nothing, and works on so many requests a second, one after the other. */
function queueing(
  clock: VirtualClock,
  rate: number,
): { fetch: Fetch; longest: () => number; last: () => number } {
  let free = 0;
  let longest = 0;
  return {
    longest: () => longest,
    last: () => free / 1000,
    fetch: async (input) => {
      if (input.endsWith("/token")) return Response.json({ access_token: "token", expires_in: 1e9 });
      const began = clock.now();
      free = Math.max(free, began) + 1000 / rate;
      await clock.sleep((free - began) / 1000);
      longest = Math.max(longest, (clock.now() - began) / 1000);
      return Response.json({});
    },
  };
}

for (const rate of [2, 5, 20, 100]) {
  Deno.test(`a platform that queues instead of refusing, ${rate} a second, is kept busy, and requests wait here rather than there`, async () => {
    const clock = new VirtualClock();
    const platform = queueing(clock, rate);
    const stub = stubPlatform("http://127.0.0.1:9");
    const { transport } = new PlatformAds(STUB_CREDENTIALS, {
      platform: stub,
      fetch: platform.fetch,
      now: clock.now,
      sleep: clock.sleep,
    });
    const baseUrl = stub.regions.NA!.baseUrl;
    const send = () => transport.send({ method: "GET", baseUrl, path: "/sp/keywords", idempotent: true });
    await clock.run(Promise.all(Array.from({ length: REQUESTS }, send)));
    equal(Math.round(platform.last()), REQUESTS / rate);
    ok(clock.now() / 1000 <= REQUESTS / rate * 1.02, `took ${clock.now() / 1000} s`);
    ok(platform.longest() < transport.timeout / 4, `a request took ${platform.longest()} s`);
  });
}
