import { deepEqual, equal, match, ok, throws } from "../support/assert.ts";
import {
  editGrid,
  type HourFigures,
  learnGrid,
  parseSchedules,
  weekOf,
} from "../../src/automation/schedules/mod.ts";
import { WEEKDAYS } from "../../src/automation/schedules/schedule.ts";
import { SeededRandom } from "../support/seeded_random.ts";

/** Hours of a week with a rate of orders by hour, drawn from a seed. */
function hours(
  clicks: (hour: number) => number,
  rate: (hour: number) => number,
  seed: number,
): HourFigures[] {
  const random = new SeededRandom(seed);
  return WEEKDAYS.flatMap((weekday) =>
    Array.from({ length: 24 }, (_, hour) => ({
      weekday,
      hour,
      clicks: clicks(hour),
      orders: Array.from({ length: clicks(hour) }).reduce<number>(
        (sum) => sum + (random.next() < rate(hour) ? 1 : 0),
        0,
      ),
    }))
  );
}

Deno.test("a grid finds hours that sell twice as well, and stays within the cap", () => {
  const { cells, grid } = learnGrid(hours(() => 400, (hour) => hour < 8 ? 0.05 : hour >= 18 ? 0.2 : 0.1, 1));
  const mean = (from: number, to: number): number => {
    const own = cells.filter(({ hour }) => hour >= from && hour < to);
    return own.reduce((sum, { factor }) => sum + factor, 0) / own.length;
  };
  ok(mean(0, 8) <= 0.75 && mean(18, 24) >= 1.25, `${mean(0, 8)} ${mean(18, 24)}`);
  ok(cells.every(({ factor }) => factor >= 0.7 && factor <= 1.3));
  ok(cells.every(({ from }) => from === "hour"));
  deepEqual(
    weekOf({ name: "a", move: "bid", grid }),
    WEEKDAYS.map((_, day) => cells.slice(24 * day, 24 * day + 24).map(({ factor }) => factor)),
  );
});

Deno.test("without differences between hours a grid is nearly even, also where clicks are few", () => {
  for (const clicks of [20, 100, 1000]) {
    const { cells, pooled } = learnGrid(hours(() => clicks, () => 0.1, 2));
    const off = cells.filter(({ factor }) => Math.abs(factor - 1) > 0.101);
    ok(off.length <= 8, `${off.length} of 168 hours with ${clicks} clicks`);
    equal(pooled, clicks < 75 ? 168 : 0);
  }
});

Deno.test("hours under 75 clicks take the value of their block, and of their day where that is small too", () => {
  const figures = hours((hour) => hour < 4 ? 5 : hour < 8 ? 40 : 100, () => 0.1, 3);
  const { cells } = learnGrid(figures);
  const from = (hour: number) => new Set(cells.filter((one) => one.hour === hour).map((one) => one.from));
  deepEqual([from(1), from(5), from(9)], [new Set(["day"]), new Set(["block"]), new Set(["hour"])]);
  const night = cells.filter(({ hour, weekday }) => hour < 4 && weekday === "mon").map(({ rate }) => rate);
  equal(new Set(night).size, 1);
});

Deno.test("too few clicks are refused, and the figures stand beside the cells of the file", () => {
  throws(() => learnGrid(hours(() => 2, () => 0.1, 4)), /Cannot learn a grid from 336 clicks/);
  throws(() => learnGrid(hours(() => 10, () => 0, 4)), /at least 500 clicks with orders/);
  const learned = learnGrid(hours(() => 300, (hour) => hour < 12 ? 0.06 : 0.12, 5));
  const text = "version: 1\nschedules:\n  nights: { move: bid, grid: [{ factor: 1.2 }] }\n";
  const edited = editGrid(text, { name: "nights", ...learned, comment: ["learned"] }, "s.yaml");
  match(
    edited,
    /# learned\n +- \{ .*factor: [\d.]+ \} # \d+ clicks, conversion rate [\d.]+ %, overall [\d.]+ %\n/,
  );
  equal(parseSchedules(edited, "s.yaml").schedules[0]!.grid.length, learned.grid.length);
});
