import { ok } from "node:assert/strict";
import fc from "fast-check";
import type { FaultRule } from "../../src/emulator/mod.ts";
import { amount, SEED } from "./support/size.ts";
import { World } from "./support/world.ts";

const policies = fc.record({
  maxAttempts: fc.integer({ min: 1, max: 12 }),
  backoffBase: fc.integer({ min: 0, max: 30 }),
  backoffMax: fc.integer({ min: 0, max: 120 }),
  maxTotalWait: fc.integer({ min: 0, max: 900 }),
});

const trouble: fc.Arbitrary<FaultRule> = fc.record({
  probability: fc.constantFrom(0.3, 0.7, 1),
  effects: fc.oneof(
    fc.record({
      response: fc.record({ status: fc.constant(429), retryAfter: fc.integer({ min: 0, max: 700 }) }),
    }),
    fc.constant({ response: { status: 429 } }),
    fc.record({
      response: fc.record({ status: fc.constant(503), retryAfter: fc.integer({ min: 0, max: 400 }) }),
    }),
    fc.constantFrom({ response: { status: 500 } }, { drop: "before" as const }, { drop: "after" as const }),
  ),
});

const CALLERS = 8;

Deno.test("no request waits longer in all than the policy allows, nor is sent more often", async () => {
  await using world = await World.start();
  await fc.assert(
    fc.asyncProperty(policies, fc.array(trouble, { minLength: 1, maxLength: 3 }), async (retry, rules) => {
      const { ads, tap } = world.client({ retry });
      await ads.transport.token();
      world.emulator.setFaults(rules);
      await Promise.all([...Array(CALLERS).keys()].map(async (caller) => {
        const began = world.time.now();
        await ads.transport.send({
          method: "GET",
          baseUrl: ads.baseUrl("NA"),
          path: "/v2/profiles",
          params: { caller },
          idempotent: true,
        }).catch(() => {});
        const waited = (world.time.now() - began) / 1000;
        // Each wait is rounded up to a whole millisecond.
        ok(waited <= retry.maxTotalWait + 0.5, `${waited} s of ${retry.maxTotalWait} s`);
        const sent = tap.exchanges.filter(({ url }) => url.endsWith(`?caller=${caller}`)).length;
        ok(sent <= retry.maxAttempts, `${sent} attempts of ${retry.maxAttempts}`);
      }));
    }),
    { numRuns: amount(60, 2000), seed: SEED },
  );
});
