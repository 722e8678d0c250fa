import { equal, throws } from "../support/assert.ts";
import { Clock } from "../../src/emulator/core/clock.ts";

Deno.test("a frozen clock stands still until it is moved", () => {
  let machine = 1000;
  const clock = new Clock({ now: "2026-09-30T12:00:00Z", frozen: true }, () => machine);
  machine += 5000;
  equal(clock.iso(), "2026-09-30T12:00:00.000Z");
  clock.advance(90);
  equal(clock.iso(), "2026-09-30T12:01:30.000Z");
});

Deno.test("a running clock keeps its distance to the machine's", () => {
  let machine = Date.parse("2020-01-01T00:00:00Z");
  const clock = new Clock({ now: "2026-09-30T12:00:00Z" }, () => machine);
  machine += 5000;
  equal(clock.iso(), "2026-09-30T12:00:05.000Z");
  clock.set("2027-01-01T00:00:00Z");
  machine += 1000;
  equal(clock.iso(), "2027-01-01T00:00:01.000Z");
  clock.freeze();
  machine += 60_000;
  clock.thaw();
  machine += 1000;
  equal(clock.iso(), "2027-01-01T00:00:02.000Z");
});

Deno.test("a day is a day in the time zone", () => {
  const clock = new Clock({ now: "2026-09-30T23:30:00Z", frozen: true });
  equal(clock.day("UTC"), "2026-09-30");
  equal(clock.day("Asia/Tokyo"), "2026-10-01");
  equal(clock.day("America/Los_Angeles"), "2026-09-30");
});

Deno.test("moments and distances that mean nothing are refused", () => {
  throws(() => new Clock({ now: "yesterday" }), /"yesterday" is not a moment/);
  const clock = new Clock();
  throws(() => clock.set("2026-13-01"), RangeError);
  throws(() => clock.advance(NaN), RangeError);
  throws(() => clock.advance(1e300), /outside/);
});
