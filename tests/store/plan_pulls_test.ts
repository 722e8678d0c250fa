import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays, countDays, eachDay } from "../../src/base/time/calendar.ts";
import type { LedgerEntry } from "../../src/store/model/ledger_entry.ts";
import {
  daysWithout,
  isDeliverable,
  isFresh,
  planPulls,
  type PullFacts,
  reportRanges,
} from "../../src/store/sync/plan_pulls.ts";
import { SeededRandom } from "../support/seeded_random.ts";

const NOW = Date.parse("2026-09-30T12:00:00Z");
const FIRST_KEPT = "2026-06-28";
const END = "2026-09-29";

function facts(more: Partial<PullFacts> = {}): PullFacts {
  return {
    firstKept: FIRST_KEPT,
    end: END,
    restateDays: 42,
    covered: [],
    missing: [],
    building: [],
    now: NOW,
    ...more,
  };
}

function open(start: string, end: string, more: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id: `${start}/${end}`,
    fingerprint: `${start}/${end}`,
    start,
    end,
    state: "building",
    askedAt: new Date(NOW - 3600_000).toISOString(),
    ...more,
  } as LedgerEntry;
}

function asked(more: Partial<PullFacts>): string[] {
  return reportRanges(planPulls(facts(more)).days).map(({ start, end }) => `${start}..${end}`);
}

test("planPulls() reaches back as far as reports are kept when nothing is stored", () => {
  assert.deepEqual(asked({}), [
    "2026-06-28..2026-07-28",
    "2026-07-29..2026-08-28",
    "2026-08-29..2026-09-28",
    "2026-09-29..2026-09-29",
  ]);
});

test("planPulls() resumes the restatement window before the newest stored day", () => {
  const covered = [{ start: "2026-01-01", end: "2026-09-25" }];
  assert.deepEqual(asked({ covered }), ["2026-08-14..2026-09-13", "2026-09-14..2026-09-29"]);
  assert.deepEqual(asked({ covered, restateDays: 0 }), ["2026-09-25..2026-09-29"]);
  assert.deepEqual(asked({ covered, restateDays: 400 })[0], "2026-06-28..2026-07-28");
});

test("planPulls() begins at what is kept when the store has slept for long", () => {
  assert.equal(asked({ covered: [{ start: "2025-01-01", end: "2026-02-01" }] })[0], "2026-06-28..2026-07-28");
});

test("planPulls() fetches every day that is still kept and that the store lacks", () => {
  assert.deepEqual(
    asked({ covered: [{ start: "2026-09-20", end: "2026-09-29" }], restateDays: 42 })[0],
    "2026-06-28..2026-07-28",
  );
  const covered = [{ start: "2026-09-20", end: "2026-09-27" }];
  const { days } = planPulls(facts({ covered, restateDays: 1 }));
  assert.equal(days.length, countDays({ start: FIRST_KEPT, end: END }) - 6);
});

test("planPulls() fills gaps that are still kept, and no others", () => {
  const covered = [
    { start: "2026-05-01", end: "2026-06-25" },
    { start: "2026-07-02", end: "2026-07-10" },
    { start: "2026-07-15", end: "2026-09-29" },
  ];
  assert.deepEqual(asked({ covered, restateDays: 1 }), [
    "2026-06-28..2026-07-01",
    "2026-07-11..2026-07-14",
    "2026-09-28..2026-09-29",
  ]);
});

test("planPulls() takes exactly the days that the caller names", () => {
  const covered = [{ start: "2026-09-01", end: "2026-09-29" }];
  assert.deepEqual(asked({ start: "2026-01-01", end: "2026-01-03", covered }), ["2026-01-01..2026-01-03"]);
  assert.deepEqual(asked({ start: "2026-09-02", end: "2026-09-01", covered }), []);
});

test("planPulls() leaves the days of a report that is being built to it", () => {
  const entry = open("2026-07-29", "2026-08-28");
  assert.deepEqual(planPulls(facts({ building: [entry] })).resume, [entry]);
  assert.deepEqual(asked({ building: [entry] }), [
    "2026-06-28..2026-07-28",
    "2026-08-29..2026-09-28",
    "2026-09-29..2026-09-29",
  ]);
});

test("planPulls() takes up a report that was asked for when the window began earlier", () => {
  const covered = [{ start: "2026-07-01", end: "2026-09-29" }];
  const entry = open("2026-08-09", "2026-09-08");
  const { resume } = planPulls(facts({ covered, building: [entry] }));
  assert.deepEqual(resume, [entry]);
  assert.deepEqual(asked({ covered, building: [entry] }), [
    "2026-06-28..2026-06-30",
    "2026-09-09..2026-09-29",
  ]);
});

test("planPulls() leaves a report alone that spans days which the caller does not name", () => {
  const { resume, days } = planPulls(
    facts({ start: "2026-08-20", building: [open("2026-07-29", "2026-08-28")] }),
  );
  assert.deepEqual(resume, []);
  assert.equal(days[0], "2026-08-20");
});

test("planPulls() takes up a report of last night and asks for its days anew", () => {
  const entry = open("2026-07-29", "2026-08-28", { askedAt: new Date(NOW - 24 * 3600_000).toISOString() });
  const { resume, days } = planPulls(facts({ building: [entry] }));
  assert.deepEqual(resume, [entry]);
  assert(days.includes("2026-08-01"));
});

test("isDeliverable() holds for two weeks, and for the columns that are asked for today", () => {
  const entry = open("2026-09-01", "2026-09-29");
  const fingerprint = "2026-09-01/2026-09-29";
  assert(isDeliverable(entry, { fingerprint, now: NOW }));
  assert(isDeliverable(entry, { fingerprint, now: NOW + 13 * 24 * 3600_000 }));
  assert(!isDeliverable(entry, { fingerprint, now: NOW + 14 * 24 * 3600_000 }));
  assert(!isDeliverable(entry, { fingerprint: "other columns", now: NOW }));
  assert(!isDeliverable({ ...entry, state: "failed" }, { fingerprint, now: NOW }));
});

test("a report is fresh for less than twelve hours, and deliverable for less than fourteen days", () => {
  const entry = open("2026-09-01", "2026-09-29");
  const at = Date.parse(entry.askedAt);
  const HOUR = 3600_000;
  assert(isFresh(entry, at + 12 * HOUR - 1));
  assert(!isFresh(entry, at + 12 * HOUR));
  const { fingerprint } = entry;
  assert(isDeliverable(entry, { fingerprint, now: at + 14 * 24 * HOUR - 1 }));
  assert(!isDeliverable(entry, { fingerprint, now: at + 14 * 24 * HOUR }));
});

test("daysWithout() leaves out the first and last day of the other ranges, and keeps their neighbours", () => {
  const days = daysWithout([{ start: "2026-09-01", end: "2026-09-05" }], [{
    start: "2026-09-02",
    end: "2026-09-04",
  }]);
  assert.deepEqual([...days], ["2026-09-01", "2026-09-05"]);
});

test("planPulls() wants missing days from the first that is kept to the last that is wanted, both included", () => {
  const covered = [{ start: "2026-06-01", end: "2026-09-29" }];
  const missing = [{ start: "2026-06-27", end: FIRST_KEPT }, { start: END, end: "2026-09-30" }];
  assert.deepEqual(planPulls(facts({ covered, restateDays: 0, missing })).days, [FIRST_KEPT, END]);
  const end = "2026-09-01";
  const late = [{ start: end, end: "2026-09-02" }];
  assert.deepEqual(planPulls(facts({ covered, restateDays: 0, missing: late, end })).days, [end]);
});

test("planPulls() wants days again that were asked for and never came, while they are kept", () => {
  const covered = [{ start: "2026-06-01", end: "2026-09-29" }];
  const missing = [{ start: "2026-06-20", end: "2026-07-05" }, { start: "2026-08-25", end: "2026-08-31" }];
  assert.deepEqual(asked({ covered, restateDays: 0, missing }), [
    "2026-06-28..2026-07-05",
    "2026-08-25..2026-08-31",
    "2026-09-29..2026-09-29",
  ]);
});

test("reportRanges() puts each day in exactly one report of 31 days at most, whatever the days", () => {
  const random = new SeededRandom(31);
  for (let round = 0; round < 300; round++) {
    const first = addDays("2023-12-01", random.integer(0, 900));
    const all = [...eachDay({ start: first, end: addDays(first, random.integer(0, 400)) })];
    const share = random.pick([1, 1, 0.95, 0.5, 0.05]);
    const days = all.filter(() => random.next() < share);
    const ranges = reportRanges(days);
    assert.deepEqual(ranges.flatMap((range) => [...eachDay(range)]), days);
    assert(ranges.every((range) => countDays(range) >= 1 && countDays(range) <= 31));
    const least = ranges.slice(1).every((range, i) =>
      addDays(ranges[i]!.end, 1) !== range.start || countDays(ranges[i]!) === 31
    );
    assert(least, "a report is only followed by the next when it is full");
  }
});

test("planPulls() wants each day once, and never one that an open report brings", () => {
  const random = new SeededRandom(7);
  for (let round = 0; round < 300; round++) {
    const some = (): { start: string; end: string } => {
      const start = addDays(FIRST_KEPT, random.integer(-40, 90));
      return { start, end: addDays(start, random.integer(0, 30)) };
    };
    const covered = joined(Array.from({ length: random.integer(0, 3) }, some));
    const building = Array.from({ length: random.integer(0, 2) }, () => {
      const { start, end } = some();
      return open(start, end < END ? end : END);
    }).slice(0, 1);
    const missing = Array.from({ length: random.integer(0, 3) }, some);
    const { resume, days } = planPulls(
      facts({ covered, missing, building, restateDays: random.integer(0, 60) }),
    );
    const brought = resume.flatMap((entry) => [...eachDay(entry)]);
    const pulled = [...days, ...brought];
    assert.equal(new Set(pulled).size, pulled.length);
    assert(days.every((day) => day >= FIRST_KEPT && day <= END));
    if (covered.length === 0 && building.length === 0) {
      assert.equal(days.length, countDays({ start: FIRST_KEPT, end: END }));
    }
    assert(!(covered.length > 0 && covered.at(-1)!.end < END) || pulled.includes(END), "up to the end");
  }
});

function joined(ranges: { start: string; end: string }[]): { start: string; end: string }[] {
  const days = [...new Set(ranges.flatMap((range) => [...eachDay(range)]))].sort();
  const result: { start: string; end: string }[] = [];
  for (const day of days) {
    const last = result.at(-1);
    if (last !== undefined && addDays(last.end, 1) === day) last.end = day;
    else result.push({ start: day, end: day });
  }
  return result;
}
