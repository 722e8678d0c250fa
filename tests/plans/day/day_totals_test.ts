import { deepEqual, equal, match } from "../../support/assert.ts";
import type { DayEntry, LedgerLine } from "../../../src/plans/state/day_ledger.ts";
import { addTotals, NO_TOTALS } from "../../../src/plans/state/day_totals.ts";
import { isLedgerLine, reservedLine, totalsOf } from "../../../src/plans/state/ledger_lines.ts";

const ENTRY: DayEntry = { changes: 9, creates: 4, updates: 3, archives: 2, spendIncrease: 1.5, first: [] };

function line(id: string, more: Partial<LedgerLine> = {}): LedgerLine {
  return { ...ENTRY, id, key: `key ${id}`, at: "2026-11-18T10:00:00.000Z", ...more };
}

/** The sums of totals, without their lookup. */
function sums(lines: readonly LedgerLine[], leftOut?: string) {
  const { changes, creates, updates, archives, spendIncrease } = totalsOf(lines, leftOut);
  return { changes, creates, updates, archives, spendIncrease };
}

Deno.test("totals are added part by part, and are unknown where one is", () => {
  deepEqual(addTotals(ENTRY, { ...ENTRY, changes: 1, creates: 10, updates: 100, archives: 1000 }), {
    changes: 10,
    creates: 14,
    updates: 103,
    archives: 1002,
    spendIncrease: 3,
  });
  equal(addTotals(ENTRY, { ...ENTRY, spendIncrease: undefined }).spendIncrease, undefined);
  equal(addTotals({ ...ENTRY, spendIncrease: undefined }, ENTRY).spendIncrease, undefined);
});

Deno.test("on a day on which nothing was applied there is nothing to add", () => {
  const { first: _, ...entry } = ENTRY;
  deepEqual(addTotals(NO_TOTALS, ENTRY), entry);
});

Deno.test("a day is the sum of its entries, of which the last line counts", () => {
  deepEqual(sums([]), { changes: 0, creates: 0, updates: 0, archives: 0, spendIncrease: 0 });
  const { first: _, ...doubled } = {
    ...ENTRY,
    changes: 18,
    creates: 8,
    updates: 6,
    archives: 4,
    spendIncrease: 3,
  };
  deepEqual(sums([line("a"), line("b")]), doubled);
  deepEqual(sums([line("a", { changes: 100 }), line("b"), line("a")]), doubled);
  equal(sums([line("a"), line("b")], "a").changes, 9);
});

Deno.test("one entry of unknown spend makes the day's unknown, whichever comes first", () => {
  const { spendIncrease: _, ...unknown } = line("b");
  equal(sums([line("a"), unknown as LedgerLine]).spendIncrease, undefined);
  equal(sums([unknown as LedgerLine, line("a")]).spendIncrease, undefined);
});

Deno.test("the first value of a day stays, whatever later lines say", () => {
  const first = (value: number) => [{ kind: "sp.keywords", id: "9", field: "bid" as const, value }];
  const day = totalsOf([line("a", { first: first(1) }), line("b", { first: first(2) })]);
  equal(day.firstValue("sp.keywords", "9", "bid"), 1);
  equal(day.firstValue("sp.keywords", "9", "budget"), undefined);
  equal(NO_TOTALS.firstValue("sp.keywords", "9", "bid"), undefined);
});

Deno.test("a reservation that resumes takes the place of the last line of its name", () => {
  const lines = [line("a", { key: "plan" }), line("b"), line("c", { key: "plan" })];
  const seen: number[] = [];
  const reserve = (resumes: boolean): LedgerLine =>
    reservedLine(lines, {
      key: "plan",
      resumes,
      decide: (today) => {
        seen.push(today.changes);
        return ENTRY;
      },
    }, "2026-11-18T11:00:00.000Z");
  equal(reserve(true).id, "c");
  match(reserve(false).id, /^[0-9a-f-]{36}$/);
  deepEqual(seen, [18, 27]);
});

Deno.test("a line of another form is no line of the ledger", () => {
  equal(isLedgerLine(line("a")), true);
  const { id: _, ...withoutId } = line("a");
  for (
    const other of [null, 5, "x", {}, withoutId, { ...line("a"), changes: "9" }, { ...line("a"), first: {} }]
  ) {
    equal(isLedgerLine(other), false, JSON.stringify(other));
  }
});
