import assert from "node:assert/strict";
import fc from "fast-check";
import { retryAfterSeconds } from "../../src/platform/transport/response_reader.ts";
import {
  backoff,
  DEFAULT_RETRY,
  RETRY_RULES,
  retryPolicy,
  retryRule,
} from "../../src/platform/transport/retry.ts";

const NOW = Date.parse("2026-09-30T12:00:00Z");

Deno.test("Gaps of a policy are filled: eight attempts, 1 s to 60 s, 600 s in all", () => {
  const { rules, ...times } = retryPolicy();
  assert.deepEqual(times, { maxAttempts: 8, backoffBase: 1, backoffMax: 60, maxTotalWait: 600 });
  assert.deepEqual(rules, RETRY_RULES);
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
    assert.equal(
      retryAfterSeconds(new Headers(header === null ? {} : { "retry-after": header }), NOW),
      seconds,
    );
  });
}

Deno.test("A Retry-After date is compared with the date of the same response, whatever this machine's clock says", () => {
  const headers = new Headers({
    "retry-after": "Wed, 30 Sep 2026 12:00:30 GMT",
    "date": "Wed, 30 Sep 2026 12:00:00 GMT",
  });
  for (const hours of [-1, 0, 1]) assert.equal(retryAfterSeconds(headers, NOW + hours * 3_600_000), 30);
});

const RULES: readonly [cause: number | "not-sent" | "no-response", read: string, write: string][] = [
  [401, "at-once", "at-once"],
  [429, "client", "client"],
  [500, "request", "never"],
  [501, "never", "never"],
  [503, "request", "never"],
  [499, "never", "never"],
  [599, "request", "never"],
  [600, "never", "never"],
  [400, "never", "never"],
  [425, "never", "never"],
  ["not-sent", "request", "request"],
  ["no-response", "request", "never"],
];

for (const [cause, read, write] of RULES) {
  Deno.test(`After ${cause} a read is retried: ${read}; a write: ${write}`, () => {
    for (const [idempotent, expected] of [[true, read], [false, write]] as const) {
      const rule = retryRule(retryPolicy(), cause, { idempotent });
      const found = rule === undefined
        ? "never"
        : rule.delay === "at-once"
        ? "at-once"
        : rule.waits ?? "request";
      assert.equal(found, expected);
    }
  });
}

Deno.test("A rule of the caller before the usual ones decides", () => {
  const policy = retryPolicy({
    rules: [{ on: [408, 503], requests: "none", delay: "wait" }, ...RETRY_RULES],
  });
  assert.equal(retryRule(policy, 503, { idempotent: true }), undefined);
  assert.equal(retryRule(policy, 502, { idempotent: true })?.requests, "idempotent");
});
