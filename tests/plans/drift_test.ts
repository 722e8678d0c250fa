import assert from "node:assert/strict";
import { type Change, ChangePlan, PlanDriftError } from "../../mod.ts";
import { FakeTarget } from "../support/fake_target.ts";

function change(id: string, before: Record<string, unknown>, after: Record<string, unknown>): Change {
  return { kind: "sp.keywords", op: "update", id, before, after, label: id };
}

const ARCHIVE: Change = {
  ...change("3", { state: "PAUSED" }, { state: "ARCHIVED" }),
  op: "archive",
};

function plan(changes: Change[]): ChangePlan {
  return new ChangePlan({ id: "p1", profileId: "100", countryCode: "US", changes });
}

Deno.test("A plan whose before values still hold is applied after one read a kind", async () => {
  const target = new FakeTarget({
    "sp.keywords": {
      "1": { bid: 1, tags: { b: 2, a: 1 }, computed: "whatever" },
      "2": { bid: 5 },
      "3": { state: "PAUSED" },
    },
  });
  const changes = [
    change("1", { bid: 1, tags: { a: 1, b: 2 } }, { bid: 2, tags: { a: 1, b: 3 } }),
    change("2", {}, { endDate: "2026-12-31" }),
    ARCHIVE,
    { ...ARCHIVE, op: "create" as const, id: null, before: {} },
  ];
  const result = await plan(changes).apply(target, { checkDrift: true });
  assert.equal(result.ok, true);
  assert.deepEqual(target.reads, [["1", "2", "3"]]);
});

Deno.test("Every field that no longer holds its before value is reported, and nothing is sent", async () => {
  const target = new FakeTarget({
    "sp.keywords": {
      "1": { bid: 1.5, state: "ENABLED" },
      "2": { endDate: "2026-01-01" },
      "3": { state: "ARCHIVED" },
    },
  });
  const drifting = plan([
    change("1", { bid: 1, state: "ENABLED" }, { bid: 2, state: "PAUSED" }),
    change("2", {}, { endDate: "2026-12-31" }),
    ARCHIVE,
    change("404", { bid: 1 }, { bid: 2 }),
  ]);
  await assert.rejects(drifting.apply(target, { checkDrift: true }), (error: Error) => {
    assert.ok(error instanceof PlanDriftError);
    assert.deepEqual(error.drifted, [
      { kind: "sp.keywords", id: "1", field: "bid", expected: 1, actual: 1.5 },
      { kind: "sp.keywords", id: "2", field: "endDate", expected: undefined, actual: "2026-01-01" },
      { kind: "sp.keywords", id: "3", field: "state", expected: "PAUSED", actual: "ARCHIVED" },
      { kind: "sp.keywords", id: "404", field: "keywordId", expected: "404", actual: undefined },
    ]);
    assert.match(
      error.message,
      /plan p1.*sp\.keywords 1: "bid" was 1 and is 1\.5 and 3 more\. Make a new plan/,
    );
    return true;
  });
  assert.deepEqual(target.writes, []);
});

Deno.test("After drift was found, the plan may be applied once the account is as it was", async () => {
  const target = new FakeTarget({ "sp.keywords": { "1": { bid: 9 } } });
  const drifting = plan([change("1", { bid: 1 }, { bid: 2 })]);
  await assert.rejects(drifting.apply(target, { checkDrift: true }), PlanDriftError);
  target.entities["sp.keywords"]!["1"] = { bid: 1 };
  assert.equal((await drifting.apply(target, { checkDrift: true })).ok, true);
});

Deno.test("Without checkDrift nothing is read", async () => {
  const target = new FakeTarget();
  assert.equal((await plan([change("1", { bid: 1 }, { bid: 2 })]).apply(target)).ok, true);
  assert.deepEqual(target.reads, []);
});
