import assert from "node:assert/strict";
import { type Change, ChangePlan, type PlanResult } from "../../mod.ts";
import { FakeTarget } from "../support/fake_target.ts";

const CREATE: Change = {
  kind: "sp.campaigns",
  op: "create",
  id: null,
  before: {},
  after: { name: "New" },
  label: "New",
};

function bid(id: string, before: Record<string, unknown> = { bid: 1 }): Change {
  return { kind: "sp.keywords", op: "update", id, before, after: { bid: 2 }, label: `word ${id}` };
}

function archive(id: string): Change {
  return {
    kind: "sp.keywords",
    op: "archive",
    id,
    before: { state: "ENABLED" },
    after: { state: "ARCHIVED" },
    label: `word ${id}`,
  };
}

async function apply(changes: Change[], target: FakeTarget): Promise<PlanResult> {
  return await new ChangePlan({ id: "p1", profileId: "100", countryCode: "US", changes }).apply(target);
}

Deno.test("A rollback undoes what succeeded and nothing else, in the opposite order", async () => {
  const target = new FakeTarget();
  target.troubles["update sp.keywords"] = { outcomes: { 1: "refused" } };
  const result = await apply([bid("1"), bid("2"), bid("3"), CREATE], target);
  const undo = result.rollbackPlan();
  assert.deepEqual(undo.changes.map(({ op, id, before, after }) => [op, id, before, after]), [
    ["archive", "new-sp.campaigns-0", {}, { state: "ARCHIVED" }],
    ["update", "3", { bid: 2 }, { bid: 1 }],
    ["update", "1", { bid: 2 }, { bid: 1 }],
  ]);
  assert.deepEqual([undo.reverses, undo.profileId, undo.countryCode, undo.warnings], ["p1", "100", "US", []]);
  assert.notEqual(undo.id, "p1");
});

Deno.test("A rollback is a plan like any other: saved, loaded, applied", async () => {
  const target = new FakeTarget();
  const result = await apply([bid("1"), CREATE], target);
  target.writes.length = 0;
  await ChangePlan.fromJson(result.rollbackPlan().toJson()).apply(target);
  assert.deepEqual(target.writes, [
    { kind: "sp.campaigns", op: "archive", items: ["new-sp.campaigns-0"] },
    { kind: "sp.keywords", op: "update", items: [{ keywordId: "1", bid: 1 }] },
  ]);
});

Deno.test("Archives, emptied fields and creates that cannot be archived are told, not undone", async () => {
  const target = new FakeTarget({}, { unarchivable: ["portfolios"] });
  target.troubles["create sp.campaigns"] = { withoutId: [0] };
  const portfolio: Change = { ...CREATE, kind: "portfolios" };
  const undo = (await apply([archive("7"), bid("8", {}), portfolio, CREATE], target)).rollbackPlan();
  assert.deepEqual(undo.changes, []);
  assert.equal(undo.warnings.length, 4);
  const said = undo.warnings.join("\n");
  for (
    const pattern of [
      /^campaign New: it was created, but the platform did not return its id/m,
      /^portfolio New: .*no way to archive/m,
      /^keyword word 8: "bid" had no value before/m,
      /^Archiving is permanent and cannot be undone: keyword word 7$/m,
    ]
  ) assert.match(said, pattern);
});

Deno.test("What may have been done is told in the warnings; what surely was not is not", async () => {
  const target = new FakeTarget();
  target.troubles["update sp.keywords"] = {
    outcomes: { 0: "unknown", 1: "partial", 2: "refused", 3: "not_sent" },
  };
  const undo = (await apply([bid("1"), bid("2"), bid("3"), bid("4")], target)).rollbackPlan();
  assert.deepEqual(undo.changes, []);
  assert.deepEqual(
    undo.warnings.map((warning) =>
      /^keyword word (\d): .*may have been applied in full or in part/.exec(warning)?.[1]
    ),
    ["2", "1"],
  );
});

Deno.test("Rolling back a plan of which nothing was done is an empty plan without warnings", async () => {
  const target = new FakeTarget();
  target.troubles["update sp.keywords"] = { outcomes: { 0: "refused" } };
  const undo = (await apply([bid("1")], target)).rollbackPlan();
  assert.deepEqual([undo.changes, undo.warnings], [[], []]);
});
