import fc from "fast-check";
import { deepEqual, equal, match, ok, throws } from "../support/assert.ts";
import {
  budgetMoves,
  learnWeekdays,
  type PacedCampaign,
  paceOf,
  parsePacing,
  type SpendDay,
} from "../../src/automation/pacing/mod.ts";
import { periodOf, weekdayOf } from "../../src/automation/pacing/pace.ts";
import { addDays, eachDay, splitRange } from "../../src/base/time/calendar.ts";
import { SeededRandom } from "../support/seeded_random.ts";

const NOVEMBER = { start: "2026-11-01", end: "2026-11-30" };

function spend(from: string, to: string, cost: (day: string) => number): SpendDay[] {
  return [...eachDay({ start: from, end: to })].map((day) => ({ day, cost: cost(day) }));
}

Deno.test("a pace compares what was spent by yesterday with the ideal, and says what today needs", () => {
  const days = spend("2026-11-01", "2026-11-10", () => 120);
  const pace = paceOf({ amount: 3000, period: NOVEMBER, today: "2026-11-11", days, spentToday: 40 });
  deepEqual([pace.spent, pace.ideal, pace.pace, pace.daysLeft, pace.neededToday], [1240, 1000, 1.2, 20, 90]);
  deepEqual(pace.forecast, { expected: 3600, low: 3600, high: 3600 });
  deepEqual(pace.line[9], { day: "2026-11-10", ideal: 1000, actual: 1200 });
  equal(pace.line[10]!.actual, null);
  equal(pace.line.at(-1)!.ideal, 3000);
  deepEqual(pace.immature, ["2026-11-08", "2026-11-09", "2026-11-10"]);
});

Deno.test("a period is the calendar month, also in February, or the dates of the file", () => {
  deepEqual(periodOf({}, "2028-02-10"), { start: "2028-02-01", end: "2028-02-29" });
  deepEqual(periodOf({}, "2026-12-31"), { start: "2026-12-01", end: "2026-12-31" });
  const dates = { from: "2026-11-20", to: "2026-12-02" };
  deepEqual(periodOf({ dates }, "2026-12-01"), { start: "2026-11-20", end: "2026-12-02" });
  equal(periodOf({ dates }, "2026-12-03"), undefined);
});

Deno.test("days that are not stored are named, and the forecast goes by those that are", () => {
  const days = spend("2026-11-01", "2026-11-10", () => 100).filter(({ day }) => day !== "2026-11-05");
  const pace = paceOf({ amount: 3000, period: NOVEMBER, today: "2026-11-11", days });
  deepEqual(pace.missing, ["2026-11-05"]);
  equal(pace.forecast?.expected, 2900);
  equal(
    paceOf({ amount: 3000, period: NOVEMBER, today: "2026-11-03", days: days.slice(0, 2) }).forecast,
    undefined,
  );
});

Deno.test("weekdays are learned from their means, shrunk, and a quiet Sunday makes Monday need more", () => {
  const week = spend("2026-09-06", "2026-10-31", (day) => weekdayOf(day) === "sun" ? 20 : 100);
  const weights = learnWeekdays(week)!;
  ok(weights.sun > 0.2 && weights.sun < 0.5, String(weights.sun));
  ok(Math.abs(Object.values(weights).reduce((a, b) => a + b) - 7) < 1e-3);
  const facts = { amount: 3000, period: NOVEMBER, days: [], weights };
  const sunday = paceOf({ ...facts, today: "2026-11-01" }).neededToday;
  ok(paceOf({ ...facts, today: "2026-11-02" }).neededToday > 2 * sunday);
  equal(learnWeekdays(week.slice(0, 13)), undefined);
});

Deno.test("days on which twice the daily budget was spent are not read as a trend beyond the budgets", () => {
  const days = spend("2026-11-01", "2026-11-10", (day) => day > "2026-11-07" ? 200 : 60);
  const facts = { amount: 3000, period: NOVEMBER, today: "2026-11-11", days };
  const free = paceOf(facts).forecast!;
  const held = paceOf({ ...facts, dailyBudgets: 95 }).forecast!;
  equal(free.expected, 3060);
  equal(held.expected, 1020 + 20 * 95);
  ok(held.high <= Math.max(held.expected, 95 * 30), "the month keeps to the daily budgets");
});

Deno.test("of 400 periods at least 92 of 100 end within the forecast's range", () => {
  const random = new SeededRandom(7);
  const bell = () => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].reduce((sum) => sum + random.next(), -6);
  let within = 0;
  for (let trial = 0; trial < 400; trial++) {
    const all = spend("2026-11-01", "2026-11-30", () => Math.max(0, 100 + 25 * bell()));
    const today = addDays("2026-11-01", 5 + trial % 20);
    const { forecast } = paceOf({
      amount: 3000,
      period: NOVEMBER,
      today,
      days: all.filter(({ day }) => day < today),
    });
    const end = all.reduce((sum, { cost }) => sum + cost, 0);
    if (end >= forecast!.low && end <= forecast!.high) within += 1;
  }
  ok(within >= 368 && within <= 398, `${within} of 400`);
});

const campaign = (key: string, more: Partial<PacedCampaign> = {}): PacedCampaign => ({
  key,
  budget: 100,
  expected: 100,
  isFull: true,
  roas: 2,
  ...more,
});
const BOUNDS = { maxStep: 0.2, floor: 1, ceiling: 1000, decimals: 2 };

Deno.test("budgets are lowered where sales are worst first, and raised where they are best and the budget runs out", () => {
  const all = [
    campaign("worst", { roas: 1 }),
    campaign("best", { roas: 5 }),
    campaign("slack", {
      isFull: false,
      expected: 10,
      roas: 9,
    }),
  ];
  deepEqual([...budgetMoves(all, { ...BOUNDS, needed: 195 })], [["worst", 85]]);
  deepEqual([...budgetMoves(all, { ...BOUNDS, needed: 180 })], [["worst", 80], ["best", 90]]);
  deepEqual([...budgetMoves(all, { ...BOUNDS, needed: 225 })], [["best", 115]]);
  deepEqual([...budgetMoves(all, { ...BOUNDS, needed: 300 })], [["best", 120], ["worst", 120]]);
  deepEqual([...budgetMoves(all, { ...BOUNDS, needed: 211 })], [], "within two percent nothing is moved");
  // What has room within its budget is lowered too, a step a day, where the others are not enough.
  deepEqual([...budgetMoves(all, { ...BOUNDS, needed: 0 })], [["worst", 80], ["best", 80], ["slack", 80]]);
});

Deno.test("no move is larger than a step, or leads out of floor and ceiling, whatever is asked", () => {
  const amount = fc.integer({ min: 2, max: 100_000 }).map((cents) => cents / 100);
  fc.assert(
    fc.property(
      fc.array(fc.record({ budget: amount, expected: amount, isFull: fc.boolean(), roas: amount }), {
        minLength: 1,
        maxLength: 8,
      }),
      amount,
      fc.constantFrom(0, 2),
      fc.tuple(fc.integer({ min: 1, max: 50 }), amount, amount),
      (list, needed, decimals, [step, a, b]) => {
        const campaigns = list.map((one, at) => ({
          ...one,
          key: String(at),
          budget: decimals === 0 ? Math.ceil(one.budget) : one.budget,
        }));
        const bounds = {
          needed,
          maxStep: step / 100,
          floor: Math.min(a, b),
          ceiling: Math.max(a, b),
          decimals,
        };
        const expected = campaigns.reduce((sum, one) => sum + one.expected, 0);
        for (const [key, next] of budgetMoves(campaigns, bounds)) {
          const { budget } = campaigns[Number(key)]!;
          ok(Math.abs(next - budget) <= budget * bounds.maxStep + 1e-6, `${budget} to ${next}`);
          equal(next < budget, expected > needed, "all moves lead one way");
          if (next < budget) ok(next >= Math.min(budget, bounds.floor));
          else ok(next <= bounds.ceiling);
          equal(next, Number(next.toFixed(decimals)));
        }
      },
    ),
    { numRuns: 2000, seed: 32 },
  );
});

Deno.test("a file of pacing is refused whole, with file, line and field", () => {
  throws(
    () =>
      parsePacing(
        `version: 1
budgets:
  a:
    amount: -5
  b:
    amount: 10
    from: 2026-11-02
    overs: pause
  c:
    amount: 10
    from: 2026-11-02
    to: 2026-11-01
    floor: 9
    ceiling: 8
    max_step: 20
    weekdays: { mon: 0, tue: 0, wed: 0, thu: 0, fri: 0, sat: 0, sun: 0 }
  d: { amount: 1, over: stop }
`,
        "p.yaml",
      ),
    (error: Error) => {
      match(error.message, /p\.yaml:4: budgets\.a\.amount: Expected an amount above 0/);
      match(error.message, /p\.yaml:8: Unknown key overs in budgets\.b\. Did you mean "over"\?/);
      match(error.message, /p\.yaml:12: budgets\.c\.to: The period ends before it begins/);
      match(error.message, /p\.yaml:14: budgets\.c\.ceiling: It is below the floor, 9/);
      match(error.message, /p\.yaml:7: budgets\.b\.from: Write from and to together/);
      match(error.message, /p\.yaml:15: budgets\.c\.max_step: Expected 50% at most/);
      match(error.message, /p\.yaml:17: budgets\.d\.over: Expected alert, lower or pause/);
      return true;
    },
  );
  throws(
    () =>
      parsePacing(
        "version: 1\nbudgets:\n  c:\n    amount: 10\n    from: 2026-11-02\n    to: 2026-11-01\n    floor: 9\n    ceiling: 8\n",
        "p.yaml",
      ),
    /p\.yaml:6: budgets\.c\.to: The period ends before it begins[\s\S]*p\.yaml:8: budgets\.c\.ceiling: It is below the floor, 9/,
  );
});

Deno.test("days are counted to the last one of the calendar, and a period of many years is an error of the file", () => {
  const last = { start: "9999-12-30", end: "9999-12-31" };
  deepEqual([...eachDay(last)], ["9999-12-30", "9999-12-31"]);
  deepEqual(splitRange({ start: "9999-12-29", end: "9999-12-31" }, 2), [
    { start: "9999-12-29", end: "9999-12-30" },
    { start: "9999-12-31", end: "9999-12-31" },
  ]);
  deepEqual([...eachDay({ start: "2026-11-02", end: "2026-11-01" })], []);
  const fileOf = (from: string, to: string) =>
    parsePacing(`version: 1\nbudgets: { all: { amount: 9000, from: ${from}, to: ${to} } }`, "p.yaml");
  const tooLong = /budgets\.all\.to: The period has more than 1100 days\. Divide it into shorter ones/;
  throws(() => fileOf("2026-11-01", "9999-12-31"), tooLong);
  throws(() => fileOf("0001-01-01", "2999-12-31"), tooLong);
  equal(fileOf("2026-01-01", "2028-12-31").budgets[0]!.dates!.to, "2028-12-31");
});
