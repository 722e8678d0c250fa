import { deepEqual } from "../support/assert.ts";
import { expiresSoon } from "../../src/operations/reads/store_coverage.ts";

Deno.test("a missing day expires soon for seven days of its market", () => {
  // It is October in Japan already.
  const now = Date.parse("2026-09-30T18:00:00Z");
  const expires = (countryCode: string, fetchBy: string | null) => expiresSoon({ countryCode, fetchBy }, now);
  deepEqual([expires("JP", "2026-10-08"), expires("JP", "2026-10-09")], [true, false]);
  deepEqual([expires("US", "2026-10-07"), expires("US", "2026-10-08")], [true, false]);
  deepEqual(expires("US", null), false);
});
