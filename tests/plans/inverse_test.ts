import assert from "node:assert/strict";
import fc from "fast-check";
import { type Change, ChangePlan } from "../../mod.ts";

function plan(changes: Change[]): ChangePlan {
  return new ChangePlan({ id: "p1", profileId: "100", countryCode: "US", changes });
}

function update(id: string, before: Record<string, unknown>, after: Record<string, unknown>): Change {
  return { kind: "sp.keywords", op: "update", id, before, after, label: `word ${id}`, campaignId: "11" };
}

Deno.test("The inverse restores every before value, last change first, and names the plan it undoes", () => {
  const inverse = plan([
    update("1", { bid: 1, state: "PAUSED" }, { bid: 2, state: "ENABLED" }),
    update("2", { bid: 3 }, {
      bid: 4,
    }),
  ]).inverse();
  assert.deepEqual(inverse.changes, [
    update("2", { bid: 4 }, { bid: 3 }),
    update("1", { bid: 2, state: "ENABLED" }, { bid: 1, state: "PAUSED" }),
  ]);
  assert.deepEqual(
    [inverse.reverses, inverse.note, inverse.profileId, inverse.countryCode, inverse.warnings],
    ["p1", "Undo of plan p1", "100", "US", []],
  );
});

Deno.test("A field that had no value before is left out and told in the warnings", () => {
  const inverse = plan([
    update("1", { bid: 1 }, { bid: 2, endDate: "2026-12-31" }),
    update("2", {}, { bid: 1 }),
  ]).inverse();
  assert.deepEqual(inverse.changes, [update("1", { bid: 2 }, { bid: 1 })]);
  assert.deepEqual(
    inverse.warnings.map((warning) => /^keyword word (\d): "(\w+)" had no value/.exec(warning)?.slice(1)),
    [
      ["2", "bid"],
      ["1", "endDate"],
    ],
  );
});

Deno.test("Creates and archives cannot be undone by an inverse, which says why", () => {
  const inverse = plan([
    { kind: "sp.keywords", op: "create", id: null, before: {}, after: { bid: 1 }, label: "new" },
    {
      kind: "sp.keywords",
      op: "archive",
      id: "5",
      before: { state: "ENABLED" },
      after: { state: "ARCHIVED" },
      label: "x",
    },
  ]).inverse();
  assert.deepEqual(inverse.changes, []);
  assert.equal(inverse.warnings[0], "Archiving is permanent and cannot be undone: keyword x");
  assert.match(inverse.warnings[1]!, /^keyword new: .* undo it from the result/);
});

Deno.test("archives that an undo cannot restore are one warning, which names the first of them", () => {
  const archive = (id: string): Change => ({
    ...{ kind: "sp.keywords", op: "archive", id, label: id },
    ...{ before: { state: "ENABLED" }, after: { state: "ARCHIVED" } },
  });
  assert.deepEqual(plan(["1", "2", "3", "4", "5", "6", "7"].map(archive)).inverse().warnings, [
    "Archiving is permanent and cannot be undone: " +
    "keyword 7, keyword 6, keyword 5, keyword 4, keyword 3 and 2 more",
  ]);
});

Deno.test("The inverse of the inverse of updates does what the plan does", () => {
  const fields = fc.record({
    bid: fc.double({ min: 0.02, max: 9, noNaN: true }),
    state: fc.constantFrom("ENABLED", "PAUSED"),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(fields, fields), { maxLength: 5 }), (pairs) => {
      const original = plan(pairs.map(([before, after], index) => update(`${index + 1}`, before, after)));
      const twice = original.inverse().inverse();
      assert.deepEqual(twice.changes, original.changes);
      assert.equal(twice.fingerprint, original.fingerprint);
    }),
    { numRuns: 100 },
  );
});

Deno.test("a call that names the call that takes it back is undone by that one, and the undo by it", () => {
  const call = { operation: "x:Pause", request: "POST /x/pause", body: { id: "1" } };
  const undo = { operation: "x:Start", request: "POST /x/start", body: { id: "1", now: true } };
  const changes: Change[] = [
    { kind: "call", op: "call", id: null, before: { undo }, after: call, label: "x:Pause" },
  ];
  const inverse = plan(changes).inverse();
  assert.deepEqual(inverse.changes, [{
    ...changes[0],
    before: { body: call.body, undo: call },
    after: undo,
    label: "x:Start",
  }]);
  assert.deepEqual(inverse.inverse().changes.map(({ after }) => after), [call]);
});
