import { deepEqual, equal } from "../support/assert.ts";
import { differences, own } from "../../src/plans/model/differences.ts";
import { isChangeRef, refsIn, withRefs } from "../../src/plans/model/change_ref.ts";

const CASES:
  readonly (readonly [what: string, before: unknown, after: unknown, expected: readonly unknown[][]])[] = [
    ["the same", { a: 1, b: [1] }, { b: [1], a: 1 }, []],
    ["a value", { a: 1 }, { a: 2 }, [["a", 1, 2]]],
    ["a part of an object", { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, [["a.c", 2, 3]]],
    ["what is added", {}, { a: 1 }, [["a", undefined, 1]]],
    ["what is taken away", { a: 1, b: 2 }, { a: 1 }, [["b", 2, undefined]]],
    ["an object in place of nothing", undefined, { a: 1 }, [["a", undefined, 1]]],
    ["an object in place of a number", 5, { a: 1 }, [["", 5, { a: 1 }]]],
    ["an empty object in place of nothing", undefined, {}, [["", undefined, {}]]],
    ["items of equally long lists", [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 3 }], [["[1].a", 2, 3]]],
    ["one item in a list of a field", { l: [{ a: 1 }] }, { l: [{ a: 2 }] }, [["l[0].a", 1, 2]]],
    ["lists of other lengths", { l: [{ a: 1 }] }, { l: [] }, [["l", [{ a: 1 }], []]]],
    ["a list that is taken away", { l: [{ a: 1 }] }, {}, [["l", [{ a: 1 }], undefined]]],
    ["lists of values", [1, 2], [1, 3], [["", [1, 2], [1, 3]]]],
    ["a list in place of an object", { a: {} }, { a: [] }, [["a", {}, []]]],
    ["an object in place of null", { a: null }, { a: { b: 1 } }, [["a", null, { b: 1 }]]],
    ["a reference, which is one value", { a: { ref: "x" } }, { a: { ref: "y" } }, [["a", { ref: "x" }, {
      ref: "y",
    }]]],
  ];

for (const [what, before, after, expected] of CASES) {
  Deno.test(`differences: ${what}`, () => {
    deepEqual(differences(before, after).map(({ field, before, after }) => [field, before, after]), expected);
  });
}

Deno.test("what every object inherits is no field of data", () => {
  equal(own({ a: 1 }, "constructor"), undefined);
  equal(own({ constructor: 1 }, "constructor"), 1);
  equal(own(undefined, "a"), undefined);
});

Deno.test("references are found and replaced at any depth, and what only looks like one is left", () => {
  equal(isChangeRef({ ref: "c1" }), true);
  for (const other of [null, "c1", { ref: 1 }, { ref: "c1", more: 1 }, {}, []]) {
    equal(isChangeRef(other), false);
  }
  const fields = { campaignId: { ref: "c1" }, list: [{ id: { ref: "c2" }, none: null }, 5], name: "x" };
  deepEqual(refsIn(fields), ["c1", "c2"]);
  deepEqual(withRefs(fields, (name) => `id of ${name}`), {
    campaignId: "id of c1",
    list: [{ id: "id of c2", none: null }, 5],
    name: "x",
  });
});
