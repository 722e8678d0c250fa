import { test } from "node:test";
import { deepEqual, equal } from "../../support/assert.ts";
import { RowComparison } from "../../../src/store/model/row_comparison.ts";
import type { Cell } from "../../../src/store/model/encode_rows.ts";
import { reportLayout } from "../../../src/store/model/report_layout.ts";

const LAYOUT = reportLayout("sp_campaigns");
const [FIRST, SECOND] = ["2026-09-01", "2026-09-02"];

function row(day: string, cost: number): Cell[] {
  const cells = Array<Cell>(LAYOUT.columns.length + 1).fill(null);
  return [day, "1", cost, ...cells.slice(3)];
}

/** A comparison with rows that are stored. */
function comparedWith(stored: Readonly<Record<string, readonly number[]>>): RowComparison {
  const comparison = new RowComparison(LAYOUT);
  for (const [day, costs] of Object.entries(stored)) {
    comparison.remember(day, comparison.hashesOfRows(costs.map((cost) => row(day, cost))));
  }
  return comparison;
}

test("rows that are stored as they come are not changed, whatever their number and order", () => {
  for (const count of [1, 2, 3, 10, 33]) {
    const costs = Array.from({ length: count }, (_, at) => at);
    const comparison = comparedWith({ [FIRST]: costs, [SECOND]: costs });
    for (const cost of costs.toReversed()) {
      equal(comparison.hasLeft(FIRST), true);
      comparison.add(row(FIRST, cost));
      comparison.add(row(SECOND, cost));
    }
    deepEqual(comparison.changed, []);
    deepEqual([comparison.hasLeft(FIRST), comparison.hasLeft(SECOND)], [false, false]);
    deepEqual([comparison.rowsOn(FIRST), comparison.rowsOn(SECOND)], [count, count]);
  }
});

test("rows that are not stored as they come are kept in their order, day by day", () => {
  const comparison = comparedWith({ [FIRST]: [1, 2], [SECOND]: [3] });
  for (const [day, cost] of [[FIRST, 3], [FIRST, 1], [SECOND, 1], [SECOND, 3], [FIRST, 0]] as const) {
    comparison.add(row(day, cost));
  }
  deepEqual(comparison.changed, [row(FIRST, 3), row(SECOND, 1), row(FIRST, 0)]);
  deepEqual([comparison.hasLeft(FIRST), comparison.hasLeft(SECOND)], [true, false]);
});

test("of equal rows each stored one stands for one that comes", () => {
  const comparison = comparedWith({ [FIRST]: [5, 5, 5, 1, 9] });
  for (let time = 0; time < 4; time++) comparison.add(row(FIRST, 5));
  deepEqual(comparison.changed, [row(FIRST, 5)], "the fourth");
  equal(comparison.takeLeft(FIRST, row(FIRST, 5)), false);
  equal(comparison.takeLeft(FIRST, row(FIRST, 1)), true);
  equal(comparison.takeLeft(FIRST, row(FIRST, 1)), false, "taken once");
  equal(comparison.hasLeft(FIRST), true);
  equal(comparison.takeLeft(FIRST, row(FIRST, 9)), true);
  equal(comparison.hasLeft(FIRST), false);
});

test("what came is remembered by hashes that find it again, also of days that had nothing stored", () => {
  const comparison = comparedWith({ [FIRST]: [] });
  deepEqual([comparison.hasLeft(FIRST), comparison.hasLeft(SECOND)], [false, false]);
  for (const cost of [7, 3, 5]) {
    comparison.note(FIRST, row(FIRST, cost));
    comparison.add(row(SECOND, cost));
  }
  deepEqual(comparison.changed.length, 3);
  const again = new RowComparison(LAYOUT);
  for (const day of [FIRST, SECOND]) again.remember(day, comparison.hashesOf(day));
  for (const cost of [5, 3, 7]) for (const day of [FIRST, SECOND]) again.add(row(day, cost));
  deepEqual(again.changed, []);
  deepEqual(again.hashesOf(FIRST), comparison.hashesOf(FIRST), "in whatever order they came");
});

test("the last column counts, and cells past it do not", () => {
  const comparison = comparedWith({ [FIRST]: [1, 2] });
  comparison.add([...row(FIRST, 1).slice(0, -1), '{"odd":1}']);
  comparison.add([...row(FIRST, 2), "past the end"]);
  deepEqual(comparison.changed.length, 1);
  equal(comparison.takeLeft(FIRST, row(FIRST, 1)), true);
});
