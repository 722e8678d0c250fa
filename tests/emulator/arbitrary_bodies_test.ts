import assert from "node:assert/strict";
import fc from "fast-check";
import { allRoutes } from "../../src/emulator/families/routes.ts";
import { Caller } from "./caller.ts";
import { configurationOf } from "./report_caller.ts";
import { long } from "../support/long.ts";

const RUNS = 12;

/** Bodies that are nearly right: known names with values of any kind. */
const NAMES = [
  ...["campaigns", "adGroups", "ads", "targets", "keywords", "portfolios", "targetingClauses", "productAds"],
  ...["campaignIds", "targetIds", "adProductFilter", "stateFilter", "include", "maxResults", "nextToken"],
  ...["configuration", "startDate", "endDate", "columns", "filters", "groupBy", "eventTypes", "fromDate"],
  ...[
    "campaignId",
    "adGroupId",
    "keywordId",
    "targetId",
    "name",
    "state",
    "bid",
    "budget",
    "budgets",
    "creative",
  ],
  ...["adProduct", "targetDetails", "targetType", "expression", "asins", "targetingExpressions"],
];
const VALUES = fc.oneof(
  fc.constantFrom(
    "ENABLED",
    "SPONSORED_PRODUCTS",
    "SPONSORED_BRANDS",
    "2026-09-01",
    "KEYWORD",
    "",
    "__proto__",
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const { object: BODY } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    VALUES,
    tie("object"),
    fc.array(tie("object"), { maxLength: 3 }),
    fc.array(VALUES, { maxLength: 3 }),
  ),
  object: fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 5 }),
}));

long();
Deno.test("no body, however it is built, makes an operation fail inside", async () => {
  await using caller = await Caller.start();
  for (const route of (await allRoutes()).filter(({ requestTypes }) => requestTypes !== undefined)) {
    await fc.assert(
      fc.asyncProperty(fc.oneof(BODY, fc.array(BODY, { maxLength: 2 }), VALUES), async (body) => {
        const path = route.path.replace(/\{[^}]*\}/g, "123");
        const { status, text } = await caller.call(route.method, path, body, {
          type: route.requestTypes![0]!,
        });
        assert.equal(status < 500 || status === 501, true, `${route.operation} ${status} ${text}`);
      }),
      { numRuns: RUNS, seed: 20260930 },
    );
  }
});

Deno.test("no configuration makes a report fail inside, and what is taken is built", async () => {
  await using caller = await Caller.start();
  const known = configurationOf("sp_targeting") as { columns: string[] };
  const configuration = fc.record({
    adProduct: fc.constantFrom("SPONSORED_PRODUCTS", "SPONSORED_BRANDS", "ALL", null),
    reportTypeId: fc.constantFrom("spTargeting", "spSearchTerm", "sbTargeting", "constructor", 7),
    groupBy: fc.oneof(fc.constantFrom(["targeting"], ["searchTerm"], []), fc.jsonValue({ maxDepth: 1 })),
    columns: fc.oneof(fc.subarray(known.columns), fc.jsonValue({ maxDepth: 1 })),
    timeUnit: fc.constantFrom("DAILY", "SUMMARY", "YEARLY"),
    format: fc.constant("GZIP_JSON"),
    filters: fc.oneof(
      fc.constantFrom([{ field: "keywordType", values: ["BROAD"] }], [{ field: "toString" }]),
      fc.jsonValue(),
    ),
  }, { requiredKeys: [] });
  const type = "application/vnd.createasyncreportrequest.v3+json";
  const headers = { "content-type": type, accept: "*/*" };
  await fc.assert(
    fc.asyncProperty(configuration, async (configuration) => {
      const body = { startDate: "2026-09-01", endDate: "2026-09-01", configuration };
      const { status, json, text } = await caller.call("POST", "/reporting/reports", body, { headers });
      assert.equal([200, 400, 425].includes(status), true, text);
      if (status !== 200) return;
      caller.emulator.advance(5);
      const look = await caller.call("GET", `/reporting/reports/${json.reportId}`);
      assert.equal(look.json.status, "COMPLETED", look.text);
    }),
    { numRuns: 150, seed: 20260930 },
  );
});

Deno.test("no body makes the control fail, and what is refused changes nothing", async () => {
  await using caller = await Caller.start();
  const controls = ["clock", "faults", "quirks", "snapshot"];
  const body = fc.oneof(
    fc.dictionary(
      fc.constantFrom(
        "rules",
        "profile",
        "keep",
        "advance",
        "now",
        "frozen",
        "reportSeconds",
        "format",
        "seed",
      ),
      fc.jsonValue({ maxDepth: 2 }),
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...controls), body, async (name, body) => {
      const before = (await caller.control("GET", name)).text;
      const { status, text } = await caller.control("POST", name, JSON.stringify(body));
      assert.equal([200, 400].includes(status), true, `${name} ${status} ${text}`);
      if (status === 400) assert.equal((await caller.control("GET", name)).text, before);
      else if (name === "faults") caller.emulator.setFaults("calm");
    }),
    { numRuns: 150, seed: 20260930 },
  );
  await caller.control("POST", "clock", { now: "2026-09-30T12:00:00Z", frozen: true });
  assert.equal((await caller.call("GET", "/v2/profiles")).status, 200);
});

Deno.test("no address of a file leads anywhere but to a file", async () => {
  await using caller = await Caller.start();
  const paths = [
    "",
    "/",
    "/..%2f..%2fetc%2fpasswd",
    "/../state.json",
    "/123",
    "/123/456.json.gz?expires=x&signature=y",
    "/%E0%A4%A",
  ];
  for (const path of paths) {
    const response = await fetch(`${caller.emulator.url}/files${path}`);
    await response.body?.cancel();
    assert.equal([403, 404].includes(response.status), true, `${path} ${response.status}`);
  }
});
