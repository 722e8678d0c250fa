import fc from "fast-check";
import { deepEqual, equal, ok } from "../support/assert.ts";
import { factorAt, gridOf, nextChange, type Schedule, wantedAt } from "../../src/automation/schedules/mod.ts";
import { long } from "../support/long.ts";

const ZONES = [
  "America/New_York",
  "America/St_Johns",
  "America/Sao_Paulo",
  "Europe/Berlin",
  "Europe/London",
  "Asia/Kolkata",
  "Asia/Tokyo",
  "Australia/Adelaide",
  "Pacific/Chatham",
  "UTC",
];
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const FACTORS = [0.25, 0.5, 0.8, 1, 1, 1, 1.25, 2, 3];

/** The quarter of the week by the zone's own clock, read in another way than schedules do. */
function quarterOf(moment: number, zone: string): { day: number; quarter: number } {
  const text = new Date(moment).toLocaleString("en-GB", {
    timeZone: zone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const [, weekday = "", hour = "0", minute = "0"] = /([A-Z][a-z]{2})\D*(\d\d):(\d\d)/.exec(text) ?? [];
  return { day: DAYS.indexOf(weekday), quarter: Number(hour) * 4 + Math.floor(Number(minute) / 15) };
}

const WANTED = "base times the factor of the local quarter, within their bounds, at any moment of a year";
Deno.test(`500 random schedules want ${WANTED}`, () => wantTheFactor(500));
long();
Deno.test(`10,000 random schedules want ${WANTED}`, () => wantTheFactor(10_000));

function wantTheFactor(numRuns: number): void {
  const weeks = fc.array(
    fc.array(fc.constantFrom(...FACTORS), { minLength: 6, maxLength: 6 }),
    { minLength: 7, maxLength: 7 },
  );
  // Six runs of quarters a day, cut at random places.
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 95 }), { minLength: 5, maxLength: 5 });
  const cents = (max: number) => fc.integer({ min: 2, max: max * 100 }).map((amount) => amount / 100);
  fc.assert(
    fc.property(
      weeks,
      cuts,
      fc.constantFrom(...ZONES),
      cents(50),
      fc.option(fc.tuple(cents(60), cents(60)), { nil: undefined }),
      fc.integer({ min: Date.UTC(2026, 0, 1) / 60_000, max: Date.UTC(2027, 0, 1) / 60_000 }),
      (runs, at, zone, base, bounds, minute) => {
        const edges = [...at.toSorted((a, b) => a - b), 96];
        const week = runs.map((factors) =>
          Array.from({ length: 96 }, (_, quarter) => factors[edges.findIndex((edge) => quarter < edge)]!)
        );
        const limits = bounds === undefined ? {} : { min: Math.min(...bounds), max: Math.max(...bounds) };
        const schedule: Schedule = { name: "any", move: "bid", zone, grid: gridOf(week), ...limits };
        const moment = minute * 60_000;
        const { day, quarter } = quarterOf(moment, zone);
        const factor = week[day]![quarter]!;
        equal(factorAt(schedule, moment), factor);
        const wanted = wantedAt(schedule, base, moment, { countryCode: "US" });
        if (factor === 1) equal(wanted, base);
        else {
          const { min = 0.02, max = 1000 } = limits;
          ok(wanted >= Math.max(min, 0.02) - 1e-9 && wanted <= Math.min(max, 1000) + 1e-9, `${wanted}`);
          const exact = Math.min(Math.max(base * factor, Math.max(min, 0.02)), Math.min(max, 1000));
          ok(Math.abs(wanted - exact) <= 0.005 + 1e-9, `${base} × ${factor} is ${wanted}`);
          equal(wanted, Number(wanted.toFixed(2)));
        }
        deepEqual(
          wantedAt(schedule, base, new Date(moment), { countryCode: "US" }),
          wanted,
          "a pure function",
        );
      },
    ),
    { numRuns, seed: 32 },
  );
}

Deno.test("the next change of a random schedule is the first quarter with another factor", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...FACTORS), { minLength: 24, maxLength: 24 }),
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 500_000 }),
      (hours, zone, minute) => {
        const schedule: Schedule = {
          name: "any",
          move: "bid",
          zone,
          grid: gridOf(Array.from({ length: 7 }, () => hours)),
        };
        const now = Date.UTC(2026, 0, 1) + minute * 60_000;
        const next = nextChange(schedule, now);
        const last = (next ?? now + 8 * 86_400_000) - 900_000;
        for (let at = now; at <= last; at += 900_000) equal(factorAt(schedule, at), factorAt(schedule, now));
        if (next !== undefined) ok(factorAt(schedule, next) !== factorAt(schedule, now));
      },
    ),
    { numRuns: 100, seed: 32 },
  );
});
