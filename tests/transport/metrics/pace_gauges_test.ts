import { deepEqual } from "../../support/assert.ts";
import { paceGauges } from "../../../src/platform/transport/metrics.ts";

Deno.test("the gauges of a pace are those whose values are known", () => {
  const pace = {
    host: "https://a",
    group: "sp reads",
    rate: undefined,
    limit: undefined,
    waiting: 0,
    busy: 3,
  };
  const labels = 'host="https://a",group="sp reads"';
  deepEqual(paceGauges(pace), [[`platform_ads_pace_waiting{${labels}}`, 0]]);
  deepEqual(paceGauges({ ...pace, rate: 2.5, limit: 2 }), [
    [`platform_ads_pace_rate{${labels}}`, 2.5],
    [`platform_ads_pace_limit{${labels}}`, 2],
    [`platform_ads_pace_waiting{${labels}}`, 0],
  ]);
});
