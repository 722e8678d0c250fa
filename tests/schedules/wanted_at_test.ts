import { deepEqual, equal, ok, throws } from "../support/assert.ts";
import {
  compileSchedule,
  factorAt,
  nextChange,
  type Schedule,
  wantedAt,
  type Weekday,
} from "../../src/automation/schedules/mod.ts";
import { SeededRandom } from "../support/seeded_random.ts";
import { long } from "../support/long.ts";

const NIGHTS: Schedule = {
  name: "nights",
  move: "bid",
  zone: "America/New_York",
  grid: [{ days: ["mon", "tue", "wed", "thu", "fri"], hours: "00-06", factor: 0.5 }],
};

Deno.test("the wanted amount is the base times the factor of the local hour", () => {
  equal(wantedAt(NIGHTS, 1.2, "2026-11-24T08:00:00Z"), 0.6, "Tuesday, 3 o'clock in New York");
  equal(wantedAt(NIGHTS, 1.2, "2026-11-24T10:59:59Z"), 0.6);
  equal(wantedAt(NIGHTS, 1.2, "2026-11-24T11:00:00Z"), 1.2, "six o'clock is outside");
  equal(wantedAt(NIGHTS, 1.2, new Date("2026-11-22T08:00:00Z")), 1.2, "Sunday");
  equal(
    wantedAt({ ...NIGHTS, zone: "Asia/Kolkata" }, 1.2, Date.parse("2026-11-23T18:30:00Z")),
    0.6,
    "half-hour zones",
  );
  equal(nextChange(NIGHTS, "2026-11-24T08:00:00Z"), Date.parse("2026-11-24T11:00:00Z"));
  throws(() => wantedAt({ ...NIGHTS, zone: undefined }, 1, 0), /names no zone/);
});

Deno.test("amounts keep to the bounds of the schedule and of the market, and are rounded as its currency is", () => {
  const night = "2026-11-24T08:00:00Z";
  equal(wantedAt({ ...NIGHTS, min: 0.75 }, 1.2, night), 0.75);
  equal(wantedAt({ ...NIGHTS, grid: [{ factor: 9 }], max: 4 }, 1.2, night), 4);
  equal(wantedAt({ ...NIGHTS, grid: [{ factor: 0.01 }] }, 1.2, night, { countryCode: "US" }), 0.02);
  equal(wantedAt({ ...NIGHTS, grid: [{ factor: 0.33 }] }, 100, night, { countryCode: "JP" }), 33);
  equal(wantedAt({ ...NIGHTS, move: "placement_top", grid: [{ factor: 10 }] }, 120, night), 900);
  equal(wantedAt({ ...NIGHTS, move: "state", grid: [{ factor: 0 }] }, 1, night), 0);
  equal(wantedAt({ ...NIGHTS, max: 0.5 }, 1.2, "2026-11-24T12:00:00Z"), 1.2, "at factor 1 it is the base");
});

Deno.test("limits are those of the product, of what a click or view costs, and of the kind of account", () => {
  const night = "2026-11-24T08:00:00Z";
  const half = (base: number, more: Parameters<typeof wantedAt>[3], move: Schedule["move"] = "bid"): number =>
    wantedAt({ ...NIGHTS, move }, base, night, { countryCode: "US", ...more });
  equal(half(0.13, { kind: "sp.keywords" }), 0.07);
  equal(half(0.13, { kind: "sb.keywords" }), 0.1);
  equal(half(0.3, { kind: "sb.keywords", isVideo: true }), 0.25);
  equal(half(0.3, { kind: "sb.keywords", isVideo: false, costType: "CPC" }), 0.15);
  equal(half(9, { kind: "sb.keywords", isVideo: true, costType: "VCPM" }), 4.5);
  equal(half(1.5, { kind: "sd.targets", costType: "vcpm" }), 1);
  equal(half(1.5, { kind: "sd.targets", costType: "cpc" }), 0.75);
  equal(wantedAt({ ...NIGHTS, select: { products: ["sb"] } }, 0.13, night, { countryCode: "US" }), 0.1);
  const five = { ...NIGHTS, move: "budget", grid: [{ factor: 5 }] } as const;
  const display = { countryCode: "US", kind: "sd.campaigns" };
  equal(wantedAt(five, 40_000, night, { ...display, accountType: "vendor" }), 50_000);
  equal(wantedAt(five, 40_000, night, { ...display, accountType: "seller" }), 200_000);
});

Deno.test("days and events bound and multiply the grid", () => {
  const prime: Schedule = {
    ...NIGHTS,
    from: "2026-11-24",
    to: "2026-11-27",
    events: [{ name: "Black Friday", from: "2026-11-27", to: "2026-11-27", factor: 3 }],
  };
  equal(factorAt(prime, "2026-11-23T08:00:00Z"), 1, "before the first day");
  equal(factorAt(prime, "2026-11-24T08:00:00Z"), 0.5);
  equal(factorAt(prime, "2026-11-27T08:00:00Z"), 1.5);
  equal(factorAt(prime, "2026-11-27T18:00:00Z"), 3);
  equal(factorAt(prime, "2026-11-28T18:00:00Z"), 1);
});

/** Zones with changes of the clock of an hour and of half an hour, at night and at midnight, and without any. */
const ZONES = [
  "America/New_York",
  "America/Los_Angeles",
  "America/Sao_Paulo",
  "Europe/London",
  "Europe/Berlin",
  "Africa/Cairo",
  "Asia/Kolkata",
  "Asia/Tokyo",
  "Australia/Sydney",
  "Australia/Lord_Howe",
];

long();
Deno.test("through both changes of the clock of a year an hour has its cell twice or never, in ten zones", () => {
  for (const zone of ZONES) {
    const grid = Array.from({ length: 24 }, (_, hour) => ({
      hours: `${String(hour).padStart(2, "0")}-${String(hour + 1).padStart(2, "0")}`,
      factor: hour + 1,
    }));
    const schedule: Schedule = { name: "hours", move: "bid", zone, grid };
    // The platform-independent way to read a clock on the wall: the runtime's long form of the hour.
    const wall = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", hourCycle: "h23" });
    let hours = 0;
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 1_800_000) {
      const hour = Number(wall.format(at).replace(/\D/g, "")) % 24;
      equal(factorAt(schedule, at), hour + 1, `${zone} ${new Date(at).toISOString()}`);
      hours += 1;
    }
    equal(hours, 2 * 8760);
  }
});

const DAYS: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

Deno.test("rules of the platform raise the lowest bid to what the schedule wants at each hour of the week", () => {
  const random = new SeededRandom(7);
  let fitting = 0;
  const counts: number[] = [];
  for (let run = 0; run < 400; run++) {
    const kinds = run % 2 === 0
      ? [DAYS.slice(0, 5), DAYS.slice(5)]
      : [DAYS.slice(0, 4), DAYS.slice(4, 5), DAYS.slice(5)];
    const grid = kinds.flatMap((days) =>
      Array.from({ length: 6 }, (_, block) => ({
        days,
        hours: `${4 * block}-${4 * block + 4}`,
        factor: Math.round(40 + random.next() * 160) / 100,
      }))
    );
    const schedule: Schedule = { name: "grid", move: "bid", zone: "UTC", on: "platform", grid };
    const base = Math.round(50 + random.next() * 400) / 100;
    const compiled = compileSchedule(schedule, base);
    if (compiled.tooMany) {
      ok(compiled.needed > 20);
      continue;
    }
    fitting += 1;
    if (run % 2 === 0) counts.push(compiled.rules.length);
    ok(compiled.rules.length <= 20);
    for (const { from, to, increment } of compiled.rules) ok(increment > 0 && from < to && to <= 24);
    for (const [at, day] of DAYS.entries()) {
      for (let hour = 0; hour < 24; hour++) {
        const wanted = wantedAt(schedule, base, Date.UTC(2026, 10, 23 + at, hour));
        const percent = compiled.rules
          .filter(({ days, from, to }) => days.includes(day) && hour >= from && hour < to)
          .reduce((sum, { increment }) => sum + increment, 0);
        const effective = compiled.base * (1 + percent / 100);
        ok(Math.abs(effective - wanted) < 0.006, `${day} ${hour}: ${effective} for ${wanted}`);
      }
    }
  }
  ok(fitting > 300, `${fitting} fit`);
  // Two kinds of day and six blocks: the published trial found 10 at the median, 11 at the worst.
  counts.sort((a, b) => a - b);
  deepEqual([counts[counts.length >> 1]! <= 11, counts.at(-1)! <= 12], [true, true], counts.join());
});

Deno.test("what rules of the platform cannot say is refused, and so many rules are named", () => {
  const refused = (more: Partial<Schedule>): void => void compileSchedule({ ...NIGHTS, ...more }, 1);
  throws(() => refused({ move: "budget" }), /platform rules change bids, not budget. Write on: worker/);
  throws(() => refused({ grid: [{ hours: "00:15-06", factor: 0.5 }] }), /00:15-06 does not/);
  throws(() => refused({ events: [{ from: "2026-11-27", to: "2026-11-27", factor: 2 }] }), /events/);
  const random = new SeededRandom(3);
  const busy = DAYS.flatMap((day) =>
    Array.from({ length: 8 }, (_, part) => ({
      days: [day],
      hours: `${3 * part}-${3 * part + 3}`,
      factor: random.integer(50, 200) / 100,
    }))
  );
  const compiled = compileSchedule({ ...NIGHTS, grid: busy }, 1);
  ok(compiled.tooMany && compiled.needed > 20);
});
