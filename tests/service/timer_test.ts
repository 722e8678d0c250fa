import { deepEqual, equal } from "../support/assert.ts";
import fc from "fast-check";
import { dueAt, nextDue, parseTimer } from "../../src/automation/service/model/timer.ts";

const iso = (time: number): string => new Date(time).toISOString().slice(0, 16);
const NEW_YORK = "America/New_York";

Deno.test("timers are read as people write them, and nothing else is", () => {
  const cases: Readonly<Record<string, unknown>> = {
    nightly: { kind: "at", minute: 240 },
    "nightly 23:59": { kind: "at", minute: 1439 },
    "daily 9:30": { kind: "at", minute: 570 },
    "Weekly Mon 07:00": { kind: "at", minute: 420, weekday: "mon" },
    hourly: { kind: "every", minutes: 60 },
    "every 15m": { kind: "every", minutes: 15 },
    "every 24h": { kind: "every", minutes: 1440 },
  };
  for (const [text, timer] of Object.entries(cases)) deepEqual(parseTimer(text), timer, text);
  for (
    const text of [
      "",
      "daily",
      "weekly 07:00",
      "weekly mon",
      "nightly 24:00",
      "nightly mon 04:00",
      "every 0m",
      "every 25h",
      "every 5s",
      "* * * * *",
      "daily 9:5",
    ]
  ) equal(parseTimer(text), undefined, text);
});

Deno.test("a time of day is that of the market, through changes of its clock", () => {
  const at = (text: string, now: string, zone = NEW_YORK): string =>
    iso(dueAt(parseTimer(text)!, Date.parse(now), zone));
  equal(at("nightly 04:00", "2026-11-24T09:00Z"), "2026-11-24T09:00");
  equal(at("nightly 04:00", "2026-11-24T08:59Z"), "2026-11-23T09:00");
  equal(at("nightly 04:00", "2026-07-01T12:00Z"), "2026-07-01T08:00");
  equal(at("nightly 04:00", "2026-07-01T12:00Z", "Asia/Tokyo"), "2026-06-30T19:00");
  // Clocks are put forward at 02:00 on 2026-03-08, and back at 02:00 on 2026-11-01.
  equal(at("daily 02:30", "2026-03-08T12:00Z"), "2026-03-08T07:30");
  equal(at("daily 04:00", "2026-03-08T12:00Z"), "2026-03-08T08:00");
  equal(at("daily 01:30", "2026-11-01T12:00Z"), "2026-11-01T05:30");
  equal(at("daily 04:00", "2026-11-01T12:00Z"), "2026-11-01T09:00");
  equal(at("weekly sun 04:00", "2026-11-24T12:00Z"), "2026-11-22T09:00");
  equal(
    iso(nextDue(parseTimer("weekly sun 04:00")!, Date.parse("2026-11-24T12:00Z"), NEW_YORK)),
    "2026-11-29T09:00",
  );
});

Deno.test("a day of a market has each time once: the last due time is before the next, and nothing lies between", () => {
  const zones = [NEW_YORK, "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns", "UTC"];
  const timers = [
    "nightly",
    "daily 00:00",
    "daily 02:30",
    "daily 23:59",
    "weekly sun 02:15",
    "every 45m",
    "hourly",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(...timers),
      fc.integer({ min: Date.UTC(2024, 0, 1) / 60_000, max: Date.UTC(2028, 0, 1) / 60_000 }),
      (zone, text, minute) => {
        const timer = parseTimer(text)!;
        const now = minute * 60_000;
        const due = dueAt(timer, now, zone);
        const next = nextDue(timer, now, zone);
        equal(due <= now && now < next, true, `${iso(due)} ${iso(now)} ${iso(next)}`);
        equal(dueAt(timer, next, zone), next);
        equal(dueAt(timer, next - 1, zone), due);
        const days = (next - due) / 86_400_000;
        equal(days > 0 && days < (text.startsWith("weekly") ? 7.1 : 1.1), true, String(days));
      },
    ),
    { seed: 11, numRuns: 400 },
  );
});
