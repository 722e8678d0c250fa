import { deepEqual, equal } from "../support/assert.ts";
import { parseMultiStatus } from "../../mod.ts";
import { bodyVerdict, verdictEntries } from "../../src/platform/batch/parse_multi_status.ts";

/** Positions and verdicts of a body's entries. */
function read(body: unknown): readonly (readonly [index: number, kind: string])[] | undefined {
  return verdictEntries(body)?.map(({ index, kind }) => [index, kind]);
}

Deno.test("a list of responses is read by its positions, by its order where it names none", () => {
  const body = { responses: [{ index: 2, code: "SUCCESS" }, { targetRequestIndex: "0", code: "X" }] };
  deepEqual(read(body), [[2, "success"], [0, "error"]]);
  deepEqual(read({ results: [{ code: 200 }, { index: "", code: 300 }] }), [[0, "success"], [1, "error"]]);
  equal(read({ responses: { code: 200 } }), undefined);
});

Deno.test("an entry is a success by its code, else where it complains of nothing and names an id", () => {
  const kindOf = (entry: unknown): string | undefined => read([entry])?.[0]?.[1];
  equal(kindOf({ code: "OK", errors: ["told, but done"] }), "success");
  equal(kindOf({ code: "SUCCESS_NOT", keywordId: "1" }), "error");
  equal(kindOf({ code: null, keywordId: "1" }), "success");
  for (const name of ["errors", "description", "details", "message"]) {
    equal(kindOf({ keywordId: "1", [name]: "no" }), "error", name);
    for (const empty of [null, "", [], {}]) equal(kindOf({ keywordId: "1", [name]: empty }), "success", name);
  }
  for (const name of ["error", "errorDetails", "errorCode", "failureReason", "subErrors"]) {
    equal(kindOf({ keywordId: "1", [name]: "no" }), "error", name);
  }
  equal(kindOf({ campaign: { campaignId: "1", errors: [{ code: "X" }] } }), "error");
  equal(kindOf({ campaign: { campaignId: "1" } }), "success");
  equal(kindOf({ campaign: { campaignId: null } }), "unknown");
  equal(kindOf({ keywordId: null }), "unknown");
});

Deno.test("an entry among the successes is a failure where its code is one", () => {
  const success = ["OK", 204, null, 404, "INVALID"].map((code, index) => ({ index, code, keywordId: "1" }));
  deepEqual(read({ success }), [[0, "success"], [1, "success"], [2, "success"], [3, "error"], [4, "error"]]);
});

Deno.test("a body without entries is judged by its code, its status or what it complains of", () => {
  const errors: readonly unknown[] = [
    { success: false },
    { code: "BAD" },
    { code: 404, status: "SUCCESS" },
    { status: "FAILED" },
    { status: "rejected" },
    { error: "no" },
    { code: null, errorDetails: { message: "no" } },
  ];
  for (const body of errors) equal(bodyVerdict(body), "error", JSON.stringify(body));
  const successes: readonly unknown[] = [
    undefined,
    null,
    "failed",
    {},
    { success: true },
    { success: null },
    { code: "SUCCESS", status: "FAILED" },
    { code: 200 },
    { code: null },
    { status: "not failed" },
    { status: null, errors: [] },
  ];
  for (const body of successes) equal(bodyVerdict(body), "success", JSON.stringify(body));
});

Deno.test("an item that was done in part keeps the id and the entity that there are", () => {
  const item = { campaign: { campaignId: "7", name: "A" }, errors: [{ code: "BUDGET_TOO_LOW" }] };
  const { errors: [whole, bare] } = parseMultiStatus(
    { partialSuccess: [{ index: 0, ...item }, { index: 1, errors: item.errors }], success: [] },
    ["a", "b"],
  );
  deepEqual([whole?.id, whole?.entity, whole?.outcome], ["7", item.campaign, "partial"]);
  deepEqual(["id" in bare!, "entity" in bare!, bare!.outcome], [false, false, "partial"]);
});
