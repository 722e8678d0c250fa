import assert from "node:assert/strict";
import type { Change } from "../../src/plans/model/change.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import type { ChangeResult } from "../../src/plans/model/change_result.ts";
import { inverseOf, rollbackOf, type Undoable, undoId } from "../../src/plans/change_plan/inverse.ts";
import type { PlanTarget } from "../../src/plans/model/plan_target.ts";
import { undoableBy } from "../../src/plans/change_plan/inverse.ts";

const UPDATE: Change = {
  kind: "sp.keywords",
  op: "update",
  id: "1",
  before: { bid: 1 },
  after: { bid: 2 },
  label: "k",
};
const CREATE: Change = { kind: "sp.ad_groups", op: "create", id: null, before: {}, after: {}, label: "new" };
const UNDOABLE: Undoable = { canArchive: () => true, canEmpty: () => false };

function planOf(changes: readonly Change[]): ChangePlan {
  return new ChangePlan({ id: "p1", profileId: "1", countryCode: "US", changes });
}

/** What undoes a plan of which everything was done, creates with the ids 100, 101, ... */
function undone(changes: readonly Change[], undoable = UNDOABLE): ReturnType<typeof rollbackOf> {
  const results = changes.map((change, at): ChangeResult => ({
    change,
    outcome: "done",
    id: change.id ?? `${100 + at}`,
  }));
  return rollbackOf(planOf(changes), results, undoable);
}

Deno.test("the plan that undoes another is called after it, and never longer than a plan may be", () => {
  assert.equal(undoId("p1"), "p1-undo");
  assert.equal(undoId("p1-undo"), "p1-undo2");
  assert.equal(undoId("p1-undo2"), "p1-undo3");
  assert.equal(undoId("p1-undo9"), "p1-undo10");
  assert.equal(undoId("x".repeat(64)), `${"x".repeat(59)}-undo`);
  assert.equal(undoId(`${"x".repeat(59)}-undo`), `${"x".repeat(58)}-undo2`);
  assert.equal(undone([UPDATE]).id, "p1-undo");
});

Deno.test("what is archived again says which campaign it was made in", () => {
  const campaignOf = (change: Partial<Change>): unknown =>
    undone([{ ...CREATE, ...change }]).changes[0]!.campaignId;
  assert.equal(campaignOf({ campaignId: "7" }), "7");
  assert.equal(campaignOf({ after: { campaignId: "8" } }), "8");
  assert.equal(campaignOf({ campaignId: "7", after: { campaignId: "8" } }), "7");
  assert.equal("campaignId" in undone([CREATE]).changes[0]!, false);
  const inNew = [{ ...CREATE, kind: "sp.campaigns", ref: "c" }, {
    ...CREATE,
    after: { campaignId: { ref: "c" } },
  }];
  const [adGroup, campaign] = undone(inNew).changes;
  assert.deepEqual([adGroup!.id, adGroup!.campaignId, campaign!.id], ["101", "100", "100"]);
});

Deno.test("what was done last goes back first, and before that what depends on a change", () => {
  const named = (ref: string, ...dependsOn: string[]): Change => ({ ...CREATE, label: ref, ref, dependsOn });
  const changes = [named("k", "g"), named("a"), named("g", "c"), named("c"), named("b"), named("l", "g")];
  assert.deepEqual(undone(changes).changes.map(({ label }) => label), ["l", "k", "g", "b", "c", "a"]);
});

Deno.test("a change without a verdict was not done", () => {
  assert.deepEqual(rollbackOf(planOf([UPDATE]), [], UNDOABLE).changes, []);
});

Deno.test("a field that had no value is emptied again where the platform can, by what the kind says", () => {
  const client = {
    resource: (kind: string) => ({
      archivable: kind !== "x",
      ...(kind === "sp.keywords" ? { clearable: ["endDate"] } : {}),
    }),
  } as unknown as PlanTarget;
  const undoable = undoableBy(client);
  assert.deepEqual([undoable.canArchive("sp.keywords"), undoable.canArchive("x")], [true, false]);
  assert.equal(undoable.canEmpty("x", "endDate"), false);
  const update = { ...UPDATE, after: { bid: 2, endDate: "2026-12-31", tags: {} } };
  const { changes, warnings } = undone([update], undoable);
  assert.deepEqual(changes[0], {
    ...UPDATE,
    before: { bid: 2, endDate: "2026-12-31" },
    after: { bid: 1, endDate: null },
  });
  assert.deepEqual(warnings, ['keyword k: "tags" had no value before and cannot be cleared']);
});

Deno.test("a placement adjustment that a plan added is undone by 0 %, because an update keeps what it does not name", () => {
  const bidding = (...placements: [string, number][]) => ({
    strategy: "MANUAL",
    placementBidding: placements.map(([placement, percentage]) => ({ placement, percentage })),
  });
  const change: Change = {
    ...UPDATE,
    kind: "sp.campaigns",
    before: { dynamicBidding: bidding(["TOP", 20]) },
    after: { dynamicBidding: bidding(["TOP", 35], ["REST", 10]) },
  };
  assert.deepEqual(undone([change]).changes[0]?.after, { dynamicBidding: bidding(["TOP", 20], ["REST", 0]) });
});

Deno.test("a field that refers to what the plan creates is undone by the result, not by the inverse", () => {
  const changes = [{ ...CREATE, ref: "g" }, {
    ...UPDATE,
    before: { adGroupId: "5" },
    after: { adGroupId: { ref: "g" } },
  }];
  const inverse = inverseOf(planOf(changes));
  assert.deepEqual(inverse.changes, []);
  assert.match(inverse.warnings[0]!, /^keyword k: "adGroupId" refers to a new entity of the plan/);
  assert.deepEqual(undone(changes).changes[0], {
    ...UPDATE,
    before: { adGroupId: "100" },
    after: { adGroupId: "5" },
  });
});

Deno.test("a call is undone where all that it wrote over is known", () => {
  const after = { operation: "x:Do", request: "PUT /x", body: { a: 2, list: [{ b: 1 }] } };
  const call: Change = { kind: "call", op: "call", id: null, before: {}, after, label: "x:Do", ref: "c" };
  const old = { a: 1, list: [{ b: 0 }] };
  const { ref: _, ...plain } = call;
  assert.deepEqual(inverseOf(planOf([{ ...call, before: { body: old } }])).changes, [
    { ...plain, before: { body: after.body }, after: { ...after, body: old } },
  ]);
  const lost = (before: Change["before"]): unknown => {
    const { changes, warnings } = inverseOf(planOf([{ ...call, before }]));
    assert.deepEqual(changes, []);
    return warnings;
  };
  const cannot = "call x:Do (PUT /x): it cannot be undone, because";
  assert.deepEqual(lost({}), [`${cannot} its effect is unknown`]);
  assert.deepEqual(lost({ body: { a: 1 } }), [`${cannot} "list" had no value before`]);
});
