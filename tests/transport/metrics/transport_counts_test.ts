import type { TransportEvent } from "../../../mod.ts";
import { transportCounts } from "../../../src/platform/transport/metrics.ts";
import { deepEqual } from "../../support/assert.ts";

Deno.test("requests are counted by status, those without a response and the throttled ones too, waits by seconds", () => {
  const counts = (parts: Partial<TransportEvent>) =>
    transportCounts({ kind: "response", method: "GET", url: "https://a", seconds: 2.5, ...parts });
  deepEqual(counts({ status: 200 }), [['platform_ads_requests_total{status="200"}', 1]]);
  deepEqual(counts({ status: 429 }), [
    ['platform_ads_requests_total{status="429"}', 1],
    ["platform_ads_throttled_total", 1],
  ]);
  deepEqual(counts({ kind: "no-response" }), [['platform_ads_requests_total{status="none"}', 1]]);
  deepEqual(counts({ kind: "wait" }), [["platform_ads_wait_seconds_total", 2.5]]);
  deepEqual(counts({ kind: "pace" }), []);
});
