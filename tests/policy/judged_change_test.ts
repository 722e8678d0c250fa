import { deepEqual, equal } from "node:assert/strict";
import type { Change } from "../../src/plans/change.ts";
import { NO_TOTALS } from "../../src/plans/day/day_totals.ts";
import { UNREAD_ACCOUNT } from "../../src/plans/review/account_reading.ts";
import { firstValues } from "../../src/policy/first_values.ts";
import { type JudgedChange, judgedChanges, relativeMove } from "../../src/policy/judged_change.ts";

function judged(change: Partial<Change>): JudgedChange {
  const whole: Change = {
    kind: "sp.keywords",
    op: "update",
    id: "9",
    before: {},
    after: {},
    label: "x",
    ...change,
  };
  return judgedChanges([whole], { account: UNREAD_ACCOUNT })[0]!;
}

const DAY_BEGAN_AT = (value: number) => ({ ...NO_TOTALS, firstValue: () => value });

Deno.test("an operation is judged by what it does", () => {
  equal(judged({ op: "update", id: null }).op, "create");
  equal(judged({ op: "update", after: { state: "archived" } }).op, "archive");
  equal(judged({ op: "update", after: { state: "PAUSED" } }).op, "update");
  equal(judged({ op: "update", after: { state: 7 } }).op, "update");
  equal(judged({ op: "create", id: null, after: { state: "ENABLED" } }).op, "create");
  equal(judged({ op: "archive" }).op, "archive");
});

Deno.test("a move is a share of what the amount was, or of what the day began with", () => {
  const raised = judged({ before: { bid: 2 }, after: { bid: 3 } });
  equal(relativeMove(raised, NO_TOTALS), 0.5);
  equal(relativeMove(raised, DAY_BEGAN_AT(1)), 2);
  equal(relativeMove(judged({ before: { bid: 2 }, after: { bid: 1 } }), NO_TOTALS), -0.5);
  equal(relativeMove(judged({ before: { bid: 0 }, after: { bid: 1 } }), NO_TOTALS), Infinity);
  equal(relativeMove(judged({ before: { bid: 1 }, after: { bid: 0 } }), DAY_BEGAN_AT(0)), 0);
});

Deno.test("no amount moves where one is missing or stays", () => {
  equal(relativeMove(judged({ before: { bid: 2 }, after: { bid: 2 } }), DAY_BEGAN_AT(1)), undefined);
  equal(relativeMove(judged({ before: {}, after: { bid: 2 } }), NO_TOTALS), undefined);
  equal(relativeMove(judged({ before: { bid: 2 }, after: { state: "PAUSED" } }), NO_TOTALS), undefined);
  equal(relativeMove(judged({ op: "create", id: null, after: { bid: 2 } }), NO_TOTALS), undefined);
});

Deno.test("of a bid and a budget that move, the larger move counts, whichever comes first", () => {
  const both = (bid: number, budget: number): JudgedChange =>
    judged({ kind: "sb.campaigns", before: { bid: 1, budget: 10 }, after: { bid, budget } });
  equal(relativeMove(both(1.5, 12), NO_TOTALS), 0.5);
  equal(relativeMove(both(1.5, 20), NO_TOTALS), 1);
  equal(relativeMove(both(1.5, 4), NO_TOTALS), -0.6);
});

Deno.test("the first values of a day are of the amounts that move and have no entry yet", () => {
  const moved = judged({ before: { bid: 2, budget: 10 }, after: { bid: 3 } });
  deepEqual(firstValues([moved], NO_TOTALS), [{ kind: "sp.keywords", id: "9", field: "bid", value: 2 }]);
  deepEqual(firstValues([moved], DAY_BEGAN_AT(1)), []);
  deepEqual(firstValues([judged({ before: { bid: 2 }, after: { bid: 2 } })], NO_TOTALS), []);
  deepEqual(firstValues([judged({ op: "create", id: null, after: { bid: 2 } })], NO_TOTALS), []);
  deepEqual(firstValues([judged({ before: {}, after: { bid: 2 } })], NO_TOTALS), []);
});
