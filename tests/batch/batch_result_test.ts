import assert from "node:assert/strict";
import { type BatchError, BatchResult, type BatchSuccess, PartialFailureError } from "../../mod.ts";
import { failure } from "../../src/platform/batch/item_error.ts";

function success(index: number, id: string | undefined = `id-${index}`): BatchSuccess {
  return { index, id, item: `item-${index}`, entity: undefined };
}

function error(index: number, outcome: BatchError["outcome"] = "refused"): BatchError {
  return failure({ index, item: `item-${index}`, outcome }, { code: "TOO_LOW", message: "Too low" });
}

Deno.test("A result lists its parts in input order, and all of them when it is iterated", () => {
  const result = new BatchResult([success(4), success(0), success(2)], [error(3), error(1)]);
  assert.deepEqual(result.ids, ["id-0", "id-2", "id-4"]);
  assert.deepEqual(result.ignored, []);
  const left = new BatchResult([], [], undefined, ["creative"]);
  assert.deepEqual(left.ignored, ["creative"]);
  assert.equal(
    left.summary(),
    "0 succeeded, 0 failed. Left out, because an update cannot change them: creative",
  );
  assert.deepEqual(result.errors.map(({ index }) => index), [1, 3]);
  assert.deepEqual([...result].map(({ index, ok }) => [index, ok]), [
    [0, true],
    [1, false],
    [2, true],
    [3, false],
    [4, true],
  ]);
});

Deno.test("A summary tells what failed, what was never sent and what nobody knows", () => {
  assert.equal(new BatchResult([], []).summary(), "0 succeeded, 0 failed");
  assert.equal(
    new BatchResult([success(0)], [error(1), error(2, "not_sent"), error(3, "unknown")]).summary(),
    "1 succeeded, 3 failed, 1 of them never sent, 1 of them unknown",
  );
  assert.equal(
    new BatchResult([], [error(0, "partial"), error(1)]).summary(),
    "0 succeeded, 2 failed, 1 of them done in part",
  );
});

Deno.test("raiseForErrors() throws only for failures, with the result and what ended the run", () => {
  new BatchResult([success(0)], []).raiseForErrors();
  const stoppedBy = new Error("the line went dead");
  const result = new BatchResult([success(0)], [error(1)], stoppedBy);
  assert.throws(() => result.raiseForErrors(), (thrown: Error) => {
    assert.ok(thrown instanceof PartialFailureError);
    assert.equal(thrown.result, result);
    assert.equal(thrown.cause, stoppedBy);
    assert.match(thrown.message, /1 succeeded, 1 failed.*item 1: TOO_LOW: Too low/);
    return true;
  });
});

Deno.test("Parts join into one result that keeps the first cause", () => {
  const cause = new Error("first");
  const joined = BatchResult.join([
    new BatchResult([success(2)], []),
    new BatchResult([success(0)], [error(1)], cause),
    new BatchResult([], [error(3)], new Error("second")),
  ]);
  assert.deepEqual([...joined].map(({ index }) => index), [0, 1, 2, 3]);
  assert.equal(joined.stoppedBy, cause);
  assert.equal(BatchResult.join([]).ok, true);
});

Deno.test("As data, fields have the names of result files", () => {
  const data = new BatchResult([success(0)], [error(1)]).toData();
  assert.deepEqual(JSON.parse(JSON.stringify(data)), {
    ok: false,
    summary: "1 succeeded, 1 failed",
    successes: [{ index: 0, id: "id-0", item: "item-0" }],
    errors: [{
      index: 1,
      item: "item-1",
      error_type: "otherError",
      code: "TOO_LOW",
      message: "Too low",
      outcome: "refused",
      hint: "Raise the value to the lower limit or above",
      transient: false,
    }],
  });
});

Deno.test("A success without an id is counted and gives none", () => {
  const result = new BatchResult([{ ...success(0), id: undefined }, success(1)], []);
  assert.deepEqual([result.ok, result.ids], [true, ["id-1"]]);
});

Deno.test("An item without a verdict stands among neither successes nor errors", () => {
  const { successes, errors } = BatchResult.of([success(0), undefined, error(2)]);
  assert.deepEqual([successes.length, errors.length], [1, 1]);
});
