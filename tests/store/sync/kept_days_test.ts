import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays, eachDay } from "../../../src/base/time/calendar.ts";
import type { DayFigures } from "../../../src/store/model/encode_rows.ts";
import type { StoredDay } from "../../../src/store/model/store_driver.ts";
import { type KeepRules, keptDays } from "../../../src/store/model/kept_days.ts";

const RANGE = { start: "2026-09-10", end: "2026-09-12" };
const DAYS = [...eachDay(RANGE)];
const MADE = "2026-09-30T12:00:00.000Z";
const RULES: KeepRules = {
  madeAt: MADE,
  firstKept: "2026-06-27",
  today: "2026-09-30",
  acceptShrink: false,
  whole: false,
  isDoubtful: false,
};

/** What is stored of the days, and what a report has of them. */
type Both = readonly [before: Partial<StoredDay> | undefined, after: Partial<DayFigures>];

function decided(days: readonly Both[], rules: Partial<KeepRules> = {}): [held: string[], left: string[]] {
  const before = days.flatMap(([stored], index) =>
    stored === undefined ? [] : [{ day: DAYS[index]!, rows: 0, cost: 0, madeAt: null, ...stored }]
  );
  const on = (day: string): DayFigures => ({ rows: 0, cost: 0, ...days[DAYS.indexOf(day)]?.[1] });
  const range = { start: DAYS[0]!, end: DAYS[days.length - 1]! };
  const { held, left } = keptDays(range, { before, after: { on } }, { ...RULES, ...rules });
  return [[...held], [...left]];
}

const NOTHING = [[], []];
const HELD = [[DAYS[0]], []];
const LEFT = [[], [DAYS[0]]];

test("a day is left alone when it is stored from a newer report, and replaced by one that is as new", () => {
  const stored = (madeAt: string | null): Both => [{ rows: 5, madeAt }, { rows: 5 }];
  assert.deepEqual(decided([stored("2026-09-30T12:00:00.001Z")]), LEFT);
  assert.deepEqual(decided([stored(MADE)]), NOTHING);
  assert.deepEqual(decided([stored("2026-09-30T11:59:59.999Z")]), NOTHING);
  assert.deepEqual(decided([stored(null)]), NOTHING, "not known when it was made");
});

test("a day that the platform did not keep any more is left alone, unless the report alone has rows of it", () => {
  const past = { firstKept: DAYS[1]! };
  assert.deepEqual(decided([[{ rows: 5 }, { rows: 9 }]], past), LEFT);
  assert.deepEqual(decided([[undefined, { rows: 0 }]], past), LEFT, "not covered without rows");
  assert.deepEqual(decided([[undefined, { rows: 1 }]], past), NOTHING);
  assert.deepEqual(
    decided([[{ rows: 5 }, { rows: 9 }]], { firstKept: DAYS[0]! }),
    NOTHING,
    "the first kept day",
  );
});

test("a day is held back when it lost five rows and more than half of them, or from ten rows on half of its cost", () => {
  assert.deepEqual(
    decided([[{ rows: 10, cost: 10 }, { rows: 5, cost: 5 }]]),
    NOTHING,
    "half is no less than half",
  );
  assert.deepEqual(decided([[{ rows: 10, cost: 10 }, { rows: 4, cost: 10 }]]), HELD);
  assert.deepEqual(decided([[{ rows: 10, cost: 10 }, { rows: 10, cost: 4.99 }]]), HELD);
  assert.deepEqual(decided([[{ rows: 8, cost: 10 }, { rows: 1, cost: 0 }]]), HELD);
  assert.deepEqual(decided([[{ rows: 6, cost: 10 }, { rows: 1, cost: 0 }]]), HELD);
  assert.deepEqual(decided([[{ rows: 5, cost: 10 }, { rows: 1, cost: 0 }]]), NOTHING, "few rows may be lost");
  assert.deepEqual(decided([[{ rows: 9 }, { rows: 0 }]]), HELD, "but not all of them");
  assert.deepEqual(decided([[{ rows: 1 }, { rows: 0 }]]), HELD);
  assert.deepEqual(decided([[{ rows: 0 }, { rows: 0 }]]), NOTHING);
  assert.deepEqual(decided([[undefined, { rows: 0 }]]), NOTHING, "nothing was stored");
});

test("few rows of the last four days may all be lost, for clicks are taken back as invalid", () => {
  const few: Both = [{ rows: 9 }, { rows: 0 }];
  assert.deepEqual(decided([few], { today: addDays(DAYS[0]!, 4) }), NOTHING);
  assert.deepEqual(decided([few], { today: addDays(DAYS[0]!, 5) }), HELD);
  assert.deepEqual(decided([[{ rows: 10 }, { rows: 0 }]], { today: addDays(DAYS[0]!, 4) }), HELD);
});

test("a whole report is held back when its days have far less together, though each has few rows", () => {
  const days: Both[] = [[{ rows: 4, cost: 1 }, { rows: 1, cost: 1 }], [{ rows: 6, cost: 1 }, {
    rows: 3,
    cost: 1,
  }]];
  assert.deepEqual(decided(days, { whole: true }), [DAYS.slice(0, 2), []]);
  assert.deepEqual(decided(days), NOTHING, "a part of a report is judged day by day");
  const half: Both[] = [[{ rows: 4, cost: 1 }, { rows: 2, cost: 1 }], [{ rows: 6, cost: 1 }, {
    rows: 3,
    cost: 0,
  }]];
  assert.deepEqual(decided(half, { whole: true }), NOTHING);
  const free: Both[] = [[{ rows: 4, cost: 2 }, { rows: 4, cost: 0.5 }], [{ rows: 6, cost: 1 }, {
    rows: 6,
    cost: 0.9,
  }]];
  assert.deepEqual(decided(free, { whole: true }), [DAYS.slice(0, 2), []], "by their cost");
  const fresh: Both[] = [...half, [undefined, { rows: 1 }]];
  assert.deepEqual(decided(fresh, { whole: true }), NOTHING, "a day that was not stored counts for nothing");
});

test("a whole report without rows is held back where anything is stored, though the last days may lose few", () => {
  const few: Both[] = [[{ rows: 3 }, { rows: 0 }]];
  const today = addDays(DAYS[0]!, 1);
  assert.deepEqual(decided(few, { whole: true, today }), HELD);
  assert.deepEqual(decided(few, { today }), NOTHING);
});

test("days that were never stored stay unknown where a report without rows is doubtful", () => {
  const days: Both[] = [[undefined, { rows: 0 }], [undefined, { rows: 0 }]];
  assert.deepEqual(decided(days, { whole: true, isDoubtful: true }), [[], DAYS.slice(0, 2)]);
  assert.deepEqual(decided(days, { whole: true }), NOTHING);
  const some: Both[] = [[{ rows: 3 }, { rows: 0 }], [undefined, { rows: 0 }]];
  assert.deepEqual(decided(some, { whole: true, isDoubtful: true }), [[DAYS[0]], [DAYS[1]]]);
});

test("days that are left alone count for nothing in the sum of a whole report", () => {
  const days: Both[] = [[{ rows: 90, madeAt: "2026-10-01T00:00:00.000Z" }, { rows: 0 }], [{ rows: 5 }, {
    rows: 5,
  }]];
  assert.deepEqual(decided(days, { whole: true }), LEFT);
});

test("nothing is held back where shrinking is accepted, and newer figures stay all the same", () => {
  const days: Both[] = [[{ rows: 20, madeAt: "2026-10-01T00:00:00.000Z" }, { rows: 0 }], [{ rows: 20 }, {
    rows: 0,
  }]];
  assert.deepEqual(decided(days, { acceptShrink: true, whole: true }), LEFT);
});
