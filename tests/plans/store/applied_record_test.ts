import { deepEqual, equal } from "../../support/assert.ts";
import { ChangePlan, PlanResult } from "../../../src/plans/change_plan/change_plan.ts";
import { resultText } from "../../../src/plans/store/write_result.ts";
import { appliedRecord } from "../../../src/plans/store/applied_record.ts";

const DATA = {
  applied_at: "2026-11-18T10:00:00.000Z",
  ok: true,
  summary: "1 updated",
  changes: [{ id: "9", outcome: "done" }, { id: null, outcome: "refused", error: { message: "no" } }],
};

Deno.test("the data of a result file is read", () => {
  deepEqual(appliedRecord(DATA), {
    appliedAt: DATA.applied_at,
    ok: true,
    summary: "1 updated",
    changes: [{ id: "9", outcome: "done" }, { id: null, outcome: "refused", message: "no" }],
    override: undefined,
  });
  equal(appliedRecord({ ...DATA, ok: "true" })?.ok, false);
});

const DAMAGED: readonly (readonly [what: string, data: Record<string, unknown>])[] = [
  ["no time", { ...DATA, applied_at: undefined }],
  ["a time that is none", { ...DATA, applied_at: "yesterday" }],
  ["no summary", { ...DATA, summary: 5 }],
  ["changes that are no list", { ...DATA, changes: {} }],
  ["an outcome that nobody knows", { ...DATA, changes: [{ id: "9", outcome: "perhaps" }] }],
  ["a change that is none", { ...DATA, changes: [null] }],
];

for (const [what, data] of DAMAGED) {
  Deno.test(`a result file with ${what} is damaged`, () => equal(appliedRecord(data), undefined));
}

Deno.test("a result that replaces another keeps who approved it and what was sent against the findings", () => {
  const plan = new ChangePlan({ profileId: "7", countryCode: "US", changes: [] });
  const applied = { changes: [], stoppedBy: undefined, notWritten: [], findings: [] };
  const undoable = { canArchive: () => true, canEmpty: () => false };
  const override = { by: "ann", findings: [], approval: null };
  const written = (own: object, before?: Record<string, unknown>): unknown[] => {
    const result = new PlanResult(plan, { ...applied, ...own }, undoable);
    const { text } = resultText(result, () => 0, before && { before });
    const { approved_by, override } = JSON.parse(text(undefined));
    return [approved_by, override];
  };
  deepEqual(written({}), [null, null]);
  deepEqual(written({}, { approved_by: "ann", override }), ["ann", override]);
  const later = { ...override, by: "bob" };
  deepEqual(written({ approvedBy: "bob", override: later }, { approved_by: "ann", override }), [
    "bob",
    later,
  ]);
});
