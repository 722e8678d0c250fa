import { mergeFields } from "../../../src/plans/state/merge_fields.ts";
import { deepEqual } from "../../support/assert.ts";

const TOP = { placement: "TOP", percentage: 10, note: "kept" };
const REST = { placement: "REST", percentage: 20 };

/** What is there, what an update says, and what is there after it. */
const CASES: readonly (readonly [what: string, now: unknown, wanted: unknown, after: unknown])[] = [
  ["a placement that is named keeps its other fields", [TOP, REST], [{ placement: "TOP", percentage: 50 }], [
    { ...TOP, percentage: 50 },
    REST,
  ]],
  ["a new placement comes last", [TOP], [{ placement: "SITE", percentage: 5 }, { placement: "TOP" }], [
    TOP,
    { placement: "SITE", percentage: 5 },
  ]],
  ["a placement that is named twice is there twice", [REST], [{ placement: "REST" }, {
    placement: "REST",
    a: 1,
  }], [
    REST,
    { ...REST, a: 1 },
  ]],
  ["a new placement that is named twice is there twice", [], [REST, REST], [REST, REST]],
  ["an empty list empties nothing", [TOP, REST], [], [TOP, REST]],
  ["a list without placements is replaced", [{ id: 1 }, { id: 2 }], [{ id: 3 }], [{ id: 3 }]],
  ["a list with one item without a placement is replaced", [TOP, { id: 1 }], [REST], [REST]],
  ["a list is replaced by one without placements", [TOP], [{ id: 1 }], [{ id: 1 }]],
  ["a placement that is no text tells nothing apart", [{ placement: 1, a: 1 }], [{ placement: 1 }], [{
    placement: 1,
  }]],
  ["a list of texts is replaced", ["a"], ["b"], ["b"]],
  ["a list of nothing is replaced", [null], [REST], [REST]],
  ["a list takes the place of an object, and an object that of a list", { a: 1, b: [1] }, {
    a: [2],
    b: { c: 1 },
  }, {
    a: [2],
    b: { c: 1 },
  }],
  ["an object takes the place of a text", "DAILY", { budget: 1 }, { budget: 1 }],
  ["null empties what has a value", { a: { b: 1 }, c: [TOP] }, { a: null, c: null }, { a: null, c: null }],
  ["null empties nothing that is not there", { a: { b: 1 } }, { a: { c: null }, d: null }, { a: { b: 1 } }],
  ["null stays", { a: null }, { a: null }, { a: null }],
  ["what is empty gets a value", { a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
];

for (const [what, now, wanted, after] of CASES) {
  Deno.test(`after an update, ${what}`, () => deepEqual(mergeFields(now, wanted), after));
}

Deno.test("an update leaves what was read as it is", () => {
  const now = { list: [{ ...TOP }], part: { a: 1 } };
  mergeFields(now, { list: [{ placement: "TOP", percentage: 99 }], part: { a: 2 } });
  deepEqual(now, { list: [TOP], part: { a: 1 } });
});
