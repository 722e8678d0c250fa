import assert from "node:assert/strict";
import fc from "fast-check";
import { backoff, DEFAULT_RETRY, retryAfterSeconds, retryPolicy } from "../../src/transport/retry_policy.ts";

const NOW = Date.parse("2026-09-30T12:00:00Z");

Deno.test("Gaps of a policy are filled: eight attempts, 1 s to 60 s, 600 s in all", () => {
  assert.deepEqual(retryPolicy(), { maxAttempts: 8, backoffBase: 1, backoffMax: 60, maxTotalWait: 600 });
  assert.deepEqual(retryPolicy({ backoffMax: 5 }), { ...DEFAULT_RETRY, backoffMax: 5 });
});

Deno.test("A random wait lies between nothing and a bound that doubles up to the cap", () => {
  const bounds = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => backoff(DEFAULT_RETRY, attempt, 1));
  assert.deepEqual(bounds, [1, 2, 4, 8, 16, 32, 60, 60]);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (n, random) => {
        const seconds = backoff(DEFAULT_RETRY, n, random);
        assert.ok(seconds >= 0 && seconds <= Math.min(60, 2 ** (n - 1)));
      },
    ),
  );
});

const HEADERS: readonly [header: string | null, seconds: number | undefined][] = [
  [null, undefined],
  ["7", 7],
  [" 7 ", 7],
  ["0", 0],
  ["1.5", 1.5],
  ["Wed, 30 Sep 2026 12:00:30 GMT", 30],
  ["Wednesday, 30-Sep-26 12:01:00 GMT", 60],
  ["Wed, 30 Sep 2026 11:00:00 GMT", 0],
  ["-5", undefined],
  ["", undefined],
  ["soon", undefined],
  ["bananas 12", undefined],
  ["12 seconds", undefined],
  ["2026-09-30", undefined],
];

for (const [header, seconds] of HEADERS) {
  Deno.test(`Retry-After ${JSON.stringify(header)} asks for ${seconds ?? "nothing"}`, () => {
    assert.equal(retryAfterSeconds(header, NOW), seconds);
  });
}
