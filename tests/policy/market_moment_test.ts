import { deepEqual } from "../support/assert.ts";
import { marketMoment } from "../../src/plans/policy/market_moment.ts";

Deno.test("a moment is shown by the clocks of a zone, with two digits and 24 hours", () => {
  const moment = (timeZone: string, now: number): unknown[] => {
    const { day, time, weekday } = marketMoment(timeZone, now);
    return [day, time, weekday];
  };
  const midnight = Date.UTC(2026, 0, 5);
  deepEqual(moment("UTC", midnight), ["2026-01-05", "00:00", "Mon"]);
  deepEqual(moment("America/Los_Angeles", midnight), ["2026-01-04", "16:00", "Sun"]);
  deepEqual(moment("Asia/Kolkata", midnight), ["2026-01-05", "05:30", "Mon"]);
  deepEqual(
    ["Tue", "Wed", "Thu", "Fri", "Sat"],
    [1, 2, 3, 4, 5].map((days) => marketMoment("UTC", midnight + days * 86_400_000).weekday),
  );
});
