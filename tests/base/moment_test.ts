import { deepEqual, equal, throws } from "../support/assert.ts";
import { milliseconds, readAsOf, readDay, readDayRange, readMoment } from "../../src/base/time/moment.ts";

const NOON = Date.parse("2026-09-30T12:00:00Z");

const SAME: readonly (string | number | Date)[] = [
  NOON,
  new Date(NOON),
  "2026-09-30T12:00:00Z",
  "2026-09-30T12:00:00.000z",
  "2026-09-30 12:00",
  "2026-09-30T08:00:00-04:00",
  "2026-09-30T17:30+05:30",
];
for (const moment of SAME) {
  Deno.test(`${JSON.stringify(moment)} is noon of 30 September`, () => equal(milliseconds(moment), NOON));
}

Deno.test("a day alone is its midnight", () => {
  equal(milliseconds("2026-09-30"), NOON - 12 * 3_600_000);
  equal(milliseconds("2028-02-29"), Date.UTC(2028, 1, 29));
});

for (const text of ["2026-02-29", "2026-11-31", "2026-13-01", "2026-09-30T25:00", "30.9.2026", "", "now"]) {
  Deno.test(`"${text}" is no moment`, () => {
    throws(() => milliseconds(text), /as a moment: give a Date, milliseconds, or a text such as/);
  });
}

Deno.test("a text without a time zone means the same on every machine", async () => {
  const module = new URL("../../src/base/time/moment.ts", import.meta.url).href;
  const script = `const { milliseconds } = await import("${module}");
    console.log(milliseconds("2026-03-08T02:30:00"), milliseconds("2026-03-08"), new Date(0).getTimezoneOffset());`;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "-q", script],
    env: { TZ: "America/Los_Angeles" },
  }).output();
  const [moment, day, offset] = new TextDecoder().decode(stdout).trim().split(" ").map(Number);
  equal(offset, 480, "the clock of that machine is not UTC");
  deepEqual([moment, day], [Date.UTC(2026, 2, 8, 2, 30), Date.UTC(2026, 2, 8)]);
});

const AGO: readonly (readonly [text: string, seconds: number])[] = [
  ["-3h", 10_800],
  [" -45m ", 2700],
  ["-0h", 0],
  ["-1", 86_400],
  ["-7d", 604_800],
];
for (const [text, seconds] of AGO) {
  Deno.test(`"${text}" is ${seconds} seconds ago`, () => {
    equal(readMoment(text, "--since", { now: NOON }), NOON - seconds * 1000);
  });
}

Deno.test("a moment that cannot be read is refused with the ways to write one", () => {
  equal(readMoment("2026-09-30", "--since", { now: 0 }), NOON - 12 * 3_600_000);
  throws(
    () => readMoment("-7w", "--since", { now: NOON }),
    /^TypeError: Cannot use "-7w" as --since: write days ago \(-7\)/,
  );
});

Deno.test("a day is read by its date or as days before today", () => {
  equal(readDay("2026-03-01", "--start", "2026-09-30"), "2026-03-01");
  equal(readDay("-1", "--start", "2026-03-01"), "2026-02-28");
  equal(readDay("-1d", "--start", "2026-03-01"), "2026-02-28");
  for (const text of ["-3h", "tomorrow"]) {
    throws(
      () => readDay(text, "--start", "2026-03-01"),
      /^RangeError: Cannot use ".*" as --start: write a day \(2026-11-20, yesterday\) or days ago \(-7\)$/,
    );
  }
  throws(
    () => readDay("2026-02-30", "--start", "2026-03-01"),
    /^RangeError: Cannot use "2026-02-30" as --start: /,
  );
});

Deno.test("days are read as a period: whole weeks from Monday, months, and the last days", () => {
  const range = (start: string, end?: string, today = "2026-11-18") => {
    const days = readDayRange({ start, end }, today);
    return `${days.start} ${days.end}`;
  };
  equal(range("last week"), "2026-11-09 2026-11-15");
  equal(range("Last Week", "last week"), "2026-11-09 2026-11-15");
  equal(range("last week", undefined, "2026-11-16"), "2026-11-09 2026-11-15", "a Monday");
  equal(range("last week", undefined, "2026-11-15"), "2026-11-02 2026-11-08", "a Sunday");
  equal(range("this week"), "2026-11-16 2026-11-18");
  equal(range("last month", undefined, "2026-03-31"), "2026-02-01 2026-02-28");
  equal(range("this month"), "2026-11-01 2026-11-18");
  equal(range("last 14 days"), "2026-11-04 2026-11-17");
  equal(range("2 weeks"), "2026-11-02 2026-11-15");
  equal(range("last 13 weeks"), "2026-08-17 2026-11-15");
  equal(range("last 3 months"), "2026-08-01 2026-10-31");
  equal(range("1 month"), "2026-10-01 2026-10-31");
  equal(range("30 days"), "2026-10-19 2026-11-17");
  equal(range("last week", "-1"), "2026-11-09 2026-11-17");
  equal(range("-7"), "2026-11-11 2026-11-17", "without an end, until yesterday");
  for (const text of ["next week", "last 0 days", "last weeks"]) {
    throws(() => range(text), /write a day .*, days ago \(-7\) or a period \(last week\)$/);
  }
  const now = Date.parse("2026-11-18T12:00:00Z");
  const at = (edge: "start" | "end") =>
    new Date(readMoment("last week", "since", { now, edge })).toISOString();
  deepEqual([at("start"), at("end")], ["2026-11-09T00:00:00.000Z", "2026-11-15T23:59:59.999Z"]);
});

Deno.test("a day is a day of the account: it begins and ends by the account's clock, over clock changes too", () => {
  const timeZone = "America/Los_Angeles";
  const now = Date.parse("2026-11-05T06:30:00Z"); // 4 November, 22:30 there
  const at = (text: string, edge?: "start" | "end") =>
    new Date(readMoment(text, "since", { now, timeZone, edge })).toISOString();
  equal(at("2026-11-04"), "2026-11-04T08:00:00.000Z");
  equal(at("today"), "2026-11-04T08:00:00.000Z");
  equal(at("yesterday"), "2026-11-03T08:00:00.000Z");
  equal(at("-1"), "2026-11-04T06:30:00.000Z", "the last 24 hours");
  equal(at("-1", "end"), "2026-11-04T06:30:00.000Z");
  equal(at("2026-11-04", "end"), "2026-11-05T07:59:59.999Z");
  equal(at("2026-11-01", "end"), "2026-11-02T07:59:59.999Z", "a day of 25 hours");
  equal(at("-3h"), "2026-11-05T03:30:00.000Z");
  equal(at("2026-11-04T10:00:00Z"), "2026-11-04T10:00:00.000Z");
  equal(readDay("yesterday", "start", "2026-11-04"), "2026-11-03");
  for (
    const zone of ["Asia/Kolkata", "Australia/Adelaide", "Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"]
  ) {
    const start = readMoment("2026-03-10", "since", { now, timeZone: zone });
    const hours = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      dateStyle: "short",
      timeStyle: "medium",
    });
    equal(hours.format(start), "10/03/2026, 00:00:00", zone);
  }
});

Deno.test("as of a day means its end, and now while it lasts", () => {
  const now = Date.parse("2026-11-20T10:00:00Z");
  for (
    const [text, time] of [
      ["2026-11-01", "2026-11-01T23:59:59.999Z"],
      ["yesterday", "2026-11-19T23:59:59.999Z"],
      ["2026-11-20", "2026-11-20T10:00:00.000Z"],
      ["2026-11-01T08:00Z", "2026-11-01T08:00:00.000Z"],
      ["-7", "2026-11-13T10:00:00.000Z"],
    ] as const
  ) equal(readAsOf(text, "as_of", { now }), time);
});
