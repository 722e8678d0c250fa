import { deepEqual, equal, ok } from "../../support/assert.ts";
import { fieldImportance, importance } from "../../../src/plans/view/plan_view.ts";

type Change = Parameters<typeof importance>[0];
type Field = Parameters<typeof fieldImportance>[0];

const field = (before: unknown, after: unknown, name = "bid"): Field =>
  ({ field: name, before, after }) as Field;
const update = (...fields: Field[]): Change => ({ op: "update", kind: "sp.keywords", fields });
const create = (kind: string): Change => ({ op: "create", kind, fields: [] });

Deno.test("archives come first, then what more than doubles, what is new from the top down, words, amounts by their move", () => {
  const order: readonly (readonly [string, Change])[] = [
    ["archive", { op: "archive", kind: "sp.keywords", fields: [] }],
    ["bid times four", update(field(1, 4))],
    ["bid times three", update(field(1, 3))],
    ["new campaign", create("sp.campaigns")],
    ["new ad group", create("sp.ad_groups")],
    ["new keyword", create("sp.keywords")],
    ["another state", update(field("ENABLED", "PAUSED", "state"))],
    ["bid to a third", update(field(3, 1))],
    ["bid times two", update(field(1, 2))],
    ["bid times 1.1", update(field(1, 1.1))],
  ];
  const ranked = order.toReversed().toSorted(([, a], [, b]) => importance(b) - importance(a));
  deepEqual(ranked.map(([name]) => name), order.map(([name]) => name));
});

Deno.test("a call, and a state that becomes archived, are as important as an archive", () => {
  equal(importance({ op: "call", kind: "call", fields: [] }), Infinity);
  equal(importance(update(field("ENABLED", "archived", "state"))), Infinity);
  equal(fieldImportance(field("x", "archived", "name")), 1000);
});

Deno.test("an amount in place of none or of 0 counts as grown, and 0 in place of 0 as nothing", () => {
  equal(fieldImportance(field(undefined, 1)), 1e7);
  equal(fieldImportance(field(0, 1)), 1e7);
  equal(fieldImportance(field(0, 0)), 1);
});

Deno.test("of several fields the most important counts, and a fall stays below any word", () => {
  equal(importance(update(field(1, 1.5), field(1, 3))), 3e7);
  ok(fieldImportance(field(1000, 0.001)) < 1000);
  ok(fieldImportance(field(4, 1)) > fieldImportance(field(2, 1)));
  equal(importance(update()), 0);
});
