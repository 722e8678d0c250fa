import assert from "node:assert/strict";
import type { Change } from "../../../src/plans/model/change.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import type { ChangePlanFields } from "../../../src/plans/model/plan_data.ts";

function create(name: string, more: Partial<Change> = {}): Change {
  return { kind: "sp.campaigns", op: "create", id: null, before: {}, after: { name }, label: name, ...more };
}

function planOf(changes: readonly Change[], more: Partial<ChangePlanFields> = {}): ChangePlan {
  return new ChangePlan({ profileId: "1", countryCode: "US", changes, ...more });
}

Deno.test("equal names of merged plans are told apart, also where each plan has one and the name is long", () => {
  const long = "c".repeat(64);
  const merged = ChangePlan.merge(
    [1, 2, 3].map((number) =>
      planOf([create(`${number}`, { ref: long }), create("x", { dependsOn: [long] })])
    ),
  );
  const names = [long, `${"c".repeat(60)}-2`, `${"c".repeat(60)}-3`];
  assert.deepEqual(merged.changes.map(({ ref, dependsOn }) => ref ?? dependsOn![0]), [
    ...[names[0], names[0], names[1], names[1], names[2], names[2]],
  ]);
});

Deno.test("a finding stays with its change, wherever that comes to stand", () => {
  const bid: Change = { ...create("k"), kind: "sp.keywords", op: "update", id: "9", after: { bid: 2 } };
  const finding = { code: "X", level: "note" as const, message: "m" };
  const second = planOf([bid, create("b"), create("c")], {
    findings: [{ ...finding, change: 0 }, { ...finding, change: 2 }, finding],
  });
  const merged = ChangePlan.merge([planOf([create("a"), bid]), second]);
  assert.deepEqual(merged.changes.map(({ label }) => label), ["a", "k", "b", "c"]);
  assert.deepEqual(merged.findings.map(({ change }) => change), [1, 3, undefined]);
});

Deno.test("plans without notes are merged into one without a note", () => {
  const plans = [planOf([create("a")]), planOf([create("b")])];
  assert.equal(ChangePlan.merge(plans).note, null);
  assert.equal(ChangePlan.merge([...plans, planOf([], { note: "why" })]).note, "why");
  assert.equal(planOf([]).note, null);
  assert.equal(planOf([]).reverses, null);
});

Deno.test("a plan that refers to nothing is not merged", () => {
  const dangling = planOf([create("a", { after: { id: { ref: "gone" } }, ref: "a" })]);
  assert.throws(() => ChangePlan.merge([dangling]), /"gone"/);
});
