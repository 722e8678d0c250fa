import { deepEqual, equal, throws } from "../support/assert.ts";
import {
  addDays,
  countDays,
  dayIn,
  dayOfWeek,
  momentAt,
  startOfDay,
  startOfWeek,
  zonedDateTime,
} from "../../src/base/time/calendar.ts";
import { SeededRandom } from "../support/seeded_random.ts";

const ZONES = [
  "UTC",
  "America/Los_Angeles",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Europe/London",
];

Deno.test("a local time is that of its zone, in quarters of an hour, also before the year 1000", () => {
  const at = (text: string, zone: string): unknown[] => {
    const { plainDate, hour, minute, dayOfWeek } = zonedDateTime(Date.parse(text), zone);
    return [plainDate, hour, minute, dayOfWeek];
  };
  deepEqual(at("2026-11-01T00:00:00Z", "UTC"), ["2026-11-01", 0, 0, 7]);
  deepEqual(at("2026-11-01T18:14:59Z", "Asia/Kathmandu"), ["2026-11-01", 23, 59, 7]);
  deepEqual(at("2026-11-01T18:15:00Z", "Asia/Kathmandu"), ["2026-11-02", 0, 0, 1]);
  deepEqual(at("0999-01-02T03:00:00Z", "UTC"), ["0999-01-02", 3, 0, 3]);
  deepEqual(at("2026-03-08T10:30:00Z", "America/Los_Angeles"), ["2026-03-08", 3, 30, 7]);
  deepEqual(at("2026-03-08T09:30:00Z", "America/Los_Angeles"), ["2026-03-08", 1, 30, 7]);
  throws(() => zonedDateTime(0, "Mars/Olympus"), RangeError);
  throws(() => zonedDateTime(NaN, "UTC"), RangeError);
});

Deno.test("a local time is what the runtime itself shows, at any moment in any zone", () => {
  const random = new SeededRandom(20261129);
  for (const timeZone of ZONES) {
    const shown = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
    for (let at = 0; at < 300; at++) {
      const time = Math.floor(random.next() * Date.UTC(2040, 0, 1));
      const { plainDate, hour, minute } = zonedDateTime(time, timeZone);
      const two = (part: number): string => String(part).padStart(2, "0");
      deepEqual(`${plainDate} ${two(hour)}:${two(minute)}`, shown.format(time), `${timeZone} ${time}`);
    }
  }
});

Deno.test("a day begins at its first moment, also where midnight is skipped", () => {
  for (
    const [day, zone, start] of [
      ["2026-11-29", "America/Los_Angeles", "2026-11-29T08:00:00Z"],
      ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z"],
      ["9999-12-31", "America/Los_Angeles", "9999-12-31T08:00:00Z"],
      ["2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00Z"],
    ] as const
  ) {
    deepEqual(new Date(startOfDay(day, zone)).toISOString(), start.replace("Z", ".000Z"));
    deepEqual(dayIn(zone, startOfDay(day, zone)), day);
  }
});

Deno.test("weeks begin on Monday, as the days of the zone say", () => {
  for (let at = 0; at < 4000; at++) {
    const day = addDays("2023-12-25", at);
    const noon = Date.parse(`${day}T12:00:00Z`);
    equal(dayOfWeek(day), zonedDateTime(noon, "UTC").dayOfWeek);
    const monday = startOfWeek(day);
    equal(dayOfWeek(monday), 1);
    equal(countDays({ start: monday, end: day }), dayOfWeek(day));
  }
  const names = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" });
  equal(names.format(Date.parse(`${startOfWeek("2026-12-06")}T12:00:00Z`)), "Mon");
});

Deno.test("a time of a day is the moment at which the clock of the zone shows it first", () => {
  for (const zone of ["America/Los_Angeles", "Europe/Berlin", "Australia/Sydney", "Asia/Kolkata"]) {
    for (let at = 0; at < 400; at++) {
      const day = addDays("2026-01-01", at);
      for (const minute of [0, 90, 150, 185, 1439]) {
        const moment = momentAt(day, minute, zone);
        const shown = zonedDateTime(moment, zone);
        equal(shown.plainDate, day);
        const isSkipped = shown.minuteOfDay !== minute;
        if (isSkipped) equal(shown.minuteOfDay, minute + 60, `${day} ${minute} in ${zone}`);
        else equal(zonedDateTime(moment - 3_600_000, zone).minuteOfDay === minute, false);
      }
    }
  }
});
