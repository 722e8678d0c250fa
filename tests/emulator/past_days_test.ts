import assert from "node:assert/strict";
import { Caller } from "./caller.ts";
import { rowsOf } from "./report_caller.ts";

const PAST = { start: "2026-08-01", end: "2026-08-04" };
const TYPES = {
  negativeKeywords: "application/vnd.spNegativeKeyword.v3+json",
  keywords: "application/vnd.spKeyword.v3+json",
} as const;

for (const kind of ["negativeKeywords", "keywords"] as const) {
  Deno.test(`the search terms of past days stay when ${kind} are added`, async () => {
    await using caller = await Caller.start();
    const before = await rowsOf(caller, "sp_search_terms", PAST);
    const [{ campaignId, adGroupId }] = before as [typeof before[number]];
    const item = {
      campaignId: String(campaignId),
      adGroupId: String(adGroupId),
      keywordText: "zebra lamp",
      matchType: kind === "keywords" ? "EXACT" : "NEGATIVE_EXACT",
      state: "ENABLED",
      ...(kind === "keywords" ? { bid: 0.5 } : {}),
    };
    const type = TYPES[kind];
    const path = `/sp/${kind}`;
    const headers = { "content-type": type, accept: type };
    const { json: body } = await caller.call("POST", path, { [kind]: [item] }, { headers });
    assert.equal(
      (body as Record<string, { success: unknown[] }>)[kind]!.success.length,
      1,
      JSON.stringify(body),
    );
    assert.deepEqual(await rowsOf(caller, "sp_search_terms", PAST), before);
  });
}
