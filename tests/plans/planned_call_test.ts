import assert from "node:assert/strict";
import { failure } from "../../src/platform/batch/item_error.ts";
import type { Change } from "../../src/plans/model/change.ts";
import { changeResultData, doneResult, failedResult } from "../../src/plans/model/change_result.ts";
import { groupName, idText, plannedCall } from "../../src/plans/model/planned_call.ts";

const UPDATE: Change = {
  kind: "sp.keywords",
  op: "update",
  id: "1",
  before: {},
  after: { bid: 2 },
  label: "k",
};
const CREATE: Change = { ...UPDATE, op: "create", id: null };
const CALL: Change = { ...CREATE, kind: "call", op: "call" };

Deno.test("a call holds what is sent, each part where it was given", () => {
  const plain = { operation: "x:Do", request: "PUT /x" };
  const whole = {
    ...plain,
    path_params: { id: "1" },
    query: { a: 1 },
    headers: { h: "v" },
    content_type: "application/x+json",
    accept: "application/y+json",
    body: null,
  };
  assert.deepEqual(plannedCall({ op: "call", after: plain }), plain);
  assert.deepEqual(plannedCall({ op: "call", after: { ...whole, other: 1 } }), whole);
  assert.deepEqual(plannedCall({ op: "call", after: { ...plain, headers: { n: 5 }, accept: 5 } }), {
    ...plain,
    headers: { n: "5" },
  });
  assert.equal(plannedCall({ op: "update", after: whole }), undefined);
});

Deno.test("a change is called by its id, what is new and calls by what they are", () => {
  assert.deepEqual([UPDATE, CREATE, CALL].map(idText), ["1", "(new)", ""]);
  assert.deepEqual([UPDATE, CREATE, CALL].map(groupName), [
    "update sp.keywords",
    "create sp.keywords",
    "call",
  ]);
});

Deno.test("a verdict has the id of its entity, and the response where a call got one", () => {
  const entity = { some: "thing" };
  const done = (change: Change, id?: string) => doneResult({ at: 0, change }, { id, entity });
  assert.deepEqual(done(UPDATE, "9"), { change: UPDATE, outcome: "done", id: "1" });
  assert.deepEqual(done(CREATE, "9"), { change: CREATE, outcome: "done", id: "9" });
  assert.deepEqual(done(CREATE), { change: CREATE, outcome: "done" });
  assert.deepEqual(done(CALL), { change: CALL, outcome: "done", response: entity });
  assert.deepEqual(doneResult({ at: 0, change: CALL }, { id: undefined }), { change: CALL, outcome: "done" });
  const error = failure({ index: 0, item: {}, outcome: "refused" }, { code: "NO", message: "no" });
  const failed = (change: Change) => failedResult({ at: 4, change }, error);
  assert.deepEqual(failed(UPDATE), {
    change: UPDATE,
    outcome: "refused",
    id: "1",
    error: { ...error, index: 4 },
  });
  assert.deepEqual(Object.keys(failed(CREATE)), ["change", "outcome", "error"]);
  assert.equal(changeResultData(failed(UPDATE))["id"], "1");
  assert.equal(changeResultData(done(CREATE, "9"))["id"], "9");
  assert.equal(changeResultData({ change: UPDATE, outcome: "already" })["id"], "1");
  assert.equal(changeResultData(failed(CREATE))["id"], null);
});
