import assert from "node:assert/strict";
import { type Change, ChangePlan } from "../../../mod.ts";

function rows(part: Partial<Change>): unknown[] {
  const change: Change = { kind: "k", op: "update", id: "1", before: {}, after: {}, label: "l", ...part };
  const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes: [change] });
  return plan.table().map(({ field, before, after }) => [field, before, after]);
}

Deno.test("A table has one row a field that is sent", () => {
  assert.deepEqual(rows({ before: { bid: 1 }, after: { bid: 2 } }), [["bid", 1, 2]]);
  assert.deepEqual(rows({ after: { bid: 2 } }), [["bid", undefined, 2]]);
});

Deno.test("Nothing that is sent can be hidden by what a plan says was there before", () => {
  const item = { name: "x", budget: { budget: 9000, budgetType: "DAILY" } };
  assert.deepEqual(rows({ op: "create", id: null, before: item, after: item }), [
    ["name", undefined, "x"],
    ["budget.budget", undefined, 9000],
    ["budget.budgetType", undefined, "DAILY"],
  ]);
  assert.deepEqual(rows({ before: { bid: 5, state: "PAUSED" }, after: { bid: 5, state: "ENABLED" } }), [
    ["bid", 5, 5],
    ["state", "PAUSED", "ENABLED"],
  ]);
  for (
    const part of [{}, { after: { state: "PAUSED" } }, {
      before: { state: "ARCHIVED" },
      after: { state: "ARCHIVED" },
    }]
  ) {
    const { length, 0: first } = rows({ op: "archive", ...part }) as unknown[][];
    assert.deepEqual([length, first![0], first![2]], [1, "state", "ARCHIVED"]);
  }
});

Deno.test("Fields of an object get a row each, and so do the items of two equally long lists of objects", () => {
  assert.deepEqual(
    rows({
      before: { budget: { budget: 5, budgetType: "DAILY" }, list: [{ a: 1 }] },
      after: { budget: { budget: 6, budgetType: "DAILY" }, list: [{ a: 2 }] },
    }),
    [["budget.budget", 5, 6], ["list[0].a", 1, 2]],
  );
  assert.deepEqual(
    rows({
      before: { list: [{ a: 1 }], asins: ["B1"] },
      after: { list: [{ a: 1 }, { a: 2 }], asins: ["B2"] },
    }),
    [["list", [{ a: 1 }], [{ a: 1 }, { a: 2 }]], ["asins", ["B1"], ["B2"]]],
  );
  assert.deepEqual(rows({ after: { budget: { budget: 6, deep: { x: 1 } } } }), [
    ["budget.budget", undefined, 6],
    ["budget.deep.x", undefined, 1],
  ]);
});

Deno.test("What a change takes away, empties or turns into something else is shown", () => {
  assert.deepEqual(rows({ before: { tags: { a: "1", b: "2" } }, after: { tags: { a: "1" } } }), [
    ["tags.b", "2", undefined],
  ]);
  assert.deepEqual(rows({ before: { tags: { a: "1" } }, after: { tags: {} } }), [["tags.a", "1", undefined]]);
  assert.deepEqual(rows({ after: { tags: {} } }), [["tags", undefined, {}]]);
  assert.deepEqual(rows({ before: { budget: 5 }, after: { budget: { budget: 5 } } }), [["budget", 5, {
    budget: 5,
  }]]);
  assert.deepEqual(rows({ before: { a: null }, after: { a: 0 } }), [["a", null, 0]]);
  assert.deepEqual(
    rows({ before: { tags: { x: "1" } }, after: { constructor: 5, tags: { toString: "2", x: "1" } } }),
    [
      ["constructor", undefined, 5],
      ["tags.toString", undefined, "2"],
    ],
  );
});

Deno.test("One field that is sent hides nothing that it takes away, and an update of nothing has no row", () => {
  assert.deepEqual(rows({ before: { bid: 1, state: "ENABLED" }, after: { bid: 2 } }), [
    ["bid", 1, 2],
    ["state", "ENABLED", undefined],
  ]);
  assert.deepEqual(rows({ before: { tags: { a: "1" } }, after: { tags: "none" } }), [
    ["tags", { a: "1" }, "none"],
  ]);
  assert.deepEqual(rows({}), []);
});

Deno.test("Of a call what it sends is shown, not the operation that is its label", () => {
  const after = { operation: "x:Do", request: "PUT /x", path_params: { id: "1" }, body: { a: 2 } };
  assert.deepEqual(rows({ op: "call", id: null, before: { body: { a: 1 } }, after }), [
    ["request", undefined, "PUT /x"],
    ["body.a", 1, 2],
  ]);
});

Deno.test("A row names kind, id and label; a new entity has no id", () => {
  const changes: Change[] = [
    { kind: "sp.keywords", op: "create", id: null, before: {}, after: { bid: 1 }, label: "shoes" },
    {
      kind: "sp.keywords",
      op: "archive",
      id: "5",
      before: { state: "ENABLED" },
      after: { state: "ARCHIVED" },
      label: "x",
    },
  ];
  const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes });
  assert.deepEqual(plan.table(), [
    { kind: "sp.keywords", id: "", label: "shoes", field: "bid", before: undefined, after: 1 },
    { kind: "sp.keywords", id: "5", label: "x", field: "state", before: "ENABLED", after: "ARCHIVED" },
  ]);
});
